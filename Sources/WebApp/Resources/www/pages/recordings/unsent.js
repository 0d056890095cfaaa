import { confirm } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { recorder } from "./recorder.js";

/** Saves what the server does not have as a sound file, and asks whether to end the recording. */
export async function saveUnsent() {
  const sound = await recorder.unsentSound();
  const address = URL.createObjectURL(sound);
  const link = h("a", { href: address, download: t("recorder.unsent.file") });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
  const isOver = await confirm({ title: t("recorder.unsent.title"), detail: t("recorder.unsent.text"), action: t("recorder.unsent.end") });
  if (!isOver) return;
  await recorder.leave();
  showToast({ icon: "info", text: t("recorder.unsent.ended") });
}
