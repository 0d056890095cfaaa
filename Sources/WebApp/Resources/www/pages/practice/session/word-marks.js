/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/**
 * The word being spoken, or the last one before a short silence.
 *
 * @param {SegmentTiming | null} timing
 * @param {number} seconds
 * @returns {{ from: number, to: number } | null} Its place in the text; `null` before the first word and after the
 * last.
 */
export function wordAt(timing, seconds) {
  if (timing === null || seconds >= timing.seconds) return null;
  const { words } = timing;
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? Infinity) <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word === undefined ? null : { from: word.from, to: word.to };
}
