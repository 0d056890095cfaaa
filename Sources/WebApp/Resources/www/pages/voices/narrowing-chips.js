import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { languageTitle } from "./language-names.js";
import { activeNarrowings, everything } from "./narrowing.js";
import { qualityWords } from "./state-words.js";

/** @typedef {import("./narrowing.js").Narrowing} Narrowing */

/**
 * What holds voices back, above the list; a press takes one away.
 *
 * @param {Narrowing} narrowing
 * @param {(narrowing: Narrowing) => void} onChange
 * @returns {HTMLElement | null} `null` when nothing does.
 */
export function narrowingChips(narrowing, onChange) {
  const active = activeNarrowings(narrowing);
  if (active.length === 0) return null;
  const chips = active.map(({ kind, value, without }) => {
    const words = wordsOf(kind, value);
    const attributes = { type: "button", class: "filter-chip", "aria-label": t("filters.remove", { filter: words }), onclick: () => onChange(without) };
    return h("li", {}, h("button", attributes, h("span", {}, words), icon("close")));
  });
  const clear = button({ label: t("filters.clear"), look: "quiet", onPress: () => onChange(everything) });
  return h("ul", { class: "filter-chips", "aria-label": t("filters.chips") }, ...chips, active.length < 2 ? null : h("li", {}, clear));
}

/**
 * @param {import("./narrowing.js").ActiveNarrowing["kind"]} kind
 * @param {string} value
 */
function wordsOf(kind, value) {
  if (kind === "quality") return qualityWords(value) ?? value;
  return kind === "language" ? languageTitle(value) : t(`voices.filter.${kind}`);
}
