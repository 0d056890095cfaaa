import { entryBefore, isPastItsStart } from "./play-queue.js";
import { isLooping } from "./playback-settings.js";

/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */
/** @typedef {import("./play-list.js").Stop} Stop */
/** @typedef {import("./track.js").Track} Track */

/** What precedes and follows the track: in the list that it was played from, else in the queue. */
export class PlayOrder {
  #track;
  #queue;
  #course;
  #unplayable;
  /** @type {{ track: string, entry: string } | null} The entry that the track has left, and may return to. */
  #left = null;

  /**
   * @param {import("../core/store.js").Cell<Track | null>} track
   * @param {import("./play-queue.js").PlayQueue} queue
   * @param {import("./course.js").Course} course The path through the list.
   * @param {import("./unplayable.js").Unplayable} unplayable
   */
  constructor(track, queue, course, unplayable) {
    this.#track = track;
    this.#queue = queue;
    this.#course = course;
    this.#unplayable = unplayable;
  }

  /** Clears the track's entry when it is removed from the queue, and restores it when it is put back. */
  matchQueue() {
    const track = this.#track.value;
    if (track === null) return;
    const { id, entry } = track;
    if (entry !== null && this.#queue.entry(entry) === undefined) {
      this.#left = { track: id, entry };
      this.#track.set({ ...track, entry: null });
    } else if (entry === null && this.#left?.track === id && this.#queue.entry(this.#left.entry) !== undefined) {
      this.#track.set({ ...track, entry: this.#left.entry });
    }
  }

  /** Whether the list that the track was played from decides, rather than the queue. */
  get isInList() {
    return this.#course.holds(this.#track.value?.id);
  }

  /**
   * Waits until the neighbours in the list are known.
   *
   * @returns {Promise<unknown>} Why they cannot be found, or `null`.
   */
  async known() {
    if (!this.isInList) return null;
    await this.#course.known();
    return this.isInList ? this.#course.problem : null;
  }

  /** @returns {Stop | QueueEntry | null} What “next” plays. */
  get next() {
    if (this.isInList) return this.#course.after(isLooping());
    return this.#unplayable.entryAfter(this.#queue.entries, this.#entry, isLooping());
  }

  /** Whether something comes next, as far as is known. */
  get hasNext() {
    return this.next !== null || (this.isInList && this.#course.problem !== null);
  }

  /**
   * @returns {Stop | QueueEntry | null} What follows automatically; nothing follows a narration, which was in neither.
   */
  get following() {
    return this.#track.value?.entry || this.isInList ? this.next : null;
  }

  /**
   * @param {number} elapsed Seconds of the track that have been played.
   * @returns {Stop | QueueEntry | null} What “previous” plays; `null` when it restarts the track.
   */
  before(elapsed) {
    if (this.isInList) return isPastItsStart(elapsed) ? null : this.#course.before(isLooping());
    const entry = entryBefore(this.#queue.entries, this.#entry, elapsed, isLooping());
    return entry === null || entry.id === this.#track.value?.entry ? null : entry;
  }

  /** The place in the queue: the track's, or without a track the last one played. */
  get #entry() {
    return this.#track.value === null ? this.#queue.current : this.#track.value.entry;
  }
}
