import { request, requestJSON } from "./http.js";

/**
 * @typedef {object} HistoryEntry
 * @property {number} id
 * @property {string} text
 * @property {number} words
 * @property {string} spoken When, ISO 8601.
 */

/**
 * @typedef {object} History
 * @property {HistoryEntry[]} entries Newest first.
 * @property {number[]} unreadable The ids of texts that are damaged and left out.
 * @property {number} limit How many are kept.
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<History>}
 */
export async function loadHistory(signal) {
  return requestJSON("/api/history", { signal });
}

/**
 * @param {number} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteHistoryEntry(id, { keepalive = false } = {}) {
  await request(`/api/history/${id}`, { method: "DELETE", keepalive });
}

export async function clearHistory() {
  await request("/api/history", { method: "DELETE" });
}
