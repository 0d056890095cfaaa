import { button } from "../../components/button.js";
import { segments, selectField, setSegment } from "../../components/field.js";
import { pageHead } from "../../components/frame.js";
import { h, setText } from "../../core/dom.js";
import { habit, keepHabit } from "../../core/habit.js";
import { qualityWords } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { filterChip, filterGroup, FilterSheet } from "../list/filter-sheet.js";
import { FilterButton, SearchField, SortButton } from "../list/list-controls.js";
import { activeNarrowings, everything, qualities, voiceOrders } from "./arrangement.js";
import { languageTitle } from "./language-names.js";

/** @typedef {import("./offers.js").Offer["engine"]} Engine */
/** @typedef {import("./arrangement.js").Narrowing} Narrowing */
/** @typedef {import("./arrangement.js").VoiceOrder} VoiceOrder */

/**
 * @typedef {object} VoicesHeadActions
 * @property {() => void} changed The search, the filters or the order has changed.
 * @property {() => void} goToList Moves the focus to the list.
 * @property {() => void} add Adds a voice from a file.
 * @property {() => readonly { stem: string, title: string }[]} languages The languages that have voices.
 */

/** The top of the voices: search, order and filters. */
export class VoicesHead {
  /** @type {Narrowing} */
  narrowing = everything;
  #actions;
  /** @type {NarrowingSheet | null} */
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
    this.#filter.element.disabled = true; // until the languages are loaded
    const add = button({ label: t("voices.add"), icon: "plus", iconOnly: true, onPress: actions.add });
    this.element = pageHead(t("voices.title"), this.#search.element, this.#sort.element, this.#filter.element, add);
  }

  /** The active filters, which are shown above the list. */
  get chips() {
    return this.#filter.chips;
  }

  /** @returns {VoiceOrder} */
  get order() {
    return this.#sort.order;
  }

  /** The search words; may be empty. */
  get words() {
    return this.#search.words;
  }

  /** Whether the list is searched or filtered. */
  get isNarrowed() {
    return this.words !== "" || activeNarrowings(this.narrowing).length > 0;
  }

  /** @param {boolean} has Whether the present voices can be sorted and filtered. */
  set hasChoice(has) {
    for (const one of [this.#sort.element, this.#filter.element, this.chips]) one.hidden = !has;
  }

  /** @param {number} count How many voices match. */
  showCount(count) {
    this.#filter.element.disabled = false;
    this.#sheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Clears the search and the filters. */
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
    this.#sheet = new NarrowingSheet({
      narrowing: this.narrowing,
      languages: this.#actions.languages(),
      onChange: (narrowing) => this.narrow(narrowing),
    });
    this.#sheet.open();
    this.#actions.changed();
  }
}

/**
 * The label of an active filter.
 *
 * @param {import("./arrangement.js").ActiveNarrowing} narrowing
 */
function narrowingWords({ kind, value }) {
  if (kind === "quality") return qualityWords(value) ?? value;
  return kind === "language" ? languageTitle(value) : t(`voices.filter.${kind}`);
}

/** The setting that stores the choice of engine. */
const engineSetting = "page.voices";

/** The engines by the setting's value, the default first. */
const engines = { natural: /** @type {Engine} */ ("sherpa-onnx"), "built-in": /** @type {Engine} */ ("espeak-ng") };

const kinds = /** @type {(keyof typeof engines)[]} */ (Object.keys(engines));

/** A filter by the engine of the voices. A voice implies its engine, so nothing else must be chosen. */
export class EngineChoice {
  /** @type {Engine} */
  value;
  #about = h("p", { class: "muted small" });

  /** @param {() => void} changed */
  constructor(changed) {
    const show = (/** @type {keyof typeof engines} */ kind) => {
      this.value = engines[kind];
      this.#notify();
      changed();
    };
    const kind = habit(engineSetting, kinds, (known) => {
      if (!choice.isConnected) return;
      setSegment(choice, known);
      show(known);
    });
    this.value = engines[kind];
    const choice = segments({
      label: t("voices.engine"),
      look: "loose",
      options: [
        { value: /** @type {keyof typeof engines} */ ("natural"), label: t("voices.engine.natural") },
        { value: "built-in", label: t("voices.engine.builtIn") },
      ],
      value: kind,
      onChange: (chosen) => {
        keepHabit(engineSetting, chosen);
        show(chosen);
      },
    });
    const title = h("span", { class: "engine-title", "aria-hidden": "true" }, t("voices.engine"));
    this.element = h("div", { class: "engine-choice" }, title, choice, this.#about);
    this.#notify();
  }

  #notify() {
    setText(this.#about, t(this.value === "sherpa-onnx" ? "voices.engine.natural.text" : "voices.engine.builtIn.text"));
  }
}

/**
 * The sheet that filters the voices; the list behind follows at once.
 *
 * @extends {FilterSheet<Narrowing>}
 */
class NarrowingSheet extends FilterSheet {
  /**
   * @param {object} options
   * @param {Narrowing} options.narrowing
   * @param {readonly { stem: string, title: string }[]} options.languages The languages to choose from.
   * @param {(narrowing: Narrowing) => void} options.onChange
   */
  constructor({ narrowing, languages, onChange }) {
    super({
      title: t("voices.filter.title"),
      filters: narrowing,
      none: everything,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        return [
          filterGroup(
            t("voices.filter.show"),
            filterChip(t("voices.filter.installed"), now.installed, (installed) => change({ installed }), "check"),
            filterChip(t("voices.filter.favorite"), now.favorite, (favorite) => change({ favorite }), "heart"),
          ),
          qualityGroup(choosing),
          filterGroup(
            t("voices.filter.language"),
            languageField(languages, now.language ?? "", (stem) => change({ language: stem === "" ? null : stem })),
          ),
        ];
      },
      result: (count) => t("voices.filter.result", { n: count }),
      onChange,
    });
  }
}

/** @param {import("../list/filter-sheet.js").Choosing<Narrowing>} choosing */
function qualityGroup(choosing) {
  const chips = qualities.map((quality) =>
    filterChip(qualityWords(quality) ?? quality, choosing.filters.qualities.includes(quality), (isOn) => {
      const others = choosing.filters.qualities.filter((one) => one !== quality);
      choosing.change({ qualities: isOn ? [...others, quality] : others });
    }),
  );
  return filterGroup(t("voices.fact.quality"), ...chips);
}

/**
 * @param {readonly { stem: string, title: string }[]} languages
 * @param {string} value
 * @param {(stem: string) => void} onChange
 */
function languageField(languages, value, onChange) {
  const options = languages.map(({ stem, title }) => ({ value: stem, label: title }));
  const { element } = selectField({
    label: t("voices.filter.language"),
    hideLabel: true,
    groups: [{ options: [{ value: "", label: t("voices.filter.language.all") }, ...options] }],
    value,
    onChange,
  });
  return element;
}
