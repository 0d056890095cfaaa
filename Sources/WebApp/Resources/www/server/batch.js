import { requestJSON } from "./http.js";

/**
 * A finished, running or queued narration of the batch.
 *
 * @typedef {object} BatchEntry
 * @property {number} id
 * @property {string | null} document
 * @property {string | null} part
 * @property {string} name
 * @property {"waiting" | "begun" | "done" | "failed"} state
 * @property {string | null} narration The recording's, when it is done.
 * @property {{ code: string, message: string, suggestion: string | null } | null} failure
 */

/**
 * The progress of the batch.
 *
 * @typedef {object} BatchCount
 * @property {number} total
 * @property {number} done
 * @property {number} failed
 * @property {number} current The number of the running entry, from 1; 0 when there is none.
 * @property {boolean} isRunning
 * @property {boolean} isFinished
 * @property {import("./narrations.js").Narration["failure"]} failure Why it is stopped although something is left, or
 * `null`.
 */

/** @typedef {BatchCount & { entries: BatchEntry[] }} Batch */

/** @typedef {{ id: string, selection?: import("./documents.js").Selection }} BatchOrder */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Batch>}
 */
export async function loadBatch(signal) {
  return requestJSON("/api/batch", { signal });
}

/**
 * @typedef {object} BatchOptions
 * @property {boolean} [byChapter] One recording per chapter.
 * @property {import("./documents.js").SpokenSettings} [settings]
 */

/**
 * Adds documents to the end of the batch and starts it.
 *
 * @param {BatchOrder[]} documents Without a selection, the document's last one is used.
 * @param {BatchOptions} options
 * @returns {Promise<Batch>}
 */
export async function addToBatch(documents, { byChapter = false, settings = {} } = {}) {
  return requestJSON("/api/batch", { method: "POST", body: { documents, byChapter, ...settings } });
}

/** @returns {Promise<Batch>} The batch, running again. */
export async function startBatch() {
  return requestJSON("/api/batch/start", { method: "POST" });
}

/** @returns {Promise<Batch>} The batch without its unfinished entries. */
export async function cancelBatch() {
  return requestJSON("/api/batch/cancel", { method: "POST" });
}

/**
 * @param {number} id Of an entry.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is unloading.
 * @returns {Promise<Batch>} The batch without it.
 */
export async function removeFromBatch(id, { keepalive = false } = {}) {
  return requestJSON(`/api/batch/${id}`, { method: "DELETE", keepalive });
}

/**
 * Retries a failed entry.
 *
 * @param {number} id Of an entry.
 * @returns {Promise<Batch>}
 */
export async function retryInBatch(id) {
  return requestJSON(`/api/batch/${id}/retry`, { method: "POST" });
}

/** @returns {Promise<Batch>} The batch without finished and failed entries. */
export async function dismissBatch() {
  return requestJSON("/api/batch/dismiss", { method: "POST" });
}
