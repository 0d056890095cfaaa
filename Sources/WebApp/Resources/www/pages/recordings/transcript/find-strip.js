import { button } from "../../../components/button.js";
import { searchField } from "../../../components/field.js";
import { h, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { findPlaces } from "./text.js";

/** @typedef {import("./text.js").Place} Place */

/**
 * @typedef {object} FindStripParts
 * @property {(places: readonly Place[], current: Place | null) => void} found Called with the places to highlight.
 */

/** A search field with buttons for the next and previous match, which also step through places of another kind. */
export class FindStrip {
  element;
  #found;
  #text = "";
  /** @type {readonly Place[]} */
  #places = [];
  #current = -1;
  /** Whether the places are search matches. */
  #isSearch = true;
  #field = searchField(t("transcript.find"));
  #count = h("p", { class: "find-count numbers", role: "status" });
  #previous = button({ label: t("transcript.find.previous"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: () => this.#step(-1) });
  #next = button({ label: t("transcript.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#step(1) });

  /** @param {FindStripParts} parts */
  constructor({ found }) {
    this.#found = found;
    this.#field.input.addEventListener("input", () => this.search(this.#field.input.value));
    this.#field.input.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("div", { class: "transcript-find", role: "search" }, this.#field.element, this.#count, this.#previous, this.#next);
    this.#showSteps();
  }

  /** @param {string} text Another text to search; the search words stay. */
  take(text) {
    this.#text = text;
    if (this.#field.input.value !== "") this.search(this.#field.input.value);
    else this.leave();
  }

  focus() {
    this.#field.input.focus();
    this.#field.input.select();
  }

  /** @param {string} words */
  search(words) {
    if (this.#field.input.value !== words) this.#field.input.value = words;
    this.#isSearch = true;
    this.#places = findPlaces(this.#text, words);
    this.#current = this.#places.length > 0 ? 0 : -1;
    this.#show();
    if (words.trim() !== "" && this.#places.length === 0) setText(this.#count, t("transcript.find.none"));
  }

  /**
   * Steps through other places, such as uncertain words.
   *
   * @param {readonly Place[]} places
   */
  visit(places) {
    const isSame = !this.#isSearch && this.#places === places;
    this.#field.input.value = "";
    this.#isSearch = false;
    this.#places = places;
    this.#current = isSame ? (this.#current + 1) % places.length : 0;
    this.#show();
  }

  leave() {
    this.#places = [];
    this.#current = -1;
    this.#show();
  }

  /** @param {1 | -1} by */
  #step(by) {
    if (this.#places.length === 0) return;
    this.#current = (this.#current + by + this.#places.length) % this.#places.length;
    this.#show();
  }

  #show() {
    const place = this.#places[this.#current] ?? null;
    this.#found(this.#isSearch ? this.#places : [], place);
    const count = { n: this.#current + 1, all: String(this.#places.length) };
    const word = place === null ? "" : this.#text.slice(place.from, place.to);
    const words = this.#isSearch ? t("transcript.find.count", count) : t("transcript.uncertain.at", { ...count, word });
    setText(this.#count, place === null ? "" : words);
    this.#showSteps();
  }

  #showSteps() {
    const isEmpty = this.#places.length === 0;
    for (const step of [this.#previous, this.#next]) step.hidden = isEmpty;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.#step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.#field.input.value !== "") {
      event.preventDefault();
      this.search("");
    }
  }
}
