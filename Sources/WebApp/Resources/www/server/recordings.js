import { address, request, requestJSON } from "./http.js";
import { sendFile } from "./send-file.js";

/** @typedef {import("./api.js").RecordingSession} Session */

/** @typedef {import("./api.js").RecordingMark} Mark */

/**
 * @typedef {object} SessionOrder
 * @property {string} [name]
 * @property {string} [language]
 * @property {number} sampleRate
 * @property {string} [device]
 */

/** @typedef {import("./api.js").ChunkReceipt} ChunkReceipt */

/** @param {string} id */
const path = (id) => `/api/recordings/sessions/${encodeURIComponent(id)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ sessions: Session[] }>} Oldest first.
 */
export async function listSessions(signal) {
  return requestJSON("/api/recordings/sessions", { signal });
}

/**
 * @param {SessionOrder} order
 * @returns {Promise<Session>}
 */
export async function beginSession(order) {
  return requestJSON("/api/recordings/sessions", { method: "POST", body: order });
}

/**
 * @param {string} id
 * @returns {Promise<Session>}
 */
export async function loadSession(id) {
  return requestJSON(path(id), {});
}

/**
 * Updates a session; sending its state also says that its page is alive.
 *
 * @param {string} id
 * @param {{ state?: Session["state"], name?: string, language?: string }} change
 * @returns {Promise<Session>}
 */
export async function changeSession(id, change) {
  return requestJSON(path(id), { method: "PATCH", body: change });
}

/**
 * Sends a chunk; sending one again changes nothing.
 *
 * @param {string} id
 * @param {number} number
 * @param {ArrayBuffer} samples 16-bit mono, little-endian.
 * @returns {Promise<ChunkReceipt>}
 */
export async function sendChunk(id, number, samples) {
  return requestJSON(`${path(id)}/chunks/${number}`, { method: "PUT", bytes: samples });
}

/**
 * @param {string} id
 * @param {{ seconds: number, label?: string }} mark
 * @returns {Promise<Session>}
 */
export async function markSession(id, mark) {
  return requestJSON(`${path(id)}/marks`, { method: "POST", body: mark });
}

/**
 * Continues an interrupted session.
 *
 * @param {string} id
 * @returns {Promise<Session>}
 */
export async function resumeSession(id) {
  return requestJSON(`${path(id)}/resume`, { method: "POST" });
}

/**
 * Turns a session into a recording of the library.
 *
 * @param {string} id
 * @returns {Promise<import("./library.js").Item>}
 */
export async function finishSession(id) {
  return requestJSON(`${path(id)}/finish`, { method: "POST" });
}

/** @param {string} id */
export async function discardSession(id) {
  await request(path(id), { method: "DELETE" });
}

/**
 * The address of a session's sound so far, for an `<audio>`.
 *
 * @param {Session} session
 */
export function sessionSoundAddress({ id, samples }) {
  return address(`${path(id)}/sound`, { samples });
}

/** Bytes before the sound in the WAV file of a session. */
const waveHeader = 44;

/**
 * A part of a session's sound so far.
 *
 * @param {string} id
 * @param {number} start In bytes of sound.
 * @param {number} length In bytes, at least one.
 * @returns {Promise<ArrayBuffer>} Samples of 16 bits.
 */
export async function loadSessionSound(id, start, length) {
  const first = waveHeader + start;
  return (await request(`${path(id)}/sound`, { headers: { Range: `bytes=${first}-${first + length - 1}` } })).arrayBuffer();
}

/**
 * The end of a finished recording's sound.
 *
 * @param {string} item
 * @param {number} length In bytes, at least one.
 * @returns {Promise<ArrayBuffer>} Samples of 16 bits; where there are fewer, the whole WAV file.
 */
export async function loadSoundEnd(item, length) {
  const headers = { Range: `bytes=-${length}` };
  return (await request(`/api/library/${encodeURIComponent(item)}/sound`, { headers })).arrayBuffer();
}

/** @typedef {import("./api.js").SoundNotice} SoundNotice */

/**
 * Imports a sound or video file; of one that was imported before, the answer is the recording that is there.
 *
 * @param {File} file
 * @param {{ keepsPart?: boolean, track?: number | null, keepsTwin?: boolean, progressed?: (part: number) => void, signal?: AbortSignal }} options
 *   `keepsPart`: whether what can be read of a damaged file is kept; `track`: which of several sound tracks is taken, from 1;
 *   `keepsTwin`: whether it is imported again.
 * @returns {Promise<{ item: import("./library.js").Item, notices: SoundNotice[], isReused: boolean }>}
 */
export async function importSound(file, { keepsPart = false, track = null, keepsTwin = false, progressed, signal } = {}) {
  const query = { name: file.name, twin: keepsTwin ? "keep" : "reuse", ...(keepsPart && { keepPart: "true" }), ...(track !== null && { track }) };
  return sendFile("/api/library/imports", file, { query, progressed, signal });
}

/** @param {string} item The recording's id. */
const pathOf = (item) => `/api/library/${encodeURIComponent(item)}/marks`;

/**
 * @param {string} item
 * @param {AbortSignal} [signal]
 * @returns {Promise<Mark[]>} By time.
 */
export async function loadMarks(item, signal) {
  return requestJSON(pathOf(item), { signal });
}

/**
 * Changes the marks of a recording; others' changes stay.
 *
 * @param {string} item
 * @param {(marks: readonly Mark[]) => readonly Mark[]} change May be called again, with the present marks.
 * @returns {Promise<readonly Mark[]>} As they are kept.
 */
export async function changeMarks(item, change) {
  const base = await loadMarks(item);
  const marks = change(base);
  if (marks === base) return base;
  return requestJSON(pathOf(item), { method: "PUT", body: { marks, base } }).catch((problem) => {
    if (problem.code === "library.recording-changed") return changeMarks(item, change);
    throw problem;
  });
}

/**
 * Adds marks to a recording that it does not have; to none that is gone.
 *
 * @param {string} item
 * @param {readonly { seconds: number, label?: string | null }[]} marks
 * @returns {Promise<readonly { seconds: number }[]>} Those that it never takes.
 */
export async function addMarks(item, marks) {
  return changeMarks(item, (present) => {
    const added = marks.filter(({ seconds }) => !present.some((one) => Math.abs(one.seconds - seconds) < 0.001));
    return added.length > 0 ? [...present, ...added.map(({ seconds, label = null }) => ({ seconds, label }))] : present;
  }).then(() => [], (problem) => {
    if (![400, 404, 422].includes(problem.status) && problem.code !== "recording.too-many-marks") throw problem;
    return problem.status === 404 ? [] : marks;
  });
}

/** The status by which a server refuses an address that is not its own. */
const misdirected = 421;
/** How long an answer is waited for, in milliseconds: requests that hang would keep those with sound from being sent. */
const patience = 5_000;

/**
 * Whether EchoText was started again: what answers at the page's address has another one of its own, so the page's
 * server never comes back. Nothing of the page's is sent.
 *
 * @returns {Promise<boolean>} `false` also when nobody answers.
 */
export async function isStartedAgain() {
  const life = new AbortController();
  const timer = setTimeout(() => life.abort(), patience);
  try {
    const { status } = await fetch(address("/api/proof", { of: crypto.randomUUID() }), { method: "GET", credentials: "omit", signal: life.signal });
    return status === misdirected;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
