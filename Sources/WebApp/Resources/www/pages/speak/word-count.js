import { h, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { countWords } from "../../core/text.js";
import { session } from "./session.js";

/** From this part of the limit on, the words that are left are told. */
const nearLimit = 0.9;

/** How many words the text has, beside the page's title; while it is written, of how many. */
export class WordCount {
  element = h("p", { class: "word-counter numbers" });
  /** As they were counted last. */
  words = 0;

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
    const { limit } = this;
    this.words = countWords(session.text);
    setText(this.element, isWriting ? t("speak.words", { n: this.words, limit }) : t("unit.words", { n: this.words }));
    this.element.classList.toggle("near", isWriting && this.isNear);
    this.element.classList.toggle("over", isWriting && this.isOver);
  }
}
