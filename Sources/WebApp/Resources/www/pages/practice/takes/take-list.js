import { Cell } from "../../../core/store.js";

/** @typedef {import("../session/echo.js").RecordedTake} RecordedTake */
/** @typedef {import("../../../server/practice.js").PracticeTake} PracticeTake */
/** @typedef {import("../../../server/practice.js").TakeScore} TakeScore */

/**
 * A take, its state and its score. `wave` is here while it was recorded in this visit.
 *
 * @typedef {object} TakeEntry
 * @property {number} key
 * @property {string | null} id `null` until the server has it.
 * @property {number} segment
 * @property {number} repetition
 * @property {number} rate The rate at which the model was played.
 * @property {number} seconds
 * @property {"sending" | "scoring" | "scored" | "stored" | "failed"} state `stored`: from an earlier visit, not
 * requested again yet.
 * @property {TakeScore | null} score
 * @property {unknown} problem
 * @property {Blob | null} wave
 * @property {boolean} hasSound Whether the server has stored its sound.
 * @property {string} text The segment's; empty until the server has sent it.
 * @property {number | null} mark The score alone, for a take whose full score was not requested.
 */

/**
 * @typedef {object} TakeListParts
 * @property {(place: { segment: number, repetition: number, rate: number }, wave: ArrayBuffer) => Promise<PracticeTake>} send
 * @property {(id: string) => Promise<TakeScore>} score
 * @property {(id: string) => Promise<void>} remove
 * @property {(id: string) => Promise<ArrayBuffer>} load
 */

/**
 * Whether a take can be played: from here if it was recorded in this visit, else if the server stored it.
 *
 * @param {TakeEntry} take
 */
export const canBeHeard = ({ wave, hasSound }) => wave !== null || hasSound;

/** How many takes have their sound in memory; older ones are requested again, if they were stored. */
const maximumHeld = 20;

/** The takes of a session: they are sent and scored while practice continues. */
export class TakeList {
  #parts;
  #lastKey = 0;
  /** @type {Map<TakeEntry, Promise<void>>} The takes being sent to the server. */
  #sending = new Map();
  /** The newest first. */
  takes = new Cell(/** @type {readonly TakeEntry[]} */ ([]));

  /** @param {TakeListParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Takes of earlier visits.
   *
   * @param {readonly PracticeTake[]} takes
   * @param {number} usual The rate of those whose own is not known.
   */
  addStored(takes, usual) {
    const known = new Set(this.takes.value.map(({ id }) => id));
    const entries = takes.filter(({ id }) => !known.has(id)).map((take) => {
      const { id, segment, repetition, seconds, hasSound, text, score: mark } = take;
      return this.#entry({ id, segment, repetition, seconds, hasSound, text, mark, rate: take.rate ?? usual, state: "stored", wave: null });
    });
    // Those of this visit are newer.
    this.takes.set([...this.takes.value, ...entries.reverse()]);
  }

  /** @param {RecordedTake} take */
  add({ segment, repetition, rate, seconds, wave }) {
    const entry = this.#entry({ id: null, segment, repetition, rate, seconds, wave, state: "sending", hasSound: false, text: "", mark: null });
    const takes = [entry, ...this.takes.value];
    for (const old of takes.slice(maximumHeld)) old.wave = old.id === null ? old.wave : null;
    this.takes.set(takes);
    return this.finish(entry);
  }

  /**
   * Sends and scores what is pending, including earlier failures.
   *
   * @param {TakeEntry} entry
   */
  async finish(entry) {
    try {
      await this.#sent(entry);
      this.#change(entry, { state: "scoring", problem: null });
      const score = await this.#parts.score(entry.id ?? "");
      this.#change(entry, { score, mark: score.score, hasSound: score.hasSound, state: "scored" });
    } catch (problem) {
      this.#change(entry, { problem, state: "failed" });
    }
  }

  /** Those that the server does not have yet, and can have. */
  get unsent() {
    const isGone = (/** @type {unknown} */ problem) => /** @type {{ status?: number } | null} */ (problem)?.status === 404; // session gone
    return this.takes.value.filter(({ id, problem }) => id === null && !isGone(problem));
  }

  /** Sends what the server does not have, including earlier failures; fulfilled when each was tried. */
  async sendAll() {
    await Promise.all(this.unsent.map((entry) => this.finish(entry)));
  }

  /**
   * Fulfilled when the server has it.
   *
   * @param {TakeEntry} entry
   */
  async #sent(entry) {
    if (entry.id !== null) return;
    const sending = this.#sending.get(entry) ?? this.#send(entry);
    this.#sending.set(entry, sending);
    try {
      await sending;
    } finally {
      this.#sending.delete(entry);
    }
  }

  /** @param {TakeEntry} entry */
  async #send(entry) {
    this.#change(entry, { state: "sending", problem: null });
    const wave = await /** @type {Blob} */ (entry.wave).arrayBuffer();
    const { id, text, hasSound } = await this.#parts.send(entry, wave);
    this.#change(entry, { id, text, hasSound });
  }

  /** @param {TakeEntry} entry */
  async remove(entry) {
    await this.#sending.get(entry)?.catch(() => {}); // then there is nothing to delete
    if (entry.id !== null) {
      await this.#parts.remove(entry.id).catch((/** @type {{ status?: number }} */ error) => {
        if (error.status !== 404) throw error; // it was not stored
      });
    }
    this.takes.set(this.takes.value.filter((one) => one !== entry));
  }

  /**
   * @param {TakeEntry} entry
   * @returns {Promise<ArrayBuffer>} A WAV file.
   */
  sound({ wave, id }) {
    return wave?.arrayBuffer() ?? this.#parts.load(id ?? "");
  }

  /** @param {Omit<TakeEntry, "key" | "score" | "problem">} known @returns {TakeEntry} */
  #entry(known) {
    this.#lastKey += 1;
    return { key: this.#lastKey, score: null, problem: null, ...known };
  }

  /**
   * @param {TakeEntry} entry
   * @param {Partial<TakeEntry>} change
   */
  #change(entry, change) {
    Object.assign(entry, change);
    this.takes.set(this.takes.value);
  }
}
