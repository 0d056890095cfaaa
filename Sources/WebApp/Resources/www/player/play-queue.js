import { onceOpen } from "../components/toast.js";
import { Cell } from "../core/store.js";
import { NewestState, onServer } from "../server/events.js";
import {
  addToQueue,
  clearQueue,
  listIn,
  listItems,
  loadPlayback,
  mostThatOutlive,
  moveInQueue,
  queryString,
  removeFromQueue,
  setCurrent,
} from "../server/library.js";

/** @typedef {import("../server/library.js").Playback} Playback */
/** @typedef {import("../server/library.js").QueueEntry} QueueEntry */

/** @type {Playback} */
const empty = { entries: [], current: null, bookmark: null, isBookmarkLost: false, lostName: null, isUnreadable: false, unreadable: 0 };

/**
 * The name in this browser's storage of the ids of entries that were removed when the page was left, until the server has
 * answered that they are.
 */
const leftRemoval = "queue.removed";

/** @returns {string[]} */
function keptRemoval() {
  return JSON.parse(localStorage.getItem(leftRemoval) ?? "[]");
}

/** @param {string[]} ids */
function keepRemoval(ids) {
  if (ids.length > 0) localStorage.setItem(leftRemoval, JSON.stringify([...new Set([...keptRemoval(), ...ids])]));
}

/** @param {string[]} ids Another page may have kept others meanwhile. */
function forgetRemoval(ids) {
  const gone = new Set(ids);
  const rest = keptRemoval().filter((id) => !gone.has(id));
  localStorage.removeItem(leftRemoval);
  keepRemoval(rest);
}

/**
 * The server's queue; a change made here shows before the server has answered. A refused change is thrown, and the
 * server's queue is shown again.
 */
export class PlayQueue {
  state = new Cell(empty);
  /** Why it could not be loaded; `null` once it is. */
  failure = new Cell(/** @type {unknown} */ (null));
  #changed;
  #newest = new NewestState();
  /** The removed entries that can still be put back. */
  #hidden = new Set();
  /** @type {Set<string>} The ids of all of the server's entries, also of those that are hidden. */
  #there = new Set();
  /** Fulfilled when the last change has been answered. */
  #answered = Promise.resolve();
  /** Fulfilled when the page is left. */
  #left = Promise.resolve();
  #leave = () => {};
  #isRemovingLeft = false;

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
      this.#removeLeft();
    } catch (error) {
      this.failure.set(error); // the next event or reconnection requests it again
    }
  }

  /** Removes what was removed when a page of this browser was left; what the server does not take is tried again later. */
  #removeLeft() {
    const left = keptRemoval();
    if (left.length === 0 || this.#isRemovingLeft) return;
    this.#isRemovingLeft = true;
    const end = () => (this.#isRemovingLeft = false);
    this.takeOut(left).finish().then(() => forgetRemoval(left)).then(end, end);
  }

  /** Empties it when the library closes. What was removed before stays hidden until the server has heard of it. */
  forget() {
    this.#first = null;
    this.failure.set(null);
    this.state.set(empty);
  }

  /** @param {string[]} ids Of recordings. */
  async add(ids) {
    await this.#change(() => addToQueue(ids));
  }

  /** Empties it, also when it cannot be read. */
  async clear() {
    await this.#change(clearQueue);
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
   * Removes entries; the server gets the change once they can no longer be put back.
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
   * A removal that a lock has overtaken is made when the library is open again.
   *
   * @param {string[]} ids Of entries.
   * @param {boolean} isLeaving
   */
  async #remove(ids, isLeaving) {
    const remove = async () => {
      // Where another tab or program has removed all of them, the server has nothing to remove.
      const present = ids.filter((id) => this.#there.has(id));
      const sent = isLeaving ? present.slice(0, mostThatOutlive) : present;
      if (isLeaving) keepRemoval(present);
      if (sent.length > 0) await this.#change(() => removeFromQueue(sent), isLeaving);
      if (isLeaving) forgetRemoval(sent);
    };
    try {
      await (isLeaving ? remove() : onceOpen(remove));
    } finally {
      for (const id of ids) this.#hidden.delete(id);
      if (!isLeaving) await this.refresh();
    }
  }

  /** @param {Playback} answer From the server; an outdated one is dropped. */
  #take(answer) {
    this.failure.set(null);
    if (!this.#newest.takesAnswer(answer)) return;
    this.#there = new Set(answer.entries.map(({ id }) => id));
    this.#show(answer);
  }

  /**
   * Shows the server's queue without the removed entries.
   *
   * @param {Playback} playback
   */
  #show(playback) {
    const { entries, current } = playback;
    this.state.set({
      ...playback,
      entries: entries.filter(({ id }) => !this.#hidden.has(id)),
      current: currentAfterRemoval(entries, current, this.#hidden),
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
      if (!isLeaving) await this.refresh();
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

/** @typedef {import("../server/library.js").Item} Item */

/**
 * A list of recordings to play in order, of any length.
 *
 * @typedef {object} PlayList
 * @property {(step: { offset: number, limit: number }, signal: AbortSignal) => Promise<{ items: Item[], total: number }>} load
 * @property {(id: string) => boolean} [isHidden] Whether the user has deleted one that the server still has.
 * @property {import("../server/library.js").LibraryQuery} [query] Its filter of the library; default: none.
 */

/**
 * A recording and its place in a list, counted from 0.
 *
 * @typedef {object} Stop
 * @property {Item} item
 * @property {number} at
 */

/** How many recordings are requested at once. */
const pageSize = 50;

/** All recordings, newest first: the library's default order. */
export const wholeLibrary = /** @type {PlayList} */ ({ load: (step, signal) => listItems(step, signal) });

/**
 * A list and a place in it, as a query string that outlives the page.
 *
 * @param {PlayList} list
 * @param {number} at
 */
export function queryStringOf({ query = {} }, at) {
  return queryString(query, at);
}

/**
 * The list that a recording was played from before a reload, and its place there; the whole library if unknown.
 *
 * @param {Item} item
 * @param {string | null} text That of {@link queryStringOf}.
 * @returns {Promise<{ list: PlayList, at: number }>}
 */
export async function playListOf(item, text) {
  if (text === null) return { list: wholeLibrary, at: await placeInLibrary(item).catch(() => 0) };
  const { query, offset } = listIn(text);
  return { list: { query, load: (step, signal) => listItems({ ...query, ...step }, signal) }, at: offset };
}

/**
 * The place of a recording in `wholeLibrary`.
 *
 * @param {Item} item
 */
async function placeInLibrary({ created }) {
  const { total } = await listItems({ createdFrom: created, limit: 1 });
  return Math.max(0, total - 1);
}

/** A snapshot of a list; each part is requested once, on demand. */
export class ListNow {
  #list;
  #signal;
  /** @type {Map<number, Promise<{ items: Item[], total: number }>>} By page number. */
  #pages = new Map();

  /**
   * @param {PlayList} list
   * @param {AbortSignal} signal
   */
  constructor(list, signal) {
    this.#list = list;
    this.#signal = signal;
  }

  /**
   * @param {string} id
   * @param {number} near Its previous place; the list may have changed since.
   * @returns {Promise<number | null>} `null` when it is neither there nor in the neighboring pages.
   */
  async placeOf(id, near) {
    const page = Math.floor(near / pageSize);
    for (const number of [page, page - 1, page + 1]) {
      if (number < 0) continue;
      const at = (await this.#page(number)).items.findIndex((item) => item.id === id);
      if (at >= 0) return number * pageSize + at;
    }
    return null;
  }

  /**
   * The first playable recording in one direction through the list.
   *
   * @param {number} from The first place to check.
   * @param {1 | -1} direction
   * @param {(item: Item) => boolean} isWanted
   * @returns {Promise<Stop | null>}
   */
  async first(from, direction, isWanted) {
    for (let at = from; at >= 0; at += direction) {
      const { items } = await this.#page(Math.floor(at / pageSize));
      const item = items[at % pageSize];
      if (item === undefined && direction > 0) return null;
      if (item !== undefined && !this.#list.isHidden?.(item.id) && isWanted(item)) return { item, at };
    }
    return null;
  }

  async total() {
    return (await this.#page(0)).total;
  }

  /** @param {number} number */
  #page(number) {
    const known = this.#pages.get(number);
    if (known !== undefined) return known;
    const page = this.#list.load({ offset: number * pageSize, limit: pageSize }, this.#signal);
    this.#pages.set(number, page);
    return page;
  }
}

/**
 * The neighbors of the recording that is playing; `null` where there is none.
 *
 * @typedef {object} Neighbors
 * @property {Stop | null} before
 * @property {Stop | null} after
 * @property {Stop | null} first Of the whole list, when nothing comes after.
 * @property {Stop | null} last Of the whole list, when nothing comes before.
 */

/** @type {Neighbors} */
const alone = { before: null, after: null, first: null, last: null };

/** The path through the list that a recording was played from, in its order at that moment. */
export class Course {
  /** @type {Cell<Neighbors>} */
  neighbours = new Cell(alone);
  /** @type {unknown} Why the neighbors are unknown, or `null`. */
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

  /** Fulfilled when the neighbors are those of the present recording, or another request for them has failed. */
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

/**
 * A recording that was skipped.
 *
 * @typedef {object} PassedOver
 * @property {string} name
 * @property {unknown} reason
 * @property {string} following The name of what is played instead.
 */

/** The codes of errors that concern one recording only, so that others may well be playable. */
const ownReasons = ["vault.content-damaged", "vault.content-missing", "library.item-not-found", "sound.unplayable"];

/** The recordings that turned out to be damaged or missing, and why; until they change. */
export class Unplayable {
  /** The reasons by a recording's id. */
  reasons = new Cell(/** @type {ReadonlyMap<string, unknown>} */ (new Map()));
  /** The last one. */
  passed = new Cell(/** @type {PassedOver | null} */ (null));

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("library", ({ changed, deleted }) => this.remove([...changed, ...deleted]), signal);
  }

  /**
   * @param {string} id Of a recording.
   * @param {unknown} reason Why it cannot be played.
   * @returns {boolean} Whether that concerns only this recording.
   */
  note(id, reason) {
    const { code = "" } = /** @type {{ code?: string }} */ (reason ?? {});
    const isItsOwn = ownReasons.includes(code);
    if (isItsOwn) this.reasons.set(new Map([...this.reasons.value, [id, reason]]));
    return isItsOwn;
  }

  /** @param {string[]} ids Of recordings that may be intact again. */
  remove(ids) {
    const { value } = this.reasons;
    if (ids.some((id) => value.has(id))) this.reasons.set(new Map([...value].filter(([id]) => !ids.includes(id))));
  }

  clear() {
    this.reasons.set(new Map());
    this.passed.set(null);
  }

  /**
   * @param {readonly QueueEntry[]} entries
   * @param {string | null} current An entry's id.
   * @param {boolean} loops Whether the first follows the last.
   * @returns {QueueEntry | null} The next that is not known to be unplayable.
   */
  entryAfter(entries, current, loops) {
    let at = current;
    for (let count = 0; count < entries.length; count += 1) {
      const entry = entryAfter(entries, at, loops);
      if (entry === null || !this.reasons.value.has(entry.item.id)) return entry;
      at = entry.id;
    }
    return null;
  }
}
