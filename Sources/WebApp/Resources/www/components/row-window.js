import { h } from "../core/dom.js";

/** How many rows are rendered beyond each end of the view. */
const spare = 6;

/** The rows in the document: those near the view, positioned on a canvas as high as the whole list. */
export class RowWindow {
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

/** Recognises a long press, and the click event after it, which is not a click. */
export class LongPress {
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
