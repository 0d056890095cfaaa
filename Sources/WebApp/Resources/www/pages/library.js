import { button } from "../components/button.js";
import { empty } from "../components/notice.js";
import { detailOf } from "../components/rows/row-content.js";
import { confirm } from "../components/sheet.js";
import { attempt, showToast, showUndo } from "../components/toast.js";
import { h } from "../core/dom.js";
import { t, wordsFor } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { DeferredDeletion } from "./deferred-deletion.js";
import { ExportSheet } from "./library/export-sheet.js";
import { InfoSheet, TextSheet } from "./library/item-sheets.js";
import { itemRow, openItemMenu } from "./library/item-row.js";
import { LibraryHead } from "./library/library-head.js";
import { ItemList } from "./list/item-list.js";
import { player } from "../player/player.js";
import { changeItem, deleteItems, listItems, markFavorites } from "../server/library.js";

/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("../server/library.js").LibraryQuery} LibraryQuery */

/**
 * The most recordings whose deletion can be undone. For more a question comes first: a request that outlives the page
 * holds 64 KiB.
 */
const mostToUndo = 1_000;

/** The name of the recording, when one is deleted. */
let name = "";

/**
 * The recordings that are deleted or wait for it; it outlives the page, as their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
const deletion = new DeferredDeletion({
  delete: deleteItems,
  failed: (error, ids) => {
    const { message } = wordsFor(error);
    showToast({ icon: "error", text: `${t("library.notDeleted", { n: ids.length, name })} ${message}` });
  },
});

/**
 * Hides recordings at once and deletes them when that can no longer be undone.
 *
 * @param {string[]} ids
 * @param {string} nameOfOne Of the recording, when it is one.
 */
function deleteRecordings(ids, nameOfOne) {
  if (ids.length === 0) return;
  const pending = deletion.hide(ids);
  name = nameOfOne;
  showUndo({
    text: t("library.deleted", { n: ids.length, name }),
    undo: pending.undo,
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
}

/**
 * Asks before more recordings are deleted than can be restored.
 *
 * @param {number} count
 */
function isSureToDelete(count) {
  return confirm({
    title: t("library.delete.title", { n: count }),
    detail: t("library.delete.text"),
    action: t("do.delete"),
  });
}

/** @param {string[]} ids */
function deleteAtOnce(ids) {
  return deletion.hide(ids).finish();
}

/** `<echo-library-page>`: all recordings: search, filters, playback and their actions. */
export class LibraryPage extends HTMLElement {
  #life = new AbortController();
  #head = new LibraryHead({
    changed: () => this.#list.open(),
    select: () => this.#list.beginSelecting(),
    goToList: () => this.#list.rows.focusRow(0),
  });
  /** @type {ItemList<Item, LibraryQuery>} */
  #list = new ItemList(this, {
    label: t("library.list"),
    event: "library",
    load: listItems,
    isHidden: (id) => deletion.isHidden(id),
    query: () => this.#head.query,
    content: (item) => this.#rowOf(item),
    countWords: (count, isNarrowed) => t(isNarrowed ? "library.found" : "library.count", { n: count }),
    counted: (count) => this.#head.showCount(count),
    nothing: (isNarrowed) => (isNarrowed ? nothingFound(this.#head.words, () => this.#head.showAll()) : nothingYet()),
    nameLabel: t("library.rename.label"),
    rename: ({ id }, name) => changeItem(id, { name }),
    actions: [
      { label: t("library.select.favorite"), icon: "heart", run: (ids) => this.#favorite(ids, true) },
      { label: t("library.select.queue"), icon: "queue", run: (ids) => this.#queue(ids) },
      { label: t("library.select.share"), icon: "share", run: (ids) => new ExportSheet(ids).open() },
      { label: t("library.select.delete"), icon: "trash", run: (ids) => this.#delete(ids) },
    ],
  });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("list-page");
    const { selection, count, place } = this.#list;
    this.replaceChildren(this.#head.element, selection.element, this.#head.chips, count, place);
    this.#head.start(signal);
    this.#listen(signal);
    this.#list.start(signal);
    if (location.search === "?search") this.#head.focusSearch();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.addEventListener("address", () => location.search === "?search" && this.#head.focusSearch(), { signal });
    const { rows, items } = this.#list;
    rows.addEventListener("row-open", (event) => this.#play(detailOf(event).key), { signal });
    rows.addEventListener("row-menu", (event) => this.#openItemMenu(detailOf(event)), { signal });
    rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys), { signal });
    deletion.watch(() => items.hiddenChanged(), signal);
    player.track.watch(() => this.#list.refreshRows(), signal);
    player.phase.watch(() => this.#list.refreshRows(), signal);
    addShortcuts(
      [
        { keys: "Enter", label: "shortcut.library.play", group: "lists" },
        { keys: "f2", label: "shortcut.library.rename", group: "lists" },
        { keys: "Delete", label: "shortcut.library.delete", group: "lists" },
      ],
      signal,
    );
  }

  /** @param {Item} item */
  #rowOf(item) {
    const isCurrent = player.isCurrent(item.id);
    return itemRow(
      item,
      {
        markFavorite: (one) => this.#favorite([one.id], !one.isFavorite),
        showText: (one) => this.#showText(one),
        openMenu: (one, anchor) => this.#openItemMenu({ key: one.id, anchor }),
      },
      { isCurrent, isMoving: isCurrent && player.phase.value === "playing" },
    );
  }

  /** @param {{ key: string } & import("../components/menu.js").MenuPlace} where */
  #openItemMenu({ key, anchor, point }) {
    const item = this.#list.items.find(key);
    if (item === undefined) return;
    openItemMenu(
      item,
      {
        play: () => this.#play(key),
        queue: () => this.#queue([key]),
        rename: () => this.#list.rename(item),
        showText: () => this.#showText(item),
        favorite: () => this.#favorite([key], !item.isFavorite),
        share: () => new ExportSheet([key]).open(),
        showInfo: () => new InfoSheet(item).open(),
        select: () => (this.#list.rows.selectedKeys = [key]),
        remove: () => this.#delete([key]),
      },
      { anchor, point },
    );
  }

  /**
   * Plays a recording; without a place, from the words that the search found.
   *
   * @param {string} id
   * @param {number} [from] Seconds.
   */
  async #play(id, from = this.#list.items.find(id)?.place?.seconds ?? 0) {
    await attempt(() => player.playItems([id], from), this.#life.signal);
  }

  /** @param {string[]} ids */
  async #queue(ids) {
    await attempt(async () => {
      await player.queue.add(ids, false);
      showToast({ icon: "queue", text: t("library.queued", { n: ids.length, name: this.#nameOf(ids) }) });
    }, this.#life.signal);
    this.#list.stopSelecting();
  }

  /**
   * @param {string[]} ids
   * @param {boolean} isFavorite
   */
  async #favorite(ids, isFavorite) {
    const { items } = this.#list;
    const before = ids.flatMap((id) => items.find(id) ?? []);
    items.replace(before.map((item) => ({ ...item, isFavorite })));
    const isDone = await attempt(() => markFavorites(ids, isFavorite), this.#life.signal);
    if (!isDone) items.replace(before);
    else this.#list.stopSelecting();
  }

  /** @param {string[]} ids */
  async #delete(ids) {
    if (ids.length > mostToUndo && !(await isSureToDelete(ids.length))) return;
    const { items, rows } = this.#list;
    const place = items.place(ids[0] ?? "");
    const hadFocus = rows.contains(document.activeElement) || document.activeElement === document.body;
    if (ids.length > mostToUndo) deleteAtOnce(ids);
    else deleteRecordings(ids, this.#nameOf(ids));
    this.#list.stopSelecting();
    if (place !== null && hadFocus) rows.focusRow(place);
  }

  /** @param {Item} item */
  #showText(item) {
    new TextSheet(item, { play: (seconds) => this.#play(item.id, seconds) }).open();
  }

  /** @param {string[]} ids */
  #nameOf(ids) {
    return this.#list.items.find(ids[0] ?? "")?.name ?? t("library.unnamed");
  }
}

/** The content of an empty library. */
function nothingYet() {
  return empty({
    icon: "library",
    text: t("library.empty.title"),
    detail: t("library.empty.text"),
    action: h("a", { class: "button primary", href: "/speak" }, t("library.empty.action")),
  });
}

/**
 * The content of a library in which nothing was found.
 *
 * @param {string} words The searched words; empty when only filters are active.
 * @param {() => void} showAll
 */
function nothingFound(words, showAll) {
  return empty({
    icon: "search",
    text: t("library.none.title"),
    detail: words === "" ? t("library.none.filters") : t("library.none.words", { words }),
    action: button({ label: t("library.none.action"), onPress: showAll }),
  });
}

customElements.define("echo-library-page", LibraryPage);
