import { sendFile } from "./send-file.js";

/**
 * @typedef {object} ImportOptions
 * @property {string | null} [password] Of a document that asks for one.
 * @property {boolean} [keepTwin] Whether it is kept once more when it is there already.
 * @property {(part: number) => void} [progressed] How much has been sent, from 0 to 1.
 * @property {AbortSignal} [signal] Ends it. A file that the server has all of may be kept nevertheless.
 */

/**
 * @typedef {object} Imported
 * @property {import("./documents.js").Document} document
 * @property {import("./documents.js").Notice[]} notices
 * @property {boolean} isReused
 */

/**
 * Puts a file among the documents. The server works on one at a time.
 *
 * @param {File} file
 * @param {ImportOptions} options
 * @param {() => XMLHttpRequest} [makeRequest]
 * @returns {Promise<Imported>}
 * @throws {import("./http.js").ServerProblem} Or the signal's reason when it was aborted.
 */
export function importDocument(file, { password = null, keepTwin = false, progressed, signal } = {}, makeRequest) {
  /** @type {Record<string, string>} */
  const headers = password === null ? {} : { "X-Document-Password": encodeURIComponent(password) };
  const query = { name: file.name, twin: keepTwin ? "keep" : undefined };
  return sendFile("/api/documents", file, { query, headers, progressed, signal }, makeRequest);
}
