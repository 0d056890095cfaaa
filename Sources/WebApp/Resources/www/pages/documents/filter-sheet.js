import { selectField } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { languageName } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { noFilters } from "./filters.js";
import { dateGroup, numbersGroup } from "../library/filter-sheet.js";
import { filterChip, filterGroup, FilterSheet } from "../list/filter-sheet.js";

/** @typedef {import("./filters.js").DocumentFilters} DocumentFilters */

/** @type {readonly import("../../server/documents.js").DocumentKind[]} */
const kinds = ["pdf", "epub", "text", "markdown", "srt", "vtt"];

/** More pages than any document has. */
const maximumPages = 1_000_000;

/**
 * The sheet that filters the documents.
 *
 * @extends {FilterSheet<DocumentFilters>}
 */
export class DocumentFilterSheet extends FilterSheet {
  /**
   * @param {object} options
   * @param {DocumentFilters} options.filters
   * @param {readonly string[]} options.languages The languages to choose from, as BCP 47 tags.
   * @param {unknown} options.problem Why there are no languages to choose from, or `null`.
   * @param {(filters: DocumentFilters) => void} options.onChange Called on each change: the list behind follows at
   * once.
   */
  constructor({ filters, languages, problem, onChange }) {
    super({
      title: t("filters.title"),
      filters,
      none: noFilters,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        const added = (/** @type {DocumentFilters["added"]} */ days) => change({ added: days });
        return [
          ...(problem === null ? [] : [errorNotice(problem)]),
          kindsGroup(choosing),
          numbersGroup(t("documents.filter.count"), now.pages, [1, maximumPages], 1, (pages) => change({ pages })),
          dateGroup(now.added, added, t("documents.filter.added")),
          ...(languages.length > 0 || now.language !== null ? [languageGroup(languages, choosing)] : []),
        ];
      },
      result: (count) => t("documents.filter.result", { n: count }),
      onChange,
    });
  }
}

/** @param {import("../list/filter-sheet.js").Choosing<DocumentFilters>} choosing */
function kindsGroup(choosing) {
  const chips = kinds.map((kind) =>
    filterChip(t(`documents.kind.${kind}`), choosing.filters.kinds.includes(kind), (isOn) => {
      const others = choosing.filters.kinds.filter((one) => one !== kind);
      choosing.change({ kinds: isOn ? [...others, kind] : others });
    }),
  );
  return filterGroup(t("documents.filter.kind"), ...chips);
}

/**
 * @param {readonly string[]} languages
 * @param {import("../list/filter-sheet.js").Choosing<DocumentFilters>} choosing
 */
function languageGroup(languages, { filters, change }) {
  const known = new Set([...languages, ...(filters.language === null ? [] : [filters.language])]);
  const named = [...known].map((value) => ({ value, label: languageName(value) }));
  named.sort((one, other) => one.label.localeCompare(other.label));
  const { element } = selectField({
    label: t("info.language"),
    hideLabel: true,
    groups: [{ options: [{ value: "", label: t("documents.filter.language.any") }, ...named] }],
    value: filters.language ?? "",
    onChange: (value) => change({ language: value === "" ? null : value }),
  });
  return filterGroup(t("info.language"), element);
}
