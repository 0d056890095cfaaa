/**
 * The row that stands nearest to a place and is no heading.
 *
 * @param {number} index It may be beyond either end.
 * @param {1 | -1} step Where to look first.
 * @param {number} count
 * @param {(index: number) => boolean} isHeading
 * @returns {number} The place itself, within the ends, when there are only headings.
 */
export function nearestRow(index, step, count, isHeading) {
  const start = Math.max(0, Math.min(index, count - 1));
  for (const way of [step, -step]) {
    for (let at = start; at >= 0 && at < count; at += way) if (!isHeading(at)) return at;
  }
  return start;
}
