import { button } from "../components/button.js";
import { download } from "../components/download.js";
import { isBusy, setBusy } from "../components/field.js";
import { confirm } from "../components/sheet.js";
import { showToast } from "../components/toast.js";
import { size, wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { onServer } from "../server/events.js";
import { deleteImportedFile } from "../server/settings.js";

/**
 * Downloads a file that is generated while it is sent, and reports how that ended: a browser does not say why a
 * download was cut short.
 *
 * @param {string} address
 * @param {string} id The id in the event that reports its end.
 * @param {{ isMadeFirst?: boolean }} options `isMadeFirst`: no byte arrives until all is generated, and browsers do not
 * show that they wait.
 */
export function watchedDownload(address, id, { isMadeFirst = false } = {}) {
  const end = new AbortController();
  const wait = new AbortController();
  const dismiss = isMadeFirst ? showToast({ icon: "export", text: t("export.making"), seconds: 3_600 }) : () => {};
  onServer("export", (outcome) => {
    if (outcome.id !== id) return;
    end.abort();
    wait.abort();
    dismiss();
    showOutcome(outcome);
  }, end.signal);
  // The end may have been reported while no events arrived. If it was not, it is still to come.
  const giveUp = () => {
    wait.abort();
    dismiss();
    showToast({ icon: "warning", text: t("export.unknownEnd"), seconds: 30 });
  };
  if (isMadeFirst) onServer("reset", giveUp, wait.signal);
  download(address);
}

/** @param {import("../server/events.js").ServerEvents["export"]} outcome */
function showOutcome({ failure, leftOut }) {
  if (failure !== null) {
    showToast({ icon: "error", text: t("export.failed", { why: wordsFor(failure).message }), seconds: 30 });
  } else if (leftOut > 0) {
    showToast({ icon: "warning", text: t("export.leftOut", { n: leftOut }), seconds: 30 });
  }
}

/**
 * A button that deletes the file that a recording was imported from, once a person has confirmed it; the recording stays.
 *
 * @param {string} id The recording's.
 * @param {number} bytes Of the file.
 * @param {{ deleted: () => void, failed: (error: unknown) => void }} listener
 */
export function fileDeletion(id, bytes, { deleted, failed }) {
  const words = { size: size(bytes) };
  const press = async () => {
    if (isBusy(element)) return;
    const question = { title: t("storage.file.delete.title", words), detail: t("storage.file.delete.text"), action: t("do.delete") };
    if (!(await confirm(question))) return;
    setBusy(element, t("passcode.working"));
    try {
      await deleteImportedFile(id);
      deleted();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(element, null);
    }
  };
  const element = button({ label: t("storage.file.delete", words), icon: "trash", look: "quiet", onPress: press });
  return element;
}
