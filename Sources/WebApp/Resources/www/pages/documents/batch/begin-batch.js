import { addToBatch } from "../../../server/batch.js";
import { showToast } from "../../../components/toast.js";
import { t, wordsFor } from "../../../core/i18n.js";

/**
 * Has documents spoken one after another.
 *
 * @param {import("../../../server/batch.js").BatchOrder[]} documents
 * @param {{ byChapter?: boolean }} [options]
 * @returns {Promise<boolean>} Whether it was begun; if not, the reason has been shown.
 */
export async function beginBatch(documents, options = {}) {
  if (documents.length === 0) return false;
  try {
    const { current, total } = await addToBatch(documents, options);
    showToast({ icon: "speak", text: t("batch.begun", { n: Math.max(1, total - current + 1) }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: wordsFor(error).message });
    return false;
  }
}
