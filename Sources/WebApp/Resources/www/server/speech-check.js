import { request, requestJSON } from "./http.js";

/**
 * The state of a narration's check.
 *
 * @typedef {object} SpeechCheckProgress
 * @property {string} item The narration's id.
 * @property {"none" | "queued" | "running" | "done" | "failed"} state
 * @property {string | null} recognizer
 * @property {string | null} recognizerName
 * @property {number} progress From 0 to 1.
 * @property {number} heard Sentences checked so far.
 * @property {number} sentences Sentences in the narration.
 * @property {number} found Sentences with findings.
 * @property {import("./voice-catalogue.js").Failure | null} failure
 */

/** @typedef {SpeechCheckProgress & { findings: Finding[] }} SpeechCheck */

/**
 * A sentence that does not sound as written.
 *
 * @typedef {object} Finding
 * @property {number} number Its number, from 1.
 * @property {"missing" | "added" | "garbled"} kind
 * @property {number} start Seconds.
 * @property {number} end
 * @property {string} text
 * @property {string} heard
 * @property {{ from: number, to: number, heardFrom: number, heardTo: number }[]} differences The differing words in the
 * text and in the transcript, in UTF-16 units.
 * @property {boolean} isSpokenAnew Whether it was spoken again since the check, and checked again.
 */

/**
 * A sentence that was spoken again.
 *
 * @typedef {object} SpokenSentence
 * @property {import("./library.js").Item} item The updated recording.
 * @property {number} number
 * @property {number} start Seconds.
 * @property {number} end
 * @property {SpeechCheck} check
 */

/** @param {string} id The narration's. */
const path = (id) => `/api/library/${encodeURIComponent(id)}/speech-check`;

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<SpeechCheck>}
 */
export async function loadSpeechCheck(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * @param {string} id
 * @param {string} [recognizer] Default: the first that supports the language.
 * @returns {Promise<SpeechCheck>}
 */
export async function startSpeechCheck(id, recognizer) {
  return requestJSON(path(id), { method: "POST", body: { recognizer } });
}

/**
 * Stops a check, or deletes its findings.
 *
 * @param {string} id
 */
export async function forgetSpeechCheck(id) {
  await request(path(id), { method: "DELETE" });
}

/**
 * Speaks a sentence again, replacing its earlier version.
 *
 * @param {string} id
 * @param {number} number Its number, from 1.
 * @returns {Promise<SpokenSentence>}
 */
export async function speakSentence(id, number) {
  return requestJSON(`/api/library/${encodeURIComponent(id)}/sentences/${number}/speak`, { method: "POST" });
}
