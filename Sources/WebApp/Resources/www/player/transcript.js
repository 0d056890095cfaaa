import { Cell } from "../core/store.js";
import { addSentences } from "./timeline.js";
import { onServer } from "../server/events.js";
import { loadItemText, loadItemTimings } from "../server/library.js";
import { loadNarrationText, loadNarrationTimings } from "../server/narrations.js";

/** @typedef {import("../server/narrations.js").Sentence} Sentence */
/** @typedef {import("./track.js").Track} Track */

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
async function loadTranscript({ kind, id }, signal) {
  const [text, timings] =
    kind === "recording"
      ? await Promise.all([loadItemText(id, signal), loadItemTimings(id, signal)])
      : await Promise.all([loadNarrationText(id, signal), loadNarrationTimings(id, signal)]);
  return new Transcript(id, text, timings.sentences);
}

/** The text of the player's track, loaded once someone wants it. */
export class TrackTranscript {
  /** @type {Cell<Transcript | null>} */
  state = new Cell(/** @type {Transcript | null} */ (null));
  #track;
  #failed;
  #load = new AbortController();

  /**
   * @param {Cell<Track | null>} track
   * @param {(error: unknown) => void} failed
   */
  constructor(track, failed) {
    this.#track = track;
    this.#failed = failed;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("sentence", ({ narration, sentence }) => {
      if (this.state.value?.id === narration) this.state.value.add([sentence]);
    }, signal);
  }

  /** @returns {Promise<Transcript | null>} `null` when it cannot be had. */
  async need() {
    const track = this.#track.value;
    if (track === null) return null;
    if (this.state.value?.id === track.id) return this.state.value;
    this.#load.abort();
    this.#load = new AbortController();
    const { signal } = this.#load;
    try {
      const transcript = await loadTranscript(track, signal);
      if (!signal.aborted && this.#track.value?.id === track.id) this.state.set(transcript);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
    return this.state.value;
  }

  /**
   * Lets go of the text, unless it is of what comes next.
   *
   * @param {string | null} id Of what comes next.
   * @returns {boolean} Whether there was one that is gone now.
   */
  leave(id) {
    this.#load.abort();
    if (this.state.value === null || this.state.value.id === id) return false;
    this.state.set(null);
    return true;
  }
}
