/** @typedef {import("../../../server/practice.js").TakeScore} TakeScore */
/** @typedef {import("../../../server/practice.js").ScoredWord} ScoredWord */
/** @typedef {import("../../../server/practice.js").ExtraWord} ExtraWord */

/**
 * A piece of a segment and its result: words, the text between them, and extra words that the segment lacks.
 *
 * @typedef {{ kind: "plain", text: string }
 *   | { kind: "said" | "missed" | "different", text: string, word: ScoredWord }
 *   | { kind: "extra", text: string, extra: ExtraWord }} MarkedPiece
 */

/**
 * Splits the text of a segment into pieces, in order.
 *
 * @param {string} text
 * @param {Pick<TakeScore, "words" | "extra">} score
 * @returns {MarkedPiece[]}
 */
export function markedPieces(text, { words, extra }) {
  /** @type {MarkedPiece[]} */
  const pieces = [];
  const plain = (/** @type {string} */ part) => part !== "" && pieces.push({ kind: "plain", text: part });
  const addExtra = (/** @type {number} */ after) => {
    for (const one of extra.filter((word) => word.after === after)) pieces.push({ kind: "extra", text: one.heard, extra: one });
  };
  let at = 0;
  addExtra(0);
  words.forEach((word, index) => {
    plain(text.slice(at, word.from));
    pieces.push({ kind: word.kind, text: text.slice(word.from, word.to), word });
    at = Math.max(at, word.to);
    addExtra(index + 1);
  });
  plain(text.slice(at));
  return pieces;
}

/**
 * The number of words of each kind.
 *
 * @param {Pick<TakeScore, "words" | "extra">} score
 */
export function wordCounts({ words, extra }) {
  const count = (/** @type {ScoredWord["kind"]} */ kind) => words.filter((word) => word.kind === kind).length;
  return { said: count("said"), missed: count("missed"), different: count("different"), extra: extra.length };
}
