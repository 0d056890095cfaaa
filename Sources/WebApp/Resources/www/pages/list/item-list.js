import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { waitingRows } from "../../components/row-content.js";
import { Rows } from "../../components/rows.js";
import { attempt } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";
import { ItemWindow } from "./item-window.js";
import { NameField } from "./list-controls.js";

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
 * @property {(query: Query & import("./item-window.js").Step, signal: AbortSignal) => Promise<{ items: Item[], total: number }>} load
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
  /** The box for the rows, or for an empty list or an error. */
  place = h("div", { class: "list-place" });
  /** Visible while selecting. */
  selection;
  #page;
  #parts;
  /** Whether `rows` shows items rather than skeletons. */
  #isListing = false;
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
    const { count, unreadable } = this.items;
    if (count === null) return;
    const isNarrowed = this.#isNarrowed;
    const leftOut = unreadable > 0 ? ` · ${t("list.unreadable", { n: unreadable })}` : "";
    setText(this.count, this.#parts.countWords(count, isNarrowed) + leftOut);
    const isEmpty = count + unreadable === 0;
    this.count.classList.toggle("visually-hidden", isEmpty);
    setAttribute(this.#page, "data-empty", isEmpty && !isNarrowed ? true : null);
    this.#parts.counted?.(count);
    if (count === 0) {
      fill(this.place, isEmpty || isNarrowed ? this.#parts.nothing(isNarrowed) : null); // the count says what there is
      return;
    }
    if (this.rows.parentNode !== this.place) fill(this.place, this.rows);
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
    fill(this.place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.open() })));
  }

  async #selectAll() {
    await attempt(async () => {
      this.rows.selectedKeys = await this.items.allIds(this.#life);
    }, this.#life);
  }

  #showSelection() {
    const { isSelecting, selectedKeys } = this.rows;
    this.selection.show(isSelecting ? selectedKeys : null);
    this.#page.classList.toggle("selecting", isSelecting);
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
  }

  /** @param {string[] | null} ids The selection; `null` when not selecting. */
  show(ids) {
    this.element.hidden = ids === null;
    this.#ids = ids ?? [];
    setText(this.#count, ids === null ? "" : t("select.count", { n: ids.length }));
    for (const action of this.#actions) action.disabled = this.#ids.length === 0;
  }
}
