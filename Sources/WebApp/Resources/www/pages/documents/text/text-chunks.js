/** @typedef {import("../../../server/documents.js").Span} Span */

/**
 * A stretch that is asked for at once. Its real ends are where a paragraph ends near its nominal ones, so that a chunk can be
 * made without the one before.
 *
 * @typedef {object} Chunk
 * @property {number} from The nominal beginning.
 * @property {number} to The nominal end.
 * @property {boolean} beginsSpan Whether it really begins there.
 * @property {boolean} endsSpan Whether it really ends there.
 * @property {number} spanEnd Beyond this nothing is shown.
 */

/** UTF-16 units of a chunk: some screens of text. */
export const chunkSize = 12_000;

/** How far beyond its nominal ends a chunk looks for the end of a paragraph, in UTF-16 units. */
const reach = 4_000;

/**
 * @param {readonly Span[]} spans What is shown: in order, none overlapping.
 * @returns {Chunk[]}
 */
export function chunksOf(spans) {
  /** @type {Chunk[]} */
  const chunks = [];
  for (const { from, to } of spans) {
    const count = Math.max(1, Math.round((to - from) / chunkSize));
    const step = Math.ceil((to - from) / count);
    for (let begin = from; begin < to; begin += step) {
      const end = Math.min(to, begin + step);
      chunks.push({ from: begin, to: end, beginsSpan: begin === from, endsSpan: end === to, spanEnd: to });
    }
  }
  return chunks;
}

/**
 * What has to be asked for to make a chunk.
 *
 * @param {Chunk} chunk
 * @returns {Span}
 */
export function wantedFor({ from, to, beginsSpan, endsSpan, spanEnd }) {
  // A blank line just before may be where it begins.
  return { from: beginsSpan ? from : Math.max(0, from - 2), to: endsSpan ? to : Math.min(spanEnd, to + reach) };
}

/**
 * Where a chunk really begins and ends.
 *
 * @param {Chunk} chunk
 * @param {{ from: number, text: string }} part What was asked for; it may begin a unit early.
 * @returns {Span}
 */
export function realEnds(chunk, part) {
  const from = chunk.beginsSpan ? chunk.from : breakAfter(part, chunk.from, chunk.spanEnd);
  const to = chunk.endsSpan ? chunk.to : breakAfter(part, chunk.to, chunk.spanEnd);
  return { from: Math.max(from, part.from), to: Math.min(to, part.from + part.text.length) };
}

/**
 * The beginning of the first paragraph at or after a place; the place itself when none begins within reach.
 *
 * @param {{ from: number, text: string }} part
 * @param {number} unit
 * @param {number} end
 */
function breakAfter(part, unit, end) {
  const at = part.text.indexOf("\n\n", Math.max(0, unit - part.from - 2));
  if (at >= 0) {
    const begin = part.from + at + 2;
    if (begin >= unit && begin <= Math.min(end, unit + reach)) return begin;
  }
  return unit;
}

/**
 * The chunk that holds a place, or the nearest one.
 *
 * @param {readonly Chunk[]} chunks
 * @param {number} unit
 */
export function chunkAt(chunks, unit) {
  let low = 0;
  let high = Math.max(0, chunks.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  return low;
}
