import { fill, h, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { icon } from "./icon.js";

/**
 * What one row shows.
 *
 * @typedef {object} RowContent
 * @property {string | Node} title
 * @property {(string | Node)[]} details The second line, told apart by dots.
 * @property {string | Node} [excerpt] A third line; the list's `rowHeight` has to leave room.
 * @property {Node} [lead] Before the title, 24 px.
 * @property {HTMLElement[]} [actions] Buttons at the right, shown on hover and focus (always on touch).
 * @property {boolean} [isCurrent] Marked by three moving bars.
 * @property {boolean} [isMoving] Whether those bars move.
 * @property {string} [name] What a screen reader calls the row, when `title` is not text.
 */

/**
 * Where a list gets its rows from.
 *
 * @template Row
 * @typedef {object} RowSource
 * @property {number} count
 * @property {(index: number) => Row | null} at `null` while it is not there yet: a skeleton stands for it.
 * @property {(row: Row) => string} key
 * @property {(row: Row) => RowContent} content
 * @property {(from: number, to: number) => void} [need] Told which rows are in view, `to` excluded, so that they can be
 *   loaded; call `refresh()` when they are.
 */

/** How many rows are kept beyond each end of what is seen. */
const spare = 6;

/** Milliseconds of touch that ask for the menu. */
const longPress = 500;

/**
 * `<echo-rows>`: the one list of the app, as long as it likes: only rows near the view are in the document.
 *
 * Set `label`, then `source`; call `refresh()` when what the source would say has changed. The page scrolls, not the list.
 *
 * Keyboard: ↑ ↓ Home End Page↑ Page↓ move, Enter opens, Space selects (while selecting, else opens), Shift+↑↓ selects,
 * Ctrl+A selects all, Shift+F10 or the menu key asks for the menu, Delete asks to delete.
 *
 * Fires
 * - `row-open` `{ key, index }`: a click or Enter;
 * - `row-menu` `{ key, index, point?, anchor }`: right click, a long press, or a key;
 * - `row-delete` `{ keys }`: the Delete key, for the selected rows or the one with the focus;
 * - `selection` `{ keys }`: what is selected has changed; selecting begins with Shift or Ctrl and a click.
 */
export class Rows extends HTMLElement {
  #life = new AbortController();
  #canvas = h("div", { class: "rows-canvas", role: "rowgroup" });
  /** @type {RowSource<any> | null} */
  #source = null;
  /** @type {Map<number, HTMLElement>} */
  #elements = new Map();
  /** @type {Set<string>} */
  #selected = new Set();
  #isSelecting = false;
  #at = 0;
  #anchor = 0;
  #height = 64;
  #frame = 0;
  #press = 0;
  #wasLongPress = false;
  #label = "";

  /** Rem of each row. */
  rowHeight = 4;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    if (this.#canvas.parentNode !== this) this.replaceChildren(this.#canvas);
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
      this.addEventListener(name, (event) => this.#released(/** @type {PointerEvent} */ (event)), { signal });
    }
    this.refresh();
  }

  disconnectedCallback() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    clearTimeout(this.#press);
  }

  /** What the list is called. */
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
    return this.#isSelecting;
  }

  set isSelecting(isSelecting) {
    this.#isSelecting = isSelecting;
    if (!isSelecting) this.#selected.clear();
    this.refresh();
    this.#fire("selection", { keys: this.selectedKeys });
  }

  /** @returns {string[]} In the order they were selected. */
  get selectedKeys() {
    return [...this.#selected];
  }

  /** @param {Iterable<string>} keys */
  set selectedKeys(keys) {
    this.#selected = new Set(keys);
    this.#isSelecting = this.#isSelecting || this.#selected.size > 0;
    this.refresh();
    this.#fire("selection", { keys: this.selectedKeys });
  }

  /** Selects every row that the source has loaded. */
  selectAll() {
    /** @type {string[]} */
    const keys = [];
    for (let index = 0; index < this.count; index += 1) {
      const row = this.#source?.at(index);
      if (row) keys.push(/** @type {RowSource<any>} */ (this.#source).key(row));
    }
    this.selectedKeys = keys;
  }

  /** Shows again what the source says. */
  refresh() {
    if (!this.isConnected) return;
    for (const element of this.#elements.values()) element.dataset.stale = "";
    this.#layOut();
  }

  /**
   * Gives a row the focus and brings it into view.
   *
   * @param {number} index
   */
  focusRow(index) {
    if (this.count === 0) return;
    this.#at = Math.max(0, Math.min(index, this.count - 1));
    this.#reveal(this.#at);
    this.#layOut();
    this.#elements.get(this.#at)?.focus({ preventScroll: true });
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
    this.#height = this.rowHeight * Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    this.style.setProperty("--row-height", `${this.rowHeight}rem`);
    this.#canvas.style.setProperty("height", `${count * this.#height}px`);
    setAttribute(this, "aria-rowcount", String(count));
    setAttribute(this, "aria-multiselectable", this.#isSelecting ? "true" : null);
    this.classList.toggle("selecting", this.#isSelecting);
    if (source === null || count === 0) {
      this.#canvas.replaceChildren();
      this.#elements.clear();
      return;
    }
    const top = this.#canvas.getBoundingClientRect().top;
    const from = Math.max(0, Math.floor(-top / this.#height) - spare);
    const to = Math.min(count, Math.ceil((innerHeight - top) / this.#height) + spare);
    this.#drop(from, to);
    for (let index = from; index < to; index += 1) this.#showRow(index, source);
    const focused = this.#elements.get(this.#at) ?? this.#elements.get(from);
    for (const element of this.#elements.values()) element.tabIndex = element === focused ? 0 : -1;
    if (from < to) source.need?.(from, to);
  }

  /**
   * Takes rows away that are far from the view; the one with the focus stays, so that it is not lost.
   *
   * @param {number} from
   * @param {number} to
   */
  #drop(from, to) {
    for (const [index, element] of this.#elements) {
      const hasFocus = element.contains(document.activeElement);
      if (index >= this.count || ((index < from || index >= to) && !hasFocus)) {
        element.remove();
        this.#elements.delete(index);
      }
    }
  }

  /**
   * @param {number} index
   * @param {RowSource<any>} source
   */
  #showRow(index, source) {
    const present = this.#elements.get(index);
    if (present !== undefined && present.dataset.stale === undefined) return;
    const element = present ?? h("div", { class: "row", role: "row" });
    const row = source.at(index);
    const key = row === null ? "" : source.key(row);
    const focus = element.contains(document.activeElement) ? focusMark(element) : null;
    delete element.dataset.stale;
    element.dataset.index = String(index);
    element.dataset.key = key;
    element.style.setProperty("transform", `translateY(${index * this.#height}px)`);
    setAttribute(element, "aria-rowindex", String(index + 1));
    setAttribute(element, "aria-selected", this.#isSelecting ? String(this.#selected.has(key)) : null);
    if (row === null) fill(element, skeleton());
    else this.#fillRow(element, source.content(row), this.#selected.has(key));
    if (present === undefined) this.#insert(element, index);
    if (focus !== null) restoreFocus(element, focus);
  }

  /**
   * In the order of the list, so that Tab and reading go the same way.
   *
   * @param {HTMLElement} element
   * @param {number} index
   */
  #insert(element, index) {
    /** @type {HTMLElement | null} */
    let after = null;
    let nearest = Infinity;
    for (const [other, candidate] of this.#elements) {
      if (other > index && other < nearest) {
        nearest = other;
        after = candidate;
      }
    }
    this.#canvas.insertBefore(element, after);
    this.#elements.set(index, element);
  }

  /**
   * @param {HTMLElement} element
   * @param {RowContent} content
   * @param {boolean} isSelected
   */
  #fillRow(element, content, isSelected) {
    const { title, details, excerpt, lead, actions = [], isCurrent, isMoving, name } = content;
    element.classList.toggle("current", isCurrent ?? false);
    setAttribute(element, "aria-current", isCurrent ? "true" : null);
    const words = h("div", { class: "row-words" });
    words.append(h("div", { class: "row-title", dir: "auto" }, title));
    const line = h("div", { class: "row-details" });
    for (const detail of details) line.append(h("span", {}, detail));
    words.append(line);
    if (excerpt !== undefined) words.append(h("div", { class: "row-excerpt", dir: "auto" }, excerpt));
    fill(
      element,
      h(
        "div",
        { class: "row-main", role: "gridcell", "aria-label": name ?? null },
        this.#isSelecting ? h("span", { class: isSelected ? "row-check on" : "row-check" }, icon("check")) : null,
        isCurrent ? playingBars(isMoving ?? false) : (lead ?? null),
        words,
      ),
      actions.length === 0 || this.#isSelecting
        ? null
        : h("div", { class: "row-actions", role: "gridcell" }, ...actions),
    );
    for (const action of actions) action.tabIndex = -1;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const row = rowOf(event.target);
    if (row === null) return;
    if (event.target !== row) {
      this.#keyInside(event, row);
      return;
    }
    const page = Math.max(1, Math.floor(innerHeight / this.#height) - 3);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.count, End: this.count };
    const step = steps[event.key];
    if (step !== undefined) {
      const from = this.#at;
      this.focusRow(from + step);
      if (event.shiftKey) this.#selectRange(from, this.#at);
    } else if (event.key === "Enter") {
      if (this.#isSelecting) this.#toggle(this.#at);
      else this.#fire("row-open", this.#detail(row));
    } else if (event.key === " ") {
      if (this.#isSelecting) this.#toggle(this.#at);
      else this.#fire("row-open", this.#detail(row));
    } else if (event.key === "ArrowRight") {
      row.querySelector("button")?.focus();
    } else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
      this.#fire("row-menu", { ...this.#detail(row), anchor: row });
    } else if (event.key === "Delete") {
      this.#fire("row-delete", { keys: this.#selected.size > 0 ? this.selectedKeys : [row.dataset.key] });
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      this.#isSelecting = true;
      this.selectAll();
    } else if (event.key === "Escape" && this.#isSelecting) {
      this.isSelecting = false;
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * Among the buttons of a row: ← → walk, and the row is left of them all.
   *
   * @param {KeyboardEvent} event
   * @param {HTMLElement} row
   */
  #keyInside(event, row) {
    const buttons = [...row.querySelectorAll("button")];
    const at = buttons.findIndex((one) => one === event.target);
    if (at < 0) return;
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
    if (this.#wasLongPress) {
      this.#wasLongPress = false;
      return;
    }
    const index = Number(row.dataset.index);
    if (event.shiftKey) {
      getSelection()?.removeAllRanges();
      this.#selectRange(this.#anchor, index);
    } else if (this.#isSelecting || event.ctrlKey || event.metaKey) {
      this.#toggle(index);
    } else {
      this.#fire("row-open", this.#detail(row));
    }
    this.#anchor = index;
  }

  /** @param {MouseEvent} event */
  #contextMenu(event) {
    const row = rowOf(event.target);
    if (row === null || row.dataset.key === "") return;
    event.preventDefault();
    if (this.#wasLongPress) return; // the menu is open already
    clearTimeout(this.#press);
    this.#fire("row-menu", { ...this.#detail(row), point: { x: event.clientX, y: event.clientY }, anchor: row });
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const row = rowOf(event.target);
    if (row === null) return;
    this.#at = Number(row.dataset.index);
    for (const element of this.#elements.values()) element.tabIndex = element === row ? 0 : -1;
  }

  /** @param {PointerEvent} event */
  #pressed(event) {
    const row = rowOf(event.target);
    this.#wasLongPress = false;
    if (row === null || event.pointerType === "mouse" || isControl(event.target)) return;
    const point = { x: event.clientX, y: event.clientY };
    clearTimeout(this.#press);
    this.#press = setTimeout(() => {
      this.#wasLongPress = true;
      if (this.#isSelecting) this.#toggle(Number(row.dataset.index));
      else this.#fire("row-menu", { ...this.#detail(row), point, anchor: row });
    }, longPress);
  }

  /** @param {PointerEvent} event */
  #released(event) {
    if (event.type === "pointermove" && Math.abs(event.movementX) + Math.abs(event.movementY) < 8) return;
    clearTimeout(this.#press);
  }

  /** @param {number} index */
  #toggle(index) {
    const row = this.#source?.at(index);
    if (!row) return;
    const key = /** @type {RowSource<any>} */ (this.#source).key(row);
    this.#isSelecting = true;
    if (!this.#selected.delete(key)) this.#selected.add(key);
    this.#anchor = index;
    this.refresh();
    this.#fire("selection", { keys: this.selectedKeys });
  }

  /**
   * @param {number} from
   * @param {number} to
   */
  #selectRange(from, to) {
    this.#isSelecting = true;
    for (let index = Math.min(from, to); index <= Math.max(from, to); index += 1) {
      const row = this.#source?.at(index);
      if (row) this.#selected.add(/** @type {RowSource<any>} */ (this.#source).key(row));
    }
    this.refresh();
    this.#fire("selection", { keys: this.selectedKeys });
  }

  /** @param {number} index */
  #reveal(index) {
    const style = getComputedStyle(document.documentElement);
    const room = { top: 16, bottom: Number.parseFloat(style.getPropertyValue("--below")) || 160 };
    const top = this.#canvas.getBoundingClientRect().top + index * this.#height;
    const bottom = top + this.#height;
    if (top < room.top) scrollBy(0, top - room.top);
    else if (bottom > innerHeight - room.bottom) scrollBy(0, bottom - innerHeight + room.bottom);
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

/** @param {EventTarget | null} target */
function rowOf(target) {
  const row = target instanceof Element ? target.closest(".row") : null;
  return row instanceof HTMLElement ? row : null;
}

/** @param {EventTarget | null} target */
function isControl(target) {
  return target instanceof Element && target.closest("button, input, a") !== null;
}

/**
 * Which part of a row has the focus: the row itself (−1), or one of its buttons.
 *
 * @param {HTMLElement} row
 */
function focusMark(row) {
  return [...row.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
}

/**
 * @param {HTMLElement} row
 * @param {number} mark
 */
function restoreFocus(row, mark) {
  const target = mark < 0 ? row : (row.querySelectorAll("button")[mark] ?? row);
  if (document.activeElement !== target) target.focus({ preventScroll: true });
}

function skeleton() {
  return h("div", { class: "row-skeleton", role: "gridcell", "aria-label": t("state.loading") }, h("i"), h("i"));
}

/**
 * Three bars that mark what is playing.
 *
 * @param {boolean} isMoving
 */
export function playingBars(isMoving) {
  return h("span", { class: isMoving ? "bars moving" : "bars", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}
