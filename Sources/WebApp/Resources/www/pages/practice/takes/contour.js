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
