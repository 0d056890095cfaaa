import { icon } from "../../components/icon.js";
import { fill, h, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { profiles } from "../../core/store.js";
import { session } from "./session.js";

/** @typedef {typeof import("./notices.js")} Notices */

/** @type {Notices | null} */
let notices = null;

/** Brings what is said when something is wrong; the first sight does without. */
export async function bringNotices() {
  notices ??= await import("./notices.js");
}

/** What stands between the text and the row: what is wrong, and what mends it. */
export class BelowText {
  element = h("div", { class: "speak-below" });
  #count;

  /** @param {import("./word-count.js").WordCount} count */
  constructor(count) {
    this.#count = count;
  }

  update() {
    const complain = this.#complaint();
    if (complain === null) this.#fillWithPromise();
    else if (notices === null) bringNotices().then(() => this.update());
    else complain(notices);
  }

  /**
   * How what is wrong is said.
   *
   * @returns {((notices: Notices) => void) | null} `null` when nothing is wrong.
   */
  #complaint() {
    const { kind, narration } = session.stage.value;
    const { words, limit } = this.#count;
    const problem = session.problem.value;
    if (problem !== null) return ({ problemNotice }) => fill(this.element, problemNotice(problem));
    if (kind === "unfinished" && narration !== null) return ({ unfinishedNotice }) => fill(this.element, unfinishedNotice(narration));
    if (kind !== "writing") return null;
    if (this.#count.isOver) return this.#once("over", t("speak.over", { n: words - limit, limit }));
    if (this.#count.isNear) return this.#once("near", t("speak.near", { n: limit - words, limit }));
    const isStandIn = profiles.value?.isStandIn === true && session.manner.value.voice === undefined;
    return isStandIn ? this.#once("stand-in", t("profiles.standIn")) : null;
  }

  /** Says where the text stays, as long as there is none. */
  #fillWithPromise() {
    const isEmpty = session.stage.value.kind === "writing" && this.#count.words === 0;
    fill(this.element, isEmpty && h("p", { class: "speak-private" }, icon("lock"), t("speak.private")));
  }

  /**
   * Keeps a notice that is there already, so that typing does not announce it again.
   *
   * @param {"over" | "near" | "stand-in"} kind
   * @param {string} text
   * @returns {(notices: Notices) => void}
   */
  #once(kind, text) {
    return ({ noticeOfText }) => {
      const present = this.element.firstElementChild;
      if (present instanceof HTMLElement && present.dataset.kind === kind) setText(/** @type {Element} */ (present.querySelector("p")), text);
      else fill(this.element, noticeOfText(kind, text));
    };
  }
}
