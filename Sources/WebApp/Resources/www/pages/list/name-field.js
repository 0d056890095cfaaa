import { h, setAttribute } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { longestName, nameProblem } from "../../core/name.js";

/**
 * A field that edits a name in place: Enter or leaving it saves the change, Esc does not. It refuses an invalid name
 * with the reason.
 *
 * @template {{ id: string, name: string }} Item
 */
export class NameField {
  /** @type {Item} */
  item;
  /** @type {(name: string) => Promise<Item>} */
  #rename;
  /** @type {(item: Item | null) => void} */
  #done;
  #isDone = false;
  #isSending = false;
  #input;
  #error = h("span", { class: "name-error", role: "alert" });

  /**
   * @param {Item} item
   * @param {object} parts
   * @param {string} parts.label The name of the field.
   * @param {(name: string) => Promise<Item>} parts.rename
   * @param {(changed: Item | null) => void} parts.done Called once; `null` when the name is unchanged.
   */
  constructor(item, { label, rename, done }) {
    this.item = item;
    this.#rename = rename;
    this.#done = done;
    this.#input = h("input", {
      type: "text",
      class: "name-input",
      value: item.name,
      "aria-label": label,
      autocomplete: "off",
      maxlength: String(longestName),
      enterkeyhint: "done",
    });
    this.element = h("span", { class: "name-field" }, this.#input, this.#error);
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => (this.#input.value.trim() === "" ? this.#finish(null) : this.#keep()));
    this.#input.addEventListener("input", () => this.#fail(null));
  }

  focus() {
    this.#input.focus({ preventScroll: true });
    this.#input.select();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") this.#keep();
    else if (event.key === "Escape") this.#finish(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #keep() {
    const name = this.#input.value.trim();
    if (this.#isDone || this.#isSending) return;
    if (name === this.item.name) {
      this.#finish(null);
      return;
    }
    const problem = nameProblem(name);
    if (problem !== null) {
      this.#fail(problem);
      return;
    }
    this.#isSending = true;
    try {
      this.#finish(await this.#rename(name));
    } catch (error) {
      this.#fail(wordsFor(error).message);
      this.focus();
    } finally {
      this.#isSending = false;
    }
  }

  /** @param {string | null} text */
  #fail(text) {
    this.#error.textContent = text ?? "";
    setAttribute(this.#input, "aria-invalid", text === null ? null : "true");
  }

  /** @param {Item | null} changed */
  #finish(changed) {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done(changed);
  }
}
