import { requestJSON } from "./http.js";

/** @typedef {import("./recordings.js").Mark} Mark */

/** @param {string} item The recording's id. */
const pathOf = (item) => `/api/library/${encodeURIComponent(item)}/marks`;

/**
 * @param {string} item
 * @param {AbortSignal} [signal]
 * @returns {Promise<Mark[]>} By time.
 */
export async function loadMarks(item, signal) {
  return requestJSON(pathOf(item), { signal });
}

/**
 * Replaces all marks of a recording.
 *
 * @param {string} item
 * @param {readonly Mark[]} marks In any order.
 * @returns {Promise<Mark[]>} As they are kept.
 */
export async function saveMarks(item, marks) {
  return requestJSON(pathOf(item), { method: "PUT", body: { marks } });
}
