import { Cell } from "../core/store.js";
import {
  addToQueue,
  clearQueue,
  keepBookmark,
  loadPlayback,
  moveInQueue,
  removeFromQueue,
  setCurrent,
} from "../server/playback.js";

/** @typedef {import("../server/playback.js").Playback} Playback */
/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */

/** @type {Playback} */
const empty = { entries: [], current: null, bookmark: null };

/**
 * The queue's callbacks to the player.
 *
 * @typedef {object} QueueListener
 * @property {() => void} changed The server has confirmed a change made here.
 * @property {(error: unknown) => void} refused
 */

/** The server's queue; a change made here shows before the server has answered. */
export class PlayQueue {
  state = new Cell(empty);
  #listener;

  /** @param {QueueListener} listener */
  constructor(listener) {
    this.#listener = listener;
  }

  get entries() {
    return this.state.value.entries;
  }

  /** The id of the entry that was played last, or `null`. */
  get current() {
    return this.state.value.current;
  }

  /** The recording that was heard last, and the place in it. */
  get bookmark() {
    return this.state.value.bookmark;
  }

  /** @param {string | null} id Of an entry. */
  entry(id) {
    return this.entries.find((one) => one.id === id);
  }

  /** @param {string | undefined} id Of a recording. */
  entryOf(id) {
    return this.entries.find(({ item }) => item.id === id);
  }

  /** @type {Promise<void> | null} */
  #first = null;

  /** Fulfilled when the first request has ended. */
  known() {
    this.#first ??= this.refresh();
    return this.#first;
  }

  async refresh() {
    try {
      this.state.set(await loadPlayback());
    } catch {
      // The next event or reconnection requests it again.
    }
  }

  /** Empties it when the library is closed. */
  forget() {
    this.#first = null;
    this.state.set(empty);
  }

  /**
   * @param {string[]} ids Of recordings.
   * @param {boolean} playsNow Whether the first of them becomes the current one.
   */
  async add(ids, playsNow) {
    await this.#change(addToQueue(ids, playsNow));
  }

  /** @param {string} id Of the entry that is played now. */
  async choose(id) {
    await this.#change(setCurrent(id));
  }

  /**
   * @param {string} id Of an entry.
   * @param {number} position Where it stands afterwards.
   */
  async move(id, position) {
    this.state.set({ ...this.state.value, entries: moved(this.entries, id, position) });
    await this.#change(moveInQueue(id, position));
  }

  /** @param {string[]} ids Of entries. */
  async remove(ids) {
    const gone = new Set(ids);
    const { entries, current, bookmark } = this.state.value;
    this.state.set({
      entries: entries.filter(({ id }) => !gone.has(id)),
      current: currentAfterRemoval(entries, current, gone),
      bookmark,
    });
    await this.#change(removeFromQueue(ids));
  }

  async clear() {
    await this.#change(clearQueue());
  }

  /**
   * Shows the server's queue after a change; the old one when the change was refused.
   *
   * @param {Promise<Playback>} change
   */
  async #change(change) {
    try {
      this.state.set(await change);
      this.#listener.changed();
    } catch (error) {
      this.#listener.refused(error);
      await this.refresh();
    }
  }
}

/** Seconds within which “previous” leads to the one before; later it leads to the start. */
const restartAfter = 3;

/**
 * @param {readonly QueueEntry[]} entries
 * @param {string | null} current An entry's id.
 * @param {boolean} loops Whether the first stands after the last.
 * @returns {QueueEntry | null} The entry to play; `null` when nothing follows.
 */
export function entryAfter(entries, current, loops) {
  const at = entries.findIndex(({ id }) => id === current);
  if (at < 0) return entries[0] ?? null;
  return entries[at + 1] ?? (loops ? (entries[0] ?? null) : null);
}

/**
 * @param {readonly QueueEntry[]} entries
 * @param {string | null} current An entry's id.
 * @param {number} elapsed Seconds that the current one has been heard.
 * @param {boolean} loops Whether the last stands before the first.
 * @returns {QueueEntry | null} The entry to play from its start; `null` when the queue is empty or the current one is
 *   not in it.
 */
export function entryBefore(entries, current, elapsed, loops) {
  const at = entries.findIndex(({ id }) => id === current);
  if (at < 0 || elapsed > restartAfter) return entries[at] ?? null;
  return entries[at - 1] ?? (loops ? entries[entries.length - 1] : entries[at]);
}

/**
 * The queue after a move, for showing it before the server has answered.
 *
 * @template {{ id: string }} Entry
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @param {number} position Where it stands afterwards.
 * @returns {Entry[]}
 */
export function moved(entries, id, position) {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) return [...entries];
  const rest = entries.filter((one) => one.id !== id);
  rest.splice(Math.max(0, Math.min(position, rest.length)), 0, entry);
  return rest;
}

/**
 * The current entry after a removal: the next that stays, if the current one is removed.
 *
 * @param {readonly { id: string }[]} entries
 * @param {string | null} current
 * @param {ReadonlySet<string>} gone
 * @returns {string | null}
 */
export function currentAfterRemoval(entries, current, gone) {
  if (current === null || !gone.has(current)) return current;
  const at = entries.findIndex(({ id }) => id === current);
  return entries.slice(at).find(({ id }) => !gone.has(id))?.id ?? null;
}

/** Milliseconds between bookmarks while playing, and the fewest between any two. */
const every = 5_000;
const apart = 300;

/** Keeps the place that was heard last on the server, not more often than useful. */
export class Bookmark {
  #last = 0;

  /** Whether it is time for one while something plays. */
  get isDue() {
    return Date.now() - this.#last > every;
  }

  /**
   * @param {string} id Of a recording.
   * @param {number} position Seconds.
   * @param {boolean} isLeaving Whether the request has to outlive the page.
   */
  keep(id, position, isLeaving) {
    if (!isLeaving && Date.now() - this.#last < apart) return;
    this.#last = Date.now();
    // The next bookmark replaces one that does not arrive.
    keepBookmark(id, position, { keepalive: isLeaving }).catch(() => {});
  }
}
