import { request, requestJSON } from "./http.js";

/**
 * The search for the speakers of a transcript.
 *
 * @typedef {object} SpeakerSearch
 * @property {string} transcript The version whose speakers are searched for.
 * @property {string} item The recording's id.
 * @property {"queued" | "running" | "done" | "failed" | "cancelled"} state
 * @property {number} progress From 0 to 1.
 * @property {string | null} version The version with the speakers' names.
 * @property {number | null} speakers How many there are.
 * @property {import("./voice-catalogue.js").Failure | null} failure
 */

/**
 * A model that is missing.
 *
 * @typedef {object} SpeakerModelOffer
 * @property {string} entry The name of its download.
 * @property {"segmentation" | "embedding"} kind
 * @property {number} expectedBytes
 * @property {import("./voice-catalogue.js").DownloadState} download
 */

/**
 * @typedef {object} Speakers
 * @property {boolean} isReady Whether the models are installed.
 * @property {SpeakerModelOffer[]} offers The models that are missing, for download.
 * @property {SpeakerSearch[]} searches Those that are running, queued or failed.
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
 * Starts the search for a version's speakers; events report the progress and the end.
 *
 * @param {string} transcript
 * @param {number | null} speakers How many there are; `null` when unknown.
 * @returns {Promise<SpeakerSearch>}
 */
export async function findSpeakers(transcript, speakers) {
  return requestJSON(path(transcript), { method: "POST", body: { speakers } });
}

/**
 * Stops a search, or dismisses a failed one.
 *
 * @param {string} transcript
 */
export async function cancelSpeakers(transcript) {
  await request(path(transcript), { method: "DELETE" });
}
