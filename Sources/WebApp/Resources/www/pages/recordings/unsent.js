import { confirm } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { t } from "../../core/i18n.js";
import { recorder } from "./recorder.js";
import { downloadSound } from "./sound-download.js";

/** Whether there is anything that a server that was started again does not have. */
export function hasRest() {
  return recorder.state.value.unsent > 0 || recorder.unsentMarks > 0;
}

/** Saves what a server that was started again does not have of a recording that has ended. */
export async function saveRest() {
  if (hasRest()) downloadSound(await recorder.unsentSound());
}

/**
 * Ends a recording whose rest was saved, once a person has seen to it: whether a browser has kept a file it does not say.
 *
 * @param {string} file Its name.
 */
export async function leaveSaved(file) {
  const question = { title: t("recorder.left.sure", { file }), detail: t("recorder.left.sure.text"), action: t("recorder.left.sure.yes") };
  if (await confirm(question)) await recorder.leave();
}

/** Saves what the server does not have as a sound file, and asks whether to end the recording. */
export async function saveUnsent() {
  downloadSound(await recorder.unsentSound());
  const isOver = await confirm({ title: t("recorder.unsent.title"), detail: t("recorder.unsent.text"), action: t("recorder.unsent.end") });
  if (!isOver) return;
  await recorder.leave();
  showToast({ icon: "info", text: t("recorder.unsent.ended") });
}
