import { button, icon } from "../../components/button.js";
import { searchField } from "../../components/field.js";
import { pageHead } from "../../components/frame.js";
import { openMenu } from "../../components/sheet.js";
import { fill, h, newId, setAttribute } from "../../core/dom.js";
import { longestName, nameProblem, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { setting, settings } from "../../core/store.js";
import { changeSetting } from "../../server/settings.js";

/**
 * The user's last way of viewing something, a setting of the library: the browser's storage, which remembers it
 * meanwhile, is lost with each start of the server.
 *
 * @template {string} Choice
 * @param {string} name The setting's.
 * @param {readonly Choice[]} choices The default first; at least one.
 * @param {(choice: Choice) => void} [learn] Called with another choice if the settings arrive later.
 * @returns {Choice}
 */
export function habit(name, choices, learn = () => {}) {
  const usual = /** @type {Choice} */ (choices[0]);
  const choice = (/** @type {string | null} */ kept) => choices.find((one) => one === kept) ?? usual;
  const remembered = localStorage.getItem(name);
  if (remembered === null && settings.value.size === 0) {
    const once = new AbortController();
    const take = () => {
      once.abort();
      const known = choice(setting(name, usual));
      if (known !== usual && localStorage.getItem(name) === null) learn(known);
    };
    settings.watch(take, once.signal);
  }
  return choice(remembered ?? setting(name, usual));
}

/**
 * @param {string} name
 * @param {string} choice
 */
export function keepHabit(name, choice) {
  localStorage.setItem(name, choice);
  // If the library is read-only, the browser remembers it for a while.
  changeSetting(name, choice).catch(() => {});
}

/** Milliseconds after the last key until the server is asked. */
const typingRest = 25;

/**
 * @typedef {object} SearchFieldOptions
 * @property {string} label
 * @property {number} [rest] Milliseconds after the last key until `changed` is called, 0 for none; default: a short
 * while.
 * @property {() => void} changed The search words have changed.
 * @property {() => void} goToList Moves the focus to the list.
 */

/** The search field of a list: Esc clears it, ↓ moves into the list. The address `?search` leads to it. */
export class SearchField {
  #rest;
  #changed;
  #goToList;
  #timer = 0;
  #input;

  /** @param {SearchFieldOptions} options */
  constructor({ label, rest = typingRest, changed, goToList }) {
    this.#rest = rest;
    this.#changed = changed;
    this.#goToList = goToList;
    const { element, input } = searchField(label);
    this.element = element;
    this.#input = input;
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
    if (location.search !== "?search") return;
    // Back does not lead to it again. A page that opens gives the focus to its title first.
    history.replaceState(history.state, "", location.pathname);
    queueMicrotask(() => this.focus());
  }

  /** The search words; may be empty. */
  get words() {
    return this.#input.value.trim();
  }

  focus() {
    this.#input.focus();
  }

  /** Ends the search, without an event. */
  clear() {
    this.#input.value = "";
  }

  #typed() {
    clearTimeout(this.#timer);
    if (this.#rest === 0) this.#changed();
    else this.#timer = setTimeout(this.#changed, this.#rest);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.#goToList();
    else if (event.key === "Escape" && this.#input.value !== "") {
      this.clear();
      this.#changed();
    } else return;
    event.preventDefault();
  }
}

/** The server's sort orders, the default first; the names are the catalogue's. */
export const sortOrders = /** @type {const} */ ([
  "date.down",
  "date.up",
  "length.down",
  "length.up",
  "name.up",
  "name.down",
]);

/** @typedef {(typeof sortOrders)[number]} SortOrder */

/**
 * @param {SortOrder} order
 * @returns {{ order: "date" | "length" | "name", ascending: boolean }}
 */
export function queryOfOrder(order) {
  const [by, direction] = /** @type {["date" | "length" | "name", "up" | "down"]} */ (order.split("."));
  return { order: by, ascending: direction === "up" };
}

/**
 * The button that opens the sort orders of a list.
 *
 * @template {string} Order
 */
export class SortButton {
  /**
   * The present order.
   *
   * @type {Order}
   */
  order;

  /**
   * @param {object} options
   * @param {string} options.list Its name, “library”; the last order is a setting of that name.
   * @param {readonly Order[]} options.orders The default first.
   * @param {(order: Order) => string} options.words
   * @param {() => void} options.changed Another order was chosen.
   */
  constructor({ list, orders, words, changed }) {
    const setting = `page.${list}-order`;
    this.order = habit(setting, orders, (order) => {
      if (!this.element.isConnected) return;
      this.order = order;
      changed();
    });
    const open = () => {
      const entries = orders.map((order) => ({
        label: words(order),
        isChecked: order === this.order,
        run: () => {
          this.order = order;
          keepHabit(setting, order);
          changed();
        },
      }));
      openMenu(entries, { label: t("library.sort"), anchor: this.element });
    };
    this.element = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: open });
    setAttribute(this.element, "aria-haspopup", "menu");
  }
}

/**
 * An active filter, and the filters without it.
 *
 * @template Filters
 * @typedef {{ words: string, without: Filters }} Active
 */

/** The button that opens the filters of a list, and the chips of the active ones; a press removes one. */
export class FilterButton {
  /** Shown above the list. */
  chips = h("div");

  /**
   * @param {object} options
   * @param {"menu" | "dialog"} options.opens
   * @param {() => void} options.open
   */
  constructor({ opens, open }) {
    this.element = button({ label: t("library.filter"), icon: "filter", iconOnly: true, onPress: open });
    setAttribute(this.element, "aria-haspopup", opens);
  }

  /**
   * Shows the active filters.
   *
   * @template Filters
   * @param {readonly Active<Filters>[]} active
   * @param {object} changes
   * @param {Filters} changes.none Clears all filters.
   * @param {(filters: Filters) => void} changes.apply Applies fewer filters, and shows them.
   */
  show(active, { none, apply }) {
    const label = active.length === 0 ? t("library.filter") : t("library.filter.active", { n: active.length });
    setAttribute(this.element, "aria-label", label);
    setAttribute(this.element, "title", label);
    this.element.classList.toggle("active", active.length > 0);
    /** @param {Filters} fewer */
    const narrow = (fewer) => {
      apply(fewer);
      (this.chips.querySelector("button") ?? this.element).focus();
    };
    const chips = active.map(({ words, without }) => h("li", {}, chip(words, () => narrow(without))));
    const clear = active.length < 2 ? null : button({ label: t("filters.clear"), look: "quiet", onPress: () => narrow(none) });
    const list = h("ul", { class: "filter-chips", "aria-label": t("filters.chips") }, ...chips, clear && h("li", {}, clear));
    fill(this.chips, active.length === 0 ? null : list);
  }
}

/**
 * @param {string} words
 * @param {() => void} takeAway
 */
function chip(words, takeAway) {
  const label = t("filters.remove", { filter: words });
  return h("button", { type: "button", class: "filter-chip", "aria-label": label, onclick: takeAway }, h("span", {}, words), icon("close"));
}

/**
 * @typedef {object} ListHeadActions
 * @property {() => void} changed The search, the filters or the order has changed.
 * @property {() => void} select Starts selecting.
 * @property {() => void} goToList Moves the focus to the list.
 */

/**
 * The top of a list: its title, search, order and filters. What can be filtered is a subclass's.
 *
 * @template Filters
 * @template {string} Order
 */
export class ListHead {
  /**
   * The active filters.
   *
   * @type {Filters}
   */
  filters;
  /** Aborted when the page goes. */
  signal = new AbortController().signal;
  /** @type {number | null} */
  #count = null;
  /** @type {{ showCount: (count: number | null) => void } | null} */
  #sheet = null;
  #none;
  #changed;
  #search;
  #sort;
  /** @type {FilterButton} */
  #filter;

  /**
   * @param {ListHeadActions} actions
   * @param {object} list
   * @param {string} list.name “library”; the last order is a setting of that name.
   * @param {string} list.title
   * @param {string} list.searchLabel
   * @param {readonly Order[]} list.orders The default first.
   * @param {Filters} list.none No filters.
   * @param {"menu" | "dialog"} list.opens What opens with the filters.
   * @param {HTMLElement[]} [list.actions] After all else.
   */
  constructor({ changed, select, goToList }, { name, title, searchLabel, orders, none, opens, actions = [] }) {
    this.filters = none;
    this.#none = none;
    this.#changed = changed;
    this.#search = new SearchField({ label: searchLabel, changed, goToList });
    this.#sort = new SortButton({ list: name, orders, words: (order) => t(`sort.${order}`), changed });
    this.#filter = new FilterButton({ opens, open: () => this.openFilters(this.#filter.element) });
    const selecting = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: select });
    this.element = pageHead(title, this.#search.element, this.#sort.element, this.#filter.element, selecting, ...actions);
  }

  /**
   * Opens the filters at their button.
   *
   * @abstract
   * @param {HTMLElement} _anchor
   */
  openFilters(_anchor) {}

  /**
   * The active filters as chips.
   *
   * @abstract
   * @param {Filters} _filters
   * @returns {Active<Filters>[]}
   */
  active(_filters) {
    return [];
  }

  /** The active filters, which are shown above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.signal = signal;
    this.#search.start(signal);
    this.#showFilters();
  }

  /** The searched words; may be empty. */
  get words() {
    return this.#search.words;
  }

  /** The present order. */
  get order() {
    return this.#sort.order;
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Clears the search and the filters. */
  showAll() {
    this.#search.clear();
    this.narrow(this.#none);
    this.focusSearch();
  }

  /** @param {number} count How many match. */
  showCount(count) {
    this.#count = count;
    this.#sheet?.showCount(count);
  }

  /**
   * Opens a sheet of filters, which shows how many match.
   *
   * @param {{ open: () => void, signal: AbortSignal, showCount: (count: number | null) => void }} sheet
   */
  openSheet(sheet) {
    sheet.open();
    if (sheet.signal.aborted) return;
    this.#sheet = sheet;
    sheet.showCount(this.#count);
  }

  /** @param {Filters} filters */
  narrow(filters) {
    this.filters = filters;
    this.#showFilters();
    this.#changed();
  }

  #showFilters() {
    this.#filter.show(this.active(this.filters), { none: this.#none, apply: (fewer) => this.narrow(fewer) });
  }
}

/**
 * A field that edits a name in place: Enter or leaving it saves the change, Esc does not. It refuses an invalid name
 * with the reason.
 *
 * @template {{ id: string, name: string }} Item
 */
export class NameField {
  /** @type {Item} */
  item;
  /** @type {(name: string) => Promise<Item>} */
  #rename;
  /** @type {(item: Item | null) => void} */
  #done;
  #isDone = false;
  #isSending = false;
  #input;
  #error = h("span", { class: "name-error", role: "alert", id: newId("name") });

  /**
   * @param {Item} item
   * @param {object} parts
   * @param {string} parts.label The name of the field.
   * @param {(name: string) => Promise<Item>} parts.rename
   * @param {(changed: Item | null) => void} parts.done Called once; `null` when the name is unchanged.
   */
  constructor(item, { label, rename, done }) {
    this.item = item;
    this.#rename = rename;
    this.#done = done;
    this.#input = h("input", {
      class: "name-input",
      value: item.name,
      "aria-label": label,
      "aria-describedby": this.#error.id,
      autocomplete: "off",
      maxlength: String(longestName),
      enterkeyhint: "done",
    });
    this.element = h("span", { class: "name-field" }, this.#input, this.#error);
    this.#input.addEventListener("keydown", (event) => this.#key(event));
    this.#input.addEventListener("blur", () => (this.#input.value.trim() === "" ? this.#finish(null) : this.#keep()));
    this.#input.addEventListener("input", () => this.#fail(null));
  }

  focus() {
    this.#input.focus({ preventScroll: true });
    this.#input.select();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter") this.#keep();
    else if (event.key === "Escape") this.#finish(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #keep() {
    const name = this.#input.value.trim();
    if (this.#isDone || this.#isSending) return;
    if (name === this.item.name) {
      this.#finish(null);
      return;
    }
    const problem = nameProblem(name);
    if (problem !== null) {
      this.#fail(problem);
      return;
    }
    this.#isSending = true;
    try {
      this.#finish(await this.#rename(name));
    } catch (error) {
      this.#fail(wordsFor(error).message);
      this.focus();
    } finally {
      this.#isSending = false;
    }
  }

  /** @param {string | null} text */
  #fail(text) {
    this.#error.textContent = text ?? "";
    setAttribute(this.#input, "aria-invalid", text === null ? null : "true");
  }

  /** @param {Item | null} changed */
  #finish(changed) {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#done(changed);
  }
}
