import { h } from "../../../core/dom.js";
import { duration } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { commonRange, contourPath, loudnessHeight, pitchHeight, pitchRange, spokenPart, transposition, valuesOf } from "./contour.js";

/** @typedef {import("../../../server/practice.js").TakeScore} TakeScore */

const namespace = "http://www.w3.org/2000/svg";

/** Width and height in units; the drawing scales to its container. */
const width = 600;
const height = 120;

/**
 * The pitch and the loudness of a take over those of the model: a picture, with a description for screen readers.
 *
 * @param {Pick<TakeScore, "pitch" | "loudness" | "pauses" | "pace">} score
 * @returns {HTMLElement}
 */
export function takeDrawing({ pitch, loudness, pauses, pace }) {
  const ranges = { take: pitchRange(pitch.take), model: pitchRange(pitch.model) };
  const own = transposition(ranges.take, ranges.model);
  const moved = ranges.take && { low: own * ranges.take.low, high: own * ranges.take.high };
  const heightOf = pitchHeight(commonRange(moved, ranges.model));
  const parts = { take: spokenPart(pitch.take, pitch.step), model: spokenPart(pitch.model, pitch.step) };
  const seconds = Math.max(...Object.values(parts).map(({ from, to }) => (to - from) * pitch.step), 0);
  const box = { seconds, width, height };
  const path = (/** @type {"take" | "model"} */ whose, /** @type {readonly (number | null)[]} */ values, /** @type {(value: number) => number} */ of) =>
    contourPath(valuesOf(values, parts[whose]), pitch.step, of, box);
  const picture = drawing(
    line(path("take", loudness.take, loudnessHeight), "line loudness take"),
    line(path("model", loudness.model, loudnessHeight), "line loudness model"),
    line(path("model", pitch.model, heightOf), "line pitch model"),
    line(path("take", pitch.take, (hertz) => heightOf(own * hertz)), "line pitch take"),
  );
  const key = h(
    "p",
    { class: "drawing-key small muted", "aria-hidden": "true" },
    ...["take", "model", "loudness"].map((name) => h("span", { class: `drawing-key-${name}` }, t(`practice.drawing.${name}`))),
  );
  return h(
    "figure",
    { class: "take-drawing" },
    h("div", { role: "img", "aria-label": drawingWords({ ranges, pauses, pace }) }, picture),
    h("figcaption", {}, key),
  );
}

/**
 * The drawing in words.
 *
 * @param {object} known
 * @param {{ take: { low: number, high: number } | null, model: { low: number, high: number } | null }} known.ranges
 * @param {TakeScore["pauses"]} known.pauses
 * @param {TakeScore["pace"]} known.pace
 */
export function drawingWords({ ranges, pauses, pace }) {
  const rangeWords = (/** @type {{ low: number, high: number } | null} */ range) =>
    range === null ? t("practice.drawing.none") : t("practice.drawing.range", { low: Math.round(range.low), high: Math.round(range.high) });
  return [
    t("practice.drawing"),
    t("practice.drawing.yours", { range: rangeWords(ranges.take) }),
    t("practice.drawing.models", { range: rangeWords(ranges.model) }),
    paceWords(pace),
    pauseWords(pauses),
  ].filter((words) => words !== "").join(" ");
}

/** @param {TakeScore["pace"]} pace */
export function paceWords({ take, model }) {
  if (take === null || model === null) return "";
  return t("practice.pace.both", { take: Math.round(take), model: Math.round(model) });
}

/** @param {TakeScore["pauses"]} pauses */
export function pauseWords({ take, model }) {
  const longest = take.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  const count = t("practice.pauses", { n: take.length, model: model.length });
  return longest < 1 ? count : `${count} ${t("practice.pauses.longest", { time: duration(longest) })}`;
}

/** @param {...SVGElement} lines */
function drawing(...lines) {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.append(...lines);
  return picture;
}

/**
 * @param {string} path
 * @param {string} className
 */
function line(path, className) {
  const element = document.createElementNS(namespace, "path");
  element.setAttribute("d", path);
  element.setAttribute("class", className);
  element.setAttribute("vector-effect", "non-scaling-stroke");
  return element;
}
