import { fill } from "../../../core/dom.js";
import { JobStrip } from "./job-strip.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listTranscriptions } from "../../../server/transcriptions.js";

/** @typedef {import("../../../server/transcriptions.js").Transcription} Transcription */

/** The unfinished transcriptions of a recording, each with its strip. */
export class TranscriptJobs {
  #item;
  #place;
  #signal;
  #newest = new NewestState();
  /** @type {Map<string, JobStrip>} */
  #strips = new Map();

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {AbortSignal} signal
   */
  constructor(item, place, signal) {
    this.#item = item;
    this.#place = place;
    this.#signal = signal;
  }

  start() {
    onServer("transcription", (job, event) => this.#newest.takesEvent(event) && this.#take(job), this.#signal);
    onServer("heard", ({ item, segments }) => {
      const text = segments.map((segment) => segment.text).filter((one) => one !== "").join(" ");
      if (item === this.#item && text !== "") for (const strip of this.#strips.values()) strip.hear(text);
    }, this.#signal);
    onServer("reset", () => this.#load(), this.#signal);
    this.#load();
  }

  async #load() {
    try {
      const jobs = await listTranscriptions(this.#signal);
      this.#strips.clear();
      fill(this.#place);
      for (const job of jobs) this.#take(job);
    } catch {
      // The page shows the error of the recording itself; the next event shows the transcription.
    }
  }

  /** @param {Transcription} job */
  #take(job) {
    if (job.item !== this.#item) return;
    const strip = this.#strips.get(job.id);
    if (job.state === "done" || job.state === "gone") {
      this.#strips.delete(job.id);
      strip?.element.remove();
    } else if (strip !== undefined) {
      strip.update(job);
    } else {
      const made = new JobStrip(job);
      this.#strips.set(job.id, made);
      this.#place.append(made.element);
    }
  }
}
