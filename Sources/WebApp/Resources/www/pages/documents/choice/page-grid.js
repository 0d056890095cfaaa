import { icon } from "../../../components/button.js";
import { h, setAttribute } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { loadPicture } from "../../../server/documents.js";
import { passwordOf } from "../viewer/passwords.js";

/** @typedef {import("../../../server/documents.js").Structure} Structure */

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
