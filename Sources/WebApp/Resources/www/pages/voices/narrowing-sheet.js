import { selectField } from "../../components/field.js";
import { t } from "../../core/i18n.js";
import { filterChip, filterGroup, openFilters } from "../list/filter-sheet.js";
import { qualities } from "./arrangement.js";
import { everything } from "./narrowing.js";
import { qualityWords } from "./state-words.js";

/** @typedef {import("./narrowing.js").Narrowing} Narrowing */

/**
 * Opens the sheet in which the voices are narrowed; the list behind follows at once.
 *
 * @param {object} options
 * @param {Narrowing} options.narrowing
 * @param {readonly { stem: string, title: string }[]} options.languages Those to choose from.
 * @param {(narrowing: Narrowing) => void} options.onChange
 */
export function openNarrowingSheet({ narrowing, languages, onChange }) {
  return openFilters({
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
