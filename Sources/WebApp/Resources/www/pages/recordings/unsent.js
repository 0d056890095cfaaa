import { confirm } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { t } from "../../core/i18n.js";
import { recorder } from "./recorder.js";
import { downloadSound } from "./sound-download.js";

/** Saves what a server that was started again does not have of a recording that has ended. */
export async function saveRest() {
  if (recorder.state.value.unsent > 0) downloadSound(await recorder.unsentSound());
}

/** Saves what the server does not have as a sound file, and asks whether to end the recording. */
export async function saveUnsent() {
  downloadSound(await recorder.unsentSound());
  const isOver = await confirm({ title: t("recorder.unsent.title"), detail: t("recorder.unsent.text"), action: t("recorder.unsent.end") });
  if (!isOver) return;
  await recorder.leave();
  showToast({ icon: "info", text: t("recorder.unsent.ended") });
}
