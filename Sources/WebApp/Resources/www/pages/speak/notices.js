import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice, notice, voicesLink } from "../../components/notice.js";
import { duration, paragraphFor, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** @param {"again" | "makeDocument" | "continue" | "discardUnfinished"} step The user's decision. */
const decide = async (step) => (await import("./speaking.js")).speaking[step]();

/** @param {Element} anchor */
const chooseVoice = async (anchor) => (await import("./sheets.js")).openSheetOf("voice", anchor);

const keepPart = async () => (await import("./speaking.js")).speaking.stop(true);

/**
 * A notice about the text or its voice.
 *
 * @param {"over" | "near" | "stand-in" | "unspoken"} kind
 * @param {string} text
 */
export function noticeOfText(kind, text) {
  const actions = kind === "stand-in" ? [voicesLink()] : kind === "over" ? [documentButton()] : [];
  const element = notice({ text, kind: kind === "over" ? "error" : "warning", actions });
  element.dataset.kind = kind;
  element.setAttribute("role", "status");
  return element;
}

function documentButton() {
  const label = t("speak.over.document");
  const element = button({ label, icon: "document", opens: true, onPress: () => make() });
  const make = async () => {
    if (isBusy(element)) return;
    setBusy(element, label);
    try {
      await decide("makeDocument");
    } finally {
      setBusy(element, null);
    }
  };
  return element;
}

/**
 * A notice of an error, with the actions that resolve it.
 *
 * @param {unknown} problem
 */
export function problemNotice(problem) {
  return errorNotice(problem, ...wayOut(problem));
}

/**
 * @param {unknown} problem
 * @returns {HTMLElement[]}
 */
function wayOut(problem) {
  const code = /** @type {{ code?: string }} */ (problem).code ?? "";
  if (/voice|profile|engine|speech\.unknown/.test(code)) {
    const another = button({ label: t("speak.mend.voice"), opens: true, onPress: ({ target }) => chooseVoice(document.querySelector(".chip-voice") ?? /** @type {Element} */ (target)) });
    return [another, voicesLink()];
  }
  if (code === "server.unreachable") return [button({ label: t("do.again"), onPress: () => decide("again") })];
  return [];
}

/** @param {unknown} error Why the library cannot save the text being written. */
export function unkeptNotice(error) {
  const element = notice({ text: t("speak.draft.unkept"), detail: paragraphFor(error), kind: "warning" });
  element.removeAttribute("role"); // its container is a live region
  return element;
}

/** @param {Narration} narration */
export function unfinishedNotice(narration) {
  const words = narration.failure === null ? null : wordsFor(narration.failure);
  const isOfVoice = /^(voice|engine)\./.test(narration.failure?.code ?? "");
  const made = narration.seconds > 0 ? t("speak.unfinished.detail", { made: duration(narration.seconds) }) : "";
  return notice({
    text: words?.message ?? t("speak.unfinished", { name: narration.name }),
    detail: words === null ? made : `${words.suggestion ?? t("error.again")} ${made}`.trim(),
    kind: words === null ? "info" : "error",
    actions: [
      button({ label: t("speak.continue"), look: "primary", onPress: () => decide("continue") }),
      narration.seconds > 0 ? button({ label: t("speak.keep-part"), onPress: keepPart }) : null,
      isOfVoice ? voicesLink() : null,
      button({ label: t("speak.discard"), look: "quiet", onPress: () => decide("discardUnfinished") }),
    ],
  });
}
