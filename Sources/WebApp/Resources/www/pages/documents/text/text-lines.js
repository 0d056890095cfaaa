/**
 * @typedef {import("../../../server/documents.js").Span} Span
 * @typedef {import("../../../server/documents.js").TextPart} TextPart
 * @typedef {import("../../../server/documents.js").Block} Block
 */

/**
 * A stretch that is not shown as the text around it.
 *
 * @typedef {Span & { look: "hidden" | "struck" | "restored" | "aside", key: string, label: string }} Cut
 */

/** @typedef {Span & { text: string, cut: Cut | null }} Run A piece of a line. */

/**
 * One line of the text: a paragraph, a heading, an item of a list, a row of a table.
 *
 * @typedef {object} Line
 * @property {boolean} isApart Whether a blank line stands before it.
 * @property {Block | null} block
 * @property {Run[]} runs In order, none empty.
 */

/**
 * Divides a stretch of text into lines and these into runs; what is hidden is in none, and the lines around it are as they
 * would be without it.
 *
 * @param {Pick<TextPart, "from" | "text" | "blocks">} part
 * @param {Span} span Within the part.
 * @param {readonly Cut[]} cuts In order, none overlapping.
 * @returns {Line[]}
 */
export function linesOf(part, span, cuts) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {Run[]} */
  let runs = [];
  let breaks = 2;

  /** @param {Run} run */
  const add = (run) => {
    for (const piece of piecesOf(run)) {
      if (piece.text === "\n") {
        if (runs.length > 0) {
          lines.push({ isApart: breaks > 1, block: blockAt(part.blocks, runs[0].from), runs });
          runs = [];
          breaks = 0;
        }
        breaks += 1;
      } else {
        runs.push(piece);
      }
    }
  };

  for (const { from, to, cut } of stretches(span, cuts)) {
    if (cut?.look === "hidden") continue;
    add({ from, to, text: part.text.slice(from - part.from, to - part.from), cut });
  }
  if (runs.length > 0) lines.push({ isApart: breaks > 1, block: blockAt(part.blocks, runs[0].from), runs });
  return lines;
}

/**
 * A span divided where cuts begin and end.
 *
 * @param {Span} span
 * @param {readonly Cut[]} cuts
 */
function* stretches({ from, to }, cuts) {
  let at = from;
  for (const cut of cuts) {
    if (cut.to <= at || cut.from >= to) continue;
    if (cut.from > at) yield { from: at, to: cut.from, cut: null };
    at = Math.max(at, cut.from);
    const end = Math.min(to, cut.to);
    yield { from: at, to: end, cut };
    at = end;
  }
  if (at < to) yield { from: at, to, cut: null };
}

/**
 * A run divided at its line ends, each of which is a piece of its own.
 *
 * @param {Run} run
 */
function* piecesOf({ from, text, cut }) {
  let at = 0;
  for (const piece of text.split(/(\n)/)) {
    if (piece !== "") yield { from: from + at, to: from + at + piece.length, text: piece, cut };
    at += piece.length;
  }
}

/**
 * The innermost block around a place.
 *
 * @param {readonly Block[]} blocks
 * @param {number} unit
 */
function blockAt(blocks, unit) {
  /** @type {Block | null} */
  let found = null;
  for (const block of blocks) {
    if (block.from > unit) break;
    if (block.to > unit) found = block;
  }
  return found;
}
