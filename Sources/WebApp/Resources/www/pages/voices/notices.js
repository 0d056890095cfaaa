import { button } from "../../components/button.js";
import { notice } from "../../components/notice.js";
import { h } from "../../core/dom.js";
import { t, wordsFor } from "../../core/i18n.js";
import { addressWithReturn } from "../../core/router.js";
import { titleOf } from "./offers.js";

/**
 * @typedef {import("../../server/voice-catalogue.js").Loss} Loss
 */

/**
 * What a person should know before the list: voices whose files are gone, a voice that is stood in for, and that nothing may
 * be downloaded.
 *
 * @param {object} known
 * @param {readonly Loss[]} known.losses
 * @param {boolean} known.isStandIn
 * @param {boolean} known.isOffline
 * @param {object} actions
 * @param {(loss: Loss) => void} actions.download
 * @param {() => void} actions.dismiss
 * @returns {HTMLElement[]}
 */
export function voiceNotices({ losses, isStandIn, isOffline }, { download, dismiss }) {
  const all = [];
  if (losses.length > 0) all.push(lossNotice(losses, download, dismiss));
  else if (isStandIn) all.push(notice({ kind: "warning", text: t("profiles.standIn"), detail: t("voices.standIn.do") }));
  if (isOffline) {
    const settings = h("a", { class: "button", href: addressWithReturn("/settings/speech") }, t("voices.step.settings"));
    all.push(notice({ text: t("voices.offline"), detail: t("voices.offline.do"), actions: [settings] }));
  }
  return all;
}

/**
 * @param {readonly Loss[]} losses
 * @param {(loss: Loss) => void} download
 * @param {() => void} dismiss
 */
function lossNotice(losses, download, dismiss) {
  const [first] = losses;
  const names = losses.map(titleOf).join(", ");
  const isOne = losses.length === 1 && first !== undefined;
  return notice({
    kind: "warning",
    text: isOne ? t("voices.lost.one", { name: names, reason: wordsFor(first.failure).message }) : t("voices.lost", { names }),
    detail: t("voices.lost.do"),
    actions: [
      ...losses
        .filter(({ entry }) => entry !== null)
        .map((loss) => button({ label: isOne ? t("voices.step.again") : t("voices.step.again.of", { name: titleOf(loss) }), onPress: () => download(loss) })),
      button({ label: t("do.dismiss"), look: "quiet", onPress: dismiss }),
    ],
  });
}
