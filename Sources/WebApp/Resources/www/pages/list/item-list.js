import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { waitingRows } from "../../components/row-content.js";
import { Rows } from "../../components/rows.js";
import { withdraw } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";
import { NameField } from "./list-controls.js";

/** The number of items per request. */
const pageSize = 100;

/** How many pages are cached; the least recently viewed is dropped first. */
const pagesKept = 12;

/** The server's maximum per request. */
const largestStep = 500;

/** @typedef {{ offset: number, limit: number }} Step The requested part of a long list. */

/**
 * A window onto a long list: it requests the pages in view, caches a bounded number of them, and omits hidden items as
 * if they were already deleted.
 *
 * Places count visible items from 0. The list of one query stays until the first page of the next has arrived, so that
 * nothing flickers while the user types.
 *
 * @template {{ id: string }} Item
 * @template {object} Query
 */
export class ItemWindow {
  /** @type {(query: Query & Step, signal: AbortSignal) => Promise<{ items: Item[], total: number, unreadable?: number }>} */
  #load;
  /** @type {() => void} */
  #changed;
  /** @type {(error: unknown) => void} */
  #failed;
  /** @type {(id: string) => boolean} */
  #isHidden;

  /** @type {Query} */
  #query = /** @type {Query} */ ({});
  /**
   * The query of the visible list: the old one, until the first page of the new one has arrived.
   *
   * @type {Query}
   */
  #shownQuery = /** @type {Query} */ ({});
  /**
   * Items by page number; the most recently viewed page is last.
   *
   * @type {Map<number, Item[]>}
   */
  #pages = new Map();
  /** @type {Map<number, AbortController>} */
  #loading = new Map();
  #opening = new AbortController();
  /**
   * The places of hidden items in the server's list, ascending.
   *
   * @type {number[]}
   */
  #holes = [];
  /** @type {number | null} */
  #total = null;
  /** How many further items the library cannot read. */
  unreadable = 0;
  /**
   * The last visible range, in the server's places.
   *
   * @type {[number, number]}
   */
  #range = [0, 0];

  /**
   * @param {object} parts
   * @param {(query: Query & Step, signal: AbortSignal) => Promise<{ items: Item[], total: number, unreadable?: number }>} parts.load
   * @param {() => void} parts.changed Items were added, removed or changed.
   * @param {(error: unknown) => void} parts.failed
   * @param {(id: string) => boolean} [parts.isHidden]
   */
  constructor({ load, changed, failed, isHidden = () => false }) {
    this.#load = load;
    this.#changed = changed;
    this.#failed = failed;
    this.#isHidden = isHidden;
  }

  /** How many items are visible; `null` before the first answer. */
  get count() {
    return this.#total === null ? null : Math.max(0, this.#total - this.#holes.length);
  }

  /** The query of the visible items. */
  get query() {
    return this.#shownQuery;
  }

  /**
   * Shows another query's list from its top.
   *
   * @param {Query} query
   */
  async open(query) {
    this.#query = query;
    this.#range = [0, 0];
    await this.refresh();
  }

  /** Requests the visible pages again, and drops the others. */
  async refresh() {
    this.#opening.abort();
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    const query = this.#query;
    const first = Math.floor(this.#range[0] / pageSize);
    const last = Math.floor(this.#range[1] / pageSize);
    try {
      const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const pages = await Promise.all(numbers.map((number) => this.#ask(query, number, signal)));
      if (signal.aborted) return;
      this.#stopLoading();
      this.#pages = new Map(pages.map(({ items }, index) => [first + index, items]));
      this.#total = pages[0]?.total ?? 0;
      this.unreadable = pages[0]?.unreadable ?? 0;
      this.#shownQuery = query;
      this.#findHoles();
      this.#changed();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Ends every request. */
  close() {
    this.#opening.abort();
    this.#stopLoading();
  }

  #stopLoading() {
    for (const request of this.#loading.values()) request.abort();
    this.#loading.clear();
  }

  /**
   * @param {number} place
   * @returns {Item | undefined} `undefined` while it is unknown.
   */
  item(place) {
    const index = this.#index(place);
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /**
   * Requests a range of visible places.
   *
   * @param {number} from
   * @param {number} to Exclusive.
   */
  need(from, to) {
    if (this.#total === null || to <= from) return;
    this.#range = [this.#index(from), Math.min(this.#index(to - 1), Math.max(0, this.#total - 1))];
    const first = Math.floor(this.#range[0] / pageSize);
    const last = Math.floor(this.#range[1] / pageSize);
    for (const [number, request] of this.#loading) {
      if (number >= first && number <= last) continue;
      request.abort(); // scrolled past before it arrived
      this.#loading.delete(number);
    }
    for (let number = first; number <= last; number += 1) this.#want(number);
  }

  /**
   * @param {string} id
   * @returns {Item | undefined} Only if it is cached.
   */
  find(id) {
    for (const items of this.#pages.values()) {
      const found = items.find((item) => item.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * The visible place of a cached item.
   *
   * @param {string} id
   * @returns {number | null}
   */
  place(id) {
    for (const [number, items] of this.#pages) {
      const offset = items.findIndex((item) => item.id === id);
      if (offset < 0) continue;
      const index = number * pageSize + offset;
      return index - this.#holes.filter((hole) => hole < index).length;
    }
    return null;
  }

  /** The list as ordered and filtered now; it outlives this window. */
  get list() {
    const query = this.#shownQuery;
    const load = (/** @type {Step} */ step, /** @type {AbortSignal} */ signal) => this.#load({ ...query, ...step }, signal);
    return { load, isHidden: this.#isHidden, query };
  }

  /**
   * A cached item, and its place in `list`.
   *
   * @param {string} id
   */
  stop(id) {
    const item = this.find(id);
    const place = this.place(id);
    return item === undefined || place === null ? null : { item, at: this.#index(place) };
  }

  /**
   * Replaces items by their changed versions.
   *
   * @param {Item[]} changed
   */
  replace(changed) {
    for (const items of this.#pages.values()) {
      for (const item of changed) {
        const offset = items.findIndex(({ id }) => id === item.id);
        if (offset >= 0) items[offset] = { ...items[offset], ...item };
      }
    }
    this.#changed();
  }

  /** Notifies that the hidden items have changed. */
  hiddenChanged() {
    this.#findHoles();
    this.#changed();
  }

  /**
   * The ids of all visible matches, in order.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<string[]>}
   */
  async allIds(signal) {
    /** @type {string[]} */
    const ids = [];
    for (let offset = 0; ; offset += largestStep) {
      const { items, total } = await this.#load({ ...this.#shownQuery, offset, limit: largestStep }, signal);
      ids.push(...items.map(({ id }) => id));
      if (items.length === 0 || offset + items.length >= total) break;
    }
    return ids.filter((id) => !this.#isHidden(id));
  }

  /**
   * @param {Query} query
   * @param {number} number
   * @param {AbortSignal} signal
   */
  #ask(query, number, signal) {
    return this.#load({ ...query, offset: number * pageSize, limit: pageSize }, signal);
  }

  /** @param {number} number */
  async #want(number) {
    const known = this.#pages.get(number);
    if (known !== undefined) {
      this.#pages.delete(number);
      this.#pages.set(number, known);
      return;
    }
    if (this.#loading.has(number)) return;
    const request = new AbortController();
    this.#loading.set(number, request);
    try {
      const { items, total, unreadable = 0 } = await this.#ask(this.#shownQuery, number, request.signal);
      if (request.signal.aborted) return;
      this.#pages.set(number, items);
      this.#total = total;
      this.unreadable = unreadable;
      this.#forget();
      this.#findHoles();
      this.#changed();
    } catch (error) {
      if (!request.signal.aborted) this.#failed(error);
    } finally {
      if (this.#loading.get(number) === request) this.#loading.delete(number);
    }
  }

  #forget() {
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= pagesKept) return;
      this.#pages.delete(number);
    }
  }

  /** Finds hidden items among the cached pages; those elsewhere are counted when their page arrives. */
  #findHoles() {
    /** @type {number[]} */
    const holes = [];
    for (const [number, items] of this.#pages) {
      items.forEach((item, offset) => {
        if (this.#isHidden(item.id)) holes.push(number * pageSize + offset);
      });
    }
    this.#holes = holes.sort((one, other) => one - other);
  }

  /** @param {number} place */
  #index(place) {
    let index = place;
    for (const hole of this.#holes) {
      if (hole > index) break;
      index += 1;
    }
    return index;
  }
}

/** Milliseconds over which server events are collected. */
const changeRest = 150;

/** How many skeletons are shown before the rows arrive. */
const waitingCount = 8;

/**
 * The parts of a list that the page supplies.
 *
 * @template {{ id: string, name: string }} Item
 * @template {{ order?: string, ascending?: boolean }} Query
 * @typedef {object} ItemListParts
 * @property {string} label The list's name.
 * @property {number} [rowHeight] In rem; default: that of `<echo-rows>`.
 * @property {keyof import("../../server/events.js").ServerEvents} event The server's event for added, removed and
 * changed items.
 * @property {(query: Query & Step, signal: AbortSignal) => Promise<{ items: Item[], total: number }>} load
 * @property {(id: string) => boolean} [isHidden]
 * @property {() => Query} query The present query.
 * @property {(item: Item) => import("../../components/row-content.js").RowContent} content
 * @property {(count: number, isNarrowed: boolean) => string} countWords
 * @property {(count: number) => void} [counted]
 * @property {(isNarrowed: boolean) => Node} nothing The content of an empty list.
 * @property {string} nameLabel The label of the name field.
 * @property {(item: Item, name: string) => Promise<Item>} rename
 * @property {readonly SelectionAction[]} actions The actions for the selected items.
 */

/**
 * A page's list of the server's items, of any length. It shows loading, empty and error states, follows the server's
 * events, and offers selection and renaming in place. The page handles other actions through the events of `rows`.
 *
 * @template {{ id: string, name: string }} Item
 * @template {{ order?: string, ascending?: boolean }} Query
 */
export class ItemList {
  /** @type {ItemWindow<Item, Query>} */
  items;
  rows = new Rows();
  /** The count of items. */
  count = h("p", { class: "list-count muted small", role: "status" });
  /** Deletes what cannot be read, while there is something; a page that can do so puts it beside the count. */
  leftOut = button({ label: t("list.unreadable.delete"), look: "quiet", opens: true, className: "left-out" });
  /** The box for the rows, or for an empty list or an error. */
  place = h("div", { class: "list-place" });
  /** Visible while selecting. */
  selection;
  #page;
  #parts;
  /** Whether `rows` shows items rather than skeletons. */
  #isListing = false;
  /** The query of the count: only that of another is announced, since messages say what came and went. */
  #counted = "";
  #refreshTimer = 0;
  /** @type {NameField<Item> | null} */
  #naming = null;
  #life = new AbortController().signal;

  /**
   * @param {HTMLElement} page Gets the class `selecting` while selecting, and `data-empty` while there are no items at
   * all.
   * @param {ItemListParts<Item, Query>} parts
   */
  constructor(page, parts) {
    this.#page = page;
    this.#parts = parts;
    this.items = new ItemWindow({
      load: parts.load,
      changed: () => this.#show(),
      failed: (error) => this.#showFailure(error),
      isHidden: parts.isHidden,
    });
    this.leftOut.hidden = true;
    this.rows.label = parts.label;
    this.rows.rowHeight = parts.rowHeight ?? this.rows.rowHeight;
    this.selection = new SelectionBar({
      leave: () => this.stopSelecting(),
      selectAll: () => this.#selectAll(),
      actions: parts.actions,
    });
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.#life = signal;
    this.rows.addEventListener("selection", () => this.#showSelection(), { signal });
    this.rows.addEventListener("keydown", (event) => this.#key(event), { signal, capture: true });
    onServer(this.#parts.event, () => this.#refreshSoon(), signal);
    onServer("reset", () => this.#refreshSoon(), signal);
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    this.open();
  }

  #stop() {
    this.items.close();
    clearTimeout(this.#refreshTimer);
  }

  /** Shows the first items of the present query. */
  async open() {
    if (this.items.count === null) this.#showWaiting();
    await this.items.open(this.#parts.query());
  }

  #refreshSoon() {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => this.items.refresh(), changeRest);
  }

  /** Renders the rows again, except one whose name is being edited. */
  refreshRows() {
    if (this.#naming === null) this.rows.refresh();
  }

  /**
   * @param {string} id
   * @returns {boolean} Whether it is in the list, and has the focus now.
   */
  focus(id) {
    const place = this.items.place(id);
    if (place !== null) this.rows.focusRow(place);
    return place !== null;
  }

  beginSelecting() {
    this.rows.isSelecting = true;
    this.rows.focusRow(0);
  }

  stopSelecting() {
    this.rows.isSelecting = false;
  }

  /**
   * Edits a name in place.
   *
   * @param {Item} item
   */
  rename(item) {
    this.#naming = new NameField(item, {
      label: this.#parts.nameLabel,
      rename: (name) => this.#parts.rename(item, name),
      done: (changed) => {
        this.#naming = null;
        if (changed !== null) this.items.replace([changed]);
        this.rows.refresh();
        this.focus(item.id);
      },
    });
    this.rows.refresh();
    this.#naming.focus();
  }

  /** Shows the window's items, or that there are none. */
  #show() {
    const { count, unreadable, query } = this.items;
    if (count === null) return;
    const isNarrowed = this.#isNarrowed;
    const leftOut = unreadable > 0 ? ` · ${t("list.unreadable", { n: unreadable })}` : "";
    const words = this.#parts.countWords(count, isNarrowed) + leftOut;
    const asked = JSON.stringify([query, unreadable]);
    if (words !== this.count.textContent) setAttribute(this.count, "aria-live", asked === this.#counted ? "off" : null);
    setText(this.count, words);
    this.#counted = asked;
    withdraw(this.leftOut, "hidden", unreadable === 0);
    const isEmpty = count + unreadable === 0;
    this.count.classList.toggle("visually-hidden", isEmpty);
    setAttribute(this.#page, "data-empty", isEmpty && !isNarrowed ? true : null);
    this.#parts.counted?.(count);
    if (count === 0) {
      this.#fillPlace(isEmpty || isNarrowed ? this.#parts.nothing(isNarrowed) : null); // the count says what there is
      // An empty list has no search.
      if (isEmpty && !isNarrowed && document.activeElement?.matches("input[type=search]")) this.#giveFocus();
      return;
    }
    if (this.rows.parentNode !== this.place) this.#fillPlace(this.rows);
    if (!this.#isListing) {
      this.#isListing = true;
      this.rows.source = this.#source;
    }
    this.refreshRows();
  }

  /** Whether a search or a filter is active. */
  get #isNarrowed() {
    const { order: _, ascending: __, ...narrowing } = this.items.query;
    return Object.values(narrowing).some((value) => value !== undefined);
  }

  /** @returns {import("../../components/row-content.js").RowSource<Item>} */
  get #source() {
    const { items } = this;
    return {
      get count() {
        return items.count ?? 0;
      },
      at: (index) => items.item(index) ?? null,
      key: (item) => item.id,
      content: (item) => this.#rowOf(item),
      need: (from, to) => items.need(from, to),
    };
  }

  /** @param {Item} item */
  #rowOf(item) {
    const row = this.#parts.content(item);
    if (this.#naming?.item.id !== item.id) return row;
    return { ...row, title: this.#naming.element, name: item.name, actions: [] };
  }

  #showWaiting() {
    this.rows.source = waitingRows(waitingCount);
    fill(this.place, this.rows);
    this.#isListing = false;
  }

  /** @param {unknown} error */
  #showFailure(error) {
    setText(this.count, "");
    withdraw(this.leftOut, "hidden", true);
    this.#fillPlace(errorNotice(error, button({ label: t("do.again"), onPress: () => this.open() })));
  }

  /**
   * Replaces what stands in the list's place. When that had the focus, the page's title gets it.
   *
   * @param {Node | null} content
   */
  #fillPlace(content) {
    // A press or the focus may be on the same words and button.
    if (this.place.firstChild?.isEqualNode(content)) return;
    const hadFocus = this.place.contains(document.activeElement);
    fill(this.place, content);
    if (hadFocus && !this.place.contains(document.activeElement)) this.#giveFocus();
  }

  /** Focuses the row that Tab reaches; without one, the page's title. */
  #giveFocus() {
    const row = this.rows.isConnected ? this.rows.querySelector("[role=row][tabindex='0']") : null;
    const target = row ?? document.querySelector("main h1");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  async #selectAll() {
    await attempt(async () => {
      this.rows.selectedKeys = await this.items.allIds(this.#life);
    }, this.#life);
  }

  #showSelection() {
    const { isSelecting, selectedKeys } = this.rows;
    const hadFocus = this.selection.element.contains(document.activeElement);
    this.selection.show(isSelecting ? selectedKeys : null);
    this.#page.classList.toggle("selecting", isSelecting);
    if (hadFocus && !isSelecting) this.#giveFocus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (target instanceof HTMLInputElement) return;
    const row = target instanceof Element ? target.closest(".row") : null;
    const item = this.items.find(row instanceof HTMLElement ? (row.dataset.key ?? "") : "");
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.#selectAll();
    else if (event.key === "F2" && item !== undefined) this.rename(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * An action for all selected items.
 *
 * @typedef {object} SelectionAction
 * @property {string} label
 * @property {import("../../components/button.js").IconName} icon
 * @property {(ids: string[]) => void} run
 */

/** The bar of actions for several rows; visible while selecting. */
class SelectionBar {
  /** @type {string[]} */
  #ids = [];
  #count = h("p", { class: "selection-count", role: "status" });
  /** @type {HTMLButtonElement[]} */
  #actions;

  /**
   * @param {object} parts
   * @param {() => void} parts.leave
   * @param {() => void} parts.selectAll
   * @param {readonly SelectionAction[]} parts.actions
   */
  constructor({ leave, selectAll, actions }) {
    this.#actions = actions.map(({ label, icon, run }) =>
      button({ label, icon, look: "quiet", iconOnly: true, onPress: () => run([...this.#ids]) }),
    );
    this.element = h(
      "div",
      { class: "selection-bar", role: "toolbar", "aria-label": t("select.title"), hidden: true },
      button({ label: t("do.done"), icon: "close", look: "quiet", iconOnly: true, onPress: leave }),
      this.#count,
      button({ label: t("select.all"), look: "quiet", onPress: selectAll }),
      h("span", { class: "selection-space" }),
      ...this.#actions,
    );
    this.element.addEventListener("keydown", (event) => this.#key(event, leave));
  }

  /**
   * ← and →, Home and End lead from button to button, besides Tab; Esc ends the selection.
   *
   * @param {KeyboardEvent} event
   * @param {() => void} leave
   */
  #key(event, leave) {
    if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return;
    const buttons = [...this.element.querySelectorAll("button")].filter((one) => !one.disabled && one.offsetParent !== null);
    const at = buttons.findIndex((one) => one === event.target);
    /** @type {Record<string, number>} */
    const places = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 };
    const to = places[event.key];
    if (event.key === "Escape") leave();
    else if (at >= 0 && to !== undefined) buttons[Math.max(0, Math.min(to, buttons.length - 1))].focus();
    else return;
    event.preventDefault();
  }

  /** @param {string[] | null} ids The selection; `null` when not selecting. */
  show(ids) {
    this.element.hidden = ids === null;
    this.#ids = ids ?? [];
    setText(this.#count, ids === null ? "" : t("select.count", { n: ids.length }));
    for (const action of this.#actions) action.disabled = this.#ids.length === 0;
  }
}
