import { t } from "../../core/i18n.js";
import { DocumentFilterSheet } from "./filter-sheet.js";
import { activeFilters, noFilters, queryOf } from "./filters.js";
import { importButton } from "./import-list.js";
import { ListHead, queryOfOrder, sortOrders } from "../list/list-controls.js";
import { listDocumentLanguages } from "../../server/documents.js";

/** @typedef {import("../../server/documents.js").DocumentQuery} DocumentQuery */
/** @typedef {import("../list/list-controls.js").ListHeadActions} ListHeadActions */
/** @typedef {import("../list/list-controls.js").SortOrder} SortOrder */
/** @typedef {import("./filters.js").DocumentFilters} DocumentFilters */

/**
 * The top of the documents: import, search, order and filters.
 *
 * @extends {ListHead<DocumentFilters, SortOrder>}
 */
export class DocumentListHead extends ListHead {
  /** @param {ListHeadActions} actions */
  constructor(actions) {
    super(actions, {
      name: "documents",
      title: t("documents.title"),
      searchLabel: t("documents.search"),
      orders: sortOrders,
      none: noFilters,
      opens: "dialog",
      actions: [importButton()],
    });
  }

  /** @returns {DocumentQuery} */
  get query() {
    return { ...queryOfOrder(this.order), ...queryOf(this.filters), words: this.words === "" ? undefined : this.words };
  }

  /** @param {DocumentFilters} filters */
  active(filters) {
    return activeFilters(filters);
  }

  async openFilters() {
    /** @type {string[]} */
    let languages = [];
    /** @type {unknown} */
    let problem = null;
    try {
      languages = await listDocumentLanguages(this.signal);
    } catch (error) {
      problem = error; // the other filters work without them
    }
    if (this.signal.aborted) return;
    this.openSheet(new DocumentFilterSheet({ filters: this.filters, languages, problem, onChange: (filters) => this.narrow(filters) }));
  }
}
