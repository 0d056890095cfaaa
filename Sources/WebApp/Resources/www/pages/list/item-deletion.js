import { confirm } from "../../components/sheet.js";
import { showToast, showUndo } from "../../components/toast.js";
import { wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { deleteItems } from "../../server/library.js";
import { DeferredDeletion } from "../deferred-deletion.js";

/**
 * The maximum number of recordings whose deletion can be undone. More need a confirmation first: a request that
 * outlives the page is limited to 64 KiB.
 */
const maximumToUndo = 1_000;

/** The name of the recording, when only one is deleted. */
let name = "";

/**
 * The recordings that are deleted or waiting to be; it outlives the pages that list them, as their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
export const itemDeletion = new DeferredDeletion({
  delete: deleteItems,
  failed: (error, ids) => {
    const { message } = wordsFor(error);
    showToast({ icon: "error", text: `${t("library.notDeleted", { n: ids.length, name })} ${message}` });
  },
});

/**
 * Hides recordings at once and deletes them when undo is no longer offered. Asks before deleting more than can be
 * restored.
 *
 * @param {string[]} ids
 * @param {string} nameOfOne The recording's name, if it is only one.
 * @param {() => void} [undone] Called when they have been restored.
 * @returns {Promise<boolean>} Whether they are hidden.
 */
export async function deleteRecordings(ids, nameOfOne, undone = () => {}) {
  if (ids.length === 0) return false;
  if (ids.length > maximumToUndo) {
    if (!(await isSureToDelete(ids.length))) return false;
    itemDeletion.hide(ids).finish();
    return true;
  }
  const pending = itemDeletion.hide(ids);
  name = nameOfOne;
  showUndo({
    text: t("library.deleted", { n: ids.length, name }),
    undo: () => {
      pending.undo();
      undone();
    },
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
  return true;
}

/** @param {number} count */
function isSureToDelete(count) {
  return confirm({
    title: t("library.delete.title", { n: count }),
    detail: t("library.delete.text"),
    action: t("do.delete"),
  });
}
