import { request, requestJSON } from "./http.js";

/**
 * @typedef {object} Storage
 * @property {string | null} library The path of its folder on the server's machine.
 * @property {string} voices The path of theirs.
 * @property {string} recognizers The path of theirs.
 * @property {number} speechBytes Of sound that is remembered.
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Storage>}
 */
export async function loadStorage(signal) {
  return requestJSON("/api/storage", { signal });
}

/** Forgets the remembered speech. */
export async function clearSpeech() {
  await request("/api/storage/speech", { method: "DELETE" });
}
