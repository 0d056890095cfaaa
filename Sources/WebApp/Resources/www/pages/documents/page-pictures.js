import { button, icon } from "../../components/button.js";
import { field } from "../../components/field.js";
import { fill, h, setAttribute } from "../../core/dom.js";
import { wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { isOpen, state } from "../../core/store.js";
import { loadPicture } from "../../server/documents.js";

/**
 * The document passwords that the user has typed; in memory until the library closes.
 *
 * @type {Map<string, string>}
 */
const passwords = new Map();

state.watch(() => !isOpen() && passwords.clear(), new AbortController().signal);

/** @param {string} id Of the document. */
function passwordOf(id) {
  return passwords.get(id) ?? null;
}

/**
 * @param {string} id Of the document.
 * @param {string} password
 */
export function rememberPassword(id, password) {
  passwords.set(id, password);
}

/**
 * Asks for the password for a document's pictures; its text needs none.
 *
 * @param {{ open: (password: string) => void, showText: () => void }} answers
 * @returns {{ element: HTMLElement, refuse: (words: string) => void }} `refuse` announces why the last password did not
 * work, and focuses the field for the next.
 */
export function passwordQuestion({ open, showText }) {
  const give = () => open(password.input.value);
  const password = field({ label: t("viewer.password"), type: "password", hint: t("import.password.hint"), onEnter: give });
  const element = h(
    "div",
    { class: "import-answers" },
    password.element,
    button({ label: t("viewer.password.open"), onPress: give }),
    button({ label: t("viewer.password.text"), look: "quiet", onPress: showText }),
  );
  const refuse = (/** @type {string} */ words) => {
    password.fail(words);
    password.input.focus();
  };
  return { element, refuse };
}

/** @typedef {import("../../server/documents.js").Structure} Structure */

/** Size in rem of a cell with or without a picture. */
const sizes = { picture: { width: 7, height: 10.5 }, plain: { width: 4.5, height: 3.5 } };

/** How many rows are rendered beyond each end of the view. */
const spare = 3;

/**
 * A grid of pages to choose from, of any length: arrows move, Space chooses, Shift extends the choice, Ctrl+A chooses
 * all.
 */
export class PageGrid {
  #structure;
  #id;
  #changed;
  #size;
  /** @type {Set<number>} */
  #chosen;
  /** @type {Map<number, HTMLElement>} */
  #cells = new Map();
  /** @type {Map<number, CellPicture>} By page, for cells that have one. */
  #pictures = new Map();
  #at = 1;
  #anchor = 1;
  #columns = 1;
  #frame = 0;
  #life = new AbortController().signal;
  #canvas = h("div", { class: "grid-canvas" });

  /**
   * @param {string} id Of the document.
   * @param {Structure} structure
   * @param {ReadonlySet<number>} chosen
   * @param {(chosen: ReadonlySet<number>) => void} changed
   */
  constructor(id, structure, chosen, changed) {
    this.#id = id;
    this.#structure = structure;
    this.#chosen = new Set(chosen);
    this.#changed = changed;
    this.#size = structure.kind === "pdf" ? sizes.picture : sizes.plain;
    this.#at = structure.pages.find(({ number }) => chosen.has(number))?.number ?? 1;
    this.#anchor = this.#at;
    this.element = h(
      "div",
      { class: "page-grid", role: "listbox", "aria-multiselectable": "true", "aria-label": t("choice.grid"), tabindex: "0" },
      this.#canvas,
    );
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#life = signal;
    const plan = () => this.#plan();
    document.addEventListener("scroll", plan, { signal, passive: true, capture: true });
    const watcher = new ResizeObserver(plan);
    watcher.observe(this.element);
    signal.addEventListener("abort", () => {
      watcher.disconnect();
      for (const picture of this.#pictures.values()) picture.leave();
      this.#pictures.clear();
    });
    this.element.addEventListener("click", (event) => this.#click(event), { signal });
    this.element.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.#plan();
  }

  get #count() {
    return this.#structure.pages.length;
  }

  #plan() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#layOut();
    });
  }

  #layOut() {
    if (!this.element.isConnected || this.#life.aborted) return;
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const height = this.#size.height * rem;
    this.#columns = Math.max(1, Math.floor(this.element.clientWidth / (this.#size.width * rem)));
    const rows = Math.ceil(this.#count / this.#columns);
    this.#canvas.style.setProperty("height", `${rows * height}px`);
    const scroller = this.element.closest(".sheet-content");
    const view = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const { top } = this.#canvas.getBoundingClientRect();
    const first = Math.max(0, Math.floor((view.top - top) / height) - spare);
    const last = Math.min(rows - 1, Math.ceil((view.bottom - top) / height) + spare);
    const from = first * this.#columns + 1;
    const to = Math.min(this.#count, (last + 1) * this.#columns);
    for (const [number, cell] of this.#cells) {
      if (number >= from && number <= to) continue;
      cell.remove();
      this.#cells.delete(number);
      this.#pictures.get(number)?.leave();
      this.#pictures.delete(number);
    }
    const width = this.element.clientWidth / this.#columns;
    for (let number = from; number <= to; number += 1) {
      const cell = this.#cells.get(number) ?? this.#make(number);
      const row = Math.floor((number - 1) / this.#columns);
      cell.style.setProperty("transform", `translate(${((number - 1) % this.#columns) * width}px, ${row * height}px)`);
      cell.style.setProperty("width", `${width}px`);
      cell.style.setProperty("height", `${height}px`);
      this.#show(number, cell);
    }
  }

  /** @param {number} number */
  #make(number) {
    const { label } = this.#structure.pages[number - 1];
    const cell = h(
      "div",
      {
        class: this.#structure.kind === "pdf" ? "grid-cell pictured" : "grid-cell",
        role: "option",
        id: `grid-page-${number}`,
        "data-number": String(number),
        "aria-setsize": String(this.#count),
        "aria-posinset": String(number),
        "aria-label": t("documents.page", { page: label ?? String(number) }),
      },
      h("span", { class: "grid-box" }, h("span", { class: "grid-picture" }), h("span", { class: "grid-mark" }, icon("check")), h("span", { class: "grid-number numbers" }, label ?? String(number))),
    );
    this.#cells.set(number, cell);
    this.#canvas.append(cell);
    if (this.#structure.kind === "pdf") this.#pictures.set(number, new CellPicture(this.#id, number, cell));
    return cell;
  }

  /**
   * @param {number} number
   * @param {HTMLElement} cell
   */
  #show(number, cell) {
    setAttribute(cell, "aria-selected", String(this.#chosen.has(number)));
    cell.classList.toggle("current", number === this.#at);
    if (number === this.#at) setAttribute(this.element, "aria-activedescendant", cell.id);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const cell = event.target instanceof Element ? event.target.closest(".grid-cell") : null;
    if (!(cell instanceof HTMLElement)) return;
    this.#at = Number(cell.dataset.number);
    if (event.shiftKey) this.#take(this.#anchor, this.#at);
    else this.#toggle(this.#at);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.#columns, ArrowUp: -this.#columns, Home: -this.#count, End: this.#count };
    const step = steps[event.key];
    if (step !== undefined) {
      const from = this.#at;
      this.#at = Math.max(1, Math.min(this.#count, from + step));
      if (event.shiftKey) this.#take(from, this.#at);
      this.#reveal();
    } else if (event.key === " " || event.key === "Enter") {
      this.#toggle(this.#at);
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      this.#take(1, this.#count);
    } else {
      return;
    }
    event.preventDefault();
  }

  #reveal() {
    const row = Math.floor((this.#at - 1) / this.#columns);
    const scroller = this.element.closest(".sheet-content");
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const view = scroller?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const top = this.#canvas.getBoundingClientRect().top + row * this.#size.height * rem;
    const bottom = top + this.#size.height * rem;
    if (top < view.top) (scroller ?? window).scrollBy(0, top - view.top);
    else if (bottom > view.bottom) (scroller ?? window).scrollBy(0, bottom - view.bottom);
    this.#layOut();
  }

  /** @param {number} number */
  #toggle(number) {
    if (!this.#chosen.delete(number)) this.#chosen.add(number);
    this.#anchor = number;
    this.#notify();
  }

  /**
   * @param {number} one
   * @param {number} other
   */
  #take(one, other) {
    for (let number = Math.min(one, other); number <= Math.max(one, other); number += 1) this.#chosen.add(number);
    this.#notify();
  }

  /** @param {ReadonlySet<number>} chosen */
  choose(chosen) {
    this.#chosen = new Set(chosen);
    this.#notify();
  }

  #notify() {
    this.#layOut();
    this.#changed(new Set(this.#chosen));
  }
}

/**
 * Milliseconds that a cell must be near the view before its picture is requested, so that scrolling past requests none.
 */
const glance = 60;

/** A picture's width in pixels. */
const pictureWidth = 160;

/** The picture of a page in its cell, while the cell is near the view. */
class CellPicture {
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
      const blob = await loadPicture(id, { page, width: pictureWidth, password: passwordOf(id) }, signal);
      if (signal.aborted) return;
      this.#address = URL.createObjectURL(blob);
      cell.querySelector(".grid-picture")?.replaceChildren(h("img", { src: this.#address, alt: "" }));
    } catch {
      // The cell's number is enough.
    } finally {
      cell.removeAttribute("aria-busy");
    }
  }
}

/** @typedef {import("../../server/documents.js").DocumentPage} DocumentPage */

/**
 * `width` and `page` fit that into the view; a number is a factor of the view's width.
 *
 * @typedef {"width" | "page" | number} Zoom
 */

/** Pixels between two pages. */
const gap = 16;

/** The aspect ratio (height by width) of a page not seen yet: A4. */
const usual = Math.SQRT2;

/**
 * Picture widths are requested in steps of this many pixels, so that slightly more room does not request them again.
 */
const widthStep = 200;

/** The server's maximum. */
const widest = 4_096;

/**
 * `<echo-page-pictures>`: pictures of a document's pages, one below the other; only those near the view are in the
 * page.
 *
 * Fires
 * - `page-moved`: another page is in view;
 * - `pictures-locked`: the pictures need a password; `detail` has the `code` and `words` of the error.
 */
export class PagePictures extends HTMLElement {
  #life = new AbortController();
  #id = "";
  /** @type {readonly DocumentPage[]} */
  #pages = [];
  /** @type {Zoom} */
  #zoom = "width";
  /** @type {(number | undefined)[]} Height by width. */
  #ratios = [];
  #ratio = usual;
  /** @type {number[] | null} Pixels above each page. */
  #tops = null;
  /** @type {Map<number, PagePicture>} */
  #shown = new Map();
  #canvas = h("div", { class: "pictures-canvas" });
  #frame = 0;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.replaceChildren(this.#canvas);
    const plan = () => this.#plan();
    document.addEventListener("scroll", plan, { signal, passive: true, capture: true });
    const watcher = new ResizeObserver(() => this.#keepingPlace(() => (this.#tops = null)));
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
  }

  disconnectedCallback() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    for (const picture of this.#shown.values()) picture.leave();
    this.#shown.clear();
  }

  /**
   * @param {string} id Of the document.
   * @param {readonly DocumentPage[]} pages
   */
  show(id, pages) {
    this.#id = id;
    this.#pages = pages;
    this.#tops = null;
    this.#plan();
  }

  /** @returns {Zoom} */
  get zoom() {
    return this.#zoom;
  }

  /** @param {Zoom} zoom */
  set zoom(zoom) {
    this.#keepingPlace(() => {
      this.#zoom = zoom;
      this.#tops = null;
    });
  }

  /** The width of a page as a factor of the view's. */
  get factor() {
    return this.#width / Math.max(1, this.clientWidth);
  }

  /** The number of the page in view. */
  get page() {
    const line = 0.35 * innerHeight - this.#canvas.getBoundingClientRect().top;
    return Math.max(1, Math.min(this.#pages.length, this.#indexAt(line) + 1));
  }

  /** @param {number} number */
  goToPage(number) {
    const top = this.#top(Math.max(0, Math.min(this.#pages.length, number) - 1));
    scrollBy(0, this.#canvas.getBoundingClientRect().top + top - this.#head);
    this.#layOut();
  }

  /** Requests the pictures again, now that the password is known. */
  again() {
    for (const picture of this.#shown.values()) picture.again();
  }

  /** The height of the bar above the view, in pixels. */
  get #head() {
    return document.querySelector(".viewer-bar")?.getBoundingClientRect().height ?? 0;
  }

  get #width() {
    const room = this.clientWidth;
    if (typeof this.#zoom === "number") return Math.round(room * this.#zoom);
    if (this.#zoom === "width") return room;
    const below = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) * 6;
    return Math.min(room, Math.round((innerHeight - this.#head - below) / this.#ratio));
  }

  /** @param {number} index */
  #top(index) {
    this.#tops ??= this.#count();
    return this.#tops[index] ?? 0;
  }

  #count() {
    const width = this.#width;
    const tops = [0];
    this.#pages.forEach((_, index) => tops.push(tops[index] + Math.round(width * (this.#ratios[index] ?? this.#ratio)) + gap));
    return tops;
  }

  /** @param {number} pixels */
  #indexAt(pixels) {
    let low = 0;
    let high = Math.max(0, this.#pages.length - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#top(middle + 1) > pixels) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #plan() {
    if (this.#frame !== 0 || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#layOut();
      this.dispatchEvent(new CustomEvent("page-moved"));
    });
  }

  /**
   * Changes the size of pages; the view stays at the same place.
   *
   * @param {() => void} change
   */
  #keepingPlace(change) {
    if (!this.isConnected || this.#pages.length === 0) {
      change();
      return;
    }
    const offset = -this.#canvas.getBoundingClientRect().top;
    const index = this.#indexAt(offset);
    const part = (offset - this.#top(index)) / Math.max(1, this.#top(index + 1) - this.#top(index));
    change();
    this.#layOut();
    if (offset <= 0) return;
    const wanted = this.#top(index) + part * (this.#top(index + 1) - this.#top(index));
    scrollBy(0, wanted + this.#canvas.getBoundingClientRect().top);
    this.#layOut();
  }

  #layOut() {
    if (!this.isConnected || this.#pages.length === 0) return;
    const width = this.#width;
    this.#canvas.style.setProperty("width", `${width}px`);
    this.#canvas.style.setProperty("height", `${this.#top(this.#pages.length)}px`);
    const { top } = this.#canvas.getBoundingClientRect();
    const first = this.#indexAt(-top - 0.5 * innerHeight);
    const last = this.#indexAt(-top + 1.5 * innerHeight);
    for (const [index, picture] of this.#shown) {
      if (index >= first && index <= last) continue;
      picture.leave();
      this.#shown.delete(index);
    }
    const sharp = Math.min(widest, Math.ceil((width * devicePixelRatio) / widthStep) * widthStep);
    for (let index = first; index <= last; index += 1) {
      const picture = this.#shown.get(index) ?? this.#make(index);
      picture.element.style.setProperty("transform", `translateY(${this.#top(index)}px)`);
      picture.element.style.setProperty("height", `${this.#top(index + 1) - this.#top(index) - gap}px`);
      picture.show(sharp);
    }
  }

  /** @param {number} index */
  #make(index) {
    const picture = new PagePicture(this.#id, this.#pages[index], this.#pages.length, {
      shaped: (number, ratio) => this.#shaped(number - 1, ratio),
      locked: (detail) => this.dispatchEvent(new CustomEvent("pictures-locked", { detail })),
    });
    this.#shown.set(index, picture);
    this.#canvas.append(picture.element);
    return picture;
  }

  /**
   * @param {number} index
   * @param {number} ratio Height by width.
   */
  #shaped(index, ratio) {
    if (Math.abs((this.#ratios[index] ?? this.#ratio) - ratio) < 0.004 && this.#ratios.length > 0) {
      this.#ratios[index] = ratio;
      return;
    }
    this.#keepingPlace(() => {
      if (this.#ratios.every((one) => one === undefined)) this.#ratio = ratio;
      this.#ratios[index] = ratio;
      this.#tops = null;
    });
  }
}

/** A page's box among the others, and its picture while it is near the view. */
class PagePicture {
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
   * @param {number} count The number of pages.
   * @param {object} listener
   * @param {(number: number, ratio: number) => void} listener.shaped Receives height by width.
   * @param {(problem: { code: string, words: string }) => void} listener.locked
   */
  constructor(id, { number, label }, count, listener) {
    this.#id = id;
    this.number = number;
    this.#listener = listener;
    this.name = t("viewer.page.of", { page: label ?? String(number), all: count });
    this.element = h("figure", { class: "picture", "aria-label": this.name }, this.#image);
  }

  /**
   * Loads the picture, unless a sharp enough one is loaded.
   *
   * @param {number} width In pixels of the screen.
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

  /** Requests it again, now that the password is known. */
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
    const { message } = wordsFor(error);
    if (code.startsWith("document.password")) this.#listener.locked({ code, words: message });
    const again = button({ label: t("do.again"), onPress: () => this.again() });
    fill(this.#image, h("div", { class: "picture-problem" }, h("p", {}, message), again));
  }
}

customElements.define("echo-page-pictures", PagePictures);
