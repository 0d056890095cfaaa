import { fill, h } from "../../../core/dom.js";
import { isGoing } from "./job-words.js";
import { JobStrip } from "./job-strip.js";
import { paragraphTexts } from "./text.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listTranscriptions, loadHeardSegments } from "../../../server/transcriptions.js";

/** @typedef {import("../../../server/transcriptions.js").Transcription} Transcription */
/** @typedef {import("../../../server/transcripts.js").Segment} Segment */

/** The unfinished transcriptions of a recording, each with its strip. */
export class TranscriptJobs {
  #item;
  #place;
  #signal;
  #newest = new NewestState();
  /** @type {Map<string, JobStrip>} */
  #strips = new Map();
  /** @type {Set<string>} The ids of those that are running or waiting. */
  #going = new Set();
  /** @type {Segment[]} */
  #heard = [];
  /** What was heard so far, which grows. */
  text = h("div", { class: "transcript-live" });
  #changed;

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {() => void} changed Called when {@link isGoing} or {@link hasText} has changed.
   * @param {AbortSignal} signal
   */
  constructor(item, place, changed, signal) {
    this.#changed = changed;
    this.#item = item;
    this.#place = place;
    this.#signal = signal;
  }

  start() {
    onServer("transcription", (job, event) => this.#newest.takesEvent(event) && this.#take(job), this.#signal);
    onServer("heard", ({ item, segments }) => {
      const text = segments.map((segment) => segment.text).filter((one) => one !== "").join(" ");
      if (item !== this.#item || text === "") return;
      this.#grow(segments);
      for (const strip of this.#strips.values()) strip.hear(text);
    }, this.#signal);
    onServer("reset", () => this.#load(), this.#signal);
    this.#load();
  }

  /** Whether the recording is being transcribed, or waits for that. */
  get isGoing() {
    return this.#going.size > 0;
  }

  /** Whether an unfinished transcription has heard something. */
  get hasText() {
    return this.#strips.size > 0 && this.#heard.length > 0;
  }

  /** @param {readonly Segment[]} segments */
  #grow(segments) {
    const known = new Set(this.#heard.map(({ start }) => start));
    const others = segments.filter(({ start }) => !known.has(start));
    this.#heard = [...this.#heard, ...others].sort((one, other) => one.start - other.start);
    fill(this.text, ...paragraphTexts(this.#heard).map((words) => h("p", { dir: "auto" }, words)));
    this.#changed();
  }

  /** @param {string} id Of a transcription. */
  async #loadHeard(id) {
    try {
      const segments = await loadHeardSegments(id, this.#signal);
      if (this.#strips.has(id)) this.#grow(segments);
    } catch {
      // What is heard from now on is shown.
    }
  }

  async #load() {
    try {
      const jobs = await listTranscriptions(this.#signal);
      this.#strips.clear();
      this.#going.clear();
      fill(this.#place);
      for (const job of jobs) this.#take(job);
    } catch {
      // The page shows the error of the recording itself; the next event shows the transcription.
    }
  }

  /** @param {Transcription} job */
  #take(job) {
    if (job.item !== this.#item) return;
    const wasGoing = this.#going.has(job.id);
    if (isGoing(job)) this.#going.add(job.id);
    else this.#going.delete(job.id);
    const strip = this.#strips.get(job.id);
    if (job.state === "done" || job.state === "gone") {
      this.#strips.delete(job.id);
      strip?.element.remove();
      if (this.#strips.size === 0) this.#heard = [];
      this.#changed();
    } else if (strip !== undefined) {
      strip.update(job);
      if (wasGoing !== isGoing(job)) this.#changed();
    } else {
      const made = new JobStrip(job);
      this.#strips.set(job.id, made);
      this.#place.append(made.element);
      this.#changed();
      this.#loadHeard(job.id);
    }
  }
}
