import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { fill, h, setAttribute } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * One filter that is active, and the filters without it.
 *
 * @template Filters
 * @typedef {{ words: string, without: Filters }} Active
 */

/** The button that opens what a list is filtered by, and the chips of what is active: a press takes one away. */
export class FilterButton {
  /** Stands above the list. */
  chips = h("div");

  /**
   * @param {object} options
   * @param {"menu" | "dialog"} options.opens
   * @param {() => void} options.open
   */
  constructor({ opens, open }) {
    this.element = button({ label: t("library.filter"), icon: "filter", iconOnly: true, onPress: open });
    setAttribute(this.element, "aria-haspopup", opens);
  }

  /**
   * Shows what is active.
   *
   * @template Filters
   * @param {readonly Active<Filters>[]} active
   * @param {object} changes
   * @param {Filters} changes.none Nothing is filtered.
   * @param {(filters: Filters) => void} changes.apply Filters by fewer; shows what is active then.
   */
  show(active, { none, apply }) {
    const label = active.length === 0 ? t("library.filter") : t("library.filter.active", { n: active.length });
    setAttribute(this.element, "aria-label", label);
    setAttribute(this.element, "title", label);
    this.element.classList.toggle("active", active.length > 0);
    /** @param {Filters} fewer */
    const narrow = (fewer) => {
      apply(fewer);
      (this.chips.querySelector("button") ?? this.element).focus();
    };
    const chips = active.map(({ words, without }) => h("li", {}, chip(words, () => narrow(without))));
    const clear = active.length < 2 ? null : button({ label: t("filters.clear"), look: "quiet", onPress: () => narrow(none) });
    const list = h("ul", { class: "filter-chips", "aria-label": t("filters.chips") }, ...chips, clear && h("li", {}, clear));
    fill(this.chips, active.length === 0 ? null : list);
  }
}

/**
 * @param {string} words
 * @param {() => void} takeAway
 */
function chip(words, takeAway) {
  const label = t("filters.remove", { filter: words });
  return h("button", { type: "button", class: "filter-chip", "aria-label": label, onclick: takeAway }, h("span", {}, words), icon("close"));
}
