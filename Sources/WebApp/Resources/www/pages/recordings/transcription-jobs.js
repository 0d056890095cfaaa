import { Cell } from "../../core/store.js";
import { isGoing, isStopped } from "./transcript/job-words.js";
import { NewestState, onServer } from "../../server/events.js";
import { listTranscriptions } from "../../server/transcriptions.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** The transcriptions that are not done, and how they end; for as long as the document lives. */
class TranscriptionJobs {
  /** @type {Cell<readonly Transcription[]>} Oldest first. */
  all = new Cell(/** @type {readonly Transcription[]} */ ([]));
  /** @type {Cell<Transcription | null>} The last one that has ended, done or failed, while the page was there. */
  ended = new Cell(/** @type {Transcription | null} */ (null));
  #newest = new NewestState();
  #isStarted = false;

  start() {
    if (!this.#isStarted) {
      this.#isStarted = true;
      const { signal } = new AbortController();
      onServer("transcription", (job, event) => this.#newest.takesEvent(event) && this.#take(job), signal);
      onServer("reset", () => this.#load(), signal);
    }
    this.#load();
  }

  /**
   * @param {string} item A recording's id.
   * @returns {Transcription | null} Its transcription that is running or waiting, or else one that has ended in the middle.
   */
  of(item) {
    const own = this.all.value.filter((job) => job.item === item);
    return own.find(isGoing) ?? own.find(isStopped) ?? null;
  }

  async #load() {
    try {
      const jobs = await listTranscriptions();
      if (this.#newest.takesAnswer(jobs)) this.all.set(jobs);
    } catch {
      // The next event or reset requests it again.
    }
  }

  /** @param {Transcription} job */
  #take(job) {
    const before = this.all.value.find(({ id }) => id === job.id);
    const isOver = job.state === "done" || job.state === "gone";
    const others = this.all.value.filter(({ id }) => id !== job.id);
    if (isOver) this.all.set(others);
    else if (before === undefined) this.all.set([...others, job]);
    else this.all.set(this.all.value.map((one) => (one === before ? job : one)));
    if (job.state === "done" || (job.state === "failed" && before?.state !== "failed")) this.ended.set(job);
  }
}

export const transcriptionJobs = new TranscriptionJobs();
