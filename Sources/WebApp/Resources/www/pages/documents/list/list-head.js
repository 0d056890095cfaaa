import { button } from "../../../components/button.js";
import { icon } from "../../../components/icon.js";
import { openMenu } from "../../../components/menu.js";
import { pageHead } from "../../../components/page-head.js";
import { fill, h, setAttribute } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { queryOfOrder, rememberedOrder, rememberOrder, sortOrders } from "../../list/sort-order.js";
import { importButton } from "../import/import-button.js";

/**
 * @typedef {import("../../../server/documents.js").DocumentKind} DocumentKind
 * @typedef {import("../../../server/documents.js").DocumentQuery} DocumentQuery
 */

/** Milliseconds that typing rests before it is searched for. */
const typingRest = 25;

/** @type {readonly DocumentKind[]} */
const kinds = ["pdf", "epub", "text", "markdown"];

/**
 * @typedef {object} ListHeadActions
 * @property {() => void} changed Another list is wanted than before.
 * @property {() => void} select Documents are to be selected.
 * @property {() => void} goToList The focus is to go to the list.
 */

/** The top of the documents: the way in for new ones, what is looked for, in which order, and of which kind. */
export class ListHead {
  #actions;
  #order = rememberedOrder("documents");
  /** @type {DocumentKind | null} */
  #kind = null;
  #timer = 0;
  #search = h("input", {
    type: "search",
    class: "field",
    autocomplete: "off",
    enterkeyhint: "search",
    "aria-label": t("documents.search"),
    placeholder: t("documents.search"),
  });
  #filter;
  chips = h("div", { class: "documents-chips" });

  /** @param {ListHeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const sort = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: () => this.#openSort(sort) });
    this.#filter = button({ label: t("library.filter"), icon: "filter", iconOnly: true, onPress: () => this.#openKinds() });
    for (const one of [sort, this.#filter]) setAttribute(one, "aria-haspopup", "menu");
    const select = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: actions.select });
    const search = h("div", { class: "search" }, icon("search"), this.#search);
    this.element = pageHead(t("documents.title"), search, sort, this.#filter, select, importButton());
    this.#search.addEventListener("input", () => this.#typed());
    this.#search.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#search.value.trim();
  }

  get isNarrowed() {
    return this.words !== "" || this.#kind !== null;
  }

  /** @returns {DocumentQuery} */
  get query() {
    return {
      ...queryOfOrder(this.#order),
      kind: this.#kind === null ? undefined : [this.#kind],
      words: this.words === "" ? undefined : this.words,
    };
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Holds nothing back any more. */
  showAll() {
    this.#search.value = "";
    this.#narrow(null);
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

  /** @param {DocumentKind | null} kind `null` for all. */
  #narrow(kind) {
    this.#kind = kind;
    const label = kind === null ? t("library.filter") : t("library.filter.active", { n: 1 });
    setAttribute(this.#filter, "aria-label", label);
    setAttribute(this.#filter, "title", label);
    this.#filter.classList.toggle("active", kind !== null);
    fill(this.chips, kind === null ? null : this.#chip(t(`documents.kind.${kind}`)));
    this.#actions.changed();
  }

  /** @param {string} words What is filtered by. */
  #chip(words) {
    const press = () => {
      this.#narrow(null);
      this.#filter.focus();
    };
    const remove = h(
      "button",
      { type: "button", class: "filter-chip", "aria-label": t("filters.remove", { filter: words }), onclick: press },
      h("span", {}, words),
      icon("close"),
    );
    return h("ul", { class: "filter-chips", "aria-label": t("filters.chips") }, h("li", {}, remove));
  }

  #openKinds() {
    const entries = [null, ...kinds].map((kind) => ({
      label: kind === null ? t("documents.kind.all") : t(`documents.kind.${kind}`),
      isChecked: kind === this.#kind,
      run: () => this.#narrow(kind),
    }));
    openMenu(entries, { label: t("library.filter"), anchor: this.#filter });
  }

  /** @param {Element} anchor */
  #openSort(anchor) {
    const entries = sortOrders.map((order) => ({
      label: t(`sort.${order}`),
      isChecked: order === this.#order,
      run: () => {
        this.#order = order;
        rememberOrder("documents", order);
        this.#actions.changed();
      },
    }));
    openMenu(entries, { label: t("library.sort"), anchor });
  }
}
