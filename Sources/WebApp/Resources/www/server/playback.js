import { request, requestJSON } from "./http.js";

/** @typedef {import("./library.js").Item} Item */

/**
 * One recording in the queue; the same one may be there twice.
 *
 * @typedef {object} QueueEntry
 * @property {string} id The entry's own.
 * @property {Item} item
 */

/**
 * @typedef {object} Bookmark
 * @property {Item} item
 * @property {number} position Seconds.
 * @property {string} made ISO 8601.
 */

/**
 * @typedef {object} Playback
 * @property {QueueEntry[]} entries In the order they are played.
 * @property {string | null} current An entry's id.
 * @property {Bookmark | null} bookmark
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Playback>}
 */
export async function loadPlayback(signal) {
  return requestJSON("/api/playback", { signal });
}

/**
 * Puts recordings at the end of the queue.
 *
 * @param {string[]} items Their ids.
 * @param {boolean} [start] Whether the first of them becomes the current one.
 * @returns {Promise<Playback>}
 */
export async function addToQueue(items, start = false) {
  return requestJSON("/api/playback/entries", { method: "POST", body: { items, start } });
}

/**
 * @param {string[]} ids Of entries.
 * @returns {Promise<Playback>}
 */
export async function removeFromQueue(ids) {
  return requestJSON("/api/playback/entries/remove", { method: "POST", body: { ids } });
}

/**
 * @param {string} id Of an entry.
 * @param {number} position Where it stands afterwards; the first place is 0.
 * @returns {Promise<Playback>}
 */
export async function moveInQueue(id, position) {
  return requestJSON("/api/playback/entries/move", { method: "POST", body: { id, position } });
}

/**
 * @param {string | null} id Of an entry.
 * @returns {Promise<Playback>}
 */
export async function setCurrent(id) {
  return requestJSON("/api/playback/current", { method: "PUT", body: { id } });
}

/** @returns {Promise<Playback>} */
export async function clearQueue() {
  return requestJSON("/api/playback/clear", { method: "POST" });
}

/**
 * @param {string} item
 * @param {number} position Seconds.
 * @param {{ keepalive?: boolean }} options
 */
export async function keepBookmark(item, position, { keepalive = false } = {}) {
  await request("/api/playback/bookmark", { method: "PUT", body: { item, position }, keepalive });
}
