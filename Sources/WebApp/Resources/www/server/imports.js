import { address, problemOf, ServerProblem, tell } from "./http.js";

/**
 * @typedef {object} ImportOptions
 * @property {string | null} [password] Of a document that asks for one.
 * @property {boolean} [keepTwin] Whether it is kept once more when it is there already.
 * @property {(part: number) => void} [progressed] How much has been sent, from 0 to 1.
 * @property {AbortSignal} [signal] Ends it; nothing is kept then.
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
 * @param {() => XMLHttpRequest} [makeRequest] `fetch` does not say how much it has sent.
 * @returns {Promise<Imported>}
 * @throws {ServerProblem} Or the signal's reason when it was aborted.
 */
export function importDocument(file, { password = null, keepTwin = false, progressed, signal } = {}, makeRequest = newRequest) {
  return new Promise((resolve, reject) => {
    const sending = makeRequest();
    sending.open("POST", address("/api/documents", { name: file.name, twin: keepTwin ? "keep" : undefined }));
    sending.setRequestHeader("Content-Type", "application/octet-stream");
    if (password !== null) sending.setRequestHeader("X-Document-Password", encodeURIComponent(password));
    sending.upload.onprogress = ({ loaded, total }) => progressed?.(total > 0 ? loaded / total : 0);
    sending.onload = () => {
      if (sending.status < 400) resolve(JSON.parse(sending.responseText));
      else reject(tell(problemOf(sending.status, contentOf(sending.responseText), sending.getResponseHeader("Retry-After"))));
    };
    sending.onerror = () => {
      reject(tell(new ServerProblem({ code: "server.unreachable", message: "EchoText does not answer." }, 0)));
    };
    sending.onabort = () => reject(signal?.reason);
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    signal?.addEventListener("abort", () => sending.abort(), { once: true });
    sending.send(file);
  });
}

function newRequest() {
  return new XMLHttpRequest();
}

/** @param {string} text */
function contentOf(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // not from EchoText's own code: the status alone is told
  }
}
