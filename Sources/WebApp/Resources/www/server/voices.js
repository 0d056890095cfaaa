import { address, request, requestJSON } from "./http.js";

/**
 * @typedef {object} Voice
 * @property {string} id
 * @property {string} name
 * @property {string} language A BCP 47 tag.
 * @property {"espeak-ng" | "sherpa-onnx"} engine
 * @property {number} speakers Their number; they are numbered from 0.
 * @property {string[] | null} speakerNames In order; `null` if the voice has none.
 * @property {number} sampleRate Hertz.
 * @property {string | null} quality `x_low`, `low`, `medium`, `high`, or the maker's own word; `null` if it has none.
 * @property {"int8" | "fp16" | null} variant The format of its weights; `null` for 32-bit floats.
 * @property {boolean} isFavorite
 */

/**
 * How to speak; defaults come from the chosen profile.
 *
 * @typedef {Partial<Omit<import("./profiles.js").ProfileContent, "name">>} VoiceSettings
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Voice[]>} Favourites first, then installed ones, then built-in ones.
 */
export async function listVoices(signal) {
  return requestJSON("/api/voices", { signal });
}

/**
 * Loads a short WAV of a voice.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has at most 200 characters.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 */
export async function loadSample(settings, signal) {
  return (await request(sampleAddress(settings), { signal })).blob();
}

/**
 * The address of a short WAV of a voice.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has at most 200 characters.
 */
export function sampleAddress({ voice, speaker, speed, pitch, liveliness, rhythm, text }) {
  return address("/api/voices/sample", { voice, speaker, speed, pitch, liveliness, rhythm, text });
}
