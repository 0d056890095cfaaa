import { changeItem, listItems, markFavorites } from "../server/library.js";
import { button } from "../components/button.js";
import { errorNotice } from "../components/notice.js";
import { Rows } from "../components/rows.js";
import { showToast } from "../components/toast.js";
import { fill, h, setAttribute, setText } from "../core/dom.js";
import { onServer } from "../core/events.js";
import { t, wordsFor } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { player } from "../player/player.js";
import { deleteAtOnce, deleteRecordings, deletion, isSureToDelete, mostToUndo } from "./library/deletion.js";
import { openExportSheet } from "./library/export-sheet.js";
import { openInfoSheet } from "./library/info-sheet.js";
import { openItemMenu } from "./library/item-menu.js";
import { itemRow } from "./library/item-row.js";
import { LibraryHead } from "./library/library-head.js";
import { nothingFound, nothingYet } from "./library/nothing.js";
import { openTextSheet } from "./library/text-sheet.js";
import { ItemWindow } from "./list/item-window.js";
import { NameField } from "./list/name-field.js";
import { SelectionBar } from "./list/selection-bar.js";

/**
 * @typedef {import("../server/library.js").Item} Item
 * @typedef {import("../server/library.js").LibraryQuery} LibraryQuery
 */

/** Milliseconds over which changes that the server tells of are gathered. */
const changeRest = 150;

/**
 * `<echo-library-page>`: every recording there is, found, narrowed, played and looked after.
 */
export class LibraryPage extends HTMLElement {
  #life = new AbortController();
  /** @type {ItemWindow<Item, LibraryQuery>} */
  #items = new ItemWindow({
    load: listItems,
    changed: () => this.#show(),
    failed: (error) => this.#showFailure(error),
    isHidden: (id) => deletion.isHidden(id),
  });
  #rows = new Rows();
  /** Whether the list shows the window's items, not what stands for them before they come. */
  #isListing = false;
  #refreshTimer = 0;
  /** @type {NameField<Item> | null} */
  #naming = null;

  #head = new LibraryHead({
    changed: () => this.#open(),
    select: () => this.#beginSelecting(),
    goToList: () => this.#rows.focusRow(0),
  });
  #count = h("p", { class: "list-count muted small", role: "status" });
  #place = h("div", { class: "list-place" });
  #selection = new SelectionBar({
    leave: () => (this.#rows.isSelecting = false),
    selectAll: () => this.#selectAll(),
    actions: [
      { label: t("library.select.favorite"), icon: "heart", run: (ids) => this.#favorite(ids, true) },
      { label: t("library.select.queue"), icon: "queue", run: (ids) => this.#queue(ids) },
      { label: t("library.select.share"), icon: "share", run: (ids) => openExportSheet(ids) },
      { label: t("library.select.delete"), icon: "trash", run: (ids) => this.#delete(ids) },
    ],
  });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page");
    this.#rows.label = t("library.list");
    this.replaceChildren(this.#head.element, this.#selection.element, this.#head.chips, this.#count, this.#place);
    this.#head.start(signal);
    this.#listen(signal);
    this.#open();
    if (location.search === "?search") this.#head.focusSearch();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#items.close();
    clearTimeout(this.#refreshTimer);
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.addEventListener("address", () => location.search === "?search" && this.#head.focusSearch(), { signal });
    this.#rows.addEventListener("row-open", (event) => this.#play(detailOf(event).key), { signal });
    this.#rows.addEventListener("row-menu", (event) => this.#openItemMenu(detailOf(event)), { signal });
    this.#rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys), { signal });
    this.#rows.addEventListener("selection", () => this.#showSelection(), { signal });
    this.#rows.addEventListener("keydown", (event) => this.#listKey(event), { signal, capture: true });
    onServer("library", () => this.#refreshSoon(), signal);
    onServer("reset", () => this.#refreshSoon(), signal);
    deletion.watch(() => this.#items.hiddenChanged(), signal);
    player.track.watch(() => this.#refreshRows(), signal);
    player.phase.watch(() => this.#refreshRows(), signal);
    addShortcuts(
      [
        { keys: "Enter", label: "shortcut.library.play", group: "lists" },
        { keys: "f2", label: "shortcut.library.rename", group: "lists" },
        { keys: "Delete", label: "shortcut.library.delete", group: "lists" },
      ],
      signal,
    );
  }

  /** Whether what is shown is less than everything. */
  get #isNarrowed() {
    const { order: _, ascending: __, ...narrowing } = this.#items.query;
    return Object.values(narrowing).some((value) => value !== undefined);
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
    setText(this.#count, t(this.#isNarrowed ? "library.found" : "library.count", { n: count }));
    this.#count.classList.toggle("visually-hidden", count === 0);
    this.#head.showCount(count);
    if (count === 0) {
      const nothing = this.#isNarrowed ? nothingFound(this.#head.words, () => this.#head.showAll()) : nothingYet();
      fill(this.#place, nothing);
      setAttribute(this, "data-empty", this.#isNarrowed ? null : true);
      return;
    }
    setAttribute(this, "data-empty", null);
    if (this.#rows.parentNode !== this.#place) fill(this.#place, this.#rows);
    if (!this.#isListing) {
      this.#isListing = true;
      this.#rows.source = this.#source;
    }
    this.#refreshRows();
  }

  /** While a name is being changed its row is left alone. */
  #refreshRows() {
    if (this.#naming === null) this.#rows.refresh();
  }

  /** @returns {import("../components/rows.js").RowSource<Item>} */
  get #source() {
    const page = this;
    return {
      get count() {
        return page.#items.count ?? 0;
      },
      at: (index) => this.#items.item(index) ?? null,
      key: (item) => item.id,
      content: (item) => this.#rowOf(item),
      need: (from, to) => this.#items.need(from, to),
    };
  }

  /** @param {Item} item */
  #rowOf(item) {
    const isCurrent = player.isCurrent(item.id);
    const row = itemRow(
      item,
      {
        markFavorite: (one) => this.#favorite([one.id], !one.isFavorite),
        showText: (one) => this.#showText(one),
        openMenu: (one, anchor) => this.#openItemMenu({ key: one.id, anchor }),
      },
      { isCurrent, isMoving: isCurrent && player.phase.value === "playing" },
    );
    if (this.#naming?.item.id !== item.id) return row;
    return { ...row, title: this.#naming.element, name: item.name, actions: [] };
  }

  #showWaiting() {
    this.#rows.source = { count: 8, at: () => null, key: () => "", content: () => ({ title: "", details: [] }) };
    fill(this.#place, this.#rows);
    this.#isListing = false;
  }

  /** @param {unknown} error */
  #showFailure(error) {
    setText(this.#count, "");
    fill(this.#place, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#open() })));
  }

  /** @param {{ key: string, anchor?: Element, point?: { x: number, y: number } }} where */
  #openItemMenu({ key, anchor, point }) {
    const item = this.#items.find(key);
    if (item === undefined) return;
    openItemMenu(
      item,
      {
        play: () => this.#play(key),
        queue: () => this.#queue([key]),
        rename: () => this.#rename(item),
        showText: () => this.#showText(item),
        favorite: () => this.#favorite([key], !item.isFavorite),
        share: () => openExportSheet([key]),
        showInfo: () => openInfoSheet(item),
        select: () => (this.#rows.selectedKeys = [key]),
        remove: () => this.#delete([key]),
      },
      { anchor, point },
    );
  }

  /**
   * Plays a recording, from where the words are said that were looked for when nothing else is asked.
   *
   * @param {string} id
   * @param {number} [from] Seconds.
   */
  async #play(id, from = this.#items.find(id)?.place?.seconds ?? 0) {
    await this.#told(() => player.playItems([id], from));
  }

  /** @param {string[]} ids */
  async #queue(ids) {
    await this.#told(async () => {
      await player.queue.add(ids, false);
      showToast({ icon: "queue", text: t("library.queued", { n: ids.length, name: this.#nameOf(ids) }) });
    });
    this.#rows.isSelecting = false;
  }

  /**
   * @param {string[]} ids
   * @param {boolean} isFavorite
   */
  async #favorite(ids, isFavorite) {
    const before = ids.flatMap((id) => this.#items.find(id) ?? []);
    this.#items.replace(before.map((item) => ({ ...item, isFavorite })));
    const isDone = await this.#told(() => markFavorites(ids, isFavorite));
    if (!isDone) this.#items.replace(before);
    else this.#rows.isSelecting = false;
  }

  /** @param {string[]} ids */
  async #delete(ids) {
    if (ids.length > mostToUndo && !(await isSureToDelete(ids.length))) return;
    const place = this.#items.place(ids[0] ?? "");
    const hadFocus = this.#rows.contains(document.activeElement) || document.activeElement === document.body;
    if (ids.length > mostToUndo) deleteAtOnce(ids);
    else deleteRecordings(ids, this.#nameOf(ids));
    this.#rows.isSelecting = false;
    if (place !== null && hadFocus) this.#rows.focusRow(place);
  }

  /** @param {Item} item */
  #showText(item) {
    openTextSheet(item, { play: (seconds) => this.#play(item.id, seconds) });
  }

  /** @param {Item} item */
  #rename(item) {
    this.#naming = new NameField(item, {
      label: t("library.rename.label"),
      rename: (name) => changeItem(item.id, { name }),
      done: (changed) => {
        this.#naming = null;
        if (changed !== null) this.#items.replace([changed]);
        this.#rows.refresh();
        const place = this.#items.place(item.id);
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
    await this.#told(async () => {
      this.#rows.selectedKeys = await this.#items.allIds(this.#life.signal);
    });
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
    const item = this.#items.find(row instanceof HTMLElement ? (row.dataset.key ?? "") : "");
    if (event.key === "a" && (event.ctrlKey || event.metaKey)) this.#selectAll();
    else if (event.key === "F2" && item !== undefined) this.#rename(item);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string[]} ids */
  #nameOf(ids) {
    return this.#items.find(ids[0] ?? "")?.name ?? t("library.unnamed");
  }

  /**
   * Does something and says in words why it could not.
   *
   * @param {() => Promise<unknown>} work
   * @returns {Promise<boolean>} Whether it was done.
   */
  async #told(work) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#life.signal.aborted) showToast({ icon: "error", text: wordsFor(error).message });
      return false;
    }
  }
}

customElements.define("echo-library-page", LibraryPage);

/** @param {Event} event */
function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
