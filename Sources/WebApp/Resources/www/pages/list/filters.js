import { button, icon } from "../../components/button.js";
import { field, segments, setSegment } from "../../components/field.js";
import { Sheet } from "../../components/sheet.js";
import { h, newId } from "../../core/dom.js";
import { language, number, t } from "../../core/i18n.js";

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
 * @param {import("../../components/button.js").IconName} [picture]
 */
export function filterChip(label, isOn, onChange, picture) {
  const input = h("input", { type: "checkbox", class: "choice-input segment-input" });
  input.checked = isOn;
  input.addEventListener("change", () => onChange(input.checked));
  return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, picture ? icon(picture) : null, label));
}

/**
 * A range including its ends; a `null` end is open.
 *
 * @typedef {readonly [number | null, number | null]} Range
 */

/**
 * The problem of a range.
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

/** @typedef {import("../../components/field.js").Field} Field */

/** The number of days before today, or `null` for any. */
const ages = { any: null, today: 0, week: 6, month: 29 };

/**
 * A group of dates: one of the usual ranges, or two dates.
 *
 * @param {LibraryFilters["created"]} created
 * @param {(created: LibraryFilters["created"]) => void} onChange
 * @param {string} [title]
 */
export function dateGroup([from, to], onChange, title = t("filters.created")) {
  const today = new Date();
  /** @returns {keyof typeof ages | null} */
  const preset = () => {
    if (last.input.value !== "") return null;
    if (first.input.value === "") return "any";
    const all = /** @type {(keyof typeof ages)[]} */ (Object.keys(ages));
    return all.find((key) => ages[key] !== null && dayBefore(today, ages[key] ?? 0) === first.input.value) ?? null;
  };
  const changed = () => {
    setSegment(presets, preset());
    onChange([first.input.value || null, last.input.value || null]);
  };
  const first = field({ label: t("filters.from"), type: "date", value: from ?? "" });
  const last = field({ label: t("filters.to"), type: "date", value: to ?? "" });
  nameRange(title, [first, last]);
  makeRange([first, last], { isAllowed: Number.isFinite, refusal: t("filters.refused.day"), changed });
  const presets = segments({
    label: title,
    look: "loose",
    options: Object.keys(ages).map((value) => ({ value, label: t(`filters.created.${value}`) })),
    value: preset(),
    onChange: (value) => {
      const days = ages[/** @type {keyof typeof ages} */ (value)];
      put([first, last], [days === null ? "" : dayBefore(today, days), ""]);
      changed();
    },
  });
  return filterGroup(title, presets, h("div", { class: "filter-range" }, first.element, last.element));
}

/**
 * A group of two numbers.
 *
 * @param {string} title
 * @param {Range} range
 * @param {[number, number]} limits
 * @param {number} step
 * @param {(range: Range) => void} onChange
 */
export function numbersGroup(title, range, limits, step, onChange) {
  return filterGroup(title, numberFields(title, range, limits, step, onChange).element);
}

/**
 * @param {string} title
 * @param {Range} range
 * @param {[number, number]} limits
 * @param {number} step A whole step allows only whole numbers.
 * @param {(range: Range) => void} onChange
 */
export function numberFields(title, range, limits, step, onChange) {
  const [least, most] = limits;
  const isWhole = Number.isInteger(step);
  const attributes = { min: least, max: most, step };
  const from = field({ label: t("filters.from"), type: "number", inputMode: "decimal", attributes });
  const to = field({ label: t("filters.to"), type: "number", inputMode: "decimal", attributes });
  nameRange(title, [from, to]);
  makeRange([from, to], {
    isAllowed: (end) => end >= least && end <= most && (!isWhole || Number.isInteger(end)),
    refusal: t(isWhole ? "slider.whole" : "slider.range", { from: number(least, 2), to: number(most, 2) }),
    changed: () => onChange([endIn(from.input), endIn(to.input)]),
  });

  /** @param {Range} shown */
  const show = (shown) => put([from, to], shown.map((end) => (end === null ? "" : String(end))));
  show(range);
  return { element: h("div", { class: "filter-range" }, from.element, to.element), show };
}

/**
 * Names the fields of a range by what it is of, for lists of all fields, which leave out the group around them.
 *
 * @param {string} title
 * @param {readonly [Field, Field]} fields
 */
function nameRange(title, [from, to]) {
  from.input.setAttribute("aria-label", `${title}: ${t("filters.from")}`);
  to.input.setAttribute("aria-label", `${title}: ${t("filters.to")}`);
}

/**
 * Makes a range of two fields. An invalid range changes nothing, and shows an error once the field is left.
 *
 * @param {readonly [Field, Field]} fields
 * @param {object} rules
 * @param {(end: number) => boolean} rules.isAllowed
 * @param {string} rules.refusal The error of an end that is not allowed.
 * @param {() => void} rules.changed Called on each edit that gives a valid range.
 */
function makeRange([from, to], { isAllowed, refusal, changed }) {
  const problem = () => rangeProblem([endIn(from.input), endIn(to.input)], isAllowed);
  const say = () => {
    const found = problem();
    const words = found?.kind === "order" ? t("filters.refused.order") : refusal;
    from.fail(found?.end === 0 ? words : null);
    to.fail(found?.end === 1 ? words : null);
  };
  for (const { input } of [from, to]) {
    input.addEventListener("change", say);
    input.addEventListener("input", () => {
      if (problem() !== null) return;
      say();
      changed();
    });
  }
}

/**
 * Shows the ends of a valid range, and removes the errors.
 *
 * @param {readonly Field[]} fields
 * @param {readonly string[]} values
 */
function put(fields, values) {
  fields.forEach(({ input, fail }, index) => {
    input.value = values[index] ?? "";
    fail(null);
  });
}

/**
 * A number, or a day in milliseconds since 1970.
 *
 * @param {HTMLInputElement} input
 * @returns {number | null} `null` when it is empty; `NaN` when it is not a number or a day.
 */
function endIn(input) {
  if (input.validity.badInput) return NaN;
  return input.value === "" ? null : input.valueAsNumber;
}

/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */

/**
 * The filters of the library.
 *
 * @typedef {object} LibraryFilters
 * @property {boolean} favorite
 * @property {boolean} document
 * @property {readonly { id: string, name: string }[]} voices Any of these; all when empty.
 * @property {Range} speed
 * @property {Range} pitch
 * @property {Range} length In minutes.
 * @property {readonly [string | null, string | null]} created Days as `YYYY-MM-DD`, in the user's time zone.
 */

/** @type {Readonly<LibraryFilters>} */
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
 * @param {LibraryFilters} filters
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
 * @property {string | Range | LibraryFilters["created"] | null} value A voice's name, or a range.
 * @property {LibraryFilters} without
 */

/**
 * @param {LibraryFilters} filters
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
 * @param {number | null} end
 * @param {number} by
 */
function shifted(end, by) {
  return end === null ? undefined : Math.round((end + by) * 1000) / 1000;
}
