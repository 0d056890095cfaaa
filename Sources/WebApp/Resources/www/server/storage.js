import { request, requestJSON } from "./http.js";

/**
 * @typedef {object} Storage
 * @property {string | null} library The path of its folder on the server's machine.
 * @property {string} voices The path of the voices' folder.
 * @property {string} recognizers The path of the recognisers' folder.
 * @property {number} speechBytes Of cached sound.
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Storage>}
 */
export async function loadStorage(signal) {
  return requestJSON("/api/storage", { signal });
}

/** Clears the cached speech. */
export async function clearSpeech() {
  await request("/api/storage/speech", { method: "DELETE" });
}
