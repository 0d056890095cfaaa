import { findPlaces } from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { searchField } from "../../../components/field.js";
import { h, setText } from "../../../core/dom.js";
import { t, wordsFor } from "../../../core/i18n.js";

/** @typedef {import("../../../server/documents.js").Span & { page: number }} Found */

/** Milliseconds that typing rests before it is searched for. */
const typingRest = 250;

/**
 * @typedef {object} FindListener
 * @property {() => number} from Where in the text a search begins.
 * @property {(places: readonly Found[], current: Found | null) => void} found `current` is to be brought into view.
 */

/** Finds words in the document: how many times, the next, the one before. */
export class FindBar {
  #id;
  #listener;
  #timer = 0;
  #request = new AbortController();
  /** @type {readonly Found[]} */
  #places = [];
  #isCut = false;
  #at = -1;
  #searched = "";
  #input;
  #count = h("span", { class: "find-count numbers", role: "status" });
  #steps;

  /**
   * @param {string} id Of the document.
   * @param {FindListener} listener
   */
  constructor(id, listener) {
    this.#id = id;
    this.#listener = listener;
    const before = button({ label: t("viewer.find.before"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: () => this.#step(-1) });
    const next = button({ label: t("viewer.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#step(1) });
    this.#steps = h("span", { class: "find-steps", hidden: true }, before, next);
    const { element, input } = searchField(t("viewer.find"));
    this.#input = input;
    this.element = h("div", { class: "find-bar", role: "search" }, element, this.#count, this.#steps);
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      this.#request.abort();
    }, { once: true });
  }

  /**
   * Searches for words as if they had been typed.
   *
   * @param {string} words
   */
  search(words) {
    this.#input.value = words;
    return this.#search();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), typingRest);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter" && !event.isComposing) {
      clearTimeout(this.#timer);
      if (this.#input.value.trim() !== this.#searched) this.#search();
      else this.#step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.#input.value !== "") {
      this.#input.value = "";
      this.#search();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #search() {
    const words = this.#input.value.trim();
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#searched = words;
    if (words === "") {
      this.#show([], false);
      return;
    }
    try {
      const { places, isCut } = await findPlaces(this.#id, words, signal);
      if (!signal.aborted) this.#show(places, isCut);
    } catch (error) {
      if (!signal.aborted) setText(this.#count, wordsFor(error).message);
    }
  }

  /**
   * @param {readonly Found[]} places
   * @param {boolean} isCut
   */
  #show(places, isCut) {
    const from = this.#listener.from();
    this.#places = places;
    this.#isCut = isCut;
    const at = places.findIndex((place) => place.from >= from);
    this.#at = places.length === 0 ? -1 : Math.max(0, at);
    this.#steps.hidden = places.length === 0;
    this.#notify();
  }

  /** @param {1 | -1} by */
  #step(by) {
    if (this.#places.length === 0) return;
    this.#at = (this.#at + by + this.#places.length) % this.#places.length;
    this.#notify();
  }

  #notify() {
    const count = this.#places.length;
    if (this.#searched === "") setText(this.#count, "");
    else if (count === 0) setText(this.#count, t("viewer.find.none"));
    else setText(this.#count, t(this.#isCut ? "viewer.find.many" : "viewer.find.count", { at: this.#at + 1, n: count }));
    this.#listener.found(this.#places, this.#places[this.#at] ?? null);
  }
}
