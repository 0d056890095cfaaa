import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { Rows } from "../../components/rows.js";
import { waitingRows } from "../../components/rows/row-content.js";
import { attempt } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { ItemWindow } from "./item-window.js";
import { NameField } from "./name-field.js";
import { onServer } from "../../server/events.js";

/** Milliseconds over which the server's events are gathered. */
const changeRest = 150;

/** How many skeletons stand for the rows before they come. */
const waitingCount = 8;

/**
 * What is the page's own in a list of items.
 *
 * @template {{ id: string, name: string }} Item
 * @template {{ order?: string, ascending?: boolean }} Query
 * @typedef {object} ItemListParts
 * @property {string} label What the list is called.
 * @property {number} [rowHeight] Rem; that of `<echo-rows>` when absent.
 * @property {keyof import("../../server/events.js").ServerEvents} event The server's event that items came, went or changed.
 * @property {(query: Query & import("./item-window.js").Step, signal: AbortSignal) => Promise<{ items: Item[], total: number }>} load
 * @property {(id: string) => boolean} [isHidden]
 * @property {() => Query} query What is wanted now.
 * @property {(item: Item) => import("../../components/rows/row-content.js").RowContent} content
 * @property {(count: number, isNarrowed: boolean) => string} countWords
 * @property {(count: number) => void} [counted]
 * @property {(isNarrowed: boolean) => Node} nothing What stands in the place of no items.
 * @property {string} nameLabel What the name is of while it is changed.
 * @property {(item: Item, name: string) => Promise<Item>} rename
 * @property {readonly SelectionAction[]} actions What can be done with those that are selected.
 */

/**
 * A page's list of what the server keeps, as long as it likes: shown while it comes, when it is empty and when it fails,
 * kept true, selected from, and renamed in its place. What else is done with a row the page hears from `rows`.
 *
 * @template {{ id: string, name: string }} Item
 * @template {{ order?: string, ascending?: boolean }} Query
 */
export class ItemList {
  /** @type {ItemWindow<Item, Query>} */
  items;
  rows = new Rows();
  /** How many there are. */
  count = h("p", { class: "list-count muted small", role: "status" });
  /** Where the rows are, or what stands for them. */
  place = h("div", { class: "list-place" });
  /** In view while some are being selected. */
  selection;
  #page;
  #parts;
  /** Whether `rows` shows the window's items, not what stands for them before they come. */
  #isListing = false;
  #refreshTimer = 0;
  /** @type {NameField<Item> | null} */
  #naming = null;
  #life = new AbortController().signal;

  /**
   * @param {HTMLElement} page Gets the class `selecting` while some are being selected, and `data-empty` while there is
   *   nothing at all.
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

  /** Shows what is wanted now, from its top. */
  async open() {
    if (this.items.count === null) this.#showWaiting();
    await this.items.open(this.#parts.query());
  }

  #refreshSoon() {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => this.items.refresh(), changeRest);
  }

  /** Shows the rows again. While a name is being changed its row is left alone. */
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
   * Lets a name be changed in its place.
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

  /** Shows what the window knows, or why there is nothing to show. */
  #show() {
    const { count } = this.items;
    if (count === null) return;
    const isNarrowed = this.#isNarrowed;
    setText(this.count, this.#parts.countWords(count, isNarrowed));
    this.count.classList.toggle("visually-hidden", count === 0);
    setAttribute(this.#page, "data-empty", count === 0 && !isNarrowed ? true : null);
    this.#parts.counted?.(count);
    if (count === 0) {
      fill(this.place, this.#parts.nothing(isNarrowed));
      return;
    }
    if (this.rows.parentNode !== this.place) fill(this.place, this.rows);
    if (!this.#isListing) {
      this.#isListing = true;
      this.rows.source = this.#source;
    }
    this.refreshRows();
  }

  /** Whether what is shown is less than everything. */
  get #isNarrowed() {
    const { order: _, ascending: __, ...narrowing } = this.items.query;
    return Object.values(narrowing).some((value) => value !== undefined);
  }

  /** @returns {import("../../components/rows/row-content.js").RowSource<Item>} */
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
 * What can be done with everything that is selected.
 *
 * @typedef {object} SelectionAction
 * @property {string} label
 * @property {import("../../components/icon.js").IconName} icon
 * @property {(ids: string[]) => void} run
 */

/** What can be done with several rows at once; in view while some are being selected. */
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

  /** @param {string[] | null} ids What is selected; `null` when nothing is being selected. */
  show(ids) {
    this.element.hidden = ids === null;
    this.#ids = ids ?? [];
    setText(this.#count, ids === null ? "" : t("select.count", { n: ids.length }));
    for (const action of this.#actions) action.disabled = this.#ids.length === 0;
  }
}
