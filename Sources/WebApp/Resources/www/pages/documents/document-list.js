import { button } from "../../components/button.js";
import { empty } from "../../components/notice.js";
import { detailOf } from "../../components/rows/row-content.js";
import { attempt } from "../../components/toast.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { addShortcuts } from "../../core/shortcuts.js";
import { deleteAsked, documentRow, listenTo, openDocumentMenu, Thumbnails } from "./document-row.js";
import { DocumentListHead } from "./document-list-head.js";
import { importButton, ImportList } from "./import-list.js";
import { ItemList } from "../list/item-list.js";
import { listDocuments, prepareOriginals, renameDocument } from "../../server/documents.js";
import { orderAddress } from "../../server/library.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/documents.js").DocumentQuery} DocumentQuery */

/** `<echo-document-list>`: all documents: search, filters and their actions. */
export class DocumentList extends HTMLElement {
  #life = new AbortController();
  #thumbnails = new Thumbnails();
  #head = new DocumentListHead({
    changed: () => this.#list.open(),
    select: () => this.#list.beginSelecting(),
    goToList: () => this.#list.rows.focusRow(0),
  });
  #imports = new ImportList();
  /** @type {ItemList<Document, DocumentQuery>} */
  #list = new ItemList(this, {
    label: t("documents.list"),
    rowHeight: 4.75,
    event: "documents",
    load: listDocuments,
    query: () => this.#head.query,
    content: (document) => this.#rowOf(document),
    countWords: (count, isNarrowed) => t(isNarrowed ? "documents.found" : "documents.count", { n: count }),
    counted: (count) => this.#head.showCount(count),
    nothing: (isNarrowed) => (isNarrowed ? nothingFound(this.#words, () => this.#head.showAll()) : nothingYet()),
    nameLabel: t("documents.rename.label"),
    rename: ({ id }, name) => renameDocument(id, name),
    actions: [
      { label: t("batch.begin"), icon: "speak", run: (ids) => this.#batch(ids) },
      { label: t("documents.select.export"), icon: "export", run: (ids) => this.#export(ids) },
      { label: t("do.delete"), icon: "trash", run: (ids) => this.#delete(ids) },
    ],
  });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page", "documents-list");
    const { selection, count, place } = this.#list;
    this.replaceChildren(this.#head.element, this.#imports.element, selection.element, this.#head.chips, count, place);
    this.#head.start(signal);
    this.#imports.start(signal);
    this.#listen(signal);
    this.#list.start(signal);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {string | null} id Gets the focus if it is in the list; else the list's title does. */
  focusDocument(id) {
    if (id === null || !this.#list.focus(id)) this.querySelector("h1")?.focus({ preventScroll: true });
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { rows } = this.#list;
    rows.addEventListener("row-open", (event) => this.#openDocument(detailOf(event).key), { signal });
    rows.addEventListener("row-menu", (event) => this.#openMenu(detailOf(event)), { signal });
    rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys), { signal });
    addShortcuts(
      [
        { keys: "Enter", label: "shortcut.documents.open", group: "lists" },
        { keys: "f2", label: "shortcut.library.rename", group: "lists" },
        { keys: "Delete", label: "shortcut.library.delete", group: "lists" },
      ],
      signal,
    );
  }

  /** The search words of the current list. */
  get #words() {
    return this.#list.items.query.words;
  }

  /** @param {Document} document */
  #rowOf(document) {
    return documentRow(document, this.#thumbnails.of(document), this.#words ?? "", {
      listen: (one) => listenTo(one, this.#life.signal),
      openMenu: (one, anchor) => this.#openMenu({ key: one.id, anchor }),
    });
  }

  /** @param {{ key: string } & import("../../components/menu.js").MenuPlace} where */
  #openMenu({ key, anchor, point }) {
    const document = this.#list.items.find(key);
    if (document === undefined) return;
    openDocumentMenu(
      document,
      {
        open: () => this.#openDocument(key),
        generate: () => this.#generate(document),
        rename: () => this.#list.rename(document),
        share: () => this.#share(document),
        select: () => (this.#list.rows.selectedKeys = [key]),
        remove: () => this.#delete([key]),
      },
      { anchor, point },
    );
  }

  /** @param {string} id */
  #openDocument(id) {
    const place = this.#list.items.find(id)?.place;
    const where = place ? `?at=${place.from}&words=${encodeURIComponent(this.#head.words)}` : "";
    navigate(`/documents/${encodeURIComponent(id)}${where}`);
  }

  /** @param {Document} document */
  async #generate(document) {
    const { ChoiceSheet } = await import("./choice/choice-sheet.js");
    new ChoiceSheet(document).open();
  }

  /** @param {Document} document */
  async #share(document) {
    const { ShareSheet } = await import("./share-sheet.js");
    new ShareSheet(document).open();
  }

  /** @param {string[]} ids */
  async #batch(ids) {
    const { BatchOrderSheet } = await import("./batch-order-sheet.js");
    new BatchOrderSheet(ids, () => this.#list.stopSelecting()).open();
  }

  /** @param {string[]} ids */
  async #export(ids) {
    const isOrdered = await attempt(async () => {
      const { watchedDownload } = await import("../library/watched-download.js");
      const order = await prepareOriginals(ids);
      watchedDownload(orderAddress(order), order);
    }, this.#life.signal);
    if (isOrdered) this.#list.stopSelecting();
  }

  /** @param {string[]} ids */
  async #delete(ids) {
    const { items, rows } = this.#list;
    const place = items.place(ids[0] ?? "");
    if (!(await deleteAsked(ids, items.find(ids[0] ?? "")?.name ?? ""))) return;
    this.#list.stopSelecting();
    await items.refresh();
    if (place !== null && (items.count ?? 0) > 0) rows.focusRow(place);
  }
}

/** The content of an empty list. */
function nothingYet() {
  return empty({
    icon: "document",
    text: t("documents.empty.title"),
    detail: t("documents.empty.text"),
    action: importButton(),
  });
}

/**
 * The content of a list without matches.
 *
 * @param {string | undefined} words The search words; absent when only a filter is active.
 * @param {() => void} showAll
 */
function nothingFound(words, showAll) {
  return empty({
    icon: "search",
    text: t("documents.none.title"),
    detail: words === undefined ? t("documents.none.filters") : t("documents.none.words", { words }),
    action: button({ label: t("documents.none.action"), onPress: showAll }),
  });
}

customElements.define("echo-document-list", DocumentList);
