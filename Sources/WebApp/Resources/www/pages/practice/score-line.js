import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { percent } from "./session/summary-view.js";

/** @typedef {import("../../server/practice.js").PracticeSession} PracticeSession */

const namespace = "http://www.w3.org/2000/svg";

/** The drawing's size in units, and how many sessions it shows. */
const width = 300;
const height = 48;
const maximumDrawn = 30;

/**
 * The scores of sessions, oldest first.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {number[]} From 0 to 1; sessions without a score are omitted.
 */
export function scoresOver(sessions) {
  const known = sessions.flatMap(({ created, summary }) => (summary?.score == null ? [] : [{ created, score: summary.score }]));
  known.sort((one, other) => one.created.localeCompare(other.created));
  return known.map(({ score }) => score).slice(-maximumDrawn);
}

/**
 * The scores over time; nothing for fewer than three, which show no trend.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {HTMLElement | null}
 */
export function scoreLine(sessions) {
  const scores = scoresOver(sessions);
  const [first, last] = [scores[0], scores[scores.length - 1]];
  if (scores.length < 3 || first === undefined || last === undefined) return null;
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 -4 ${width} ${height + 8}`);
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(namespace, "polyline");
  line.setAttribute("points", scores.map((score, index) => `${((index * width) / (scores.length - 1)).toFixed(1)},${((1 - score) * height).toFixed(1)}`).join(" "));
  picture.append(line);
  const words = t("practice.over-time", { n: scores.length, first: percent(first), last: percent(last) });
  return h("figure", { class: "score-line" }, picture, h("figcaption", { class: "muted small" }, words));
}
