import { request, requestJSON } from "./http.js";

/**
 * Speech being made; it becomes a recording with the same id.
 *
 * @typedef {object} Narration
 * @property {string} id
 * @property {string} name
 * @property {"speaking" | "waiting" | "stopped" | "failed" | "finished"} state
 * @property {string} voice
 * @property {string} voiceName
 * @property {number} speaker
 * @property {number} speed
 * @property {number} pitch
 * @property {string} created ISO 8601.
 * @property {number} characters Of the whole text, in UTF-16 units.
 * @property {number} position How much of it has been spoken, in UTF-16 units.
 * @property {number} sentence How many are done.
 * @property {number | null} sentences An estimate of all.
 * @property {number} seconds Made so far.
 * @property {number | null} secondsLeft An estimate.
 * @property {number} sampleRate Hertz.
 * @property {{ code: string, message: string, suggestion: string | null } | null} failure
 * @property {string[]} unspoken The first words of what could not be spoken and was left out.
 * @property {Source | null} [document] What it is spoken from, when that is a document.
 */

/**
 * What of a document something is spoken from.
 *
 * @typedef {object} Source
 * @property {string} id The document's, which may be gone.
 * @property {string} [part] Which part of it, in words; absent for all of it.
 * @property {import("./documents.js").Selection | null} [selection]
 */

/**
 * @typedef {object} Word
 * @property {number} start Seconds.
 * @property {number} end Seconds.
 * @property {number} from The place in the text, in UTF-16 units.
 * @property {number} to
 * @property {boolean} exact Whether the engine said when; else the time is an estimate.
 */

/**
 * @typedef {object} Sentence
 * @property {number} start Seconds.
 * @property {number} end Seconds.
 * @property {number} from The place in the text, in UTF-16 units.
 * @property {number} to
 * @property {Word[]} words
 */

/**
 * @typedef {object} Timings
 * @property {number} sampleRate Hertz.
 * @property {Sentence[]} sentences Oldest first.
 */

/**
 * @typedef {import("./voices.js").VoiceSettings & { text: string, name?: string, profile?: string }} NarrationRequest
 */

/** @param {string} id */
const path = (id) => `/api/narrations/${encodeURIComponent(id)}`;

/**
 * @param {NarrationRequest} wanted
 * @returns {Promise<Narration>}
 */
export async function startNarration(wanted) {
  return requestJSON("/api/narrations", { method: "POST", body: wanted });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Narration[]>} Running, waiting and unfinished ones, oldest first.
 */
export async function listNarrations(signal) {
  return requestJSON("/api/narrations", { signal });
}

/**
 * A narration that nobody speaks though it is no recording yet.
 *
 * @typedef {object} Unfinished
 * @property {string | null} id `null` when nothing of it was begun.
 * @property {number | null} entry The entry of the batch that failed with it.
 * @property {string} name
 * @property {"interrupted" | "stopped" | "failed"} reason
 * @property {Narration["failure"]} failure
 * @property {string} voiceName
 * @property {string | null} created ISO 8601.
 * @property {number | null} characters Of the whole text, in UTF-16 units, where that is known.
 * @property {number} position How much of it has been spoken, in UTF-16 units.
 * @property {number} seconds Of sound that is kept.
 * @property {Source | null} document
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Unfinished[]>} The latest first, and then what the batch could not begin.
 */
export async function listUnfinished(signal) {
  return requestJSON("/api/narrations/unfinished", { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Narration>}
 */
export async function loadNarration(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function loadNarrationText(id, signal) {
  return (await requestJSON(`${path(id)}/text`, { signal })).text;
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Timings>} Of what has been made.
 */
export async function loadNarrationTimings(id, signal) {
  return requestJSON(`${path(id)}/timings`, { signal });
}

/**
 * Follows the sound while it is made.
 *
 * @param {string} id
 * @param {number} from The first sample wanted.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ sampleRate: number, stream: ReadableStream<Uint8Array> }>} Signed 16-bit little-endian mono; a
 *   chunk may end in the middle of a sample. Ends with the narration.
 */
export async function openNarrationSound(id, from, signal) {
  const response = await request(`${path(id)}/sound`, { query: { from }, signal });
  const stream = response.body ?? new ReadableStream({ start: (controller) => controller.close() });
  return { sampleRate: Number(response.headers.get("X-Sample-Rate")), stream };
}

/**
 * @param {string} id
 * @param {"keep" | "discard" | "leave"} ending What was spoken becomes a recording, is discarded, or stays to be continued.
 */
export async function stopNarration(id, ending) {
  await request(`${path(id)}/stop`, { method: "POST", body: { keepPart: ending === "keep", leave: ending === "leave" } });
}

/**
 * Resumes an unfinished one.
 *
 * @param {string} id
 * @returns {Promise<Narration>}
 */
export async function continueNarration(id) {
  return requestJSON(`${path(id)}/continue`, { method: "POST" });
}

/**
 * Discards an unfinished one.
 *
 * @param {string} id
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is about to go.
 */
export async function discardNarration(id, { keepalive = false } = {}) {
  await request(path(id), { method: "DELETE", keepalive });
}

/**
 * @param {string} id
 * @returns {Promise<number>} Where listening to an unfinished one stopped, in seconds; 0 at first.
 */
export async function loadNarrationPlace(id) {
  return (await requestJSON(`${path(id)}/place`, {})).seconds;
}

/**
 * @param {string} id
 * @param {number} seconds
 * @param {{ keepalive?: boolean }} options `keepalive` when the page is about to go.
 */
export async function keepNarrationPlace(id, seconds, { keepalive = false } = {}) {
  await request(`${path(id)}/place`, { method: "PUT", body: { seconds }, keepalive });
}
