import { errorNotice } from "../../components/notice.js";
import { h } from "../../core/dom.js";

/**
 * The part of an address below a page's own, decoded. A badly escaped one is passed on: nothing has it, and the server
 * reports that.
 *
 * @param {string} path Such as `/documents/42`.
 * @param {string} address The page's own, such as `/documents`.
 * @returns {string | null} `null` for the page's own.
 */
export function partAt(path, address) {
  const rest = path.slice(address.length).replace(/^\/+|\/+$/g, "");
  if (rest === "") return null;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}

/** A page that is a list, or at an address below its own a view that the list leads to. The list stays as it was left. */
export class ListPage extends HTMLElement {
  #life = new AbortController();
  #parts;
  /** The scroll position of the list when it was left, in pixels. */
  #scrolled = 0;
  /** @type {string | null} The part of the address whose view is shown instead of the list, or is being loaded. */
  #shown = null;
  /** @type {string | null} The part that was asked for last. */
  #asked = null;

  /**
   * @param {object} parts
   * @param {string} parts.address The page's own.
   * @param {HTMLElement} parts.list With a title, which has the focus where `focus` finds nothing.
   * @param {(part: string) => Promise<HTMLElement & { focusTitle: () => void }> | null} parts.view `null` where the
   * list is shown.
   * @param {string} parts.back The words of the way back to the list, where a view cannot be loaded.
   * @param {(part: string) => boolean} [parts.focus] Focuses the row of the list that leads to a part, if there is one.
   */
  constructor(parts) {
    super();
    this.#parts = parts;
  }

  connectedCallback() {
    this.#life = new AbortController();
    this.addEventListener("address", () => this.#show(true), { signal: this.#life.signal });
    this.#show(false);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {boolean} isMoving Whether the user came from within the page. */
  async #show(isMoving) {
    const { address, back, list, view: viewOf } = this.#parts;
    const part = partAt(location.pathname, address);
    if (part !== null && this.#isShown(part)) {
      this.#shown = part;
      this.firstElementChild?.dispatchEvent(new CustomEvent("address"));
      return;
    }
    const loading = part === null ? null : viewOf(part);
    if (loading === null) {
      this.#showList(isMoving);
      return;
    }
    if (list.isConnected) this.#scrolled = scrollY;
    this.#shown = this.#asked = part;
    try {
      const view = await loading;
      if (this.#shown !== part) return;
      /** It is loaded again when the page is back. */
      if (!this.isConnected) this.#shown = null;
      if (this.#shown === null) return;
      this.replaceChildren(view);
      scrollTo(0, 0);
      view.focusTitle();
    } catch (error) {
      if (this.#shown !== part) return;
      this.#shown = null;
      const wayBack = h("a", { class: "button", href: address }, back);
      this.replaceChildren(errorNotice(error, wayBack));
      wayBack.focus();
    }
  }

  /**
   * Whether its view is shown; a new thing gets its own address when it is first saved.
   *
   * @param {string} part
   */
  #isShown(part) {
    return this.#shown === part || this.firstElementChild?.getAttribute("data-address") === location.pathname;
  }

  /** @param {boolean} isMoving */
  #showList(isMoving) {
    const { list, focus } = this.#parts;
    this.#shown = null;
    if (list.isConnected) {
      list.dispatchEvent(new CustomEvent("address"));
      return;
    }
    this.replaceChildren(list);
    if (!isMoving) return;
    scrollTo(0, this.#scrolled);
    if (this.#asked !== null && focus?.(this.#asked)) return;
    list.querySelector("h1")?.focus({ preventScroll: true });
  }
}
