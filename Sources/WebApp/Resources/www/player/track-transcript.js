import { Cell } from "../core/store.js";
import { onServer } from "../core/events.js";
import { loadTranscript, Transcript } from "./transcript.js";

/** @typedef {import("./track.js").Track} Track */

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
