import { button } from "../components/button.js";
import { empty } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { attempt, showToast } from "../components/toast.js";
import { h } from "../core/dom.js";
import { voiceTitle } from "../core/format.js";
import { t } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { state, voices } from "../core/store.js";
import { player } from "../player/player.js";
import { voiceOf } from "../player/track.js";
import { changeItem, listItems, listLibraryVoices, markFavorites } from "../server/library.js";
import { ExportSheet } from "./library/export-sheet.js";
import { activeFilters, filterWords, LibraryFilterSheet, noFilters, queryOf } from "./library/filters.js";
import { itemRow, openItemMenu } from "./library/item-row.js";
import { InfoSheet, TextSheet } from "./library/item-sheets.js";
import { openSpeechCheck } from "./list/item-actions.js";
import { deleteRecordings, itemDeletion } from "./list/item-deletion.js";
import { ItemList } from "./list/item-list.js";
import { ListHead, queryOfOrder, sortOrders } from "./list/list-controls.js";
import { showUnfinished } from "./list/unfinished-narrations.js";

/** @typedef {import("../server/library.js").LibraryQuery} LibraryQuery */
/** @typedef {import("./list/list-controls.js").ListHeadActions} ListHeadActions */
/** @typedef {import("./list/list-controls.js").SortOrder} SortOrder */
/** @typedef {import("./library/filters.js").Filters} Filters */

/**
 * The top of the library: search, order and filters.
 *
 * @extends {ListHead<Filters, SortOrder>}
 */
class LibraryHead extends ListHead {
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
      voices = all.map((voice) => ({ id: voice.id, name: voiceOf({ voice: voice.id, voiceName: voiceTitle(voice, all) }) }));
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

/** @typedef {import("../server/library.js").Item} Item */

/** What is listed here: narrations; what people said is on the page of the recordings only. */
const listed = { origin: [/** @type {const} */ ("narrated")] };

/** `<echo-library-page>`: all narrations: search, filters, playback and their actions. */
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
    load: (query, signal) => listItems({ ...query, ...listed }, signal),
    isHidden: (id) => itemDeletion.isHidden(id),
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
    this.#showUnfinished(signal);
    if (location.search === "?search") this.#head.focusSearch();
  }

  /** @param {AbortSignal} signal */
  async #showUnfinished(signal) {
    const place = h("div");
    this.#list.count.before(place);
    await showUnfinished(place, signal);
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  /** The present list, for continuous playback. */
  get #playList() {
    const { list } = this.#list.items;
    return { ...list, query: { ...list.query, ...listed } };
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.addEventListener("address", () => location.search === "?search" && this.#head.focusSearch(), { signal });
    const { rows, items } = this.#list;
    rows.addEventListener("row-open", (event) => this.#play(detailOf(event).key), { signal });
    rows.addEventListener("row-menu", (event) => this.#openItemMenu(detailOf(event)), { signal });
    rows.addEventListener("row-delete", (event) => this.#delete(detailOf(event).keys), { signal });
    itemDeletion.watch(() => items.hiddenChanged(), signal);
    player.offerList(() => this.#playList, signal);
    player.track.watch(() => this.#list.refreshRows(), signal);
    player.phase.watch(() => this.#list.refreshRows(), signal);
    player.unplayable.reasons.watch(() => this.#list.refreshRows(), signal);
    voices.watch(() => this.#list.refreshRows(), signal);
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

  /** @param {{ key: string } & import("../components/sheet.js").MenuPlace} where */
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
        checkSpeech: () => attempt(() => openSpeechCheck(item), this.#life.signal),
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
   * Plays a recording and then those after it in the list; by default from the words that the search matched.
   *
   * @param {string} id
   * @param {number} [from] Seconds.
   */
  async #play(id, from = this.#list.items.find(id)?.place?.seconds ?? 0) {
    await attempt(async () => {
      const stop = this.#list.items.stop(id);
      if (stop === null) await player.playItem(id, from);
      else player.playListed(this.#playList, stop, from);
    }, this.#life.signal);
  }

  /** @param {string[]} ids */
  async #queue(ids) {
    await attempt(async () => {
      await player.queue.add(ids);
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
    const { items, rows } = this.#list;
    const place = items.place(ids[0] ?? "");
    const hadFocus = rows.contains(document.activeElement) || document.activeElement === document.body;
    if (!(await deleteRecordings(ids, this.#nameOf(ids)))) return;
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
 * The content of a library without matches.
 *
 * @param {string} words The search words; empty when only filters are active.
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
