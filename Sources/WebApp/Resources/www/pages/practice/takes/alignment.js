/** @typedef {import("../../../server/practice.js").ScoredWord} ScoredWord */

/**
 * A piece of the take, and when to play it so that its words start with the model's.
 *
 * @typedef {object} AlignedPiece
 * @property {number} at In seconds of the model.
 * @property {number} from In seconds of the take.
 * @property {number} to
 */

/** Seconds before a word that belong to it: it starts to sound before the recogniser's time. */
const lead = 0.05;

/**
 * Splits a take at its words, so that each plays together with the same word of the model.
 *
 * @param {readonly ScoredWord[]} words
 * @param {number} seconds The take's length.
 * @returns {AlignedPiece[]} By time; the whole take in one piece when none of its words is known.
 */
export function alignedPieces(words, seconds) {
  const known = words.flatMap(({ start, modelStart }) => (start == null || modelStart == null ? [] : [{ start, at: modelStart }]));
  if (known.length === 0) return [{ at: 0, from: 0, to: seconds }];
  return known.map(({ start, at }, index) => {
    const from = Math.max(0, start - lead);
    const next = known[index + 1];
    const end = next === undefined ? seconds : Math.max(from, next.start - lead);
    // A drawn-out word ends where the model's next one begins.
    const room = next === undefined ? Infinity : Math.max(0, next.at - at);
    return { at: Math.max(0, at - lead), from, to: Math.min(end, from + room) };
  });
}
