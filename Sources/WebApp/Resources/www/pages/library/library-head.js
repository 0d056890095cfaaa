import { button } from "../../components/button.js";
import { pageHead } from "../../components/frame.js";
import { voiceTitle } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { LibraryFilterSheet } from "./filter-sheet.js";
import { activeFilters, filterWords, noFilters, queryOf } from "./filters.js";
import { FilterButton, queryOfOrder, SearchField, SortButton, sortOrders } from "../list/list-controls.js";
import { listLibraryVoices } from "../../server/library.js";

/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */
/** @typedef {import("./filters.js").Filters} Filters */

/**
 * @typedef {object} LibraryHeadActions
 * @property {() => void} changed The search, the filters or the order has changed.
 * @property {() => void} select Starts selecting.
 * @property {() => void} goToList Moves the focus to the list.
 */

/** The top of the library: search, order and filters. */
export class LibraryHead {
  /** @type {Filters} */
  #filters = noFilters;
  #life = new AbortController().signal;
  /** @type {number | null} */
  #count = null;
  /** @type {LibraryFilterSheet | null} */
  #filterSheet = null;
  #changed;
  #search;
  #sort;
  #filter = new FilterButton({ opens: "dialog", open: () => this.#openFilters() });

  /** @param {LibraryHeadActions} actions */
  constructor({ changed, select, goToList }) {
    this.#changed = changed;
    this.#search = new SearchField({ label: t("library.search"), changed, goToList });
    this.#sort = new SortButton({ list: "library", orders: sortOrders, words: (order) => t(`sort.${order}`), changed });
    const selecting = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: select });
    this.element = pageHead(t("library.title"), this.#search.element, this.#sort.element, this.#filter.element, selecting);
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

  /** @returns {LibraryQuery} */
  get query() {
    return { ...queryOfOrder(this.#sort.order), ...queryOf(this.#filters), words: this.words === "" ? undefined : this.words };
  }

  /** @param {number} count How many recordings match. */
  showCount(count) {
    this.#count = count;
    this.#filterSheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Clears the search and the filters. */
  showAll() {
    this.#search.clear();
    this.#narrow(noFilters);
    this.focusSearch();
  }

  /** @param {Filters} filters */
  #narrow(filters) {
    this.#filters = filters;
    const active = activeFilters(filters).map((one) => ({ words: filterWords(one), without: one.without }));
    this.#filter.show(active, { none: noFilters, apply: (fewer) => this.#narrow(fewer) });
    this.#changed();
  }

  async #openFilters() {
    let { voices } = this.#filters;
    /** @type {unknown} */
    let problem = null;
    try {
      const all = await listLibraryVoices(this.#life);
      voices = all.map((voice) => ({ id: voice.id, name: voiceTitle(voice, all) }));
    } catch (error) {
      problem = error; // the other filters work without them, and the active ones can still be removed
    }
    if (this.#life.aborted) return;
    this.#filterSheet = new LibraryFilterSheet({
      filters: this.#filters,
      voices,
      speedRange: state.value?.speedRange ?? [0.5, 1.5],
      pitchRange: state.value?.pitchRange ?? [0.5, 2],
      problem,
      onChange: (filters) => this.#narrow(filters),
    });
    this.#filterSheet.open();
    this.#filterSheet.showCount(this.#count);
  }
}
