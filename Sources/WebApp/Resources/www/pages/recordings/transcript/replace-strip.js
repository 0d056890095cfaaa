import { button } from "../../../components/button.js";
import { field } from "../../../components/field.js";
import { h, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/**
 * @typedef {object} ReplaceActions
 * @property {(words: string) => number} count How often they occur.
 * @property {(words: string) => void} next Goes to the next place.
 * @property {(words: string, others: string) => void} replace Replaces them everywhere.
 */

/** Finds words while a transcript is edited, and replaces them everywhere. */
export class ReplaceStrip {
  #actions;
  #find = field({ label: t("transcript.replace.find"), onInput: () => this.renew(), onEnter: () => this.#next() });
  #others = field({ label: t("transcript.replace.with"), onEnter: () => this.#replace() });
  #count = h("p", { class: "small muted numbers", role: "status" });
  #all = button({ label: t("transcript.replace.all"), icon: "check", onPress: () => this.#replace() });
  element = h(
    "div",
    { class: "replace-strip", role: "search", "aria-label": t("transcript.replace") },
    this.#find.element,
    this.#others.element,
    button({ label: t("transcript.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#next() }),
    this.#all,
    this.#count,
  );

  /** @param {ReplaceActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.renew();
  }

  /** @param {string} words Puts them into the field; empty leaves what is there. */
  begin(words) {
    if (words.trim() !== "") this.#find.input.value = words.trim();
    this.renew();
    const input = words.trim() === "" ? this.#find.input : this.#others.input;
    input.focus();
    input.select();
  }

  /** Counts again. */
  renew() {
    const words = this.#find.input.value;
    const count = words.trim() === "" ? 0 : this.#actions.count(words);
    this.#all.disabled = count === 0;
    setText(this.#count, words.trim() === "" ? "" : t("transcript.replace.count", { n: count }));
  }

  #next() {
    if (this.#find.input.value.trim() !== "") this.#actions.next(this.#find.input.value);
  }

  #replace() {
    if (this.#all.disabled) return;
    this.#actions.replace(this.#find.input.value, this.#others.input.value);
    this.renew();
  }
}
