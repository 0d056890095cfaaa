import {
  addToQueue,
  clearQueue,
  loadPlayback,
  moveInQueue,
  removeFromQueue,
  setCurrent,
} from "../server/playback.js";
import { Cell } from "../core/store.js";
import { currentAfterRemoval, moved } from "./queue.js";

/** @typedef {import("../server/playback.js").Playback} Playback */
/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */

/** @type {Playback} */
const empty = { entries: [], current: null, bookmark: null };

/**
 * The queue's callbacks to the player.
 *
 * @typedef {object} QueueListener
 * @property {() => void} changed It is as the server says it is after a change made here.
 * @property {(error: unknown) => void} refused
 */

/** The queue as the server has it; what is changed here shows before the server has answered. */
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

  /** What was heard last, and where. */
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

  /** Fulfilled when it has been asked for once. */
  known() {
    this.#first ??= this.refresh();
    return this.#first;
  }

  async refresh() {
    try {
      this.state.set(await loadPlayback());
    } catch {
      // The next event or reconnection asks again.
    }
  }

  /** Lets go of what the library keeps, now that it is closed. */
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
   * Shows the queue as the server says it is after a change; as it was when the change was refused.
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
