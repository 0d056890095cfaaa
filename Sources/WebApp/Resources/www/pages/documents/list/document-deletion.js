import { deleteDocuments } from "../../../server/documents.js";
import { confirm } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { t, wordsFor } from "../../../core/i18n.js";

/**
 * Asks, then deletes documents for good; what was spoken of them stays.
 *
 * @param {string[]} ids
 * @param {string} name Of the one, when it is one.
 * @returns {Promise<boolean>} Whether they are gone.
 */
export async function deleteAsked(ids, name) {
  if (ids.length === 0) return false;
  const isSure = await confirm({
    title: t("documents.delete.title", { n: ids.length, name }),
    detail: t("documents.delete.text", { n: ids.length }),
    action: t("do.delete"),
  });
  if (!isSure) return false;
  try {
    await deleteDocuments(ids);
    showToast({ icon: "trash", text: t("documents.deleted", { n: ids.length, name }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: `${t("documents.notDeleted", { n: ids.length, name })} ${wordsFor(error).message}` });
    return false;
  }
}
