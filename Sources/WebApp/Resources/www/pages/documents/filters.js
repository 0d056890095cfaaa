import { languageName } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { dayWords, rangeWords, startOfDay } from "../library/filters.js";

/** @typedef {import("../../server/documents.js").DocumentKind} DocumentKind */
/** @typedef {import("../../server/documents.js").DocumentQuery} DocumentQuery */

/**
 * The filters of the documents.
 *
 * @typedef {object} DocumentFilters
 * @property {readonly DocumentKind[]} kinds Any of these; all when empty.
 * @property {import("../library/filters.js").Range} pages
 * @property {readonly [string | null, string | null]} added Days as `YYYY-MM-DD`, in the user's time zone.
 * @property {string | null} language A BCP 47 tag; `null` for any.
 */

/** @type {Readonly<DocumentFilters>} */
export const noFilters = { kinds: [], pages: [null, null], added: [null, null], language: null };

/**
 * @param {DocumentFilters} filters
 * @returns {DocumentQuery}
 */
export function queryOf({ kinds, pages, added, language }) {
  return {
    kind: kinds.length > 0 ? [...kinds] : undefined,
    pagesFrom: wholeFrom(pages[0], Math.ceil),
    pagesTo: wholeFrom(pages[1], Math.floor),
    addedFrom: added[0] === null ? undefined : startOfDay(added[0], 0).toISOString(),
    addedTo: added[1] === null ? undefined : startOfDay(added[1], 1).toISOString(),
    language: language ?? undefined,
  };
}

/**
 * @param {number | null} end
 * @param {(value: number) => number} round
 */
function wholeFrom(end, round) {
  return end === null ? undefined : Math.max(1, round(end));
}

/**
 * The description of each active filter, and the filters without it.
 *
 * @param {DocumentFilters} filters
 * @returns {{ words: string, without: DocumentFilters }[]}
 */
export function activeFilters(filters) {
  const { kinds, pages, added, language } = filters;
  /** @type {{ words: string, without: DocumentFilters }[]} */
  const active = [];
  for (const kind of kinds) {
    const others = kinds.filter((one) => one !== kind);
    active.push({ words: t(`documents.kind.${kind}`), without: { ...filters, kinds: others } });
  }
  if (pages.some((end) => end !== null)) {
    const [from, to] = pages.map((end) => (end === null ? null : number(end)));
    const range = rangeWords(from ?? null, to ?? null);
    active.push({ words: t("documents.filter.pages", { range }), without: { ...filters, pages: noFilters.pages } });
  }
  if (added.some((day) => day !== null)) {
    const [from, to] = added.map((day) => (day === null ? null : dayWords(day)));
    active.push({ words: rangeWords(from ?? null, to ?? null), without: { ...filters, added: noFilters.added } });
  }
  if (language !== null) active.push({ words: languageName(language), without: { ...filters, language: null } });
  return active;
}
