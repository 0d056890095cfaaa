import { loadItemText, loadItemTimings } from "../server/library.js";
import { loadNarrationText, loadNarrationTimings } from "../server/narrations.js";
import { addSentences } from "./timeline.js";

/** @typedef {import("../server/narrations.js").Sentence} Sentence */

/** The text of what is played and when each part of it is said; grows while a narration is made. */
export class Transcript extends EventTarget {
  /** @type {Sentence[]} */
  sentences = [];

  /**
   * @param {string} id Of the recording or narration.
   * @param {string} text
   * @param {Sentence[]} sentences
   */
  constructor(id, text, sentences) {
    super();
    this.id = id;
    this.text = text;
    addSentences(this.sentences, sentences);
  }

  /** @param {Sentence[]} sentences */
  add(sentences) {
    addSentences(this.sentences, sentences);
    this.dispatchEvent(new Event("grown"));
  }
}

/**
 * @param {{ kind: "recording" | "narration", id: string }} track
 * @param {AbortSignal} signal
 * @returns {Promise<Transcript>}
 */
export async function loadTranscript({ kind, id }, signal) {
  const [text, timings] =
    kind === "recording"
      ? await Promise.all([loadItemText(id, signal), loadItemTimings(id, signal)])
      : await Promise.all([loadNarrationText(id, signal), loadNarrationTimings(id, signal)]);
  return new Transcript(id, text, timings.sentences);
}
