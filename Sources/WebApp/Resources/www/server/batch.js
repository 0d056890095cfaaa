import { requestJSON } from "./http.js";

/**
 * One narration that the batch has made, makes or will make.
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
 * How far the batch is.
 *
 * @typedef {object} BatchCount
 * @property {number} total
 * @property {number} done
 * @property {number} failed
 * @property {number} current Which one is spoken, from 1; 0 when there is none.
 * @property {boolean} isRunning
 * @property {boolean} isFinished
 * @property {import("./narrations.js").Narration["failure"]} failure Why it is not worked on although something is left, or `null`.
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
 * @property {boolean} [byChapter] One recording for each chapter.
 * @property {import("./documents.js").SpokenSettings} [settings]
 */

/**
 * Puts documents at the batch's end and has it begin.
 *
 * @param {BatchOrder[]} documents Without a selection, what was chosen last of each is spoken.
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

/** @returns {Promise<Batch>} Without what was left to do. */
export async function cancelBatch() {
  return requestJSON("/api/batch/cancel", { method: "POST" });
}

/**
 * @param {number} id Of an entry.
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is about to go.
 * @returns {Promise<Batch>} Without it.
 */
export async function removeFromBatch(id, { keepalive = false } = {}) {
  return requestJSON(`/api/batch/${id}`, { method: "DELETE", keepalive });
}

/**
 * Tries one again that failed.
 *
 * @param {number} id Of an entry.
 * @returns {Promise<Batch>}
 */
export async function retryInBatch(id) {
  return requestJSON(`/api/batch/${id}/retry`, { method: "POST" });
}

/** @returns {Promise<Batch>} Without what is done or has failed. */
export async function dismissBatch() {
  return requestJSON("/api/batch/dismiss", { method: "POST" });
}
