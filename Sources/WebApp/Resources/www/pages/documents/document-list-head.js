import { button } from "../../components/button.js";
import { pageHead } from "../../components/frame.js";
import { t } from "../../core/i18n.js";
import { DocumentFilterSheet } from "./filter-sheet.js";
import { activeFilters, noFilters, queryOf } from "./filters.js";
import { importButton } from "./import-list.js";
import { FilterButton, queryOfOrder, SearchField, SortButton, sortOrders } from "../list/list-controls.js";
import { listDocumentLanguages } from "../../server/documents.js";

/** @typedef {import("../../server/documents.js").DocumentQuery} DocumentQuery */
/** @typedef {import("./filters.js").DocumentFilters} DocumentFilters */

/**
 * @typedef {object} ListHeadActions
 * @property {() => void} changed The search, the filter or the order has changed.
 * @property {() => void} select Starts selecting.
 * @property {() => void} goToList Moves the focus to the list.
 */

/** The top of the documents: import, search, order and filters. */
export class ListHead {
  /** @type {DocumentFilters} */
  #filters = noFilters;
  #life = new AbortController().signal;
  /** @type {number | null} */
  #count = null;
  /** @type {DocumentFilterSheet | null} */
  #sheet = null;
  #changed;
  #search;
  #sort;
  #filter = new FilterButton({ opens: "dialog", open: () => this.#openFilters() });

  /** @param {ListHeadActions} actions */
  constructor({ changed, select, goToList }) {
    this.#changed = changed;
    this.#search = new SearchField({ label: t("documents.search"), changed, goToList });
    this.#sort = new SortButton({ list: "documents", orders: sortOrders, words: (order) => t(`sort.${order}`), changed });
    const selecting = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: select });
    const { element: search } = this.#search;
    this.element = pageHead(t("documents.title"), search, this.#sort.element, this.#filter.element, selecting, importButton());
  }

  /** The active filters, which are shown above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.#life = signal;
    this.#search.start(signal);
  }

  /** The searched words; may be empty. */
  get words() {
    return this.#search.words;
  }

  /** @returns {DocumentQuery} */
  get query() {
    return {
      ...queryOfOrder(this.#sort.order),
      ...queryOf(this.#filters),
      words: this.words === "" ? undefined : this.words,
    };
  }

  /** Clears the search and the filters. */
  showAll() {
    this.#search.clear();
    this.#narrow(noFilters);
    this.#search.focus();
  }

  /** @param {number} count How many documents match. */
  showCount(count) {
    this.#count = count;
    this.#sheet?.showCount(count);
  }

  /** @param {DocumentFilters} filters */
  #narrow(filters) {
    this.#filters = filters;
    this.#filter.show(activeFilters(filters), { none: noFilters, apply: (fewer) => this.#narrow(fewer) });
    this.#changed();
  }

  async #openFilters() {
    /** @type {string[]} */
    let languages = [];
    /** @type {unknown} */
    let problem = null;
    try {
      languages = await listDocumentLanguages(this.#life);
    } catch (error) {
      problem = error; // the other filters work without them
    }
    if (this.#life.aborted) return;
    this.#sheet = new DocumentFilterSheet({ filters: this.#filters, languages, problem, onChange: (filters) => this.#narrow(filters) });
    this.#sheet.open();
    this.#sheet.showCount(this.#count);
  }
}
