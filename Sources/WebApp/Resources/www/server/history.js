import { request, requestJSON } from "./http.js";

/**
 * @typedef {object} HistoryEntry
 * @property {number} id
 * @property {string} text
 * @property {number} words
 * @property {string} spoken ISO 8601.
 */

/**
 * @typedef {object} History
 * @property {HistoryEntry[]} entries Newest first.
 * @property {number[]} unreadable The ids of damaged texts, which are omitted.
 * @property {number} limit The maximum number of entries.
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
