import { button, icon } from "../components/button.js";
import { field, selectField } from "../components/field.js";
import { empty, errorNotice } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { withdraw } from "../components/sheet.js";
import { attempt, showNews } from "../components/toast.js";
import { fill, h, setAttribute, setText } from "../core/dom.js";
import { languageName, noticeWords, wordsFor } from "../core/format.js";
import { number, t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { addShortcuts } from "../core/shortcuts.js";
import { listDocumentLanguages, listDocuments, prepareOriginals, renameDocument } from "../server/documents.js";
import { orderAddress } from "../server/library.js";
import { deleteAsked, documentRow, listenTo, openDocumentMenu, Thumbnails } from "./documents/document-row.js";
import { imports } from "./documents/import-queue.js";
import { dateGroup, dayWords, filterChip, filterGroup, FilterSheet, numbersGroup, rangeWords, startOfDay } from "./list/filters.js";
import { ItemList } from "./list/item-list.js";
import { ListHead, queryOfOrder, sortOrders } from "./list/list-controls.js";
import { ListPage } from "./list/list-page.js";

/** @typedef {import("./documents/import-queue.js").Import} Import */

/** The files that are being imported, need an answer, or were refused. */
class ImportList {
  #status = h("p", { class: "import-status", role: "status" });
  #clear = button({ label: t("import.clear"), look: "quiet", onPress: () => imports.clear() });
  #list = h("ul", { class: "import-list", "aria-label": t("import.title") });
  /** @type {Map<number, ImportRow>} */
  #rows = new Map();
  /** @type {Set<number>} Done and reported. */
  #reported = new Set();

  constructor() {
    this.element = h(
      "section",
      { class: "imports", "aria-label": t("import.title"), hidden: true },
      h("div", { class: "import-head" }, this.#status, this.#clear),
      this.#list,
    );
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    for (const { id, state } of imports.all.value) if (state === "done") this.#reported.add(id);
    imports.all.follow((all) => this.#show(all), signal);
  }

  /** @param {readonly Import[]} all */
  #show(all) {
    const shown = all.filter(({ state, notices }) => state !== "done" || notices.length > 0);
    this.element.hidden = shown.length === 0;
    for (const [id, row] of this.#rows) {
      if (shown.some((one) => one.id === id)) continue;
      row.leave();
      this.#rows.delete(id);
    }
    for (const one of shown) {
      const present = this.#rows.get(one.id);
      const row = present ?? new ImportRow(one);
      row.show(one);
      if (present === undefined) {
        this.#rows.set(one.id, row);
        this.#list.append(row.element);
      }
    }
    this.#say(all);
  }

  /** @param {readonly Import[]} all */
  #say(all) {
    const { left } = imports;
    const refused = all.filter(({ state }) => state === "refused").length;
    const asking = all.filter(({ state }) => state === "asking").length;
    // That files were imported, and that there are notes, is announced by the toast.
    setAttribute(this.#status, "aria-live", left + asking + refused > 0 ? null : "off");
    if (left > 0) {
      setText(this.#status, t("import.left", { n: Math.min(all.length - left + 1, all.length), all: all.length }));
    } else if (asking > 0) {
      setText(this.#status, t("import.asking", { n: asking }));
    } else if (refused > 0) {
      setText(this.#status, t("import.refused", { n: refused }));
    } else {
      setText(this.#status, t("import.notes"));
    }
    const isOver = all.some(({ state, notices }) => state === "refused" || (state === "done" && notices.length > 0));
    withdraw(this.#clear, "hidden", !isOver && asking < 2);
    if (left === 0) this.#sayDone(all);
  }

  /** @param {readonly Import[]} all */
  #sayDone(all) {
    const fresh = all.filter(({ id, state }) => state === "done" && !this.#reported.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.#reported.add(id);
    const [{ document }] = fresh;
    const done = t("import.done", { n: fresh.length, name: document?.name ?? "" });
    const text = fresh.some(({ notices }) => notices.length > 0) ? `${done} ${t("import.notes")}` : done;
    if (fresh.length > 1 || document === null) showNews({ icon: "check", text });
    else showNews({ icon: "check", text, action: { label: t("import.open"), run: () => navigate(`/documents/${document.id}`) } });
    for (const { id, notices } of fresh) if (notices.length === 0) imports.drop(id);
  }
}

/** A file that is being imported. */
class ImportRow {
  #words = h("p", { class: "import-words" });
  #detail = h("p", { class: "import-detail" });
  #question = h("div", { class: "import-question" });
  #bar = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #mark = h("span", { class: "import-mark" });
  #drop;
  #again;
  /** @type {unknown} The problem that the question is about. */
  #asked = null;

  /** @param {Import} one */
  constructor({ id, file }) {
    this.#bar.setAttribute("aria-label", t("import.progress", { name: file.name }));
    this.#drop = button({ label: t("import.drop", { name: file.name }), icon: "close", look: "quiet", iconOnly: true, onPress: () => imports.drop(id) });
    this.#again = button({ label: t("do.again"), look: "quiet", onPress: () => imports.again(id) });
    this.element = h(
      "li",
      { class: "import" },
      this.#mark,
      h("div", { class: "import-main" }, h("p", { class: "import-name", dir: "auto" }, file.name), this.#words, this.#bar, this.#detail, this.#question),
      this.#again,
      this.#drop,
    );
  }

  /** @param {Import} one */
  show(one) {
    const { state, part, problem } = one;
    const isMoving = state === "sending" || state === "reading";
    const { message, suggestion } = state === "refused" || state === "asking" ? wordsFor(problem) : { message: "", suggestion: null };
    setAttribute(this.element, "data-state", state);
    if (this.#mark.dataset.state !== state) {
      this.#mark.dataset.state = state;
      fill(this.#mark, icon(state === "refused" ? "error" : state === "asking" ? questionIcon(problem) : state === "done" ? "info" : "document"));
    }
    const isWrong = state === "asking" && isWrongPassword(problem);
    setAttribute(this.#words, "role", state === "refused" || isWrong ? "alert" : null);
    setText(this.#words, message || wordsOf(one));
    setText(this.#detail, state === "refused" ? (suggestion ?? "") : "");
    this.#bar.hidden = !isMoving;
    this.#bar.style.setProperty("--part", String(part));
    // The server does not say how far it has read.
    setAttribute(this.#bar, "data-endless", state === "reading" ? "" : null);
    setAttribute(this.#bar, "aria-valuenow", state === "reading" ? null : String(Math.round(part * 100)));
    withdraw(this.#again, "hidden", state !== "refused" || !mayWorkAgain(problem), this.#drop);
    if (state !== "asking") {
      this.#asked = null;
      const hadFocus = this.#question.contains(document.activeElement);
      fill(this.#question);
      if (hadFocus) this.#drop.focus({ preventScroll: true });
    } else if (this.#asked !== problem) {
      this.#asked = problem;
      const hadFocus = this.element.contains(document.activeElement);
      fill(this.#question, questionOf(one));
      const input = isWrong ? this.#question.querySelector("input") : null;
      input?.setAttribute("aria-invalid", "true");
      if (hadFocus) input?.focus();
    }
  }

  /** Removes itself; the focus moves to the next row. */
  leave() {
    const next = this.element.nextElementSibling ?? this.element.previousElementSibling;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (!hadFocus) return;
    const target = next?.querySelector("input, button:not([hidden])") ?? document.querySelector("main h1");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/** @param {Import} one */
function wordsOf({ state, part, notices }) {
  if (state === "sending") return t("import.sending", { n: number(part * 100) });
  if (state === "done") return notices.map((notice) => noticeWords(notice)).join(" ");
  return t(state === "reading" ? "import.reading" : "import.waiting");
}

/** @param {unknown} problem */
function isWrongPassword(problem) {
  return /** @type {{ code?: string } | null} */ (problem)?.code === "document.password-wrong";
}

/** @param {unknown} problem */
function questionIcon(problem) {
  return /** @type {{ code?: string } | null} */ (problem)?.code === "document.there-already" ? "info" : "key";
}

/** @param {unknown} problem */
function mayWorkAgain(problem) {
  const { code = "", status = 0 } = /** @type {{ code?: string, status?: number }} */ (problem ?? {});
  return code === "server.unreachable" || code === "document.too-slow" || code.includes("reader") || status >= 500;
}

/**
 * The question of an import: the file's password, or whether to add a second copy.
 *
 * @param {Import} one
 * @returns {HTMLElement}
 */
function questionOf({ id, file, problem }) {
  const { code = "" } = /** @type {{ code?: string }} */ (problem ?? {});
  if (code === "document.there-already") {
    return h(
      "div",
      { class: "import-answers" },
      button({ label: t("import.keepTwin"), onPress: () => imports.again(id, { keepTwin: true }) }),
      button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
    );
  }
  const open = () => {
    if (password.input.value === "") password.input.focus();
    else imports.again(id, { password: password.input.value });
  };
  const password = field({
    label: t("import.password", { name: file.name }),
    type: "password",
    hint: t("import.password.hint"),
    onEnter: open,
  });
  return h(
    "div",
    { class: "import-answers" },
    password.element,
    button({ label: t("import.unlock"), onPress: open }),
    button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
  );
}

/** The button that opens the file picker. */
function importButton() {
  const input = h("input", { type: "file", multiple: true, class: "visually-hidden", tabindex: "-1", "aria-hidden": "true" });
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])]; // of any name: where they go is known by what is in them
    attempt(async () => (await import("./drops/dropped-files.js")).takeFiles(files));
    input.value = "";
  });
  return h(
    "span",
    { class: "import-button" },
    button({ label: t("import.button"), icon: "plus", look: "primary", onPress: () => input.click() }),
    input,
  );
}

/** @typedef {import("../server/documents.js").DocumentKind} DocumentKind */
/** @typedef {import("../server/documents.js").DocumentQuery} DocumentQuery */

/**
 * The filters of the documents.
 *
 * @typedef {object} DocumentFilters
 * @property {readonly DocumentKind[]} kinds Any of these; all when empty.
 * @property {import("./list/filters.js").Range} pages
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

/** @param {import("./list/filters.js").Choosing<DocumentFilters>} choosing */
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
 * @param {import("./list/filters.js").Choosing<DocumentFilters>} choosing
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

  /**
   * @param {string} id
   * @returns {boolean} Whether it is in the list, and has the focus now.
   */
  focusDocument(id) {
    return this.#list.focus(id);
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

  /** @param {{ key: string } & import("../components/sheet.js").MenuPlace} where */
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
    const { BatchOrderSheet } = await import("./documents/batch.js");
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
    text: t("library.none.title"),
    detail: words === undefined ? t("documents.none.filters") : t("documents.none.words", { words }),
    action: button({ label: t("documents.none.action"), onPress: showAll }),
  });
}

customElements.define("echo-document-list", DocumentList);

/** `<echo-documents-page>`: the list of documents, or the viewer of one. */
export class DocumentsPage extends ListPage {
  constructor() {
    const list = new DocumentList();
    super({ address: "/documents", list, view: viewerOf, back: t("viewer.back"), focus: (id) => list.focusDocument(id) });
  }
}

/** @param {string} id */
async function viewerOf(id) {
  const { DocumentViewer } = await import("./documents/viewer/document-viewer.js");
  const viewer = new DocumentViewer();
  viewer.documentId = id;
  return viewer;
}

customElements.define("echo-documents-page", DocumentsPage);
