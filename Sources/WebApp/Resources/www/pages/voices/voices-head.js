import { button } from "../../components/button.js";
import { pageHead } from "../../components/frame.js";
import { t } from "../../core/i18n.js";
import { FilterButton } from "../list/filter-button.js";
import { SearchField } from "../list/search-field.js";
import { SortButton } from "../list/sort-button.js";
import { voiceOrders } from "./arrangement.js";
import { languageTitle } from "./language-names.js";
import { activeNarrowings, everything } from "./narrowing.js";
import { openNarrowingSheet } from "./narrowing-sheet.js";
import { qualityWords } from "./state-words.js";

/**
 * @typedef {import("./arrangement.js").VoiceOrder} VoiceOrder
 * @typedef {import("./narrowing.js").Narrowing} Narrowing
 */

/**
 * @typedef {object} VoicesHeadActions
 * @property {() => void} changed Other voices are wanted than before, or in another order.
 * @property {() => void} goToList The focus is to go to the list.
 * @property {() => void} add A voice is to be added from a file.
 * @property {() => readonly { stem: string, title: string }[]} languages Those that there are voices of.
 */

/** The top of the voices: what is looked for, in which order, and what holds voices back. */
export class VoicesHead {
  /** @type {Narrowing} */
  narrowing = everything;
  #actions;
  /** @type {import("../list/filter-sheet.js").FilterSheet | null} */
  #sheet = null;
  #search;
  #sort;
  #filter = new FilterButton({ opens: "dialog", open: () => this.#openFilter() });

  /** @param {VoicesHeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const { changed, goToList } = actions;
    this.#search = new SearchField({ label: t("voices.search"), rest: 0, changed, goToList });
    this.#sort = new SortButton({ list: "voices", orders: voiceOrders, words: (order) => t(`voices.sort.${order}`), changed });
    this.#filter.element.disabled = true; // until there are languages to choose from
    const add = button({ label: t("voices.add"), icon: "plus", iconOnly: true, onPress: actions.add });
    this.element = pageHead(t("voices.title"), this.#search.element, this.#sort.element, this.#filter.element, add);
  }

  /** What holds voices back, which stands above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @returns {VoiceOrder} */
  get order() {
    return this.#sort.order;
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#search.words;
  }

  /** Whether what is shown is less than everything. */
  get isNarrowed() {
    return this.words !== "" || activeNarrowings(this.narrowing).length > 0;
  }

  /** @param {boolean} has Whether the voices that are shown differ in what they are sorted and narrowed by. */
  set hasChoice(has) {
    for (const one of [this.#sort.element, this.#filter.element, this.chips]) one.hidden = !has;
  }

  /** @param {number} count How many voices pass. */
  showCount(count) {
    this.#filter.element.disabled = false;
    this.#sheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Holds nothing back any more. */
  showAll() {
    this.#search.clear();
    this.narrow(everything);
  }

  /**
   * @param {Narrowing} narrowing
   * @param {VoiceOrder} [order]
   */
  narrow(narrowing, order = this.order) {
    this.narrowing = narrowing;
    this.#sort.order = order;
    const active = activeNarrowings(narrowing).map((one) => ({ words: narrowingWords(one), without: one.without }));
    this.#filter.show(active, { none: everything, apply: (fewer) => this.narrow(fewer) });
    this.#actions.changed();
  }

  #openFilter() {
    this.#sheet = openNarrowingSheet({
      narrowing: this.narrowing,
      languages: this.#actions.languages(),
      onChange: (narrowing) => this.narrow(narrowing),
    });
    this.#actions.changed();
  }
}

/**
 * What one thing that holds voices back is called.
 *
 * @param {import("./narrowing.js").ActiveNarrowing} narrowing
 */
function narrowingWords({ kind, value }) {
  if (kind === "quality") return qualityWords(value) ?? value;
  return kind === "language" ? languageTitle(value) : t(`voices.filter.${kind}`);
}
