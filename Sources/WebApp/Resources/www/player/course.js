import { Cell } from "../core/store.js";
import { ListNow, queryStringOf } from "./play-list.js";
import { onServer } from "../server/events.js";

/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("./play-list.js").PlayList} PlayList */
/** @typedef {import("./play-list.js").Stop} Stop */

/**
 * The neighbours of the recording that is playing; `null` where there is none.
 *
 * @typedef {object} Neighbours
 * @property {Stop | null} before
 * @property {Stop | null} after
 * @property {Stop | null} first Of the whole list, when nothing comes after.
 * @property {Stop | null} last Of the whole list, when nothing comes before.
 */

/** @type {Neighbours} */
const alone = { before: null, after: null, first: null, last: null };

/** The path through the list that a recording was played from, in its order at that moment. */
export class Course {
  /** @type {Cell<Neighbours>} */
  neighbours = new Cell(alone);
  /** @type {unknown} Why the neighbours are unknown, or `null`. */
  problem = null;
  /** @type {PlayList | null} */
  #list = null;
  #id = "";
  #at = 0;
  #canPlay;
  #search = new AbortController();
  /** @type {Promise<void>} */
  #known = Promise.resolve();

  /** @param {(id: string) => boolean} canPlay Whether a recording is not known to be damaged or missing. */
  constructor(canPlay) {
    this.#canPlay = canPlay;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("library", () => this.#refresh(), signal);
    onServer("reset", () => this.#refresh(), signal);
  }

  /**
   * @param {PlayList} list
   * @param {string} id Of the recording that is playing.
   * @param {number} at Its place in the list.
   */
  take(list, id, at) {
    this.#list = list;
    this.#id = id;
    this.#at = at;
    this.#refresh();
  }

  /**
   * @param {string} id Of the recording that is playing.
   * @param {number} at Its place in the same list.
   */
  move(id, at) {
    if (this.#list !== null) this.take(this.#list, id, at);
  }

  leave() {
    if (this.#list === null) return;
    this.#list = null;
    this.problem = null;
    this.#search.abort();
    this.neighbours.set(alone);
  }

  /** @param {string | undefined} id Whether that recording is on the path. */
  holds(id) {
    return this.#list !== null && this.#id === id;
  }

  /** The list and the place in it, for a {@link PlayList} after a reload; `null` off the path. */
  get queryString() {
    return this.#list === null ? null : queryStringOf(this.#list, this.#at);
  }

  /** Fulfilled when the neighbours are those of the present recording, or another request for them has failed. */
  async known() {
    if (this.problem !== null) this.#refresh();
    /** @type {Promise<void> | null} */
    let seen = null;
    while (seen !== this.#known) {
      seen = this.#known;
      await seen;
    }
  }

  /** @param {boolean} loops Whether the first follows the last. */
  after(loops) {
    const { after, first } = this.neighbours.value;
    return after ?? (loops ? first : null);
  }

  /** @param {boolean} loops Whether the last precedes the first. */
  before(loops) {
    const { before, last } = this.neighbours.value;
    return before ?? (loops ? last : null);
  }

  #refresh() {
    if (this.#list === null) return;
    this.#search.abort();
    this.#search = new AbortController();
    this.problem = null;
    this.#known = this.#find(this.#list, this.#search.signal);
  }

  /**
   * @param {PlayList} list
   * @param {AbortSignal} signal
   */
  async #find(list, signal) {
    const now = new ListNow(list, signal);
    const canPlay = (/** @type {Item} */ { id }) => id === this.#id || this.#canPlay(id);
    try {
      const own = await now.placeOf(this.#id, this.#at);
      // If it has left the list, the next one has taken its place.
      const after = await now.first(own === null ? this.#at : own + 1, 1, canPlay);
      const before = await now.first((own ?? this.#at) - 1, -1, canPlay);
      const first = after === null ? await now.first(0, 1, canPlay) : null;
      const last = before === null ? await now.first((await now.total()) - 1, -1, canPlay) : null;
      if (signal.aborted) return;
      this.#at = own ?? this.#at;
      this.neighbours.set({ before, after, first, last });
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error;
      this.neighbours.set({ ...alone }); // the old ones belong to another recording
    }
  }
}
