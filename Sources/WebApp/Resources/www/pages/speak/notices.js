import { button } from "../../components/button.js";
import { errorNotice, notice, voicesLink } from "../../components/notice.js";
import { duration } from "../../core/format.js";
import { t, wordsFor } from "../../core/i18n.js";
import { openSheetOf } from "./writing-view.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** @param {"generate" | "continue" | "stop" | "discard"} step The person's decision. */
const decide = async (step) => (await import("./speaking.js")).speaking[step]();

/**
 * A notice about the text or its voice.
 *
 * @param {"over" | "near" | "stand-in" | "unspoken"} kind
 * @param {string} text
 */
export function noticeOfText(kind, text) {
  const actions = kind === "stand-in" ? [voicesLink()] : [];
  const element = notice({ text, kind: kind === "over" ? "error" : "warning", actions });
  element.dataset.kind = kind;
  element.setAttribute("role", "status");
  return element;
}

/**
 * A notice of an error, with the actions that mend it.
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
    const another = button({ label: t("speak.mend.voice"), opens: true, onPress: ({ target }) => openSheetOf("voice", document.querySelector(".chip-voice") ?? /** @type {Element} */ (target)) });
    return [another, voicesLink()];
  }
  if (code === "server.unreachable") return [button({ label: t("do.again"), onPress: () => decide("generate") })];
  return [];
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
      narration.seconds > 0 ? button({ label: t("speak.keep-part"), onPress: () => decide("stop") }) : null,
      isOfVoice ? voicesLink() : null,
      button({ label: t("speak.discard"), look: "quiet", onPress: () => decide("discard") }),
    ],
  });
}
