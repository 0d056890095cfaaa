import { loadPicture } from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { fill, h } from "../../../core/dom.js";
import { t, wordsFor } from "../../../core/i18n.js";
import { passwordOf } from "./passwords.js";

/** Milliseconds that a page is in view before its picture is asked for: pages that fly past are not. */
const glance = 60;

/** A page's place among the others, and its picture while it is near the view. */
export class PagePicture {
  #load = new AbortController();
  #timer = 0;
  #address = "";
  #width = 0;
  #id;
  #listener;
  #image = h("div", { class: "picture-image" });

  /**
   * @param {string} id Of the document.
   * @param {{ number: number, label: string | null }} page
   * @param {number} count Of pages.
   * @param {{ shaped: (number: number, ratio: number) => void, locked: () => void }} listener `shaped` gets height by width.
   */
  constructor(id, { number, label }, count, listener) {
    this.#id = id;
    this.number = number;
    this.#listener = listener;
    this.name = t("viewer.page.of", { page: label ?? String(number), all: count });
    this.element = h("figure", { class: "picture", "aria-label": this.name }, this.#image);
  }

  /**
   * Sees to it that the picture is there, sharp enough.
   *
   * @param {number} width Pixels of the screen.
   */
  show(width) {
    if (width <= this.#width) return;
    this.#width = width;
    this.#load.abort();
    this.#load = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#bring(this.#load.signal), glance);
  }

  leave() {
    clearTimeout(this.#timer);
    this.#load.abort();
    if (this.#address !== "") URL.revokeObjectURL(this.#address);
    this.element.remove();
  }

  /** Asks again, with a password that is known now. */
  again() {
    const width = this.#width;
    this.#width = 0;
    this.show(width);
  }

  /** @param {AbortSignal} signal */
  async #bring(signal) {
    this.element.setAttribute("aria-busy", "true");
    try {
      const wanted = { page: this.number, width: this.#width, password: passwordOf(this.#id) };
      const address = URL.createObjectURL(await loadPicture(this.#id, wanted, signal));
      const image = h("img", { src: address, alt: this.name, decoding: "async" });
      await image.decode();
      if (signal.aborted) {
        URL.revokeObjectURL(address);
        return;
      }
      if (this.#address !== "") URL.revokeObjectURL(this.#address);
      this.#address = address;
      fill(this.#image, image);
      this.#listener.shaped(this.number, image.naturalHeight / Math.max(1, image.naturalWidth));
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      if (!signal.aborted) this.element.removeAttribute("aria-busy");
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
    if (code.startsWith("document.password")) this.#listener.locked();
    const again = button({ label: t("do.again"), onPress: () => this.again() });
    fill(this.#image, h("div", { class: "picture-problem" }, h("p", {}, wordsFor(error).message), again));
  }
}
