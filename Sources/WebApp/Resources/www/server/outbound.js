import { requestJSON } from "./http.js";

/**
 * One connection to another machine.
 *
 * @typedef {object} OutboundRecord
 * @property {string} time ISO 8601.
 * @property {"catalogue" | "voice" | "recogniser" | "transcription"} purpose
 * @property {string} host
 * @property {number} bytesSent Of the user's own sound.
 * @property {number | null} seconds Of the sound that was sent.
 * @property {number} bytesReceived
 * @property {"begun" | "answered" | "refused" | "failed"} outcome
 */

/**
 * @typedef {object} OutboundRecords
 * @property {OutboundRecord[]} records Newest first.
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<OutboundRecords>}
 */
export async function loadConnections(signal) {
  return requestJSON("/api/outbound/records", { signal });
}
