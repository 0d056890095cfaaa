import { address, problemOf, report, ServerProblem, trust } from "./http.js";

trust.prove = async () => {
  if (trust.proofKey === "") return;
  const challenge = crypto.randomUUID();
  const answer = await fetch(address("/api/proof", { of: challenge }), { method: "GET", credentials: "omit" });
  const { proof } = await answer.json();
  const way = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytesIn(trust.proofKey), way, false, ["verify"]);
  const isRight = await crypto.subtle.verify(way, key, bytesIn(proof), new TextEncoder().encode(challenge));
  if (!isRight) throw new Error("somebody else answers");
  trust.isDoubted = false;
};

/** @param {string} text In hexadecimal. */
function bytesIn(text) {
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/**
 * Verifies, if in doubt, that the server is the one that the page came from. The request carries no session.
 *
 * @throws {Error} When nobody answers, or another server does.
 */
export async function assure() {
  if (trust.isDoubted) await trust.prove();
}

/**
 * @typedef {object} SendOptions
 * @property {import("./http.js").Query} [query]
 * @property {Record<string, string>} [headers]
 * @property {(part: number) => void} [progressed] Receives the uploaded fraction, from 0 to 1.
 * @property {AbortSignal} [signal] Cancels it.
 */

/**
 * Uploads a file.
 *
 * @param {string} path
 * @param {File} file
 * @param {SendOptions} options
 * @param {() => XMLHttpRequest} [makeRequest] `fetch` does not report upload progress.
 * @returns {Promise<any>} The response's JSON; the caller declares its type.
 * @throws {ServerProblem} Or the signal's reason when aborted.
 */
export function sendFile(path, file, { query, headers = {}, progressed, signal }, makeRequest = newRequest) {
  return new Promise((resolve, reject) => {
    const sending = makeRequest();
    sending.open("POST", address(path, query));
    sending.setRequestHeader("Content-Type", "application/octet-stream");
    for (const [name, value] of Object.entries(headers)) sending.setRequestHeader(name, value);
    sending.upload.onprogress = ({ loaded, total }) => progressed?.(total > 0 ? loaded / total : 0);
    sending.onload = () => {
      if (sending.status < 400) resolve(JSON.parse(sending.responseText));
      else reject(report(problemOf(sending.status, contentOf(sending.responseText), sending.getResponseHeader("Retry-After"))));
    };
    sending.onerror = () => {
      trust.isDoubted = true;
      reject(report(new ServerProblem({ code: "server.unreachable", message: "EchoText does not answer." }, 0)));
    };
    const stop = () => {
      sending.abort();
      reject(signal?.reason);
    };
    if (signal?.aborted) {
      stop();
      return;
    }
    signal?.addEventListener("abort", stop, { once: true });
    assure().then(() => signal?.aborted || sending.send(file), sending.onerror);
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
    return null; // not from EchoText's own code: only the status is known
  }
}
