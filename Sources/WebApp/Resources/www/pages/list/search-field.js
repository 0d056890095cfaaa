import { searchField } from "../../components/field.js";

/** Milliseconds that typing rests before the server is asked. */
const typingRest = 25;

/**
 * @typedef {object} SearchFieldOptions
 * @property {string} label
 * @property {number} [rest] Milliseconds that typing rests before `changed` is called, 0 for none; a short while when absent.
 * @property {() => void} changed Something else is looked for than before.
 * @property {() => void} goToList The focus is to go to the list.
 */

/** What a list is searched with: Esc empties it, ↓ leads into the list. */
export class SearchField {
  #rest;
  #changed;
  #goToList;
  #timer = 0;
  #input;

  /** @param {SearchFieldOptions} options */
  constructor({ label, rest = typingRest, changed, goToList }) {
    this.#rest = rest;
    this.#changed = changed;
    this.#goToList = goToList;
    const { element, input } = searchField(label);
    this.element = element;
    this.#input = input;
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#input.value.trim();
  }

  focus() {
    this.#input.focus();
  }

  /** Ends the search, without an event. */
  clear() {
    this.#input.value = "";
  }

  #typed() {
    clearTimeout(this.#timer);
    if (this.#rest === 0) this.#changed();
    else this.#timer = setTimeout(this.#changed, this.#rest);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.#goToList();
    else if (event.key === "Escape" && this.#input.value !== "") {
      this.clear();
      this.#changed();
    } else return;
    event.preventDefault();
  }
}
