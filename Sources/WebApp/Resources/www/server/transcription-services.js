import { request, requestJSON } from "./http.js";

/**
 * Sound to be sent to a service.
 *
 * @typedef {object} Sending
 * @property {string} host The server, with the port where it is not the usual one.
 * @property {string} path
 * @property {boolean} isEncrypted
 * @property {boolean} isReadable Whether others can read it on its way to another machine.
 * @property {boolean} sendsWords Whether hotwords or a prompt go along.
 * @property {number} bytes
 * @property {number} seconds
 */

/**
 * A remote transcription service; its key never comes back from the server.
 *
 * @typedef {object} TranscriptionService
 * @property {string} name
 * @property {string} address
 * @property {string} host
 * @property {boolean} allowsPlain Whether sound may be sent to another machine over http.
 * @property {boolean} isOnThisMachine
 * @property {string} model
 * @property {string | null} language BCP 47.
 * @property {string | null} prompt
 * @property {boolean} hasKey
 * @property {Sending} trial The data that a test sends.
 */

/**
 * @typedef {object} TranscriptionServices
 * @property {TranscriptionService[]} services By name.
 */

/**
 * @typedef {object} ServiceContent
 * @property {string} address
 * @property {boolean} allowsPlain
 * @property {string} model
 * @property {string | null} language
 * @property {string | null} prompt
 * @property {string} [key] Empty for none; when absent, the present one stays as long as the server does.
 */

/**
 * @typedef {object} ServiceTrial
 * @property {string} text Its transcript, which may be empty.
 */

/** @param {string} name */
const path = (name) => `/api/transcription-services/${encodeURIComponent(name)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<TranscriptionServices>}
 */
export async function loadServices(signal) {
  return requestJSON("/api/transcription-services", { signal });
}

/**
 * @param {string} name
 * @param {ServiceContent} content
 * @returns {Promise<TranscriptionService>}
 */
export async function saveService(name, content) {
  return requestJSON(path(name), { method: "PUT", body: content });
}

/** @param {string} name */
export async function deleteService(name) {
  await request(path(name), { method: "DELETE" });
}

/**
 * Sends test sound to the service, with the user's consent.
 *
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<ServiceTrial>}
 */
export async function tryService(name, signal) {
  return requestJSON(`${path(name)}/try`, { method: "POST", signal });
}
