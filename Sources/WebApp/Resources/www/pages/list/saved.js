import { showNews } from "../../components/toast.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { deleteRecordings, itemDeletion } from "./item-actions.js";

/**
 * Takes back that a narration has become a recording: deletes that, with undo for a while.
 *
 * @param {{ id: string, name: string }} narration
 * @param {() => void} [undone] Called when it has been restored.
 * @returns {Promise<boolean>} Whether it is hidden.
 */
export function undoSaved({ id, name }, undone) {
  player.forget(id);
  return deleteRecordings([id], name, undone);
}

/** The recording that was last said to be saved. */
let lastSaid = "";

/**
 * Says once that a narration has become a recording, and offers undo.
 *
 * @param {{ id: string, name: string }} narration
 * @param {string} [warning] What is not as it should be.
 */
export function saySaved(narration, warning) {
  const { id, name } = narration;
  if (id === lastSaid) return;
  lastSaid = id;
  const text = [t("strip.saved", { name }), warning].filter(Boolean).join(" ");
  const action = { label: t("do.undo"), run: () => undoSaved(narration) };
  const isThere = () => !itemDeletion.isHidden(id);
  showNews({ icon: warning ? "warning" : "check", text, seconds: warning ? 30 : 10, isUndo: true, action }, isThere);
}
