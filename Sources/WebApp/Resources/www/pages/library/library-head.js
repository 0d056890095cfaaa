import { listLibraryVoices } from "../../server/library.js";
import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { openMenu } from "../../components/menu.js";
import { pageHead } from "../../components/page-head.js";
import { fill, h, setAttribute } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { queryOfOrder, rememberedOrder, rememberOrder, sortOrders } from "../list/sort-order.js";
import { filterChips } from "./filter-chips.js";
import { openFilterSheet } from "./filter-sheet.js";
import { activeFilters, noFilters, queryOf } from "./filters.js";

/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */
/** @typedef {import("./filters.js").Filters} Filters */

/** Milliseconds that typing rests before it is searched for. */
const typingRest = 25;

/**
 * @typedef {object} LibraryHeadActions
 * @property {() => void} changed Another list is wanted than before.
 * @property {() => void} select Recordings are to be selected.
 * @property {() => void} goToList The focus is to go to the list.
 */

/** The top of the library: what is looked for, in which order, and what holds recordings back. */
export class LibraryHead {
  #actions;
  #order = rememberedOrder("library");
  /** @type {Filters} */
  #filters = noFilters;
  #timer = 0;
  #life = new AbortController().signal;
  /** @type {number | null} */
  #count = null;
  /** @type {import("./filter-sheet.js").FilterSheet | null} */
  #filterSheet = null;

  #search = h("input", {
    type: "search",
    class: "field",
    autocomplete: "off",
    enterkeyhint: "search",
    "aria-label": t("library.search"),
    placeholder: t("library.search"),
  });
  #filter = button({ label: t("library.filter"), icon: "filter", iconOnly: true, opens: true, onPress: () => this.#openFilters() });
  #chips = h("div", { class: "library-chips" });

  /** @param {LibraryHeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const sort = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: () => this.#openSort(sort) });
    setAttribute(sort, "aria-haspopup", "menu");
    const select = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: actions.select });
    const search = h("div", { class: "search" }, icon("search"), this.#search);
    this.element = pageHead(t("library.title"), search, sort, this.#filter, select);
    this.#search.addEventListener("input", () => this.#typed());
    this.#search.addEventListener("keydown", (event) => this.#key(event));
  }

  /** The active filters, which stand above the list. */
  get chips() {
    return this.#chips;
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.#life = signal;
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#search.value.trim();
  }

  /** @returns {LibraryQuery} */
  get query() {
    return { ...queryOfOrder(this.#order), ...queryOf(this.#filters), words: this.words === "" ? undefined : this.words };
  }

  /** @param {number} count How many recordings pass. */
  showCount(count) {
    this.#count = count;
    this.#filterSheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Holds nothing back any more. */
  showAll() {
    this.#search.value = "";
    this.#narrow(noFilters);
    this.focusSearch();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#actions.changed, typingRest);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.#actions.goToList();
    else if (event.key === "Escape" && this.#search.value !== "") {
      this.#search.value = "";
      this.#actions.changed();
    } else return;
    event.preventDefault();
  }

  /** @param {Filters} filters */
  #narrow(filters) {
    this.#filters = filters;
    const active = activeFilters(filters).length;
    const label = active === 0 ? t("library.filter") : t("library.filter.active", { n: active });
    setAttribute(this.#filter, "aria-label", label);
    setAttribute(this.#filter, "title", label);
    this.#filter.classList.toggle("active", active > 0);
    fill(
      this.#chips,
      filterChips(filters, (fewer) => {
        this.#narrow(fewer);
        (this.#chips.querySelector("button") ?? this.#filter).focus();
      }),
    );
    this.#actions.changed();
  }

  async #openFilters() {
    /** @type {readonly { id: string, name: string }[]} */
    let voices = this.#filters.voices;
    try {
      voices = await listLibraryVoices(this.#life);
    } catch {
      // The other filters work without; those voices that are filtered by can still be taken away.
    }
    if (this.#life.aborted) return;
    this.#filterSheet = openFilterSheet({
      filters: this.#filters,
      voices,
      speedRange: state.value?.speedRange ?? [0.5, 1.5],
      pitchRange: state.value?.pitchRange ?? [0.5, 2],
      onChange: (filters) => this.#narrow(filters),
    });
    this.#filterSheet.showCount(this.#count);
  }

  /** @param {Element} anchor */
  #openSort(anchor) {
    openMenu(
      sortOrders.map((order) => ({
        label: t(`sort.${order}`),
        isChecked: order === this.#order,
        run: () => {
          this.#order = order;
          rememberOrder("library", order);
          this.#actions.changed();
        },
      })),
      { label: t("library.sort"), anchor },
    );
  }
}
