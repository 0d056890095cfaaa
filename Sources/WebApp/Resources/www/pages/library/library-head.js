import { voiceTitle } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { LibraryFilterSheet } from "./filter-sheet.js";
import { activeFilters, filterWords, noFilters, queryOf } from "./filters.js";
import { ListHead, queryOfOrder, sortOrders } from "../list/list-controls.js";
import { listLibraryVoices } from "../../server/library.js";

/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */
/** @typedef {import("../list/list-controls.js").ListHeadActions} ListHeadActions */
/** @typedef {import("../list/list-controls.js").SortOrder} SortOrder */
/** @typedef {import("./filters.js").Filters} Filters */

/**
 * The top of the library: search, order and filters.
 *
 * @extends {ListHead<Filters, SortOrder>}
 */
export class LibraryHead extends ListHead {
  /** @param {ListHeadActions} actions */
  constructor(actions) {
    super(actions, {
      name: "library",
      title: t("library.title"),
      searchLabel: t("library.search"),
      orders: sortOrders,
      none: noFilters,
      opens: "dialog",
    });
  }

  /** @returns {LibraryQuery} */
  get query() {
    return { ...queryOfOrder(this.order), ...queryOf(this.filters), words: this.words === "" ? undefined : this.words };
  }

  /** @param {Filters} filters */
  active(filters) {
    return activeFilters(filters).map((one) => ({ words: filterWords(one), without: one.without }));
  }

  async openFilters() {
    let { voices } = this.filters;
    /** @type {unknown} */
    let problem = null;
    try {
      const all = await listLibraryVoices(this.signal);
      voices = all.map((voice) => ({ id: voice.id, name: voiceTitle(voice, all) }));
    } catch (error) {
      problem = error; // the other filters work without them, and the active ones can still be removed
    }
    if (this.signal.aborted) return;
    const sheet = new LibraryFilterSheet({
      filters: this.filters,
      voices,
      speedRange: state.value?.speedRange ?? [0.5, 1.5],
      pitchRange: state.value?.pitchRange ?? [0.5, 2],
      problem,
      onChange: (filters) => this.narrow(filters),
    });
    this.openSheet(sheet);
  }
}
