/** @typedef {import("../../../server/practice.js").ScoredWord} ScoredWord */

/**
 * A piece of the take, and when it sounds so that its words begin with the model's.
 *
 * @typedef {object} AlignedPiece
 * @property {number} at Seconds of the model.
 * @property {number} from Seconds of the take.
 * @property {number} to
 */

/** Seconds before a word that belong to it: what is heard of it begins before the recogniser says so. */
const lead = 0.05;

/**
 * Cuts a take at its words, so that each sounds with the same word of the model.
 *
 * @param {readonly ScoredWord[]} words
 * @param {number} seconds Of the take.
 * @returns {AlignedPiece[]} By time; all of the take at once, when no word of it is known.
 */
export function alignedPieces(words, seconds) {
  const known = words.flatMap(({ start, modelStart }) => (start == null || modelStart == null ? [] : [{ start, at: modelStart }]));
  if (known.length === 0) return [{ at: 0, from: 0, to: seconds }];
  return known.map(({ start, at }, index) => {
    const from = Math.max(0, start - lead);
    const next = known[index + 1];
    const end = next === undefined ? seconds : Math.max(from, next.start - lead);
    // A word that was drawn out ends where the next one of the model begins.
    const room = next === undefined ? Infinity : Math.max(0, next.at - at);
    return { at: Math.max(0, at - lead), from, to: Math.min(end, from + room) };
  });
}
