import { button } from "../../../components/button.js";
import { notice } from "../../../components/notice.js";
import { fill, h } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { isGoing, isInstead, isStopped } from "./job-words.js";
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
  /** @type {Map<string, Transcription>} Those that have a strip, by their ids. */
  #jobs = new Map();
  /** @type {Segment[]} */
  #heard = [];
  /** What was heard so far, which grows, and up to where where nothing goes on. */
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
    return [...this.#jobs.values()].some(isGoing);
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
    this.#show();
    this.#changed();
  }

  #show() {
    const ends = this.isGoing ? [] : [...this.#jobs.values()].filter(isStopped).map(({ position }) => position);
    const mark = ends.length === 0 ? null : t("transcript.stopped", { time: clock(Math.max(...ends)) });
    fill(
      this.text,
      ...paragraphTexts(this.#heard).map((words) => h("p", { dir: "auto" }, words)),
      mark === null ? null : h("p", { class: "transcript-stopped muted small" }, mark),
    );
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
      this.#jobs.clear();
      fill(this.#place);
      for (const job of jobs) this.#take(job);
    } catch {
      // The page shows the error of the recording itself; the next event shows the transcription.
    }
  }

  /** @param {Transcription} job */
  #take(job) {
    if (job.item !== this.#item) return;
    const before = this.#jobs.get(job.id);
    this.#jobs.set(job.id, job);
    const strip = this.#strips.get(job.id);
    if (job.state === "done" || job.state === "gone") {
      this.#jobs.delete(job.id);
      this.#strips.delete(job.id);
      strip?.element.remove();
      if (job.state === "done" && isInstead(job)) this.#place.append(insteadNotice(job));
      if (this.#strips.size === 0) this.#heard = [];
      this.#changed();
    } else if (strip !== undefined) {
      strip.update(job);
      if (before === undefined || isGoing(before) === isGoing(job)) return;
      this.#show();
      this.#changed();
    } else {
      const made = new JobStrip(job);
      this.#strips.set(job.id, made);
      this.#place.append(made.element);
      this.#changed();
      this.#loadHeard(job.id);
    }
  }
}

/**
 * Tells that another recogniser has transcribed the recording than the one that was asked first, and why.
 *
 * @param {Transcription} job
 */
function insteadNotice({ failure, recognizers }) {
  const isOfService = recognizers[0]?.startsWith("remote/") ?? false;
  const change = isOfService ? h("a", { class: "button", href: "/settings/transcription" }, t("job.service")) : null;
  const close = button({ label: t("do.dismiss"), look: "quiet", onPress: () => element.remove() });
  const text = t("job.done.instead", { why: wordsFor(failure).message });
  const element = notice({ kind: "warning", text, detail: wordsFor(failure).suggestion, actions: [change, close] });
  return element;
}
