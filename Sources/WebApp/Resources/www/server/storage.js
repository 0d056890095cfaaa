import { request, requestJSON } from "./http.js";
import { fileAddress } from "./library.js";

/**
 * @typedef {object} Storage
 * @property {string | null} library The path of its folder on the server's machine.
 * @property {string} voices The path of the voices' folder.
 * @property {string} recognizers The path of the recognisers' folder.
 * @property {number} speechBytes Of cached sound.
 * @property {Record<string, number>} libraryBytes What the library takes of the disk, by kind.
 */

/** The kinds of what a library holds, in the order they are shown. */
export const libraryKinds = ["recordings", "importedFiles", "narrations", "documents", "takes", "unfinished", "speechCache", "database"];

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

/** Deletes the files that recordings were imported from; the recordings stay. */
export async function deleteImportedFiles() {
  await request("/api/storage/files", { method: "DELETE" });
}

/**
 * Deletes the file that a recording was imported from; the recording stays.
 *
 * @param {string} id
 */
export async function deleteImportedFile(id) {
  await request(fileAddress(id), { method: "DELETE" });
}
