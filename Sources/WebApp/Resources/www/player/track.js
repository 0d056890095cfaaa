/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("../server/narrations.js").Narration} Narration */

/**
 * What is in the player.
 *
 * @typedef {object} Track
 * @property {"recording" | "narration"} kind A narration is one whose sound is still being made, or just has been.
 * @property {string} id The recording's or narration's; they are the same.
 * @property {string} name
 * @property {string} voiceName
 * @property {number} duration Seconds; of a narration those made so far.
 * @property {boolean} isWhole Whether nothing is added any more.
 * @property {number} sampleRate Hertz.
 * @property {string | null} entry The queue's entry it was taken from.
 */

/**
 * @param {Item} item
 * @param {string | null} entry The queue's entry it is taken from.
 * @returns {Track}
 */
export function trackOf({ id, name, voiceName, duration, sampleRate }, entry) {
  return { kind: "recording", id, name, voiceName, duration, sampleRate, isWhole: true, entry };
}

/**
 * @param {Narration} narration
 * @returns {Track}
 */
export function trackOfNarration({ id, name, voiceName, seconds, sampleRate, state }) {
  return { kind: "narration", id, name, voiceName, duration: seconds, sampleRate, isWhole: state === "finished", entry: null };
}
