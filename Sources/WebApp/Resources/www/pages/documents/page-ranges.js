/**
 * Numbers of pages or chapters as they are written: `3-7,9`.
 *
 * @param {Iterable<number>} numbers In any order.
 */
export function writeRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/**
 * The same as people print them: `3–7, 9`.
 *
 * @param {Iterable<number>} numbers
 */
export function printRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/**
 * What the server wrote, and what a person may type: numbers and ranges with commas between them, any dash, spaces anywhere.
 *
 * @param {string} text
 * @param {number} last The largest number there is.
 * @returns {number[] | null} Ascending, each once; `null` when it cannot be read or names what is not there.
 */
export function readRanges(text, last) {
  /** @type {Set<number>} */
  const numbers = new Set();
  for (const part of text.split(",")) {
    const bounds = /^\s*(\d+)\s*(?:[-–—‐‑−]\s*(\d+)\s*)?$/.exec(part);
    if (bounds === null) return null;
    const from = Number(bounds[1]);
    const to = Number(bounds[2] ?? bounds[1]);
    if (from < 1 || to < from || to > last) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

/**
 * @param {Iterable<number>} numbers
 * @returns {[number, number][]} Ascending, with a gap between any two.
 */
export function rangesOf(numbers) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
