import { address, request, requestJSON } from "./http.js";

/**
 * The source of a practice session.
 *
 * @typedef {object} PracticeSource
 * @property {"text" | "speech" | "document" | "recording" | "history" | "hard" | "session"} kind `session`: the text of another session.
 * @property {string} [id] For all kinds except `text` and `hard`.
 * @property {string} [text] For the kind `text`.
 * @property {string} [language] For the kind `text`; a BCP 47 tag.
 * @property {import("./documents.js").Selection} [selection] For a document.
 */

/** @typedef {import("./api.js").PracticeSettings} PracticeSettings */

/** @typedef {import("./api.js").Practice} PracticeSession */

/** @typedef {import("./api.js").PracticeSummary} PracticeSummary */

/**
 * An event of a session; `at` is seconds of a monotonic clock.
 *
 * @typedef {object} PracticeEvent
 * @property {"begin" | "playbackFinished" | "playbackFailed" | "echoElapsed" | "silenceHeard" | "pause" | "resume"
 *   | "interrupt" | "next" | "previous" | "jump" | "setSettings" | "end"} kind
 * @property {number} at
 * @property {number} [token]
 * @property {number} [segment]
 * @property {number} [seconds]
 * @property {"hidden" | "deviceLost" | "locked"} [reason]
 * @property {Partial<PracticeSettings>} [settings] Only the changes.
 * @property {boolean} [isKept] Whether later sessions begin with the changes. Default: true.
 */

/** @typedef {import("./api.js").PracticeOutcome} PracticeOutcome */

/** @typedef {PracticeOutcome["actions"][number]} PracticeAction An instruction of a session to the page. */

/** @typedef {import("./api.js").PracticeSegments} PracticeSegments */

/** @typedef {PracticeSegments["segments"][number]} PracticeSegment */

/** @typedef {import("./api.js").SegmentTiming} SegmentTiming When a segment's words are spoken. */

/** @typedef {import("./api.js").Take} PracticeTake */

/** @typedef {import("./api.js").TakeScore} TakeScore */

/** @typedef {TakeScore["words"][number]} ScoredWord A word of the segment, and its result. */

/**
 * @typedef {TakeScore["extra"][number]} ExtraWord A word that is not in the segment, and the number of the segment's words
 * before it.
 */

/** @typedef {TakeScore["pauses"]["take"][number]} Stretch Seconds. */

/** @typedef {import("./api.js").HeardTurn} HeardTurn A turn so far. */

/** @typedef {import("./api.js").HardSegments} HardSegments */

/** @typedef {import("./api.js").HardSegment} HardSegment */

/** @typedef {{ source: PracticeSource, settings?: Partial<PracticeSettings>, voice?: string, speaker?: number, from?: number }} SessionOrder */

const sessions = "/api/practice/sessions";

/** @param {string} id */
const sessionPath = (id) => `${sessions}/${encodeURIComponent(id)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ sessions: PracticeSession[], unreadable: number }>} Unfinished ones first, then by date;
 *   `unreadable`: how many more cannot be read.
 */
export async function listPracticeSessions(signal) {
  return requestJSON(sessions, { signal });
}

/**
 * @param {SessionOrder} order
 * @returns {Promise<PracticeSession>}
 */
export async function createPracticeSession(order) {
  return requestJSON(sessions, { method: "POST", body: order });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<PracticeSession>}
 */
export async function loadPracticeSession(id, signal) {
  return requestJSON(sessionPath(id), { signal });
}

/**
 * Deletes a session with its takes.
 *
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deletePracticeSession(id, { keepalive = false } = {}) {
  await request(sessionPath(id), { method: "DELETE", keepalive });
}

/**
 * @param {string} id
 * @param {readonly PracticeEvent[]} events Oldest first.
 * @param {{ keepalive?: boolean }} options
 * @returns {Promise<PracticeOutcome>}
 */
export async function sendPracticeEvents(id, events, { keepalive = false } = {}) {
  return requestJSON(`${sessionPath(id)}/events`, { method: "POST", body: { events }, keepalive });
}

/**
 * @param {string} id
 * @param {{ from: number, count: number }} window `from`: the first one's number.
 * @param {AbortSignal} [signal]
 * @returns {Promise<PracticeSegments>}
 */
export async function loadSegments(id, { from, count }, signal) {
  return requestJSON(`${sessionPath(id)}/segments`, { query: { from, count }, signal });
}

/**
 * @param {string} id
 * @param {number} segment
 * @param {number} rate
 * @param {AbortSignal} [signal]
 * @returns {Promise<ArrayBuffer>} A WAV file.
 */
export async function loadSegmentSound(id, segment, rate, signal) {
  return (await request(soundPath(id, segment), { query: { rate }, signal })).arrayBuffer();
}

/**
 * @param {string} id
 * @param {number} segment
 * @param {number} rate
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>} A WAV file that arrives while the segment is spoken, and does not know its length.
 */
export async function streamSegmentSound(id, segment, rate, signal) {
  return request(soundPath(id, segment), { query: { rate, streamed: true }, signal });
}

/**
 * @param {string} id
 * @param {number} segment
 */
const soundPath = (id, segment) => `${sessionPath(id)}/segments/${segment}/sound`;

/**
 * @param {string} id
 * @param {number} segment
 * @param {number} rate
 * @param {AbortSignal} [signal]
 * @returns {Promise<SegmentTiming>}
 */
export async function loadSegmentTiming(id, segment, rate, signal) {
  return requestJSON(`${sessionPath(id)}/segments/${segment}/timing`, { query: { rate }, signal });
}

/**
 * @param {string} id
 * @param {number} segment
 * @param {boolean} isHard
 */
export async function markHard(id, segment, isHard) {
  await request(`${sessionPath(id)}/segments/${segment}/hard`, { method: "POST", body: { isHard } });
}

/**
 * @param {string} id
 * @param {{ segment: number, repetition: number, rate: number, granularity?: PracticeSession["settings"]["granularity"] }} place `rate`: at which the
 * segment was heard before it; `granularity`: how the text was cut then.
 * @param {ArrayBuffer} wave
 * @returns {Promise<PracticeTake>}
 */
export async function sendTake(id, { segment, repetition, rate, granularity }, wave) {
  return requestJSON(address(`${sessionPath(id)}/takes`, { segment, repetition, rate, granularity }), { method: "POST", bytes: wave });
}

/**
 * Sends the next piece of a turn, of which nothing is kept.
 *
 * @param {string} id The session's.
 * @param {number} turn The pause's token.
 * @param {ArrayBuffer} piece A WAV file; an empty one starts the detector of voices.
 * @param {AbortSignal} [signal]
 * @returns {Promise<HeardTurn>}
 */
export async function hearVoice(id, turn, piece, signal) {
  return requestJSON(address(`${sessionPath(id)}/voice`, { turn }), { method: "POST", bytes: piece, signal });
}

/**
 * @param {string} id The session's.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ takes: PracticeTake[] }>}
 */
export async function listTakes(id, signal) {
  return requestJSON(`${sessionPath(id)}/takes`, { signal });
}

/** @param {string} id */
const takePath = (id) => `/api/practice/takes/${encodeURIComponent(id)}`;

/**
 * @param {string} id
 * @returns {Promise<TakeScore>}
 */
export async function scoreTake(id) {
  return requestJSON(`${takePath(id)}/score`, { method: "POST" });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<ArrayBuffer>} A WAV file.
 */
export async function loadTakeSound(id, signal) {
  return (await request(`${takePath(id)}/sound`, { signal })).arrayBuffer();
}

/**
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteTake(id, { keepalive = false } = {}) {
  await request(takePath(id), { method: "DELETE", keepalive });
}

/**
 * The segments that were hard to say.
 *
 * @param {AbortSignal} [signal]
 * @returns {Promise<HardSegments>}
 */
export async function listHardSegments(signal) {
  return requestJSON("/api/practice/hard", { signal });
}

/** @typedef {import("./api.js").Speech} Speech */

/**
 * @typedef {{ title?: string, text: string, language: string }} SpeechContent The title defaults to the first words.
 */

/** The maximum number of characters of a speech, as a reader counts them. */
export const longestSpeech = 10_000;

/** @param {string} id */
const speechPath = (id) => `/api/speeches/${encodeURIComponent(id)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ speeches: Speech[], unreadable: number, limit: number }>} The last changed first; `limit`: the
 *   maximum number of characters.
 */
export async function listSpeeches(signal) {
  return requestJSON("/api/speeches", { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Speech>}
 */
export async function loadSpeech(id, signal) {
  return requestJSON(speechPath(id), { signal });
}

/**
 * The maximum size in bytes of a speech in a request that outlives the page: 64 KiB, minus some for the rest of the
 * request.
 */
const longestOutliving = 60_000;

/**
 * Whether a request with a speech can outlive the page.
 *
 * @param {SpeechContent} content
 */
export function canOutlivePage(content) {
  return new TextEncoder().encode(JSON.stringify(content)).length <= longestOutliving;
}

/**
 * @param {SpeechContent} content
 * @param {{ keepalive?: boolean }} options `keepalive`: whether the request outlives the page, if it can.
 * @returns {Promise<Speech>}
 */
export async function createSpeech(content, { keepalive = false } = {}) {
  return requestJSON("/api/speeches", { method: "POST", body: content, keepalive: keepalive && canOutlivePage(content) });
}

/**
 * @param {string} id
 * @param {SpeechContent} content
 * @param {{ keepalive?: boolean, base?: string }} options `keepalive`: whether the request outlives the page, if it can;
 *   `base`: `updated` of the speech that it was made from, so that another one is not replaced.
 * @returns {Promise<Speech>}
 * @throws {import("./http.js").ServerProblem} `speech.changed` when there is another speech than `base`.
 */
export async function changeSpeech(id, content, { keepalive = false, base } = {}) {
  return requestJSON(speechPath(id), { method: "PUT", body: { ...content, base }, keepalive: keepalive && canOutlivePage(content) });
}

/**
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteSpeech(id, { keepalive = false } = {}) {
  await request(speechPath(id), { method: "DELETE", keepalive });
}
