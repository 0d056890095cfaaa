/**
 * The range in two fields.
 *
 * @param {string} first
 * @param {string} last
 * @returns {{ first: number, last: number } | null | undefined} `null` for none, `undefined` if invalid.
 */
export function loopOf(first, last) {
  if (first.trim() === "" && last.trim() === "") return null;
  const [from, to] = [Number(first), Number(last)];
  return Number.isInteger(from) && Number.isInteger(to) && from >= 1 && to >= from ? { first: from, last: to } : undefined;
}

/**
 * Whether a range ends after the last segment, as far as is known.
 *
 * @param {{ last: number } | null | undefined} loop
 * @param {{ known: number, isComplete: boolean }} segments
 */
export function isBeyond(loop, { known, isComplete }) {
  return isComplete && (loop?.last ?? 0) > known;
}
