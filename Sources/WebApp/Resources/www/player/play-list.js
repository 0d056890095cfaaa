import { listIn, listItems, queryString } from "../server/library.js";

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
   * @returns {Promise<number | null>} `null` when it is neither there nor in the neighbouring pages.
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
