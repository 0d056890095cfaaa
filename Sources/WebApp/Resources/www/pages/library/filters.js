import { language, number, t, times } from "../../core/i18n.js";

/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */

/**
 * A range including its ends; a `null` end is open.
 *
 * @typedef {readonly [number | null, number | null]} Range
 */

/**
 * The filters of the library.
 *
 * @typedef {object} Filters
 * @property {boolean} favorite
 * @property {boolean} document
 * @property {readonly { id: string, name: string }[]} voices Any of these; all when empty.
 * @property {Range} speed
 * @property {Range} pitch
 * @property {Range} length In minutes.
 * @property {readonly [string | null, string | null]} created Days as `YYYY-MM-DD`, in the user's time zone.
 */

/** @type {Readonly<Filters>} */
export const noFilters = {
  favorite: false,
  document: false,
  voices: [],
  speed: [null, null],
  pitch: [null, null],
  length: [null, null],
  created: [null, null],
};

/** Numbers are shown with two decimals; this tolerance lets a filter by the shown number match. */
const tolerance = 0.005;

/**
 * @param {Filters} filters
 * @returns {LibraryQuery}
 */
export function queryOf(filters) {
  const { favorite, document, voices, speed, pitch, length, created } = filters;
  return {
    favorite: favorite || undefined,
    hasDocument: document || undefined,
    voice: voices.length > 0 ? voices.map(({ id }) => id) : undefined,
    speedFrom: shifted(speed[0], -tolerance),
    speedTo: shifted(speed[1], tolerance),
    pitchFrom: shifted(pitch[0], -tolerance),
    pitchTo: shifted(pitch[1], tolerance),
    lengthFrom: length[0] === null ? undefined : length[0] * 60,
    lengthTo: length[1] === null ? undefined : length[1] * 60,
    createdFrom: created[0] === null ? undefined : startOfDay(created[0], 0).toISOString(),
    createdTo: created[1] === null ? undefined : new Date(startOfDay(created[1], 1).getTime() - 1).toISOString(),
  };
}

/**
 * An active filter, and the filters without it.
 *
 * @typedef {object} ActiveFilter
 * @property {"favorite" | "document" | "voice" | "speed" | "pitch" | "length" | "created"} kind
 * @property {string | Range | Filters["created"] | null} value A voice's name, or a range.
 * @property {Filters} without
 */

/**
 * @param {Filters} filters
 * @returns {ActiveFilter[]}
 */
export function activeFilters(filters) {
  /** @type {ActiveFilter[]} */
  const active = [];
  if (filters.favorite) active.push({ kind: "favorite", value: null, without: { ...filters, favorite: false } });
  if (filters.document) active.push({ kind: "document", value: null, without: { ...filters, document: false } });
  for (const voice of filters.voices) {
    const voices = filters.voices.filter(({ id }) => id !== voice.id);
    active.push({ kind: "voice", value: voice.name, without: { ...filters, voices } });
  }
  for (const kind of /** @type {const} */ (["length", "speed", "pitch", "created"])) {
    const [from, to] = filters[kind];
    if (from === null && to === null) continue;
    active.push({ kind, value: filters[kind], without: { ...filters, [kind]: [null, null] } });
  }
  return active;
}

/**
 * What is wrong with a range.
 *
 * @typedef {object} RangeProblem
 * @property {0 | 1} end The end it concerns: 0 is “from”, 1 is “to”.
 * @property {"value" | "order"} kind `value`: the end is not allowed; `order`: it is before the other.
 */

/**
 * @param {Range} ends `NaN` for an end that is not a number.
 * @param {(end: number) => boolean} isAllowed
 * @returns {RangeProblem | null} `null` for a valid range.
 */
export function rangeProblem([from, to], isAllowed) {
  if (from !== null && !isAllowed(from)) return { end: 0, kind: "value" };
  if (to !== null && !isAllowed(to)) return { end: 1, kind: "value" };
  return from !== null && to !== null && from > to ? { end: 1, kind: "order" } : null;
}

/**
 * The day a number of days before another.
 *
 * @param {Date} today
 * @param {number} days
 * @returns {string} `YYYY-MM-DD`
 */
export function dayBefore(today, days) {
  const day = new Date(today.getFullYear(), today.getMonth(), today.getDate() - days);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/**
 * When a day begins in the user's time zone.
 *
 * @param {string} day `YYYY-MM-DD`
 * @param {number} later Number of days to add.
 */
export function startOfDay(day, later) {
  const [year = 1970, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later);
}

/**
 * @param {number | null} end
 * @param {number} by
 */
function shifted(end, by) {
  return end === null ? undefined : Math.round((end + by) * 1000) / 1000;
}

/**
 * The label of an active filter.
 *
 * @param {ActiveFilter} filter
 */
export function filterWords({ kind, value }) {
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
  if (kind === "created") return dayWords(String(end));
  return kind === "length" ? number(Number(end), 1) : times(Number(end));
}

/** @param {string} day `YYYY-MM-DD` */
export function dayWords(day) {
  return new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(startOfDay(day, 0));
}

/**
 * @param {string | null} from
 * @param {string | null} to
 */
export function rangeWords(from, to) {
  if (from !== null && from === to) return t("filters.range.same", { from });
  if (from !== null && to !== null) return t("filters.range.both", { from, to });
  return from !== null ? t("filters.range.from", { from }) : t("filters.range.to", { to: to ?? "" });
}
