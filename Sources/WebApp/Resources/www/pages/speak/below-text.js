import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { errorNotice, notice } from "../../components/notice.js";
import { fill, h, setText } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { t, wordsFor } from "../../core/i18n.js";
import { openSheetOf } from "./chips.js";
import { session } from "./session.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** @param {"generate" | "continue" | "stop" | "discard"} step What the person decides. */
const decide = async (step) => (await import("./speaking.js")).speaking[step]();

/** What stands between the text and the row: what is wrong, and what mends it. */
export class BelowText {
  element = h("div", { class: "speak-below" });
  #count;

  /** @param {import("./word-count.js").WordCount} count */
  constructor(count) {
    this.#count = count;
  }

  update() {
    const { kind, narration } = session.stage.value;
    const { words, limit } = this.#count;
    const problem = session.problem.value;
    if (problem !== null) {
      fill(this.element, errorNotice(problem, wayOut(problem)));
    } else if (kind === "unfinished" && narration !== null) {
      fill(this.element, unfinishedNotice(narration));
    } else if (kind === "writing" && this.#count.isOver) {
      this.#fillOnce("over", t("speak.over", { n: words - limit, limit }), "error");
    } else if (kind === "writing" && this.#count.isNear) {
      this.#fillOnce("near", t("speak.near", { n: limit - words, limit }), "warning");
    } else if (kind === "writing" && words === 0) {
      fill(this.element, h("p", { class: "speak-private" }, icon("lock"), t("speak.private")));
    } else {
      fill(this.element);
    }
  }

  /**
   * Keeps a notice that is there already, so that typing does not announce it again.
   *
   * @param {string} kind
   * @param {string} text
   * @param {"error" | "warning"} look
   */
  #fillOnce(kind, text, look) {
    const present = this.element.firstElementChild;
    if (present instanceof HTMLElement && present.dataset.kind === kind) {
      setText(/** @type {Element} */ (present.querySelector("p")), text);
      return;
    }
    const element = notice({ text, kind: look });
    element.dataset.kind = kind;
    element.setAttribute("role", "status");
    fill(this.element, element);
  }
}

/** @param {unknown} problem */
function wayOut(problem) {
  const code = /** @type {{ code?: string }} */ (problem).code ?? "";
  if (/voice|profile|engine|speech\.unknown/.test(code)) {
    return button({ label: t("speak.mend.voice"), opens: true, onPress: ({ target }) => openSheetOf("voice", document.querySelector(".chip-voice") ?? /** @type {Element} */ (target)) });
  }
  if (code === "server.unreachable") return button({ label: t("do.again"), onPress: () => decide("generate") });
  return null;
}

/** @param {Narration} narration */
function unfinishedNotice(narration) {
  const words = narration.failure === null ? null : wordsFor(narration.failure);
  const made = narration.seconds > 0 ? t("speak.unfinished.detail", { made: duration(narration.seconds) }) : "";
  return notice({
    text: words?.message ?? t("speak.unfinished", { name: narration.name }),
    detail: words === null ? made : `${words.suggestion ?? t("error.again")} ${made}`.trim(),
    kind: words === null ? "info" : "error",
    actions: [
      button({ label: t("speak.continue"), look: "primary", onPress: () => decide("continue") }),
      narration.seconds > 0 ? button({ label: t("speak.keep-part"), onPress: () => decide("stop") }) : null,
      button({ label: t("speak.discard"), look: "quiet", onPress: () => decide("discard") }),
    ],
  });
}
