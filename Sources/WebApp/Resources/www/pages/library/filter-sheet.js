import { field, segments, setSegment } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { h } from "../../core/dom.js";
import { number, t } from "../../core/i18n.js";
import { filterChip, filterGroup, FilterSheet } from "../list/list-controls.js";
import { dayBefore, noFilters, rangeProblem } from "./filters.js";

/** @typedef {import("./filters.js").Filters} Filters */
/** @typedef {import("./filters.js").Range} Range */
/** @typedef {import("../../components/field.js").Field} Field */

/**
 * In minutes.
 *
 * @type {Readonly<Record<string, Range>>}
 */
const lengths = { any: [null, null], under1: [null, 1], "1to5": [1, 5], "5to30": [5, 30], over30: [30, null] };

/** The number of days before today, or `null` for any. */
const ages = { any: null, today: 0, week: 6, month: 29 };

/**
 * @typedef {object} LibraryFilterOptions
 * @property {Filters} filters
 * @property {readonly { id: string, name: string }[]} voices The voices to choose from.
 * @property {[number, number]} speedRange
 * @property {[number, number]} pitchRange
 * @property {unknown} problem Why there are no voices to choose from, or `null`.
 * @property {(filters: Filters) => void} onChange Called on each change: the list behind follows at once.
 */

/**
 * The sheet that filters the library.
 *
 * @extends {FilterSheet<Filters>}
 */
export class LibraryFilterSheet extends FilterSheet {
  /** @param {LibraryFilterOptions} options */
  constructor({ filters, voices, speedRange, pitchRange, problem, onChange }) {
    super({
      title: t("filters.title"),
      filters,
      none: noFilters,
      content: (choosing) => {
        const { filters: now, change } = choosing;
        return [
          ...(problem === null ? [] : [errorNotice(problem)]),
          filterGroup(
            t("filters.kind"),
            filterChip(t("filters.favorite"), now.favorite, (favorite) => change({ favorite }), "heart"),
            filterChip(t("filters.document"), now.document, (document) => change({ document }), "document"),
          ),
          lengthGroup(now.length, (length) => change({ length })),
          dateGroup(now.created, (created) => change({ created })),
          ...(voices.length > 1 || now.voices.length > 0 ? [voicesGroup(voices, choosing)] : []),
          numbersGroup(t("filters.speed"), now.speed, speedRange, 0.05, (speed) => change({ speed })),
          numbersGroup(t("filters.pitch"), now.pitch, pitchRange, 0.05, (pitch) => change({ pitch })),
        ];
      },
      result: (count) => t("filters.result", { n: count }),
      onChange,
    });
  }
}

/**
 * @param {LibraryFilterOptions["voices"]} voices
 * @param {import("../list/list-controls.js").Choosing<Filters>} choosing
 */
function voicesGroup(voices, choosing) {
  const chips = voices.map((voice) =>
    filterChip(voice.name, choosing.filters.voices.some(({ id }) => id === voice.id), (isOn) => {
      const others = choosing.filters.voices.filter(({ id }) => id !== voice.id);
      choosing.change({ voices: isOn ? [...others, voice] : others });
    }),
  );
  return filterGroup(t("filters.voice"), ...chips);
}

/**
 * @param {Range} range In minutes.
 * @param {(range: Range) => void} onChange
 */
function lengthGroup(range, onChange) {
  const presets = segments({
    label: t("filters.length"),
    look: "loose",
    options: Object.keys(lengths).map((value) => ({ value, label: t(`filters.length.${value}`) })),
    value: presetOf(range),
    onChange: (value) => {
      const chosen = lengths[value] ?? [null, null];
      fields.show(chosen);
      onChange(chosen);
    },
  });
  const fields = numberFields(t("filters.length"), range, [0, 6_000], 0.5, (changed) => {
    setSegment(presets, presetOf(changed));
    onChange(changed);
  });
  return filterGroup(`${t("filters.length")} (${t("filters.length.unit")})`, presets, fields.element);
}

/** @param {Range} range */
function presetOf([from, to]) {
  return Object.keys(lengths).find((key) => lengths[key]?.[0] === from && lengths[key]?.[1] === to) ?? null;
}

/**
 * A group of dates: one of the usual ranges, or two dates.
 *
 * @param {Filters["created"]} created
 * @param {(created: Filters["created"]) => void} onChange
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
function numberFields(title, range, limits, step, onChange) {
  const [least, most] = limits;
  const isWhole = Number.isInteger(step);
  const attributes = { min: least, max: most, step };
  const from = field({ label: t("filters.from"), type: "number", inputMode: "decimal", attributes });
  const to = field({ label: t("filters.to"), type: "number", inputMode: "decimal", attributes });
  from.input.setAttribute("aria-label", `${title}: ${t("filters.from")}`);
  to.input.setAttribute("aria-label", `${title}: ${t("filters.to")}`);
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
