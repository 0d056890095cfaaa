import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { Sheet } from "../../components/sheet.js";
import { h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * The choice that a filter sheet changes.
 *
 * @template Filters
 * @typedef {object} Choosing
 * @property {Filters} filters The present filters.
 * @property {(change: Partial<Filters>) => void} change
 */

/**
 * @template Filters
 * @typedef {object} FilterSheetOptions
 * @property {string} title
 * @property {Filters} filters
 * @property {Filters} none The filters when all are cleared.
 * @property {(choosing: Choosing<Filters>) => HTMLElement[]} content Rebuilt when all are cleared.
 * @property {(count: number) => string} result The number of matching rows in words, on the button that closes the
 * sheet.
 * @property {(filters: Filters) => void} onChange Called on each change: the list behind follows at once.
 */

/**
 * The sheet that filters a list.
 *
 * @template Filters
 */
export class FilterSheet extends Sheet {
  #options;
  /** @type {Choosing<Filters>} */
  #choosing;
  #groups = h("div", { class: "filters" });
  #done = button({ label: t("do.done"), look: "primary", className: "filters-show", onPress: () => this.close() });

  /** @param {FilterSheetOptions<Filters>} options */
  constructor(options) {
    super({ title: options.title, kind: "side", className: "filter-sheet" });
    this.#options = options;
    this.#choosing = { filters: options.filters, change: (change) => this.#change(change) };
    const clear = button({ label: t("filters.clear"), look: "quiet", onPress: () => this.#clear() });
    this.#showGroups();
    this.build({ content: [this.#groups], actions: [clear, this.#done] });
  }

  /** @param {number | null} count How many rows match; `null` while unknown. */
  showCount(count) {
    const label = this.#done.querySelector(".button-label");
    if (label !== null) label.textContent = count === null ? t("do.done") : this.#options.result(count);
  }

  #showGroups() {
    this.#groups.replaceChildren(...this.#options.content(this.#choosing));
  }

  #clear() {
    this.#change(this.#options.none);
    this.#showGroups();
  }

  /** @param {Partial<Filters>} change */
  #change(change) {
    this.#choosing.filters = { ...this.#choosing.filters, ...change };
    this.#options.onChange(this.#choosing.filters);
  }
}

/**
 * A titled group of filters.
 *
 * @param {string} title
 * @param {...HTMLElement} content
 */
export function filterGroup(title, ...content) {
  const id = newId("filter");
  return h("section", { class: "filter-group", role: "group", "aria-labelledby": id }, h("h3", { id }, title), ...content);
}

/**
 * An on-off filter.
 *
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 * @param {import("../../components/icon.js").IconName} [picture]
 */
export function filterChip(label, isOn, onChange, picture) {
  const input = h("input", { type: "checkbox", class: "choice-input segment-input" });
  input.checked = isOn;
  input.addEventListener("change", () => onChange(input.checked));
  return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, picture ? icon(picture) : null, label));
}
