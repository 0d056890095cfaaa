import { requestJSON } from "./http.js";

/**
 * How loud a recording is, from its beginning to its end.
 *
 * @param {string} item The recording's id.
 * @param {AbortSignal} [signal]
 * @returns {Promise<number[]>} For up to 512 equal parts the square root of the largest amplitude; 255 is full scale.
 */
export async function loadPeaks(item, signal) {
  return requestJSON(`/api/library/${encodeURIComponent(item)}/waveform`, { signal });
}
