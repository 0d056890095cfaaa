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
 * Puts documents at the batch's end and has it begin, with the voice settings of the chosen profile.
 *
 * @param {BatchOrder[]} documents Without a selection, what was chosen last of each is spoken.
 * @param {{ byChapter?: boolean }} options `byChapter`: one recording for each chapter.
 * @returns {Promise<Batch>}
 */
export async function addToBatch(documents, { byChapter = false } = {}) {
  return requestJSON("/api/batch", { method: "POST", body: { documents, byChapter } });
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
 * @returns {Promise<Batch>} Without it.
 */
export async function removeFromBatch(id) {
  return requestJSON(`/api/batch/${id}`, { method: "DELETE" });
}

/** @returns {Promise<Batch>} Without what is done or has failed. */
export async function dismissBatch() {
  return requestJSON("/api/batch/dismiss", { method: "POST" });
}
