import { request, requestJSON } from "./http.js";

/**
 * A text that a user practises, and may edit.
 *
 * @typedef {object} Speech
 * @property {string} id
 * @property {string} title
 * @property {string} [text] Absent in the list.
 * @property {string} [excerpt] Its start; only in the list.
 * @property {string} language A BCP 47 tag.
 * @property {string} created ISO 8601.
 * @property {string} updated ISO 8601.
 * @property {number} characters As a reader counts them.
 */

/**
 * @typedef {{ title?: string, text: string, language: string }} SpeechContent The title defaults to the first words.
 */

/** The maximum number of characters of a speech, as a reader counts them. */
export const longestSpeech = 10_000;

/** @param {string} id */
const path = (id) => `/api/speeches/${encodeURIComponent(id)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ speeches: Speech[], limit: number }>} The last changed first; `limit`: the maximum number of
 * characters.
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
  return requestJSON(path(id), { signal });
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
 * @param {{ keepalive?: boolean }} options `keepalive`: whether the request outlives the page, if it can.
 * @returns {Promise<Speech>}
 */
export async function changeSpeech(id, content, { keepalive = false } = {}) {
  return requestJSON(path(id), { method: "PUT", body: content, keepalive: keepalive && canOutlivePage(content) });
}

/**
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteSpeech(id, { keepalive = false } = {}) {
  await request(path(id), { method: "DELETE", keepalive });
}
