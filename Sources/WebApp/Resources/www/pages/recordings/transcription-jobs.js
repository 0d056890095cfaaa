import { clock, paragraphFor, retryWords, size, wordsFor } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { Cell } from "../../core/store.js";
import { NewestState, onServer } from "../../server/events.js";
import { listTranscriptions } from "../../server/transcriptions.js";

/** @typedef {import("../../server/transcriptions.js").Transcription} Transcription */

/** The states of a transcription that is running or waiting. */
const going = new Set(["queued", "running", "waiting-for-network", "waiting-for-consent", "retrying"]);

/** @param {Pick<Transcription, "state">} job */
export const isGoing = ({ state }) => going.has(state);

/**
 * Whether a transcription has ended in the middle: its text so far is there, and it can continue.
 *
 * @param {Pick<Transcription, "state" | "from" | "position">} job
 */
export const isStopped = ({ state, from, position }) => (state === "cancelled" || state === "failed") && position > from;

/**
 * Whether a transcription has another recognizer than the one that was asked first and failed.
 *
 * @param {Pick<Transcription, "failure"> & Partial<Pick<Transcription, "recognizer" | "recognizers">>} job
 */
export function isInstead({ failure, recognizer, recognizers }) {
  return failure !== null && recognizers !== undefined && recognizer !== recognizers[0];
}

/**
 * How much of a transcription is done.
 *
 * @param {Pick<Transcription, "from" | "to" | "position">} job
 * @returns {number} From 0 to 1.
 */
export function shareOf({ from, to, position }) {
  return to > from ? Math.min(1, Math.max(0, (position - from) / (to - from))) : 0;
}

/**
 * The state of a transcription in a list, in few words.
 *
 * @param {Transcription} job One that is running or waiting, has ended in the middle, or has failed.
 */
export function shortJobWords(job) {
  if (isStopped(job)) return t("jobs.stopped", { time: clock(job.position) });
  if (job.state === "running") return t("jobs.running", { percent: number(shareOf(job) * 100) });
  if (job.state === "queued") return job.place ? t("jobs.queued", { n: job.place }) : t("recordings.transcribing");
  return t(job.state === "failed" ? "jobs.failed.short" : `jobs.${job.state}`);
}

/**
 * The running transcriptions, for every page.
 *
 * @param {readonly Transcription[]} jobs Running or waiting ones; at least one.
 */
export function signWords(jobs) {
  const asking = jobs.find(({ state, sending }) => state === "waiting-for-consent" && sending !== null);
  if (asking !== undefined) return t("jobs.sign.asks", { name: asking.name });
  const shown = jobs.find(({ state }) => state === "running") ?? jobs[0];
  const one = `${shown.name}: ${shortJobWords(shown)}`;
  return jobs.length === 1 ? one : t("jobs.sign.more", { one, n: jobs.length - 1 });
}

/**
 * @typedef {Pick<Transcription, "state" | "position" | "to" | "retryAt" | "failure" | "sending"> & Partial<Pick<Transcription, "from" | "place" | "recognizer" | "recognizers">>} JobState
 */

/**
 * The state of an unfinished transcription in words.
 *
 * @param {JobState} job
 * @param {number} share The transcribed fraction, from 0 to 1.
 * @param {number} [now] Milliseconds since 1970.
 */
export function jobWords(job, share, now = Date.now()) {
  if (job.state === "failed") return paragraphFor(job.failure);
  const words = courseWords(job, share, now);
  const saysWhy = job.state === "retrying" || job.state === "cancelled" || !isInstead(job);
  return saysWhy ? words : `${t("job.instead", { why: wordsFor(job.failure).message })} ${words}`;
}

/**
 * The state of an unfinished transcription as a screen reader says it, when it has changed: without numbers that change
 * at once.
 *
 * @param {JobState} job
 * @param {number} share The transcribed fraction, from 0 to 1.
 */
export function spokenWords(job, share) {
  if (job.state !== "running") return jobWords(job, share);
  const tenth = Math.floor(share * 10) * 10;
  const words = tenth === 0 ? t("recordings.transcribing") : t("job.percent", { n: tenth });
  return isInstead(job) ? `${t("job.instead", { why: wordsFor(job.failure).message })} ${words}` : words;
}

/**
 * @param {JobState} job One that has not failed.
 * @param {number} share
 * @param {number} now
 */
function courseWords({ state, from = 0, position, to, retryAt, failure, sending, place }, share, now) {
  if (state === "waiting-for-consent" && sending !== null) {
    const words = t("job.consent", { host: sending.host, size: size(sending.bytes), time: clock(sending.seconds) });
    return [words, sending.sendsWords && t("job.consent.words"), sending.isReadable && t("consent.readable")].filter(Boolean).join(" ");
  }
  if (state === "retrying" && retryAt !== null) {
    const again = retryWords((Date.parse(retryAt) - now) / 1_000);
    return failure === null ? again : `${wordsFor(failure).message} ${again}`;
  }
  if (state === "running") return t("job.running", { time: clock(position), all: clock(to), percent: number(share * 100) });
  if (isStopped({ state, from, position })) return t("job.stopped", { time: clock(position) });
  if (state === "queued" && place) return t("job.queued.place", { n: place });
  return t(`job.${state}`);
}

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
   * @returns {Transcription | null} Its transcription that is running or waiting, or else one that has ended in the middle, or
   * has failed.
   */
  of(item) {
    const own = this.all.value.filter((job) => job.item === item);
    return own.find(isGoing) ?? own.find(isStopped) ?? own.find(({ state }) => state === "failed") ?? null;
  }

  /** @returns {Promise<void>} */
  async #load() {
    try {
      const answer = await listTranscriptions();
      // An event about one of them has come before, and says nothing of the others.
      if (!this.#newest.takesAnswer(answer)) return this.#load();
      this.all.set(answer.jobs);
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
