import { button } from "../components/button.js";
import { segments, setSegment } from "../components/field.js";
import { empty, errorNotice } from "../components/notice.js";
import { detailOf } from "../components/row-content.js";
import { moreButton } from "../components/sheet.js";
import { attempt } from "../components/toast.js";
import { h } from "../core/dom.js";
import { clock, shortDate, voiceTitle } from "../core/format.js";
import { number, t, times } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { state, voices } from "../core/store.js";
import { voiceOf } from "../player/track.js";
import { changeItem, listItems, listLibraryVoices } from "../server/library.js";
import { excerpt, ListedItems, marksOf, nothingFound, openItemMenu } from "./library/item-row.js";
import { InfoSheet, TextSheet } from "./library/item-sheets.js";
import {
  activeFilters,
  dateGroup,
  dayWords,
  filterChip,
  filterGroup,
  FilterSheet,
  noFilters,
  numberFields,
  numbersGroup,
  queryOf,
  rangeWords,
} from "./list/filters.js";
import { itemDeletion, openSpeechCheck } from "./list/item-actions.js";
import { ItemList } from "./list/item-list.js";
import { ListHead, queryOfOrder, sortOrders } from "./list/list-controls.js";
import { showUnfinished } from "./list/unfinished-narrations.js";

/** @typedef {import("../server/library.js").LibraryQuery} LibraryQuery */
/** @typedef {import("./list/list-controls.js").ListHeadActions} ListHeadActions */
/** @typedef {import("./list/list-controls.js").SortOrder} SortOrder */
/** @typedef {import("./list/filters.js").ActiveFilter} ActiveFilter */
/** @typedef {import("./list/filters.js").LibraryFilters} Filters */
/** @typedef {import("./list/filters.js").Range} Range */

/**
 * The label of an active filter.
 *
 * @param {ActiveFilter} filter
 */
function filterWords({ kind, value }) {
  if (kind === "favorite" || kind === "document") return t(`filters.${kind}`);
  if (kind === "voice") return String(value);
  const [from = null, to = null] = Array.isArray(value) ? value : [];
  const range = rangeWords(said(kind, from), said(kind, to));
  return kind === "created" ? range : t(`filters.chip.${kind}`, { range });
}

/**
 * @param {"speed" | "pitch" | "length" | "created"} kind
 * @param {string | number | null} end
 */
function said(kind, end) {
  if (end === null) return null;
  if (kind === "created") return dayWords(String(end));
  return kind === "length" ? number(Number(end), 1) : times(Number(end));
}

/**
 * In minutes.
 *
 * @type {Readonly<Record<string, Range>>}
 */
const lengths = { any: [null, null], under1: [null, 1], "1to5": [1, 5], "5to30": [5, 30], over30: [30, null] };

/**
 * @typedef {object} LibraryFilterOptions
 * @property {Filters} filters
 * @property {readonly { id: string, name: string }[]} voices The voices to choose from.
 * @property {[number, number]} speedRange
 * @property {[number, number]} pitchRange
 * @property {unknown} problem Why there are no voices to choose from, or `null`.
 * @property {(filters: Filters) => void} onChange Called on each change: the list behind follows at once.
 */

/**
 * The sheet that filters the library.
 *
 * @extends {FilterSheet<Filters>}
 */
class LibraryFilterSheet extends FilterSheet {
  /** @param {LibraryFilterOptions} options */
  constructor({ filters, voices, speedRange, pitchRange, problem, onChange }) {
    super({
      title: t("filters.title"),
      filters,
      none: noFilters,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        return [
          ...(problem === null ? [] : [errorNotice(problem)]),
          filterGroup(
            t("filters.kind"),
            filterChip(t("filters.favorite"), now.favorite, (favorite) => change({ favorite }), "heart"),
            filterChip(t("filters.document"), now.document, (document) => change({ document }), "document"),
          ),
          lengthGroup(now.length, (length) => change({ length })),
          dateGroup(now.created, (created) => change({ created })),
          ...(voices.length > 1 || now.voices.length > 0 ? [voicesGroup(voices, choosing)] : []),
          numbersGroup(t("filters.speed"), now.speed, speedRange, 0.05, (speed) => change({ speed })),
          numbersGroup(t("filters.pitch"), now.pitch, pitchRange, 0.05, (pitch) => change({ pitch })),
        ];
      },
      result: (count) => t("filters.result", { n: count }),
      onChange,
    });
  }
}

/**
 * @param {LibraryFilterOptions["voices"]} voices
 * @param {import("./list/filters.js").Choosing<Filters>} choosing
 */
function voicesGroup(voices, choosing) {
  const chips = voices.map((voice) =>
    filterChip(voice.name, choosing.filters.voices.some(({ id }) => id === voice.id), (isOn) => {
      const others = choosing.filters.voices.filter(({ id }) => id !== voice.id);
      choosing.change({ voices: isOn ? [...others, voice] : others });
    }),
  );
  return filterGroup(t("filters.voice"), ...chips);
}

/**
 * @param {Range} range In minutes.
 * @param {(range: Range) => void} onChange
 */
function lengthGroup(range, onChange) {
  const presets = segments({
    label: t("filters.length"),
    look: "loose",
    options: Object.keys(lengths).map((value) => ({ value, label: t(`filters.length.${value}`) })),
    value: presetOf(range),
    onChange: (value) => {
      const chosen = lengths[value] ?? [null, null];
      fields.show(chosen);
      onChange(chosen);
    },
  });
  const fields = numberFields(t("filters.length"), range, [0, 6_000], 0.5, (changed) => {
    setSegment(presets, presetOf(changed));
    onChange(changed);
  });
  return filterGroup(`${t("filters.length")} (${t("filters.length.unit")})`, presets, fields.element);
}

/** @param {Range} range */
function presetOf([from, to]) {
  return Object.keys(lengths).find((key) => lengths[key]?.[0] === from && lengths[key]?.[1] === to) ?? null;
}

/** The name in this tab's storage of the filters, which stay there over a reload; words that are searched do not. */
const filtersOfTab = "page.library-filters";

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
    const kept = sessionStorage.getItem(filtersOfTab);
    if (kept !== null) this.filters = JSON.parse(kept);
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    super.start(signal);
    signal.addEventListener("abort", () => sessionStorage.removeItem(filtersOfTab), { once: true });
  }

  /** @param {Filters} filters */
  narrow(filters) {
    sessionStorage.setItem(filtersOfTab, JSON.stringify(filters));
    super.narrow(filters);
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

/**
 * @typedef {object} ItemActions
 * @property {(item: Item) => void} markFavorite
 * @property {(item: Item) => void} showText
 * @property {(item: Item, anchor: Element) => void} openMenu
 */

/**
 * A narration as a row of the list.
 *
 * @param {Item} item
 * @param {ItemActions} actions
 * @param {{ isCurrent: boolean, isMoving: boolean }} playing
 * @returns {import("../components/row-content.js").RowContent}
 */
function itemRow(item, actions, { isCurrent, isMoving }) {
  const date = h("time", { datetime: item.created }, shortDate(item.created));
  const details = [...marksOf(item), clock(item.duration), ...(item.place ? [excerpt(item.place)] : [date, item.narration ? voiceOf(item.narration) : t(`origin.${item.origin}`)])];
  const heart = button({
    label: t(item.isFavorite ? "library.favorite.remove" : "library.favorite.add"),
    icon: item.isFavorite ? "heart-filled" : "heart",
    look: "quiet",
    iconOnly: true,
    className: item.isFavorite ? "favorite on" : "favorite",
    onPress: () => actions.markFavorite(item),
  });
  const text = button({
    label: t("library.text"),
    icon: "text",
    look: "quiet",
    iconOnly: true,
    opens: true,
    className: "view-text",
    onPress: () => actions.showText(item),
  });
  for (const one of [heart, text]) one.setAttribute("aria-label", `${one.title}: ${item.name}`);
  const more = moreButton({ label: t("library.more", { name: item.name }), open: (anchor) => actions.openMenu(item, anchor) });
  return { title: item.name, details, actions: [heart, text, more], isCurrent, isMoving };
}

/**
 * A query of what is listed here: narrations; what people said is on the page of the recordings only.
 *
 * @param {LibraryQuery} query
 * @returns {LibraryQuery}
 */
const wholeQuery = (query) => ({ ...query, origin: ["narrated"] });

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
    load: (query, signal) => listItems(wholeQuery(query), signal),
    isHidden: (id) => itemDeletion.isHidden(id),
    query: () => this.#head.query,
    content: (item) => this.#rowOf(item),
    countWords: (count, isNarrowed) => t(isNarrowed ? "library.texts.found" : "library.texts", { n: count }),
    counted: (count) => this.#head.showCount(count),
    nothing: (isNarrowed) => (isNarrowed ? nothingFound(this.#head.words, () => this.#head.showAll()) : nothingYet()),
    nameLabel: t("speak.name"),
    rename: ({ id }, name) => changeItem(id, { name }),
    actions: [
      { label: t("library.select.favorite"), icon: "heart", run: (ids) => this.#listed.favorite(ids, true) },
      { label: t("library.select.queue"), icon: "queue", run: (ids) => this.#listed.queue(ids) },
      { label: t("library.select.share"), icon: "share", run: (ids) => this.#export(ids) },
      { label: t("library.select.delete"), icon: "trash", run: (ids) => this.#listed.delete(ids) },
    ],
  });
  #listed = new ListedItems(this.#list, wholeQuery);

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

  /** @param {AbortSignal} signal */
  #listen(signal) {
    const { rows } = this.#list;
    this.#listed.start(signal);
    rows.addEventListener("row-open", (event) => this.#listed.play(detailOf(event).key), { signal });
    rows.addEventListener("row-menu", (event) => this.#openItemMenu(detailOf(event)), { signal });
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
    return itemRow(
      item,
      {
        markFavorite: (one) => this.#listed.favorite([one.id], !one.isFavorite),
        showText: (one) => this.#showText(one),
        openMenu: (one, anchor) => this.#openItemMenu({ key: one.id, anchor }),
      },
      this.#listed.playing(item),
    );
  }

  /** @param {{ key: string } & import("../components/sheet.js").MenuPlace} where */
  #openItemMenu({ key, anchor, point }) {
    const item = this.#list.items.find(key);
    if (item === undefined) return;
    openItemMenu(
      item,
      {
        ...this.#listed.menuActions(item),
        showText: () => this.#showText(item),
        checkSpeech: () => attempt(() => openSpeechCheck(item), this.#life.signal),
        export: () => this.#export([key]),
        showInfo: () => new InfoSheet(item).open(),
      },
      { anchor, point },
    );
  }

  /** @param {string[]} ids */
  #export(ids) {
    return attempt(async () => {
      const { ExportSheet } = await import("./library/export-sheet.js");
      new ExportSheet(ids).open();
    }, this.#life.signal);
  }

  /** @param {Item} item */
  #showText(item) {
    new TextSheet(item, { play: (seconds) => this.#listed.play(item.id, seconds) }).open();
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

customElements.define("echo-library-page", LibraryPage);
