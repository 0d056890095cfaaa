/**
 * The lines of a drawing: the connected parts of a contour.
 *
 * @param {readonly (number | null)[]} values
 * @param {number} step Seconds between values.
 * @param {(value: number) => number} height From 0, at the bottom, to 1.
 * @param {{ seconds: number, width: number, height: number }} box `seconds`: the length that its width represents.
 * @returns {string} An SVG path; empty when there is nothing to draw.
 */
export function contourPath(values, step, height, { seconds, width, height: tall }) {
  let path = "";
  let isDown = false;
  values.forEach((value, index) => {
    if (value === null) {
      isDown = false;
      return;
    }
    const x = seconds === 0 ? 0 : (index * step * width) / seconds;
    const y = (1 - Math.max(0, Math.min(1, height(value)))) * tall;
    path += `${isDown ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
  });
  return path;
}

/**
 * The height of a pitch in the drawing: in semitones, which sound evenly spaced, within the range of both voices.
 *
 * @param {{ low: number, high: number }} range In hertz.
 */
export function pitchHeight({ low, high }) {
  const span = Math.max(1e-6, Math.log2(high / low));
  return (/** @type {number} */ hertz) => Math.log2(hertz / low) / span;
}

/** The lowest level drawn, in decibels. */
const quietest = -60;

/** @param {number} decibels */
export function loudnessHeight(decibels) {
  return 1 - decibels / quietest;
}

/**
 * The range that contains most of a voice's pitches: its single highest and lowest values are often errors.
 *
 * @param {readonly (number | null)[]} values In hertz.
 * @returns {{ low: number, high: number } | null} `null` without a voice.
 */
export function pitchRange(values) {
  const voiced = values.filter((value) => value !== null).sort((one, other) => Number(one) - Number(other));
  if (voiced.length === 0) return null;
  const at = (/** @type {number} */ part) => Number(voiced[Math.min(voiced.length - 1, Math.floor(part * voiced.length))]);
  return { low: at(0.05), high: at(0.95) };
}

/** Seconds drawn before the first sound of a voice and after its last. */
const margin = 0.2;

/**
 * The places in a contour between which there is a voice, with a margin: how long somebody took to begin is not part of
 * the melody.
 *
 * @param {readonly (number | null)[]} pitch
 * @param {number} step Seconds between values.
 * @returns {{ from: number, to: number }} Possibly beyond its ends, so that voices lie over each other; all of it without
 * a voice.
 */
export function spokenPart(pitch, step) {
  const voiced = pitch.flatMap((value, index) => (value === null ? [] : [index]));
  const [first, last] = [voiced[0], voiced[voiced.length - 1]];
  if (first === undefined || last === undefined) return { from: 0, to: pitch.length };
  const around = Math.round(margin / step);
  return { from: first - around, to: last + 1 + around };
}

/**
 * The values of a part; `null` beyond the ends.
 *
 * @param {readonly (number | null)[]} values
 * @param {{ from: number, to: number }} part
 * @returns {(number | null)[]}
 */
export function valuesOf(values, { from, to }) {
  return Array.from({ length: to - from }, (_, index) => values[from + index] ?? null);
}

/**
 * The factor that brings a voice to the middle of another, so that a deep voice's melody lies over a high one's.
 *
 * @param {{ low: number, high: number } | null} own
 * @param {{ low: number, high: number } | null} other
 */
export function transposition(own, other) {
  if (own === null || other === null) return 1;
  return Math.sqrt((other.low * other.high) / (own.low * own.high));
}

/**
 * The range that includes both, with a margin.
 *
 * @param {...({ low: number, high: number } | null)} ranges
 */
export function commonRange(...ranges) {
  const known = ranges.flatMap((one) => one ?? []);
  if (known.length === 0) return { low: 80, high: 320 };
  return { low: Math.min(...known.map(({ low }) => low)) / 1.12, high: Math.max(...known.map(({ high }) => high)) * 1.12 };
}
