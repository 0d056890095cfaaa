import { button } from "../../../components/button.js";
import { openMenu } from "../../../components/menu.js";
import { pageHead } from "../../../components/frame.js";
import { t } from "../../../core/i18n.js";
import { FilterButton, queryOfOrder, SearchField, SortButton, sortOrders } from "../../list/list-controls.js";
import { importButton } from "../import/import-button.js";

/**
 * @typedef {import("../../../server/documents.js").DocumentKind} DocumentKind
 * @typedef {import("../../../server/documents.js").DocumentQuery} DocumentQuery
 */

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
  /** @type {DocumentKind | null} */
  #kind = null;
  #changed;
  #search;
  #sort;
  #filter = new FilterButton({ opens: "menu", open: () => this.#openKinds() });

  /** @param {ListHeadActions} actions */
  constructor({ changed, select, goToList }) {
    this.#changed = changed;
    this.#search = new SearchField({ label: t("documents.search"), changed, goToList });
    this.#sort = new SortButton({ list: "documents", orders: sortOrders, words: (order) => t(`sort.${order}`), changed });
    const selecting = button({ label: t("library.select"), icon: "select", iconOnly: true, onPress: select });
    const { element: search } = this.#search;
    this.element = pageHead(t("documents.title"), search, this.#sort.element, this.#filter.element, selecting, importButton());
  }

  /** What is filtered by, which stands above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @param {AbortSignal} signal The life of the page. */
  start(signal) {
    this.#search.start(signal);
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#search.words;
  }

  /** @returns {DocumentQuery} */
  get query() {
    return {
      ...queryOfOrder(this.#sort.order),
      kind: this.#kind === null ? undefined : [this.#kind],
      words: this.words === "" ? undefined : this.words,
    };
  }

  /** Holds nothing back any more. */
  showAll() {
    this.#search.clear();
    this.#narrow(null);
    this.#search.focus();
  }

  /** @param {DocumentKind | null} kind `null` for all. */
  #narrow(kind) {
    this.#kind = kind;
    const active = kind === null ? [] : [{ words: t(`documents.kind.${kind}`), without: null }];
    this.#filter.show(active, { none: null, apply: (fewer) => this.#narrow(fewer) });
    this.#changed();
  }

  #openKinds() {
    const entries = [null, ...kinds].map((kind) => ({
      label: kind === null ? t("documents.kind.all") : t(`documents.kind.${kind}`),
      isChecked: kind === this.#kind,
      run: () => this.#narrow(kind),
    }));
    openMenu(entries, { label: t("library.filter"), anchor: this.#filter.element });
  }
}
