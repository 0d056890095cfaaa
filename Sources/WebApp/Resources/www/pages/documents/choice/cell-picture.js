import { loadPicture } from "../../../server/documents.js";
import { h } from "../../../core/dom.js";
import { passwordOf } from "../viewer/passwords.js";

/** Milliseconds that a box is near the view before its picture is asked for: those that fly past are not. */
const glance = 60;

/** Pixels of a picture's width. */
const width = 160;

/** How a page looks, in its box of the grid, while the box is near the view. */
export class CellPicture {
  #load = new AbortController();
  #timer;
  #address = "";

  /**
   * @param {string} id Of the document.
   * @param {number} page
   * @param {HTMLElement} cell
   */
  constructor(id, page, cell) {
    this.#timer = setTimeout(() => this.#bring(id, page, cell), glance);
  }

  leave() {
    clearTimeout(this.#timer);
    this.#load.abort();
    if (this.#address !== "") URL.revokeObjectURL(this.#address);
  }

  /**
   * @param {string} id
   * @param {number} page
   * @param {HTMLElement} cell
   */
  async #bring(id, page, cell) {
    const { signal } = this.#load;
    cell.setAttribute("aria-busy", "true");
    try {
      const blob = await loadPicture(id, { page, width, password: passwordOf(id) }, signal);
      if (signal.aborted) return;
      this.#address = URL.createObjectURL(blob);
      cell.querySelector(".grid-picture")?.replaceChildren(h("img", { src: this.#address, alt: "" }));
    } catch {
      // Its number says which it is.
    } finally {
      cell.removeAttribute("aria-busy");
    }
  }
}
