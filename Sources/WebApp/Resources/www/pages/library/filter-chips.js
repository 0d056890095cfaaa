import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { h } from "../../core/dom.js";
import { number, times } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { activeFilters, noFilters, startOfDay } from "./filters.js";

/** @typedef {import("./filters.js").Filters} Filters */

/**
 * The active filters above the list; a press takes one away.
 *
 * @param {Filters} filters
 * @param {(filters: Filters) => void} onChange
 * @returns {HTMLElement | null} `null` when none is active.
 */
export function filterChips(filters, onChange) {
  const active = activeFilters(filters);
  if (active.length === 0) return null;
  return h(
    "ul",
    { class: "filter-chips", "aria-label": t("filters.chips") },
    ...active.map((one) => {
      const words = wordsOf(one);
      return h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            class: "filter-chip",
            "aria-label": t("filters.remove", { filter: words }),
            onclick: () => onChange(one.without),
          },
          h("span", {}, words),
          icon("close"),
        ),
      );
    }),
    active.length < 2
      ? null
      : h("li", {}, button({ label: t("filters.clear"), look: "quiet", onPress: () => onChange(noFilters) })),
  );
}

/** @param {import("./filters.js").ActiveFilter} filter */
function wordsOf({ kind, value }) {
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
  if (kind === "created") {
    return new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(startOfDay(String(end), 0));
  }
  return kind === "length" ? number(Number(end), 1) : times(Number(end));
}

/**
 * @param {string | null} from
 * @param {string | null} to
 */
function rangeWords(from, to) {
  if (from !== null && from === to) return t("filters.range.same", { from });
  if (from !== null && to !== null) return t("filters.range.both", { from, to });
  return from !== null ? t("filters.range.from", { from }) : t("filters.range.to", { to: to ?? "" });
}
