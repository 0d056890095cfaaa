/**
 * @typedef {import("../../../server/documents.js").Piece} Piece
 * @typedef {import("../../../server/documents.js").Span} Span
 */

/**
 * Where in a document a stretch of what is spoken stands; more than one place where something is left out within it.
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
 * Where a place of the document is in what is spoken: the nearest unit at or after it.
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
 * @returns {number} The index of the last piece that begins at it or before; −1 when none does.
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
