import { Cell } from "../core/store.js";
import { NewestState } from "../server/events.js";
import { addToQueue, clearQueue, loadPlayback, mostThatOutlive, moveInQueue, removeFromQueue, setCurrent } from "../server/playback.js";

/** @typedef {import("../server/playback.js").Playback} Playback */
/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */

/** @type {Playback} */
const empty = { entries: [], current: null, bookmark: null, isBookmarkLost: false };

/**
 * The server's queue; a change made here shows before the server has answered. A refused change is thrown, and the
 * server's queue is shown again.
 */
export class PlayQueue {
  state = new Cell(empty);
  #changed;
  #newest = new NewestState();
  /** The removed entries that can still be put back. */
  #hidden = new Set();
  /** Fulfilled when the last change has been answered. */
  #answered = Promise.resolve();
  /** Fulfilled when the page is left. */
  #left = Promise.resolve();
  #leave = () => {};

  /** @param {() => void} changed Called when the server has confirmed a change made here, and when entries are put back. */
  constructor(changed) {
    this.#changed = changed;
    this.#stay();
  }

  #stay() {
    this.#left = new Promise((resolve) => (this.#leave = () => resolve(undefined)));
  }

  /** When the page is left, changes that wait for the answer to another are sent at once. */
  leave() {
    this.#leave();
    // The browser may restore the page from its cache.
    this.#stay();
  }

  get entries() {
    return this.state.value.entries;
  }

  /** The id of the last entry played, or `null`. */
  get current() {
    return this.state.value.current;
  }

  /** The last recording played, and the position in it. */
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
      this.#take(await loadPlayback());
    } catch {
      // The next event or reconnection requests it again.
    }
  }

  /** Empties it when the library closes. */
  forget() {
    this.#first = null;
    this.#hidden.clear();
    this.state.set(empty);
  }

  /** @param {string[]} ids Of recordings. */
  async add(ids) {
    await this.#change(() => addToQueue(ids));
  }

  /** @param {string} id Of the entry that is now playing. */
  async choose(id) {
    await this.#change(() => setCurrent(id));
  }

  /**
   * @param {string} id Of an entry.
   * @param {number} position Its position after the move.
   */
  async move(id, position) {
    this.state.set({ ...this.state.value, entries: moved(this.entries, id, position) });
    await this.#change(() => moveInQueue(id, position));
  }

  /**
   * Removes entries; the server is told once they can no longer be put back.
   *
   * @param {string[]} ids Of entries.
   * @returns {{ undo: () => void, finish: (isLeaving?: boolean) => Promise<void> }} Only the first call of either
   * counts. `isLeaving`: the request must outlive the page.
   */
  takeOut(ids) {
    let isDecided = false;
    for (const id of ids) this.#hidden.add(id);
    this.#show(this.state.value);
    this.#changed();
    return {
      undo: () => {
        if (isDecided) return;
        isDecided = true;
        this.#putBack(ids);
      },
      finish: async (isLeaving = false) => {
        if (isDecided) return;
        isDecided = true;
        await this.#remove(ids, isLeaving);
      },
    };
  }

  /** @param {string[]} ids */
  async #putBack(ids) {
    for (const id of ids) this.#hidden.delete(id);
    await this.refresh();
    this.#changed();
  }

  /**
   * @param {string[]} ids Of entries.
   * @param {boolean} isLeaving
   */
  async #remove(ids, isLeaving) {
    // Clearing the whole queue needs no ids.
    const isAll = ids.length > mostThatOutlive && this.entries.length === 0;
    try {
      await this.#change(() => (isAll ? clearQueue() : removeFromQueue(ids)), isLeaving);
    } finally {
      for (const id of ids) this.#hidden.delete(id);
      if (!isLeaving) await this.refresh();
    }
  }

  /** @param {Playback} answer From the server; an outdated one is dropped. */
  #take(answer) {
    if (this.#newest.takesAnswer(answer)) this.#show(answer);
  }

  /**
   * Shows the server's queue without the removed entries.
   *
   * @param {Playback} playback
   */
  #show({ entries, current, bookmark, isBookmarkLost }) {
    this.state.set({
      entries: entries.filter(({ id }) => !this.#hidden.has(id)),
      current: currentAfterRemoval(entries, current, this.#hidden),
      bookmark,
      isBookmarkLost,
    });
  }

  /**
   * Shows the server's queue after a change; the old one if the change was refused. The server gets changes in the
   * order they were made, each after the previous answer.
   *
   * @param {() => Promise<Playback>} send
   * @param {boolean} [isLeaving] The page is unloading, and cannot wait for the previous answers.
   */
  async #change(send, isLeaving = false) {
    const change = isLeaving ? send() : Promise.race([this.#answered, this.#left]).then(send);
    const answered = change.then(
      () => {},
      () => {},
    );
    this.#answered = answered;
    try {
      const answer = await change;
      // Later changes are already visible.
      if (answered === this.#answered) this.#take(answer);
    } catch (error) {
      await this.refresh();
      throw error;
    }
    this.#changed();
  }
}

/** Seconds within which “previous” goes to the previous recording; later it restarts the current one. */
const restartAfter = 3;

/** @param {number} elapsed Seconds of the current recording that have been played. */
export function isPastItsStart(elapsed) {
  return elapsed > restartAfter;
}

/**
 * @param {readonly QueueEntry[]} entries
 * @param {string | null} current An entry's id.
 * @param {boolean} loops Whether the first follows the last.
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
 * @param {number} elapsed Seconds of the current recording that have been played.
 * @param {boolean} loops Whether the last precedes the first.
 * @returns {QueueEntry | null} The entry to play from its start; `null` when the queue is empty or the current one is
 *   not in it.
 */
export function entryBefore(entries, current, elapsed, loops) {
  const at = entries.findIndex(({ id }) => id === current);
  if (at < 0 || isPastItsStart(elapsed)) return entries[at] ?? null;
  return entries[at - 1] ?? (loops ? entries[entries.length - 1] : entries[at]);
}

/**
 * The queue after a move, to show before the server has answered.
 *
 * @template {{ id: string }} Entry
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @param {number} position Its position after the move.
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
 * The current entry after a removal: the next remaining one, if the current one is removed.
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
