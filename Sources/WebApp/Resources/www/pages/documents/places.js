/** @typedef {import("../../server/documents.js").Chapter} Chapter */
/** @typedef {import("../../server/documents.js").Span} Span */
/** @typedef {import("../../server/documents.js").Piece} Piece */

/**
 * The number of the page that contains a place of the text, from 1.
 *
 * @param {readonly Span[]} pages In order, without gaps.
 * @param {number} unit
 */
export function pageAt(pages, unit) {
  let low = 0;
  let high = Math.max(0, pages.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pages[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/**
 * The innermost chapter that contains a place of the text.
 *
 * @param {readonly Chapter[]} chapters In order of their starts.
 * @param {number} unit
 * @returns {Chapter | null} `null` before the first chapter, and between two.
 */
export function chapterAt(chapters, unit) {
  /** @type {Chapter | null} */
  let found = null;
  for (const chapter of chapters) {
    if (chapter.from > unit) break;
    if (chapter.to > unit) found = chapter;
  }
  return found;
}

/**
 * The chapters that are spoken when some are chosen: those and the chapters within them.
 *
 * @param {readonly Chapter[]} chapters
 * @param {ReadonlySet<number>} chosen By number.
 * @returns {Set<number>}
 */
export function withInner(chapters, chosen) {
  /** @type {Set<number>} */
  const all = new Set();
  /** @type {number | null} The level of the enclosing chosen chapter. */
  let within = null;
  for (const { number, level } of chapters) {
    if (within !== null && level <= within) within = null;
    if (within === null && chosen.has(number)) within = level;
    if (within !== null) all.add(number);
  }
  return all;
}

/**
 * The ranges of a document that a range of spoken text covers; several when text within it is omitted.
 *
 * @param {readonly Piece[]} pieces In order.
 * @param {Span} spoken In the spoken text.
 * @returns {Span[]} In order, none empty.
 */
export function placesOf(pieces, { from, to }) {
  /** @type {Span[]} */
  const places = [];
  for (let index = Math.max(0, lastFrom(pieces, from)); index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece.spoken >= to) break;
    const begin = piece.from + Math.max(0, from - piece.spoken);
    const end = Math.min(piece.to, piece.from + to - piece.spoken);
    if (end > begin) places.push({ from: begin, to: end });
  }
  return places;
}

/**
 * Maps a place of a document to the spoken text: the nearest spoken unit at or after it.
 *
 * @param {readonly Piece[]} pieces In order.
 * @param {number} unit In the document's text.
 * @returns {number | null} `null` when nothing after it is spoken.
 */
export function spokenUnit(pieces, unit) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  const piece = pieces[low];
  return piece === undefined ? null : piece.spoken + Math.max(0, unit - piece.from);
}

/**
 * @param {readonly Piece[]} pieces
 * @param {number} unit In the spoken text.
 * @returns {number} The index of the last piece that starts at or before it; −1 when there is none.
 */
function lastFrom(pieces, unit) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].spoken > unit) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
