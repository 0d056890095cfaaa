import { listDocuments, renameDocument } from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { Rows } from "../../../components/rows.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { onServer } from "../../../core/events.js";
import { t, wordsFor } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { ItemWindow } from "../../list/item-window.js";
import { NameField } from "../../list/name-field.js";
import { SelectionBar } from "../../list/selection-bar.js";
import { beginBatch } from "../batch/begin-batch.js";
import { ImportList } from "../import/import-list.js";
import { deleteAsked } from "./document-deletion.js";
import { openDocumentMenu } from "./document-menu.js";
import { documentRow } from "./document-row.js";
import { ListHead } from "./list-head.js";
import { nothingFound, nothingYet } from "./nothing.js";
import { Thumbnails } from "./thumbnails.js";

/**
 * @typedef {import("../../../server/documents.js").Document} Document
 * @typedef {import("../../../server/documents.js").DocumentQuery} DocumentQuery
 */

/** Milliseconds over which changes that the server tells of are gathered. */
const changeRest = 150;

/** `<echo-document-list>`: every document there is, found, narrowed, opened and looked after. */
export class DocumentList extends HTMLElement {
  #life = new AbortController();
  /** @type {ItemWindow<Document, DocumentQuery>} */
  #items = new ItemWindow({
    load: listDocuments,
    changed: () => this.#show(),
    failed: (error) => this.#showFailure(error),
  });
  #rows = new Rows();
  #thumbnails = new Thumbnails();
  /** Whether the list shows the window's items, not what stands for them before they come. */
  #isListing = false;
  #refreshTimer = 0;
  /** @type {NameField<Document> | null} */
  #naming = null;
  #head = new ListHead({
    changed: () => this.#open(),
    select: () => this.#beginSelecting(),
    goToList: () => this.#rows.focusRow(0),
  });
  #imports = new ImportList();
  #count = h("p", { class: "list-count muted small", role: "status" });
  #place = h("div", { class: "list-place" });
  #selection = new SelectionBar({
    leave: () => (this.#rows.isSelecting = false),
    selectAll: () => this.#selectAll(),
    actions: [
      { label: t("batch.begin"), icon: "speak", run: (ids) => this.#batch(ids) },
      { label: t("do.delete"), icon: "trash", run: (ids) => this.#delete(ids) },
    ],
  });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page", "documents-list");
    this.#rows.label = t("documents.list");
    this.#rows.rowHeight = 4.75;
    this.replaceChildren(this.#head.element, this.#imports.element, this.#selection.element, this.#head.chips, this.#count, this.#place);
    this.#head.start(signal);
    this.#imports.start(signal);
    this.#listen(signal);
    this.#open();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#items.close();
    clearTimeout(this.#refreshTimer);
  }

  /** @param {string | null} id Gets the focus when it is in the list; else the list's title has it. */
  focusDocument(id) {
    const place = id === null ? null : this.#items.place(id);
    if (place !== null) this.#rows.focusRow(place);
    else this.querySelector("h1")?.focus({ preventScroll: true });
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.#rows.addEventListener("row-open", (event) => this.#openDocument(detailOf(event).key), { signal });
    this.#rows.addEventListener("row-menu", (event) => this.#openMenu(detailOf(event)), { signal });
    this.#rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys), { signal });
    this.#rows.addEventListener("selection", () => this.#showSelection(), { signal });
    this.#rows.addEventListener("keydown", (event) => this.#listKey(event), { signal, capture: true });
    onServer("documents", () => this.#refreshSoon(), signal);
    onServer("reset", () => this.#refreshSoon(), signal);
    addShortcuts(
      [
        { keys: "Enter", label: "shortcut.documents.open", group: "lists" },
        { keys: "f2", label: "shortcut.library.rename", group: "lists" },
        { keys: "Delete", label: "shortcut.library.delete", group: "lists" },
      ],
      signal,
    );
  }

  async #open() {
    if (this.#items.count === null) this.#showWaiting();
    await this.#items.open(this.#head.query);
  }

  #refreshSoon() {
    clearTimeout(this.#refreshTimer);
    this.#refreshTimer = setTimeout(() => this.#items.refresh(), changeRest);
  }

  /** Shows what the window knows, or why there is nothing to show. */
  #show() {
    const { count } = this.#items;
    if (count === null) return;
    const isNarrowed = this.#items.query.words !== undefined || this.#items.query.kind !== undefined;
    setText(this.#count, t(isNarrowed ? "documents.found" : "documents.count", { n: count }));
    this.#count.classList.toggle("visually-hidden", count === 0);
    setAttribute(this, "data-empty", count === 0 && !isNarrowed ? true : null);
    if (count === 0) {
      fill(this.#place, isNarrowed ? nothingFound(this.#items.query.words, () => this.#head.showAll()) : nothingYet());
      return;
    }
    if (this.#rows.parentNode !== this.#place) fill(this.#place, this.#rows);
    if (!this.#isListing) {
      this.#isListing = true;
      this.#rows.source = this.#source;
    }
    if (this.#naming === null) this.#rows.refresh();
  }

  /** @returns {import("../../../components/rows.js").RowSource<Document>} */
  get #source() {
    const list = this;
    return {
      get count() {
        return list.#items.count ?? 0;
      },
      at: (index) => this.#items.item(index) ?? null,
      key: (document) => document.id,
      content: (document) => this.#rowOf(document),
      need: (from, to) => this.#items.need(from, to),
    };
  }

  /** @param {Document} document */
  #rowOf(document) {
    const row = documentRow(document, this.#thumbnails.of(document), this.#items.query.words ?? "", {
      generate: (one) => this.#generate(one),
      openMenu: (one, anchor) => this.#openMenu({ key: one.id, anchor }),
    });
    if (this.#naming?.item.id !== document.id) return row;
    return { ...row, title: this.#naming.element, name: document.name, actions: [] };
  }

  #showWaiting() {
    this.#rows.source = { count: 6, at: () => null, key: () => "", content: () => ({ title: "", details: [] }) };
    fill(this.#place, this.#rows);
    this.#isListing = false;
  }

  /** @param {unknown} error */
  #showFailure(error) {
    setText(this.#count, "");
    fill(this.#place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#open() })));
  }

  /** @param {{ key: string, anchor?: Element, point?: { x: number, y: number } }} where */
  #openMenu({ key, anchor, point }) {
    const document = this.#items.find(key);
    if (document === undefined) return;
    openDocumentMenu(
      document.name,
      {
        open: () => this.#openDocument(key),
        generate: () => this.#generate(document),
        rename: () => this.#rename(document),
        share: () => this.#share(document),
        select: () => (this.#rows.selectedKeys = [key]),
        remove: () => this.#delete([key]),
      },
      { anchor, point },
    );
  }

  /** @param {string} id */
  #openDocument(id) {
    const place = this.#items.find(id)?.place;
    const where = place ? `?at=${place.from}&words=${encodeURIComponent(this.#head.words)}` : "";
    navigate(`/documents/${encodeURIComponent(id)}${where}`);
  }

  /** @param {Document} document */
  async #generate(document) {
    const { openChoiceSheet } = await import("../choice/choice-sheet.js");
    openChoiceSheet(document);
  }

  /** @param {Document} document */
  async #share(document) {
    const { openShareSheet } = await import("../share/share-sheet.js");
    openShareSheet(document);
  }

  /** @param {string[]} ids */
  async #batch(ids) {
    if (await beginBatch(ids.map((id) => ({ id })))) this.#rows.isSelecting = false;
  }

  /** @param {string[]} ids */
  async #delete(ids) {
    const place = this.#items.place(ids[0] ?? "");
    if (!(await deleteAsked(ids, this.#items.find(ids[0] ?? "")?.name ?? ""))) return;
    this.#rows.isSelecting = false;
    await this.#items.refresh();
    if (place !== null && (this.#items.count ?? 0) > 0) this.#rows.focusRow(place);
  }

  /** @param {Document} document */
  #rename(document) {
    this.#naming = new NameField(document, {
      label: t("documents.rename.label"),
      rename: (name) => renameDocument(document.id, name),
      done: (changed) => {
        this.#naming = null;
        if (changed !== null) this.#items.replace([changed]);
        this.#rows.refresh();
        const place = this.#items.place(document.id);
        if (place !== null) this.#rows.focusRow(place);
      },
    });
    this.#rows.refresh();
    this.#naming.focus();
  }

  #beginSelecting() {
    this.#rows.isSelecting = true;
    this.#rows.focusRow(0);
  }

  async #selectAll() {
    try {
      this.#rows.selectedKeys = await this.#items.allIds(this.#life.signal);
    } catch (error) {
      if (!this.#life.signal.aborted) showToast({ icon: "error", text: wordsFor(error).message });
    }
  }

  #showSelection() {
    const { isSelecting, selectedKeys } = this.#rows;
    this.#selection.show(isSelecting ? selectedKeys : null);
    this.classList.toggle("selecting", isSelecting);
  }

  /** @param {KeyboardEvent} event */
  #listKey(event) {
    const { target } = event;
    if (target instanceof HTMLInputElement) return;
    const row = target instanceof Element ? target.closest(".row") : null;
    const document = this.#items.find(row instanceof HTMLElement ? (row.dataset.key ?? "") : "");
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.#selectAll();
    else if (event.key === "F2" && document !== undefined) this.#rename(document);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

customElements.define("echo-document-list", DocumentList);

/** @param {Event} event */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
