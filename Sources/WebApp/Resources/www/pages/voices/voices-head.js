import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { openMenu } from "../../components/menu.js";
import { pageHead } from "../../components/page-head.js";
import { h, setAttribute } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { voiceOrders } from "./arrangement.js";
import { activeNarrowings, everything } from "./narrowing.js";
import { narrowingChips } from "./narrowing-chips.js";
import { openNarrowingSheet } from "./narrowing-sheet.js";

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

/** Where the browser remembers the order; it tells nothing about a person. */
const orderKey = "voices-order";

/** The top of the voices: what is looked for, in which order, and what holds voices back. */
export class VoicesHead {
  chips = h("div", { class: "voices-chips" });
  /** @type {VoiceOrder} */
  order = voiceOrders.find((one) => one === localStorage.getItem(orderKey)) ?? voiceOrders[0];
  /** @type {Narrowing} */
  narrowing = everything;
  #actions;
  /** @type {import("./narrowing-sheet.js").NarrowingSheet | null} */
  #sheet = null;

  #search = h("input", {
    type: "search",
    class: "field",
    autocomplete: "off",
    enterkeyhint: "search",
    "aria-label": t("voices.search"),
    placeholder: t("voices.search"),
  });
  #sort = button({ label: t("library.sort"), icon: "sort", iconOnly: true, onPress: () => this.#openSort() });
  #filter = button({ label: t("library.filter"), icon: "filter", iconOnly: true, opens: true, onPress: () => this.#openFilter() });

  /** @param {VoicesHeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
    setAttribute(this.#sort, "aria-haspopup", "menu");
    this.#filter.disabled = true; // until there are languages to choose from
    const add = button({ label: t("voices.add"), icon: "plus", iconOnly: true, onPress: actions.add });
    this.element = pageHead(t("voices.title"), h("div", { class: "search" }, icon("search"), this.#search), this.#sort, this.#filter, add);
    this.#search.addEventListener("input", () => actions.changed());
    this.#search.addEventListener("keydown", (event) => this.#key(event));
  }

  /** What is looked for; empty when nothing is. */
  get words() {
    return this.#search.value.trim();
  }

  /** Whether what is shown is less than everything. */
  get isNarrowed() {
    return this.words !== "" || activeNarrowings(this.narrowing).length > 0;
  }

  /** @param {boolean} has Whether the voices that are shown differ in what they are sorted and narrowed by. */
  set hasChoice(has) {
    this.#sort.hidden = !has;
    this.#filter.hidden = !has;
    this.chips.hidden = !has;
  }

  /** @param {number} count How many voices pass. */
  showCount(count) {
    this.#filter.disabled = false;
    this.#sheet?.showCount(count);
  }

  focusSearch() {
    this.#search.focus();
  }

  /** Holds nothing back any more. */
  showAll() {
    this.#search.value = "";
    this.narrow(everything);
  }

  /**
   * @param {Narrowing} narrowing
   * @param {VoiceOrder} [order]
   */
  narrow(narrowing, order = this.order) {
    this.narrowing = narrowing;
    this.order = order;
    const active = activeNarrowings(narrowing).length;
    const label = active === 0 ? t("library.filter") : t("library.filter.active", { n: active });
    setAttribute(this.#filter, "aria-label", label);
    setAttribute(this.#filter, "title", label);
    this.#filter.classList.toggle("active", active > 0);
    const chips = narrowingChips(narrowing, (fewer) => {
      this.narrow(fewer);
      (this.chips.querySelector("button") ?? this.#filter).focus();
    });
    this.chips.replaceChildren(...(chips === null ? [] : [chips]));
    this.#actions.changed();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.#actions.goToList();
    else if (event.key === "Escape" && this.#search.value !== "") {
      this.#search.value = "";
      this.#actions.changed();
    } else return;
    event.preventDefault();
  }

  #openFilter() {
    this.#sheet = openNarrowingSheet({
      narrowing: this.narrowing,
      languages: this.#actions.languages(),
      onChange: (narrowing) => this.narrow(narrowing),
    });
    this.#actions.changed();
  }

  #openSort() {
    const entries = voiceOrders.map((order) => ({
      label: t(`voices.sort.${order}`),
      isChecked: order === this.order,
      run: () => {
        localStorage.setItem(orderKey, order);
        this.narrow(this.narrowing, order);
      },
    }));
    openMenu(entries, { label: t("library.sort"), anchor: this.#sort });
  }
}
