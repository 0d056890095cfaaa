import { deleteItems } from "../../server/library.js";
import { confirm } from "../../components/sheet.js";
import { showToast, showUndo } from "../../components/toast.js";
import { t, wordsFor } from "../../core/i18n.js";
import { DeferredDeletion } from "../deferred-deletion.js";

/**
 * How many recordings' deletion can be undone. More are asked about instead: the request that is to outlive the page holds
 * 64 KiB.
 */
export const mostToUndo = 1_000;

/** The name of the one that is deleted, for the words about it. */
let name = "";

/**
 * The recordings that wait to be deleted, or are; it outlives the page, since their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
export const deletion = new DeferredDeletion({
  delete: deleteItems,
  failed: (error, ids) => {
    const { message } = wordsFor(error);
    showToast({ icon: "error", text: `${t("library.notDeleted", { n: ids.length, name })} ${message}` });
  },
});

/**
 * Hides recordings at once and deletes them when that can no longer be undone.
 *
 * @param {string[]} ids
 * @param {string} nameOfOne Of the recording, when it is one.
 */
export function deleteRecordings(ids, nameOfOne) {
  if (ids.length === 0) return;
  const pending = deletion.hide(ids);
  name = nameOfOne;
  showUndo({
    text: t("library.deleted", { n: ids.length, name }),
    undo: pending.undo,
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
}

/**
 * Asks before so many recordings are deleted that it cannot be undone.
 *
 * @param {number} count
 */
export function isSureToDelete(count) {
  return confirm({
    title: t("library.delete.title", { n: count }),
    detail: t("library.delete.text"),
    action: t("do.delete"),
  });
}

/** @param {string[]} ids */
export function deleteAtOnce(ids) {
  return deletion.hide(ids).finish();
}
