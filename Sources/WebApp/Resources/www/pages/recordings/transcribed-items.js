import { NewestState, onServer } from "../../server/events.js";
import { listTranscriptions } from "../../server/transcriptions.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** The states of a transcription that is running or waiting. */
const going = new Set(["queued", "running", "waiting-for-network", "waiting-for-consent", "retrying"]);

/** The recordings that are being transcribed. */
export class TranscribedItems {
  /** @type {Map<string, string>} The recordings' ids by the ids of their transcriptions. */
  #items = new Map();
  #newest = new NewestState();
  #changed;

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("transcription", (job, event) => this.#newest.takesEvent(event) && this.#take(job), signal);
    onServer("reset", () => this.#load(signal), signal);
    this.#load(signal);
  }

  /** @param {string} item A recording's id. */
  has(item) {
    return [...this.#items.values()].includes(item);
  }

  /** @param {AbortSignal} signal */
  async #load(signal) {
    try {
      const jobs = await listTranscriptions(signal);
      if (!this.#newest.takesAnswer(jobs)) return;
      this.#items = new Map(jobs.filter(({ state }) => going.has(state)).map(({ id, item }) => [id, item]));
      this.#changed();
    } catch {
      // The next event or reset requests it again.
    }
  }

  /** @param {Transcription} job */
  #take({ id, item, state }) {
    if (going.has(state) === this.#items.has(id)) return;
    if (going.has(state)) this.#items.set(id, item);
    else this.#items.delete(id);
    this.#changed();
  }
}
