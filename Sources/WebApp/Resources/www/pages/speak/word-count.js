import { h, painted, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { session } from "./session.js";

/** From this part of the limit on, the words that are left are told. */
const nearLimit = 0.9;

/** How many words the text has, beside the page's title; while it is written, of how many. */
export class WordCount {
  /** Says nothing before the page has been painted: the field comes first, and a browser is slow to write its first number. */
  element = h("p", { class: "word-counter numbers" });
  /** As they were counted last. */
  words = 0;
  #isWriting = true;
  #isPainted = false;

  constructor() {
    painted().then(() => {
      this.#isPainted = true;
      this.#tell();
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
    this.#tell();
    this.element.classList.toggle("near", isWriting && this.isNear);
    this.element.classList.toggle("over", isWriting && this.isOver);
  }

  #tell() {
    if (!this.#isPainted) return;
    const { words, limit } = this;
    setText(this.element, this.#isWriting ? t("speak.words", { n: words, limit }) : t("unit.words", { n: words }));
  }
}

/** @type {Intl.Segmenter | null | undefined} */
let segmenter;

/**
 * How many words a text has, as the server's ICU breaks them.
 *
 * @param {string} text
 * @returns {number}
 */
export function countWords(text) {
  if (text === "") return 0;
  if (segmenter === undefined) {
    segmenter = "Segmenter" in Intl ? new Intl.Segmenter("en", { granularity: "word" }) : null;
  }
  if (segmenter === null) return text.match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}
