import { download } from "../../components/download.js";
import { showToast } from "../../components/toast.js";
import { wordsFor } from "../../core/error-words.js";
import { t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";

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

/** @param {import("../../server/events.js").ServerEvents["export"]} outcome */
function showOutcome({ failure, leftOut }) {
  if (failure !== null) {
    showToast({ icon: "error", text: t("export.failed", { why: wordsFor(failure).message }), seconds: 30 });
  } else if (leftOut > 0) {
    showToast({ icon: "warning", text: t("export.leftOut", { n: leftOut }), seconds: 30 });
  }
}
