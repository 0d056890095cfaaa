/**
 * The lines of a drawing: what of a contour hangs together.
 *
 * @param {readonly (number | null)[]} values
 * @param {number} step Seconds from one to the next.
 * @param {(value: number) => number} height From 0, at the bottom, to 1.
 * @param {{ seconds: number, width: number, height: number }} box `seconds`: what its width stands for.
 * @returns {string} A path of SVG; empty when there is nothing to draw.
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
 * How high a pitch is drawn: in semitones, since these sound even, within what both voices span.
 *
 * @param {{ low: number, high: number }} range Hertz.
 */
export function pitchHeight({ low, high }) {
  const span = Math.max(1e-6, Math.log2(high / low));
  return (/** @type {number} */ hertz) => Math.log2(hertz / low) / span;
}

/** The quietest that is drawn, in decibels. */
const quietest = -60;

/** @param {number} decibels */
export function loudnessHeight(decibels) {
  return 1 - decibels / quietest;
}

/**
 * Between which pitches most of a voice is: its single highest and lowest values are often mistakes.
 *
 * @param {readonly (number | null)[]} values Hertz.
 * @returns {{ low: number, high: number } | null} `null` without a voice.
 */
export function pitchRange(values) {
  const voiced = values.filter((value) => value !== null).sort((one, other) => Number(one) - Number(other));
  if (voiced.length === 0) return null;
  const at = (/** @type {number} */ part) => Number(voiced[Math.min(voiced.length - 1, Math.floor(part * voiced.length))]);
  return { low: at(0.05), high: at(0.95) };
}

/**
 * The range that both fit into, with some room around.
 *
 * @param {...({ low: number, high: number } | null)} ranges
 */
export function commonRange(...ranges) {
  const known = ranges.flatMap((one) => one ?? []);
  if (known.length === 0) return { low: 80, high: 320 };
  return { low: Math.min(...known.map(({ low }) => low)) / 1.12, high: Math.max(...known.map(({ high }) => high)) * 1.12 };
}
