import { button, icon } from "../../../components/button.js";
import { notice } from "../../../components/notice.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { clock, wordsFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listTranscriptions, loadHeardSegments } from "../../../server/transcriptions.js";
import { cancelSpeakers, loadSpeakers } from "../../../server/transcripts.js";
import { JobStrip } from "../jobs-sheet.js";
import { isGoing, isStopped } from "../transcription-jobs.js";
import { paragraphTexts } from "./text.js";

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

/** The versions of which nothing more is to be said; the last ones. */
const dismissed = "instead-dismissed";
const most = 50;

/** @returns {string[]} */
function dismissedOnes() {
  try {
    return JSON.parse(localStorage.getItem(dismissed) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * Tells of a version that another recogniser has made it than the one that was asked first, and why, until a person has
 * dismissed that.
 *
 * @param {HTMLElement} place
 * @param {Pick<import("../../../server/transcripts.js").Transcript, "id" | "insteadOf">} transcript Without an id, nothing is told.
 */
export function sayIfInstead(place, { id, insteadOf }) {
  if (place.dataset.version === id) return;
  place.dataset.version = id;
  if (!insteadOf || dismissedOnes().includes(id)) {
    fill(place);
    return;
  }
  const isOfService = insteadOf.recognizer.startsWith("remote/");
  const change = isOfService ? h("a", { class: "button", href: "/settings/transcription" }, t("job.service")) : null;
  const dismiss = () => {
    localStorage.setItem(dismissed, JSON.stringify([...dismissedOnes(), id].slice(-most)));
    fill(place);
  };
  const close = button({ label: t("do.dismiss"), look: "quiet", onPress: dismiss });
  const { message, suggestion } = wordsFor({ ...insteadOf, suggestion: null });
  fill(place, notice({ kind: "warning", text: t("job.done.instead", { why: message }), detail: suggestion, actions: [change, close] }));
}

/** @typedef {import("../../../server/transcripts.js").SpeakerSearch} SpeakerSearch */

/**
 * @typedef {object} SpeakerSearchActions
 * @property {() => void} ready Called when it is known whether speakers can be detected.
 * @property {(found: SpeakerSearch) => void} found
 */

/** The speaker searches of a recording's transcripts, each with its strip, and whether they are available. */
export class SpeakerSearches {
  /** Whether the models are installed; `null` while unknown. */
  isReady = /** @type {boolean | null} */ (null);
  /** @type {import("../../../server/transcripts.js").SpeakerModelOffer[]} The models that are missing, for download. */
  offers = [];
  #item;
  #place;
  #actions;
  #signal;
  #newest = new NewestState();
  /** @type {Map<string, SpeakerStrip>} By the transcript's id. */
  #strips = new Map();

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {SpeakerSearchActions} actions
   * @param {AbortSignal} signal
   */
  constructor(item, place, actions, signal) {
    this.#item = item;
    this.#place = place;
    this.#actions = actions;
    this.#signal = signal;
  }

  /** Whether the speakers can be searched for, perhaps after a download. */
  get canFind() {
    return this.isReady === true || this.offers.length > 0;
  }

  start() {
    onServer("speakers", (search, event) => this.#newest.takesEvent(event) && this.#take(search), this.#signal);
    onServer("voices", () => this.#load(), this.#signal);
    onServer("reset", () => this.#load(), this.#signal);
    this.#load();
  }

  async #load() {
    try {
      const speakers = await loadSpeakers(this.#signal);
      if (!this.#newest.takesAnswer(speakers)) return;
      this.isReady = speakers.isReady;
      this.offers = speakers.offers;
      const present = new Set(speakers.searches.map(({ transcript }) => transcript));
      for (const [transcript, strip] of this.#strips) {
        if (present.has(transcript)) continue;
        this.#strips.delete(transcript);
        strip.element.remove();
      }
      for (const search of speakers.searches) this.#take(search);
      this.#actions.ready();
    } catch {
      // The page shows the error of the recording itself; without an answer nothing is offered.
    }
  }

  /** @param {SpeakerSearch} search */
  #take(search) {
    if (search.item !== this.#item) return;
    const strip = this.#strips.get(search.transcript);
    if (search.state === "done" || search.state === "cancelled") {
      this.#strips.delete(search.transcript);
      strip?.element.remove();
      if (search.state === "done") this.#actions.found(search);
    } else if (strip !== undefined) {
      strip.update(search);
    } else {
      const made = new SpeakerStrip(search);
      this.#strips.set(search.transcript, made);
      this.#place.append(made.element);
    }
  }
}

/** A search: its progress or why it has failed, and what can be done. */
class SpeakerStrip {
  element;
  #transcript;
  #words = h("p", { class: "job-words" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #stop;
  #forget;
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speakers.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #shownState = "";

  /** @param {SpeakerSearch} search */
  constructor(search) {
    this.#transcript = search.transcript;
    const act = () => attempt(() => cancelSpeakers(this.#transcript));
    this.#stop = button({ label: t("job.cancel"), look: "quiet", onPress: act });
    this.#forget = button({ label: t("job.discard"), look: "quiet", onPress: act });
    const actions = h("div", { class: "job-actions" }, this.#stop, this.#forget);
    this.element = h("div", { class: "job-strip" }, h("div", { class: "job-main" }, this.#words, this.#bar), actions, this.#status);
    this.update(search);
  }

  /** @param {SpeakerSearch} search */
  update({ state, progress, failure }) {
    const hasFailed = state === "failed";
    this.#bar.hidden = hasFailed;
    this.#stop.hidden = hasFailed;
    this.#forget.hidden = !hasFailed;
    this.#bar.style.setProperty("--part", String(progress));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(progress * 100)));
    this.element.classList.toggle("failed", hasFailed);
    const words = hasFailed ? failureWords(failure) : t(`speakers.${state}`, { percent: number(progress * 100) });
    fill(this.#words, hasFailed ? icon("error") : null, words);
    if (state !== this.#shownState) setText(this.#status, words);
    this.#shownState = state;
  }
}

/** @param {SpeakerSearch["failure"]} failure */
function failureWords(failure) {
  const { message, suggestion } = wordsFor(failure);
  return suggestion === null ? message : `${message} ${suggestion}`;
}
