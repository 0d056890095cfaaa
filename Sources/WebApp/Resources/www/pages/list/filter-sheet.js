import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { openSheet } from "../../components/sheet.js";
import { h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * What is being chosen in a sheet of filters.
 *
 * @template Filters
 * @typedef {object} Choosing
 * @property {Filters} filters As they are now.
 * @property {(change: Partial<Filters>) => void} change
 */

/**
 * @template Filters
 * @typedef {object} FilterSheetOptions
 * @property {string} title
 * @property {Filters} filters
 * @property {Filters} none What clears them all.
 * @property {(choosing: Choosing<Filters>) => HTMLElement[]} content Made anew when all are cleared.
 * @property {(count: number) => string} result Words for how many rows pass, on the button that closes the sheet.
 * @property {(filters: Filters) => void} onChange At each change: the list behind follows at once.
 */

/**
 * @typedef {object} FilterSheet
 * @property {(count: number | null) => void} showCount How many rows pass; `null` while it is not known.
 */

/**
 * Opens the sheet in which a list is narrowed.
 *
 * @template Filters
 * @param {FilterSheetOptions<Filters>} options
 * @returns {FilterSheet}
 */
export function openFilters({ title, filters, none, content, result, onChange }) {
  /** @type {Choosing<Filters>} */
  const choosing = {
    filters,
    change: (change) => {
      choosing.filters = { ...choosing.filters, ...change };
      onChange(choosing.filters);
    },
  };
  const groups = h("div", { class: "filters" }, ...content(choosing));
  const close = button({ label: t("do.done"), look: "primary", className: "filters-show", onPress: () => sheet.close() });
  const clear = button({
    label: t("filters.clear"),
    look: "quiet",
    onPress: () => {
      choosing.change(none);
      groups.replaceChildren(...content(choosing));
    },
  });
  const sheet = openSheet({ title, kind: "side", className: "filter-sheet", content: [groups], actions: [clear, close] });
  return {
    showCount: (count) => {
      const label = close.querySelector(".button-label");
      if (label !== null) label.textContent = count === null ? t("do.done") : result(count);
    },
  };
}

/**
 * Filters of one kind, under their title.
 *
 * @param {string} title
 * @param {...HTMLElement} content
 */
export function filterGroup(title, ...content) {
  const id = newId("filter");
  return h("section", { class: "filter-group", role: "group", "aria-labelledby": id }, h("h3", { id }, title), ...content);
}

/**
 * A filter that is on or off.
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
