import { icon } from "../../components/icon.js";
import { fill, h, painted, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { profiles, state } from "../../core/store.js";
import { session } from "./session.js";

/** A word is an ideograph or a kana, or a run from a letter or digit to white space or one of those. */
const ideograph = "(?=\\p{Alphabetic})[\\p{Ideographic}\\u3041-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9d]";
const word = new RegExp(`${ideograph}|[\\p{Alphabetic}\\p{N}](?:(?!${ideograph})\\P{White_Space})*`, "gu");

/**
 * The number of words in a text, counted as on the server (`String.wordCount`).
 *
 * @param {string} text
 * @returns {number}
 */
export function countWords(text) {
  let count = 0;
  for (word.lastIndex = 0; word.test(text); ) count += 1;
  return count;
}

/** The fraction of the limit from which on the remaining words are shown. */
const nearLimit = 0.9;

/** The number of words next to the page's title; while writing, with the limit. */
export class WordCount {
  /** Empty before the page is painted: a browser is slow to format its first number. */
  element = h("p", { class: "word-counter numbers" });
  /** The last count. */
  words = 0;
  #isWriting = true;
  #isPainted = false;

  constructor() {
    painted().then(() => {
      this.#isPainted = true;
      this.#notify();
    });
  }

  get limit() {
    return state.value?.wordLimit ?? 10_000;
  }

  get isOver() {
    return this.words > this.limit;
  }

  get isNear() {
    return !this.isOver && this.words >= this.limit * nearLimit;
  }

  /** @param {boolean} isWriting */
  update(isWriting) {
    this.words = countWords(session.text);
    this.#isWriting = isWriting;
    this.#notify();
    this.element.classList.toggle("near", isWriting && this.isNear);
    this.element.classList.toggle("over", isWriting && this.isOver);
  }

  #notify() {
    if (!this.#isPainted) return;
    const { words, limit } = this;
    setText(this.element, this.#isWriting ? t("speak.words", { n: words, limit }) : t("unit.words", { n: words }));
  }
}

/** @typedef {typeof import("./notices.js")} Notices */

/** @type {Notices | null} */
let notices = null;

/** Loads the notices of errors, which the first view does not need. */
export async function bringNotices() {
  notices ??= await import("./notices.js");
}

/** The notices between the text and the row: errors and their remedies. */
export class BelowText {
  element = h("div", { class: "speak-below" });
  /** Says that the library cannot save the text, whatever other notices there are. */
  unkept = h("div", { class: "speak-unkept", role: "status" });
  #count;

  /** @param {WordCount} count */
  constructor(count) {
    this.#count = count;
  }

  update() {
    const complain = this.#complaint();
    if (complain === null) this.#fillWithPromise();
    else if (notices === null) bringNotices().then(() => this.update(), () => {}); // loaded with the module that speaks, when the server is back
    else complain(notices);
  }

  /** Nothing is shown before the notices are loaded. */
  showUnkept() {
    const error = session.unkept.value;
    fill(this.unkept, error !== null && notices?.unkeptNotice(error));
  }

  /**
   * The notice of an error.
   *
   * @returns {((notices: Notices) => void) | null} `null` without an error.
   */
  #complaint() {
    const { kind, narration } = session.stage.value;
    const { words, limit } = this.#count;
    const problem = session.problem.value;
    if (problem !== null) return ({ problemNotice }) => fill(this.element, problemNotice(problem));
    if (kind === "unfinished" && narration !== null) return ({ unfinishedNotice }) => fill(this.element, unfinishedNotice(narration));
    const [unspoken] = narration?.unspoken ?? [];
    if (kind !== "writing") return unspoken === undefined ? null : this.#once("unspoken", t("speak.unspoken", { text: unspoken }));
    if (this.#count.isOver) return this.#once("over", t("speak.over", { n: words - limit, limit }));
    if (this.#count.isNear) return this.#once("near", t("speak.near", { n: limit - words, limit }));
    const isStandIn = profiles.value?.isStandIn === true && session.settings.value.voice === undefined;
    return isStandIn ? this.#once("stand-in", t("profiles.standIn")) : null;
  }

  /** Says where the text is stored, while it is empty. */
  #fillWithPromise() {
    const isEmpty = session.stage.value.kind === "writing" && this.#count.words === 0;
    fill(this.element, isEmpty && h("p", { class: "speak-private" }, icon("lock"), t("speak.private")));
  }

  /**
   * Leaves an existing notice alone, so that typing does not announce it again.
   *
   * @param {"over" | "near" | "stand-in" | "unspoken"} kind
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
