/**
 * A part of a text, never empty.
 *
 * @typedef {object} MarkedPart
 * @property {string} text
 * @property {boolean} isMarked
 */

/**
 * Splits a text at its marks.
 *
 * @param {string} text
 * @param {readonly { from: number, to: number }[]} marks In UTF-16 units, in text order.
 * @returns {MarkedPart[]} Empty marks are omitted.
 */
export function markedParts(text, marks) {
  /** @type {MarkedPart[]} */
  const parts = [];
  let position = 0;
  for (const { from, to } of marks) {
    const start = Math.max(position, Math.min(from, text.length));
    const end = Math.max(start, Math.min(to, text.length));
    if (start === end) continue;
    if (start > position) parts.push({ text: text.slice(position, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    position = end;
  }
  if (position < text.length) parts.push({ text: text.slice(position), isMarked: false });
  return parts;
}
