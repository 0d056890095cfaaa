import { sendFile } from "./send-file.js";

/**
 * Adds a voice from an archive; the answer comes when it has been unpacked and has spoken a word.
 *
 * @param {File} file A `.tar.bz2`.
 * @param {{ progressed?: (part: number) => void, signal?: AbortSignal }} options `progressed`: how much has been sent, from
 *   0 to 1.
 * @param {() => XMLHttpRequest} [makeRequest]
 * @returns {Promise<import("./voice-catalogue.js").CatalogueVoice>}
 * @throws {import("./http.js").ServerProblem} Or the signal's reason when it was aborted.
 */
export function addVoiceFile(file, { progressed, signal }, makeRequest) {
  return sendFile("/api/voices/uploads", file, { query: { name: file.name }, progressed, signal }, makeRequest);
}
