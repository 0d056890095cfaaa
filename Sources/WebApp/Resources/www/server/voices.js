import { address, request, requestJSON } from "./http.js";

/**
 * @typedef {object} Voice
 * @property {string} id
 * @property {string} name
 * @property {string} language A BCP 47 tag.
 * @property {"espeak-ng" | "sherpa-onnx"} engine
 * @property {number} speakers How many; they count from 0.
 * @property {string[] | null} speakerNames Theirs, in their order; `null` where the voice has none.
 * @property {number} sampleRate Hertz.
 * @property {string | null} quality `x_low`, `low`, `medium`, `high`, or a maker's own word; `null` where it has none.
 * @property {"int8" | "fp16" | null} variant The format of its weights; `null` for 32-bit floats.
 * @property {boolean} isFavorite
 */

/**
 * How something is said; what is absent comes from the chosen profile.
 *
 * @typedef {Partial<Omit<import("./profiles.js").ProfileContent, "name">>} VoiceSettings
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Voice[]>} Favourites first, then those that were installed, then those that are built in.
 */
export async function listVoices(signal) {
  return requestJSON("/api/voices", { signal });
}

/**
 * A short WAV of a voice.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has 200 characters at most.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 */
export async function loadSample(settings, signal) {
  return (await request(sampleAddress(settings), { signal })).blob();
}

/**
 * Where a short WAV of a voice is.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has 200 characters at most.
 */
export function sampleAddress({ voice, speaker, speed, pitch, liveliness, rhythm, text }) {
  return address("/api/voices/sample", { voice, speaker, speed, pitch, liveliness, rhythm, text });
}
