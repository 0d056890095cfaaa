import { listItems, listLibraryVoices, markFavorites } from "../server/library.js";
import { button } from "../components/button.js";
import { icon } from "../components/icon.js";
import { openMenu } from "../components/menu.js";
import { errorNotice } from "../components/notice.js";
import { pageHead } from "../components/page-head.js";
import { Rows } from "../components/rows.js";
import { showToast } from "../components/toast.js";
import { fill, h, setAttribute, setText } from "../core/dom.js";
import { onServer } from "../core/events.js";
import { t, wordsFor } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { state } from "../core/store.js";
import { player } from "../player/player.js";
import { deleteRecordings, deletion } from "./library/deletion.js";
import { openExportSheet } from "./library/export-sheet.js";
import { filterChips } from "./library/filter-chips.js";
import { openFilterSheet } from "./library/filter-sheet.js";
import { activeFilters, noFilters, queryOf } from "./library/filters.js";
import { openInfoSheet } from "./library/info-sheet.js";
import { openItemMenu } from "./library/item-menu.js";
import { itemRow } from "./library/item-row.js";
import { ItemWindow } from "./library/item-window.js";
import { NameField } from "./library/name-field.js";
import { nothingFound, nothingYet } from "./library/nothing.js";
import { SelectionBar } from "./library/selection-bar.js";
import { queryOfOrder, rememberedOrder, rememberOrder, sortOrders } from "./library/sort-order.js";
import { openTextSheet } from "./library/text-sheet.js";

/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("./library/filters.js").Filters} Filters */

/** Milliseconds that typing rests before it is searched for. */
const typingRest = 120;

/** Milliseconds over which changes that the server tells of are gathered. */
const changeRest = 150;

/**
 * `<echo-library-page>`: every recording there is, found, narrowed, played and looked after.
 */
export class LibraryPage extends HTMLElement {
  #life = new AbortController();
  #items = new ItemWindow({
    load: listItems,
    changed: () => this.#show(),
    failed: (error) => this.#showFailure(error),
    isHidden: (id) => deletion.isHidden(id),
  });
  #rows = new Rows();
  #order = rememberedOrder();
  /** @type {Filters} */
  #filters = noFilters;
  /** Whether the list shows the window's items, not what stands for them before they come. */
  #isListing = false;
  #timer = 0;
  #refreshTimer = 0;
  /** @type {NameField | null} */
  #naming = null;
  /** @type {import("./library/filter-sheet.js").FilterSheet | null} */
  #filterSheet = null;

  #search = h("input", { type: "search", class: "field", autocomplete: "off", enterkeyhint: "search" });
  #count = h("p", { class: "library-count muted small", role: "status" });
  #chips = h("div", { class: "library-chips" });
  #place = h("div", { class: "library-place" });
  #filter = button({ label: t("library.filter"), icon: "filter", iconOnly: true, onPress: () => this.#openFilters() });
  #selection = new SelectionBar({
    leave: () => (this.#rows.isSelecting = false),
    selectAll: () => this.#selectAll(),
    favorite: (ids) => this.#favorite(ids, true),
    queue: (ids) => this.#queue(ids),
    share: (ids) => openExportSheet(ids),
    remove: (ids) => this.#delete(ids),
  });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("library-page");
    this.#search.setAttribute("aria-label", t("library.search"));
    this.#search.placeholder = t("library.search");
    this.#rows.label = t("library.list");
    this.replaceChildren(
      pageHead(t("library.title"), h("div", { class: "search" }, icon("search"), this.#search), ...this.#tools()),
      this.#selection.element,
      this.#chips,
      this.#count,
      this.#place,
    );
    this.#listen(signal);
    this.#open();
    if (location.search === "?search") this.#search.focus();
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#items.close();
    clearTimeout(this.#timer);
    clearTimeout(this.#refreshTimer);
  }

  #tools() {
    const sort = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: () => this.#openSort(sort) });
    setAttribute(sort, "aria-haspopup", "menu");
    setAttribute(this.#filter, "aria-haspopup", "dialog");
    const select = button({
      label: t("library.select"),
      icon: "select",
      iconOnly: true,
      onPress: () => {
        this.#rows.isSelecting = true;
        this.#rows.focusRow(0);
      },
    });
    return [sort, this.#filter, select];
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    this.#search.addEventListener("input", () => this.#typed(), { signal });
    this.#search.addEventListener("keydown", (event) => this.#searchKey(event), { signal });
    this.addEventListener("address", () => location.search === "?search" && this.#search.focus(), { signal });
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

  /** @returns {import("../server/library.js").LibraryQuery} */
  get #query() {
    const words = this.#search.value.trim();
    return { ...queryOfOrder(this.#order), ...queryOf(this.#filters), words: words === "" ? undefined : words };
  }

  /** Whether what is shown is less than everything. */
  get #isNarrowed() {
    const { order: _, ascending: __, ...narrowing } = this.#items.query;
    return Object.values(narrowing).some((value) => value !== undefined);
  }

  async #open() {
    this.#showActiveFilters();
    if (this.#items.count === null) this.#showWaiting();
    await this.#items.open(this.#query);
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), typingRest);
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
    this.#filterSheet?.showCount(count);
    if (count === 0) {
      const words = this.#search.value.trim();
      fill(this.#place, this.#isNarrowed ? nothingFound(words, () => this.#showAll()) : nothingYet());
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

  #showAll() {
    this.#search.value = "";
    this.#narrow(noFilters);
    this.#search.focus();
  }

  /** @param {Filters} filters */
  #narrow(filters) {
    this.#filters = filters;
    this.#open();
  }

  #showActiveFilters() {
    const active = activeFilters(this.#filters).length;
    const label = active === 0 ? t("library.filter") : t("library.filter.active", { n: active });
    setAttribute(this.#filter, "aria-label", label);
    setAttribute(this.#filter, "title", label);
    this.#filter.classList.toggle("active", active > 0);
    fill(
      this.#chips,
      filterChips(this.#filters, (filters) => {
        this.#narrow(filters);
        const next = this.#chips.querySelector("button") ?? this.#filter;
        next.focus();
      }),
    );
  }

  async #openFilters() {
    /** @type {{ id: string, name: string }[]} */
    let voices = [];
    try {
      voices = await listLibraryVoices(this.#life.signal);
    } catch {
      // The other filters work without; those voices that are filtered by can still be taken away.
    }
    const range = state.value;
    this.#filterSheet = openFilterSheet({
      filters: this.#filters,
      voices: voices.length > 0 ? voices : this.#filters.voices,
      speedRange: range?.speedRange ?? [0.5, 1.5],
      pitchRange: range?.pitchRange ?? [0.5, 2],
      onChange: (filters) => this.#narrow(filters),
    });
    this.#filterSheet.showCount(this.#items.count);
  }

  /** @param {Element} anchor */
  #openSort(anchor) {
    openMenu(
      sortOrders.map((order) => ({
        label: t(`library.sort.${order}`),
        isChecked: order === this.#order,
        run: () => {
          this.#order = order;
          rememberOrder(order);
          this.#open();
        },
      })),
      { label: t("library.sort"), anchor },
    );
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

  /** @param {string} id */
  async #play(id) {
    await this.#told(() => player.playItems([id]));
  }

  /** @param {string[]} ids */
  async #queue(ids) {
    await this.#told(async () => {
      await player.addToQueue(ids);
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
  #delete(ids) {
    const place = this.#items.place(ids[0] ?? "");
    const hadFocus = this.#rows.contains(document.activeElement) || document.activeElement === document.body;
    deleteRecordings(ids, this.#nameOf(ids));
    this.#rows.isSelecting = false;
    if (place !== null && hadFocus) this.#rows.focusRow(place);
  }

  /** @param {Item} item */
  #showText(item) {
    openTextSheet(item, { play: () => this.#play(item.id) });
  }

  /** @param {Item} item */
  #rename(item) {
    this.#naming = new NameField(item, (changed) => {
      this.#naming = null;
      if (changed !== null) this.#items.replace([changed]);
      this.#rows.refresh();
      const place = this.#items.place(item.id);
      if (place !== null) this.#rows.focusRow(place);
    });
    this.#rows.refresh();
    this.#naming.focus();
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

  /** @param {KeyboardEvent} event */
  #searchKey(event) {
    if (event.key === "ArrowDown" && (this.#items.count ?? 0) > 0) this.#rows.focusRow(0);
    else if (event.key === "Escape" && this.#search.value !== "") {
      this.#search.value = "";
      this.#open();
    } else return;
    event.preventDefault();
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
