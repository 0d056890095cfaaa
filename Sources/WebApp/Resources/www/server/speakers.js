import { request, requestJSON } from "./http.js";

/**
 * The search for the speakers of a transcript.
 *
 * @typedef {object} SpeakerSearch
 * @property {string} transcript The version whose speakers are looked for.
 * @property {string} item The recording's id.
 * @property {"queued" | "running" | "done" | "failed" | "cancelled"} state
 * @property {number} progress From 0 to 1.
 * @property {string | null} version The one that names them.
 * @property {number | null} speakers How many there are.
 * @property {import("./voice-catalogue.js").Failure | null} failure
 */

/**
 * @typedef {object} Speakers
 * @property {boolean} isReady Whether the models are installed.
 * @property {SpeakerSearch[]} searches Those that are under way, wait or have failed.
 */

/** @param {string} transcript */
const path = (transcript) => `/api/transcripts/${encodeURIComponent(transcript)}/speakers`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Speakers>}
 */
export async function loadSpeakers(signal) {
  return requestJSON("/api/speakers", { signal });
}

/**
 * Has the speakers of a version found; events report the progress and the end.
 *
 * @param {string} transcript
 * @param {number | null} speakers How many there are; `null` when nobody knows.
 * @returns {Promise<SpeakerSearch>}
 */
export async function findSpeakers(transcript, speakers) {
  return requestJSON(path(transcript), { method: "POST", body: { speakers } });
}

/**
 * Stops a search, or forgets one that has failed.
 *
 * @param {string} transcript
 */
export async function cancelSpeakers(transcript) {
  await request(path(transcript), { method: "DELETE" });
}
