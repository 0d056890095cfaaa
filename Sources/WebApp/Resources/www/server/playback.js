import { request, requestJSON } from "./http.js";

/** @typedef {import("./library.js").Item} Item */

/** @typedef {import("./api.js").Entry} QueueEntry */

/** @typedef {import("./api.js").Bookmark} Bookmark */

/** @typedef {import("./api.js").Playback} Playback */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Playback>}
 */
export async function loadPlayback(signal) {
  return requestJSON("/api/playback", { signal });
}

/** The maximum number of ids in a request that outlives the page: browsers allow 64 KiB. */
export const mostThatOutlive = 1_000;

/**
 * Adds recordings to the end of the queue. Like all changes of the queue, the request outlives the page.
 *
 * @param {string[]} items Their ids.
 * @returns {Promise<Playback>}
 */
export async function addToQueue(items) {
  const keepalive = items.length <= mostThatOutlive;
  return requestJSON("/api/playback/entries", { method: "POST", body: { items }, keepalive });
}

/**
 * @param {string[]} ids Of entries.
 * @returns {Promise<Playback>}
 */
export async function removeFromQueue(ids) {
  const keepalive = ids.length <= mostThatOutlive;
  return requestJSON("/api/playback/entries/remove", { method: "POST", body: { ids }, keepalive });
}

/**
 * @param {string} id Of an entry.
 * @param {number} position Its position after the move, from 0.
 * @returns {Promise<Playback>}
 */
export async function moveInQueue(id, position) {
  return requestJSON("/api/playback/entries/move", { method: "POST", body: { id, position }, keepalive: true });
}

/**
 * @param {string | null} id Of an entry.
 * @returns {Promise<Playback>}
 */
export async function setCurrent(id) {
  return requestJSON("/api/playback/current", { method: "PUT", body: { id }, keepalive: true });
}

/** @returns {Promise<Playback>} */
export async function clearQueue() {
  return requestJSON("/api/playback/clear", { method: "POST", keepalive: true });
}

/**
 * @param {string} item
 * @param {number} position Seconds.
 * @param {{ list?: string | null, keepalive?: boolean }} options `list`: as in a {@link Bookmark}.
 */
export async function keepBookmark(item, position, { list = null, keepalive = false } = {}) {
  const body = { item, position, list: list ?? undefined };
  await request("/api/playback/bookmark", { method: "PUT", body, keepalive });
}

/** Deletes the bookmark. */
export async function removeBookmark() {
  await request("/api/playback/bookmark", { method: "DELETE" });
}

/** @typedef {import("./api.js").HistoryEntry} HistoryEntry */

/** @typedef {import("./api.js").History} History */

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
