import { button } from "../components/button.js";
import { selectField } from "../components/field.js";
import { empty, errorNotice } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { attempt } from "../components/toast.js";
import { h } from "../core/dom.js";
import { languageName } from "../core/format.js";
import { number, t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { listDocumentLanguages, listDocuments, prepareOriginals, renameDocument } from "../server/documents.js";
import { orderAddress } from "../server/library.js";
import { deleteAsked, documentRow, listenTo, openDocumentMenu, Thumbnails } from "./documents/document-row.js";
import { importButton, ImportList } from "./documents/import-list.js";
import { documentIdIn, home } from "./documents/places.js";
import { dateGroup, numbersGroup } from "./library/filter-sheet.js";
import { dayWords, rangeWords, startOfDay } from "./library/filters.js";
import { ItemList } from "./list/item-list.js";
import { filterChip, filterGroup, FilterSheet, ListHead, queryOfOrder, sortOrders } from "./list/list-controls.js";

/** @typedef {import("../server/documents.js").DocumentKind} DocumentKind */
/** @typedef {import("../server/documents.js").DocumentQuery} DocumentQuery */

/**
 * The filters of the documents.
 *
 * @typedef {object} DocumentFilters
 * @property {readonly DocumentKind[]} kinds Any of these; all when empty.
 * @property {import("./library/filters.js").Range} pages
 * @property {readonly [string | null, string | null]} added Days as `YYYY-MM-DD`, in the user's time zone.
 * @property {string | null} language A BCP 47 tag; `null` for any.
 */

/** @type {Readonly<DocumentFilters>} */
const noFilters = { kinds: [], pages: [null, null], added: [null, null], language: null };

/**
 * @param {DocumentFilters} filters
 * @returns {DocumentQuery}
 */
function queryOf({ kinds, pages, added, language }) {
  return {
    kind: kinds.length > 0 ? [...kinds] : undefined,
    pagesFrom: wholeFrom(pages[0], Math.ceil),
    pagesTo: wholeFrom(pages[1], Math.floor),
    addedFrom: added[0] === null ? undefined : startOfDay(added[0], 0).toISOString(),
    addedTo: added[1] === null ? undefined : startOfDay(added[1], 1).toISOString(),
    language: language ?? undefined,
  };
}

/**
 * @param {number | null} end
 * @param {(value: number) => number} round
 */
function wholeFrom(end, round) {
  return end === null ? undefined : Math.max(1, round(end));
}

/**
 * The description of each active filter, and the filters without it.
 *
 * @param {DocumentFilters} filters
 * @returns {{ words: string, without: DocumentFilters }[]}
 */
function activeFilters(filters) {
  const { kinds, pages, added, language } = filters;
  /** @type {{ words: string, without: DocumentFilters }[]} */
  const active = [];
  for (const kind of kinds) {
    const others = kinds.filter((one) => one !== kind);
    active.push({ words: t(`documents.kind.${kind}`), without: { ...filters, kinds: others } });
  }
  if (pages.some((end) => end !== null)) {
    const [from, to] = pages.map((end) => (end === null ? null : number(end)));
    const range = rangeWords(from ?? null, to ?? null);
    active.push({ words: t("documents.filter.pages", { range }), without: { ...filters, pages: noFilters.pages } });
  }
  if (added.some((day) => day !== null)) {
    const [from, to] = added.map((day) => (day === null ? null : dayWords(day)));
    active.push({ words: rangeWords(from ?? null, to ?? null), without: { ...filters, added: noFilters.added } });
  }
  if (language !== null) active.push({ words: languageName(language), without: { ...filters, language: null } });
  return active;
}

/** @type {readonly import("../server/documents.js").DocumentKind[]} */
const kinds = ["pdf", "epub", "text", "markdown", "srt", "vtt"];

/** More pages than any document has. */
const maximumPages = 1_000_000;

/**
 * The sheet that filters the documents.
 *
 * @extends {FilterSheet<DocumentFilters>}
 */
class DocumentFilterSheet extends FilterSheet {
  /**
   * @param {object} options
   * @param {DocumentFilters} options.filters
   * @param {readonly string[]} options.languages The languages to choose from, as BCP 47 tags.
   * @param {unknown} options.problem Why there are no languages to choose from, or `null`.
   * @param {(filters: DocumentFilters) => void} options.onChange Called on each change: the list behind follows at
   * once.
   */
  constructor({ filters, languages, problem, onChange }) {
    super({
      title: t("filters.title"),
      filters,
      none: noFilters,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        const added = (/** @type {DocumentFilters["added"]} */ days) => change({ added: days });
        return [
          ...(problem === null ? [] : [errorNotice(problem)]),
          kindsGroup(choosing),
          numbersGroup(t("documents.filter.count"), now.pages, [1, maximumPages], 1, (pages) => change({ pages })),
          dateGroup(now.added, added, t("documents.filter.added")),
          ...(languages.length > 0 || now.language !== null ? [languageGroup(languages, choosing)] : []),
        ];
      },
      result: (count) => t("documents.filter.result", { n: count }),
      onChange,
    });
  }
}

/** @param {import("./list/list-controls.js").Choosing<DocumentFilters>} choosing */
function kindsGroup(choosing) {
  const chips = kinds.map((kind) =>
    filterChip(t(`documents.kind.${kind}`), choosing.filters.kinds.includes(kind), (isOn) => {
      const others = choosing.filters.kinds.filter((one) => one !== kind);
      choosing.change({ kinds: isOn ? [...others, kind] : others });
    }),
  );
  return filterGroup(t("documents.filter.kind"), ...chips);
}

/**
 * @param {readonly string[]} languages
 * @param {import("./list/list-controls.js").Choosing<DocumentFilters>} choosing
 */
function languageGroup(languages, { filters, change }) {
  const known = new Set([...languages, ...(filters.language === null ? [] : [filters.language])]);
  const named = [...known].map((value) => ({ value, label: languageName(value) }));
  named.sort((one, other) => one.label.localeCompare(other.label));
  const { element } = selectField({
    label: t("info.language"),
    hideLabel: true,
    groups: [{ options: [{ value: "", label: t("documents.filter.language.any") }, ...named] }],
    value: filters.language ?? "",
    onChange: (value) => change({ language: value === "" ? null : value }),
  });
  return filterGroup(t("info.language"), element);
}

/** @typedef {import("./list/list-controls.js").ListHeadActions} ListHeadActions */
/** @typedef {import("./list/list-controls.js").SortOrder} SortOrder */

/**
 * The top of the documents: import, search, order and filters.
 *
 * @extends {ListHead<DocumentFilters, SortOrder>}
 */
class DocumentListHead extends ListHead {
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

/** @typedef {import("../server/documents.js").Document} Document */

/** `<echo-document-list>`: all documents: search, filters and their actions. */
class DocumentList extends HTMLElement {
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

  /** @param {{ key: string } & import("../components/menu.js").MenuPlace} where */
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
    const { ChoiceSheet } = await import("./documents/choice/choice-sheet.js");
    new ChoiceSheet(document).open();
  }

  /** @param {Document} document */
  async #share(document) {
    const { ShareSheet } = await import("./documents/share-sheet.js");
    new ShareSheet(document).open();
  }

  /** @param {string[]} ids */
  async #batch(ids) {
    const { BatchOrderSheet } = await import("./documents/choice/spoken-as.js");
    new BatchOrderSheet(ids, () => this.#list.stopSelecting()).open();
  }

  /** @param {string[]} ids */
  async #export(ids) {
    const isOrdered = await attempt(async () => {
      const { watchedDownload } = await import("./item-files.js");
      const order = await prepareOriginals(ids);
      watchedDownload(orderAddress(order), order, { isOrder: true });
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

/** `<echo-documents-page>`: the list of documents, or the viewer of one. */
export class DocumentsPage extends HTMLElement {
  #life = new AbortController();
  #list = new DocumentList();
  /** The scroll position of the list when it was left, in pixels. */
  #scrolled = 0;
  /** @type {string | null} The id of the open document. */
  #shown = null;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.addEventListener("address", () => this.#show(true), { signal });
    this.#show(false);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {boolean} isMoving Whether the user came from within the page. */
  async #show(isMoving) {
    const id = documentIdIn(location.pathname);
    if (id === null) {
      this.#showList(isMoving);
      return;
    }
    if (this.#shown === id) {
      this.firstElementChild?.dispatchEvent(new CustomEvent("address"));
      return;
    }
    if (this.#shown === null) this.#scrolled = scrollY;
    this.#shown = id;
    try {
      const { DocumentViewer } = await import("./documents/viewer/document-viewer.js");
      if (this.#shown !== id || this.#life.signal.aborted) return;
      const viewer = new DocumentViewer();
      viewer.documentId = id;
      this.replaceChildren(viewer);
      scrollTo(0, 0);
      viewer.focusTitle();
    } catch (error) {
      this.replaceChildren(errorNotice(error, h("a", { class: "button", href: home }, t("viewer.back"))));
    }
  }

  /** @param {boolean} isMoving */
  #showList(isMoving) {
    const from = this.#shown;
    this.#shown = null;
    if (this.#list.isConnected) {
      this.#list.dispatchEvent(new CustomEvent("address"));
      return;
    }
    this.replaceChildren(this.#list);
    if (!isMoving) return;
    scrollTo(0, this.#scrolled);
    this.#list.focusDocument(from);
  }
}

customElements.define("echo-documents-page", DocumentsPage);
