import { h, setAttribute } from "../core/dom.js";
import { fillRow, isControl, rowOf } from "./row-content.js";

/** How many rows are rendered beyond each end of the view. */
const spare = 6;

/** The rows in the document: those near the view, positioned on a canvas as high as the whole list. */
class RowWindow {
  canvas = h("div", { class: "rows-canvas", role: "rowgroup" });
  /** Pixels per row. */
  height = 64;
  /** @type {Map<number, HTMLElement>} */
  #elements = new Map();

  /** @returns {Iterable<HTMLElement>} */
  get elements() {
    return this.#elements.values();
  }

  /** @param {number} index */
  element(index) {
    return this.#elements.get(index);
  }

  /**
   * Makes the canvas as high as the list, and removes rows far from the view.
   *
   * @param {number} count
   * @param {number} height Pixels per row.
   * @returns {{ from: number, to: number }} The rows to render, `to` excluded.
   */
  fit(count, height) {
    this.height = height;
    this.canvas.style.setProperty("height", `${count * height}px`);
    if (count === 0) {
      this.canvas.replaceChildren();
      this.#elements.clear();
      return { from: 0, to: 0 };
    }
    const { top } = this.canvas.getBoundingClientRect();
    const from = Math.max(0, Math.floor(-top / height) - spare);
    const to = Math.min(count, Math.ceil((innerHeight - top) / height) + spare);
    this.#drop(count, from, to);
    return { from, to };
  }

  /**
   * Inserts a row in list order, so that Tab and reading follow it.
   *
   * @param {HTMLElement} element
   * @param {number} index
   */
  place(element, index) {
    element.style.setProperty("transform", `translateY(${index * this.height}px)`);
    if (this.#elements.get(index) === element) return;
    /** @type {HTMLElement | null} */
    let after = null;
    let nearest = Infinity;
    for (const [other, candidate] of this.#elements) {
      if (other > index && other < nearest) {
        nearest = other;
        after = candidate;
      }
    }
    this.canvas.insertBefore(element, after);
    this.#elements.set(index, element);
  }

  /** @param {HTMLElement | undefined} row The one that Tab focuses. */
  letTabReach(row) {
    for (const element of this.#elements.values()) element.tabIndex = element === row ? 0 : -1;
  }

  /**
   * Scrolls the page until a row is in view.
   *
   * @param {number} index
   */
  reveal(index) {
    const style = getComputedStyle(document.documentElement);
    const room = { top: 16, bottom: Number.parseFloat(style.getPropertyValue("--below")) || 160 };
    const top = this.canvas.getBoundingClientRect().top + index * this.height;
    const bottom = top + this.height;
    if (top < room.top) scrollBy(0, top - room.top);
    else if (bottom > innerHeight - room.bottom) scrollBy(0, bottom - innerHeight + room.bottom);
  }

  /**
   * Removes rows far from the view, except the focused one, so that the focus is not lost.
   *
   * @param {number} count
   * @param {number} from
   * @param {number} to
   */
  #drop(count, from, to) {
    for (const [index, element] of this.#elements) {
      const hasFocus = element.contains(document.activeElement);
      if (index >= count || ((index < from || index >= to) && !hasFocus)) {
        element.remove();
        this.#elements.delete(index);
      }
    }
  }
}

/**
 * The row nearest to an index that is no heading.
 *
 * @param {number} index It may be beyond either end.
 * @param {1 | -1} step The direction to search first.
 * @param {number} count
 * @param {(index: number) => boolean} isHeading
 * @returns {number} The index itself, clamped, when there are only headings.
 */
export function nearestRow(index, step, count, isHeading) {
  const start = Math.max(0, Math.min(index, count - 1));
  for (const way of [step, -step]) {
    for (let at = start; at >= 0 && at < count; at += way) if (!isHeading(at)) return at;
  }
  return start;
}

/** The selected rows of a list, and whether a click selects at all. */
export class Selection {
  isOn = false;
  /** Where a range begins. */
  anchor = 0;
  /** @type {Set<string>} */
  #keys = new Set();

  /** @returns {string[]} In order of selection. */
  get keys() {
    return [...this.#keys];
  }

  get size() {
    return this.#keys.size;
  }

  /** @param {string} key */
  has(key) {
    return this.#keys.has(key);
  }

  /** @param {Iterable<string>} keys */
  replace(keys) {
    this.#keys = new Set(keys);
    this.isOn = this.isOn || this.#keys.size > 0;
  }

  /** @param {boolean} isOn Turning it off clears the selection. */
  turn(isOn) {
    this.isOn = isOn;
    if (!isOn) this.#keys.clear();
  }

  /** @param {string} key */
  toggle(key) {
    this.isOn = true;
    if (!this.#keys.delete(key)) this.#keys.add(key);
  }

  /** @param {Iterable<string>} keys */
  add(keys) {
    this.isOn = true;
    for (const key of keys) this.#keys.add(key);
  }
}

/** Milliseconds of touch that make a long press. */
const longPress = 500;

/** Pixels that a finger may move meanwhile. */
const slack = 8;

/** Recognizes a long press, and the click event after it, which is not a click. */
class LongPress {
  #timer = 0;
  #has = false;

  /** Whether the present touch, or the one that just ended, is a long one. */
  get hasHappened() {
    return this.#has;
  }

  /** @returns {boolean} Whether the next click belongs to a long press; true only once. */
  takeClick() {
    const had = this.#has;
    this.#has = false;
    return had;
  }

  /** Forgets the last touch; called when another begins. */
  reset() {
    this.#has = false;
  }

  /** @param {() => void} run Called when the finger has rested long enough. */
  begin(run) {
    this.end();
    this.#timer = setTimeout(() => {
      this.#has = true;
      run();
    }, longPress);
  }

  /** @param {PointerEvent} event Of the finger that moved, lifted, or started scrolling. */
  released(event) {
    if (event.type === "pointermove" && Math.abs(event.movementX) + Math.abs(event.movementY) < slack) return;
    this.end();
  }

  end() {
    clearTimeout(this.#timer);
  }
}

/**
 * @template Row
 * @typedef {import("./row-content.js").RowSource<Row>} RowSource
 */

/**
 * `<echo-rows>`: the app's list. It may have any length: only rows near the view are in the document.
 *
 * Set `label`, then `source`; call `refresh()` when the source's content has changed. The page scrolls, not the list.
 *
 * Keyboard: ↑ ↓ Home End Page↑ Page↓ move, Enter opens, Space selects (while selecting, else opens), Shift+↑↓ selects,
 * Ctrl+A selects all, Shift+F10 or the menu key opens the menu, Delete deletes.
 *
 * Fires
 * - `row-open` `{ key, index }`: a click or Enter;
 * - `row-menu` `{ key, index, point?, anchor }`: right click, a long press, or a key;
 * - `row-delete` `{ keys }`: the Delete key, for the selected rows or the focused one;
 * - `selection` `{ keys }`: the selection has changed; selecting begins with Shift or Ctrl and a click.
 */
export class Rows extends HTMLElement {
  #life = new AbortController();
  #window = new RowWindow();
  #selection = new Selection();
  #press = new LongPress();
  /** @type {RowSource<any> | null} */
  #source = null;
  #at = 0;
  #frame = 0;
  #label = "";
  /**
   * The row that a mouse presses, rendered again only after the release: a press whose element is replaced is no click.
   *
   * @type {HTMLElement | null}
   */
  #held = null;

  /** In rem. */
  rowHeight = 4;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    if (this.#window.canvas.parentNode !== this) this.replaceChildren(this.#window.canvas);
    this.setAttribute("role", "grid");
    this.setAttribute("aria-label", this.#label);
    const plan = () => this.#plan();
    document.addEventListener("scroll", plan, { signal, passive: true, capture: true });
    addEventListener("resize", plan, { signal, passive: true });
    const watcher = new ResizeObserver(plan);
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.addEventListener("contextmenu", (event) => this.#contextMenu(event), { signal });
    this.addEventListener("focusin", (event) => this.#focused(event), { signal });
    this.addEventListener("pointerdown", (event) => this.#pressed(event), { signal });
    for (const name of ["pointerup", "pointercancel", "pointermove"]) {
      this.addEventListener(name, (event) => this.#press.released(/** @type {PointerEvent} */ (event)), { signal });
      addEventListener(name, (event) => this.#release(/** @type {PointerEvent} */ (event)), { signal });
    }
    this.refresh();
  }

  disconnectedCallback() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#held = null;
    this.#press.end();
  }

  /** The list's name. */
  set label(label) {
    this.#label = label;
    this.setAttribute("aria-label", label);
  }

  get label() {
    return this.#label;
  }

  /** @param {RowSource<any> | null} source */
  set source(source) {
    this.#source = source;
    this.#at = Math.min(this.#at, Math.max(0, this.count - 1));
    this.refresh();
  }

  get count() {
    return this.#source?.count ?? 0;
  }

  /** Whether a click selects rather than opens. */
  get isSelecting() {
    return this.#selection.isOn;
  }

  set isSelecting(isSelecting) {
    this.#selection.turn(isSelecting);
    this.#selectionChanged();
  }

  /** @returns {string[]} In order of selection. */
  get selectedKeys() {
    return this.#selection.keys;
  }

  /** @param {Iterable<string>} keys */
  set selectedKeys(keys) {
    this.#selection.replace(keys);
    this.#selectionChanged();
  }

  /** Selects every row that the source has loaded. */
  selectAll() {
    this.selectedKeys = this.#keysBetween(0, this.count - 1);
  }

  /** Renders the source's current content. */
  refresh() {
    if (!this.isConnected) return;
    for (const element of this.#window.elements) element.dataset.stale = "";
    this.#layOut();
  }

  /**
   * Focuses a row and scrolls it into view.
   *
   * @param {number} index
   */
  focusRow(index) {
    if (this.count === 0) return;
    this.#at = this.#nearest(index, index < this.#at ? -1 : 1);
    if (this.#isHeading(this.#at - 1)) this.#window.reveal(this.#at - 1);
    this.#window.reveal(this.#at);
    this.#layOut();
    this.#window.element(this.#at)?.focus({ preventScroll: true });
  }

  #plan() {
    if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.#layOut();
      });
    }
  }

  #layOut() {
    const source = this.#source;
    const count = this.count;
    const height = this.rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.style.setProperty("--row-height", `${this.rowHeight}rem`);
    setAttribute(this, "aria-rowcount", String(count));
    setAttribute(this, "aria-multiselectable", this.isSelecting ? "true" : null);
    this.classList.toggle("selecting", this.isSelecting);
    const hadFocus = this.contains(document.activeElement);
    const { from, to } = this.#window.fit(source === null ? 0 : count, height);
    if (source === null || count === 0) return;
    this.#at = this.#nearest(this.#at, 1);
    for (let index = from; index < to; index += 1) this.#showRow(index, source);
    const reached = this.#window.element(this.#at) ?? this.#window.element(this.#nearest(from, 1));
    this.#window.letTabReach(reached);
    // The last row had it, and is gone.
    if (hadFocus && !this.contains(document.activeElement)) reached?.focus({ preventScroll: true });
    if (from < to) source.need?.(from, to);
  }

  /**
   * @param {number} index
   * @param {RowSource<any>} source
   */
  #showRow(index, source) {
    const present = this.#window.element(index);
    if (present !== undefined && (present.dataset.stale === undefined || present === this.#held)) return;
    const element = present ?? h("div", { class: "row", role: "row" });
    const row = source.at(index);
    const isHeading = this.#isHeading(index);
    const key = row === null || isHeading ? "" : source.key(row);
    const selection = { isSelecting: this.isSelecting, isSelected: this.#selection.has(key) };
    delete element.dataset.stale;
    element.dataset.index = String(index);
    element.dataset.key = key;
    setAttribute(element, "aria-rowindex", String(index + 1));
    element.classList.toggle("heading", isHeading);
    setAttribute(element, "aria-selected", this.isSelecting && !isHeading ? String(selection.isSelected) : null);
    fillRow(element, row === null ? null : source.content(row), selection);
    this.#window.place(element, index);
  }

  /** @param {number} index */
  #isHeading(index) {
    const row = this.#source?.at(index) ?? null;
    return row !== null && (this.#source?.isHeading?.(row) ?? false);
  }

  /**
   * @param {number} index
   * @param {1 | -1} step The direction to search first.
   */
  #nearest(index, step) {
    return nearestRow(index, step, this.count, (at) => this.#isHeading(at));
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const row = rowOf(event.target);
    if (row === null) return;
    if (event.target !== row) {
      this.#keyInside(event, row);
      return;
    }
    const page = Math.max(1, Math.floor(innerHeight / this.#window.height) - 3);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
    const step = steps[event.key];
    if (step !== undefined) {
      const from = this.#at;
      this.focusRow(from + step);
      if (event.shiftKey) this.#selectRange(from, this.#at);
    } else if (event.key === "Enter" || event.key === " ") {
      if (this.isSelecting) this.#toggle(this.#at);
      else this.#fire("row-open", this.#detail(row));
    } else if (event.key === "ArrowRight" && !event.shiftKey) {
      row.querySelector("button")?.focus();
    } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      this.#fire("row-menu", { ...this.#detail(row), anchor: row });
    } else if (event.key === "Delete") {
      const keys = this.#selection.size > 0 ? this.selectedKeys : [row.dataset.key].filter(Boolean);
      if (keys.length > 0) this.#fire("row-delete", { keys });
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      this.selectAll();
    } else if (event.key === "Escape" && this.isSelecting) {
      this.isSelecting = false;
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * Moves between a row and its buttons with ← and →; the row is the leftmost.
   *
   * @param {KeyboardEvent} event
   * @param {HTMLElement} row
   */
  #keyInside(event, row) {
    const buttons = [...row.querySelectorAll("button")];
    const at = buttons.findIndex((one) => one === event.target);
    if (at < 0 || event.shiftKey) return;
    if (event.key === "ArrowRight") buttons[Math.min(at + 1, buttons.length - 1)].focus();
    else if (event.key === "ArrowLeft") (at === 0 ? row : buttons[at - 1]).focus();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") this.focusRow(this.#at + (event.key === "ArrowDown" ? 1 : -1));
    else if (event.key === "Escape") row.focus();
    else return;
    event.preventDefault();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const row = rowOf(event.target);
    if (row === null || isControl(event.target)) return;
    if (this.#press.takeClick()) return;
    const index = Number(row.dataset.index);
    if (event.shiftKey) {
      getSelection()?.removeAllRanges();
      this.#selectRange(this.#selection.anchor, index);
    } else if (this.isSelecting || event.ctrlKey || event.metaKey) {
      this.#toggle(index);
    } else {
      this.#fire("row-open", this.#detail(row));
    }
    this.#selection.anchor = index;
  }

  /** @param {MouseEvent} event */
  #contextMenu(event) {
    const row = rowOf(event.target);
    if (row === null || row.dataset.key === "") return;
    event.preventDefault();
    if (this.#press.hasHappened) return; // the menu is already open
    this.#press.end();
    this.#fire("row-menu", { ...this.#detail(row), point: { x: event.clientX, y: event.clientY }, anchor: row });
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const row = rowOf(event.target);
    if (row === null || row.classList.contains("heading")) return;
    this.#at = Number(row.dataset.index);
    this.#window.letTabReach(row);
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    const row = rowOf(event.target);
    this.#held = event.pointerType === "touch" ? null : row;
    this.#press.reset();
    if (row === null || event.pointerType === "mouse" || isControl(event.target)) return;
    const point = { x: event.clientX, y: event.clientY };
    this.#press.begin(() => {
      if (this.isSelecting) this.#toggle(Number(row.dataset.index));
      else this.#fire("row-menu", { ...this.#detail(row), point, anchor: row });
    });
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (this.#held === null || (event.type === "pointermove" && event.buttons !== 0)) return;
    this.#held = null;
    // The click comes first.
    setTimeout(() => this.#plan());
  }

  /** @param {number} index */
  #toggle(index) {
    const [key] = this.#keysBetween(index, index);
    if (key === undefined) return;
    this.#selection.toggle(key);
    this.#selection.anchor = index;
    this.#selectionChanged();
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #selectRange(from, to) {
    this.#selection.add(this.#keysBetween(Math.min(from, to), Math.max(from, to)));
    this.#selectionChanged();
  }

  /**
   * The keys of the rows that are loaded.
   *
   * @param {number} first
   * @param {number} last Inclusive.
   */
  #keysBetween(first, last) {
    /** @type {string[]} */
    const keys = [];
    for (let index = first; index <= last; index += 1) {
      const row = this.#source?.at(index);
      if (row && !this.#isHeading(index)) keys.push(/** @type {RowSource<any>} */ (this.#source).key(row));
    }
    return keys;
  }

  #selectionChanged() {
    this.refresh();
    this.#fire("selection", { keys: this.selectedKeys });
  }

  /** @param {HTMLElement} row */
  #detail(row) {
    return { key: row.dataset.key ?? "", index: Number(row.dataset.index) };
  }

  /**
   * @param {string} name
   * @param {object} detail
   */
  #fire(name, detail) {
    if ("key" in detail && /** @type {{ key: string }} */ (detail).key === "") return;
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
  }
}

customElements.define("echo-rows", Rows);
