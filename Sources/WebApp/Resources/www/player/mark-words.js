import { clock } from "../core/format.js";
import { t } from "../core/i18n.js";

/** @typedef {import("../server/recordings.js").Mark} Mark */

/**
 * A mark's time and name.
 *
 * @param {Mark} mark
 */
export function markWords({ seconds, label }) {
  return `${clock(seconds)} ${label ?? t("marks.mark")}`;
}

/**
 * The mark nearest to a time.
 *
 * @param {readonly Mark[]} marks
 * @param {number} time Seconds.
 * @param {number} reach The longest distance, in seconds.
 * @returns {Mark | null} `null` if none is within reach.
 */
export function markAt(marks, time, reach) {
  const distance = (/** @type {Mark} */ { seconds }) => Math.abs(seconds - time);
  const near = marks.filter((mark) => distance(mark) <= reach);
  return near.reduce((/** @type {Mark | null} */ best, mark) => (best === null || distance(mark) < distance(best) ? mark : best), null);
}
