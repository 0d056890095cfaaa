/** The number of items per request. */
const pageSize = 100;

/** How many pages are cached; the least recently viewed is dropped first. */
const pagesKept = 12;

/** The server's maximum per request. */
const largestStep = 500;

/** @typedef {{ offset: number, limit: number }} Step The requested part of a long list. */

/**
 * A window onto a long list: it requests the pages in view, caches a bounded number of them, and omits hidden items as
 * if they were already deleted.
 *
 * Places count visible items from 0. The list of one query stays until the first page of the next has arrived, so that
 * nothing flickers while the user types.
 *
 * @template {{ id: string }} Item
 * @template {object} Query
 */
export class ItemWindow {
  /** @type {(query: Query & Step, signal: AbortSignal) => Promise<{ items: Item[], total: number, unreadable?: number }>} */
  #load;
  /** @type {() => void} */
  #changed;
  /** @type {(error: unknown) => void} */
  #failed;
  /** @type {(id: string) => boolean} */
  #isHidden;

  /** @type {Query} */
  #query = /** @type {Query} */ ({});
  /**
   * The query of the visible list: the old one, until the first page of the new one has arrived.
   *
   * @type {Query}
   */
  #shownQuery = /** @type {Query} */ ({});
  /**
   * Items by page number; the most recently viewed page is last.
   *
   * @type {Map<number, Item[]>}
   */
  #pages = new Map();
  /** @type {Map<number, AbortController>} */
  #loading = new Map();
  #opening = new AbortController();
  /**
   * The places of hidden items in the server's list, ascending.
   *
   * @type {number[]}
   */
  #holes = [];
  /** @type {number | null} */
  #total = null;
  /** How many further items the library cannot read. */
  unreadable = 0;
  /**
   * The last visible range, in the server's places.
   *
   * @type {[number, number]}
   */
  #range = [0, 0];

  /**
   * @param {object} parts
   * @param {(query: Query & Step, signal: AbortSignal) => Promise<{ items: Item[], total: number, unreadable?: number }>} parts.load
   * @param {() => void} parts.changed Items were added, removed or changed.
   * @param {(error: unknown) => void} parts.failed
   * @param {(id: string) => boolean} [parts.isHidden]
   */
  constructor({ load, changed, failed, isHidden = () => false }) {
    this.#load = load;
    this.#changed = changed;
    this.#failed = failed;
    this.#isHidden = isHidden;
  }

  /** How many items are visible; `null` before the first answer. */
  get count() {
    return this.#total === null ? null : Math.max(0, this.#total - this.#holes.length);
  }

  /** The query of the visible items. */
  get query() {
    return this.#shownQuery;
  }

  /**
   * Shows another query's list from its top.
   *
   * @param {Query} query
   */
  async open(query) {
    this.#query = query;
    this.#range = [0, 0];
    await this.refresh();
  }

  /** Requests the visible pages again, and drops the others. */
  async refresh() {
    this.#opening.abort();
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    const query = this.#query;
    const first = Math.floor(this.#range[0] / pageSize);
    const last = Math.floor(this.#range[1] / pageSize);
    try {
      const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      const pages = await Promise.all(numbers.map((number) => this.#ask(query, number, signal)));
      if (signal.aborted) return;
      this.#stopLoading();
      this.#pages = new Map(pages.map(({ items }, index) => [first + index, items]));
      this.#total = pages[0]?.total ?? 0;
      this.unreadable = pages[0]?.unreadable ?? 0;
      this.#shownQuery = query;
      this.#findHoles();
      this.#changed();
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** Ends every request. */
  close() {
    this.#opening.abort();
    this.#stopLoading();
  }

  #stopLoading() {
    for (const request of this.#loading.values()) request.abort();
    this.#loading.clear();
  }

  /**
   * @param {number} place
   * @returns {Item | undefined} `undefined` while it is unknown.
   */
  item(place) {
    const index = this.#index(place);
    return this.#pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  /**
   * Requests a range of visible places.
   *
   * @param {number} from
   * @param {number} to Exclusive.
   */
  need(from, to) {
    if (this.#total === null || to <= from) return;
    this.#range = [this.#index(from), Math.min(this.#index(to - 1), Math.max(0, this.#total - 1))];
    const first = Math.floor(this.#range[0] / pageSize);
    const last = Math.floor(this.#range[1] / pageSize);
    for (const [number, request] of this.#loading) {
      if (number >= first && number <= last) continue;
      request.abort(); // scrolled past before it arrived
      this.#loading.delete(number);
    }
    for (let number = first; number <= last; number += 1) this.#want(number);
  }

  /**
   * @param {string} id
   * @returns {Item | undefined} Only if it is cached.
   */
  find(id) {
    for (const items of this.#pages.values()) {
      const found = items.find((item) => item.id === id);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /**
   * The visible place of a cached item.
   *
   * @param {string} id
   * @returns {number | null}
   */
  place(id) {
    for (const [number, items] of this.#pages) {
      const offset = items.findIndex((item) => item.id === id);
      if (offset < 0) continue;
      const index = number * pageSize + offset;
      return index - this.#holes.filter((hole) => hole < index).length;
    }
    return null;
  }

  /** The list as ordered and filtered now; it outlives this window. */
  get list() {
    const query = this.#shownQuery;
    const load = (/** @type {Step} */ step, /** @type {AbortSignal} */ signal) => this.#load({ ...query, ...step }, signal);
    return { load, isHidden: this.#isHidden, query };
  }

  /**
   * A cached item, and its place in `list`.
   *
   * @param {string} id
   */
  stop(id) {
    const item = this.find(id);
    const place = this.place(id);
    return item === undefined || place === null ? null : { item, at: this.#index(place) };
  }

  /**
   * Replaces items by their changed versions.
   *
   * @param {Item[]} changed
   */
  replace(changed) {
    for (const items of this.#pages.values()) {
      for (const item of changed) {
        const offset = items.findIndex(({ id }) => id === item.id);
        if (offset >= 0) items[offset] = { ...items[offset], ...item };
      }
    }
    this.#changed();
  }

  /** Notifies that the hidden items have changed. */
  hiddenChanged() {
    this.#findHoles();
    this.#changed();
  }

  /**
   * The ids of all visible matches, in order.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<string[]>}
   */
  async allIds(signal) {
    /** @type {string[]} */
    const ids = [];
    for (let offset = 0; ; offset += largestStep) {
      const { items, total } = await this.#load({ ...this.#shownQuery, offset, limit: largestStep }, signal);
      ids.push(...items.map(({ id }) => id));
      if (items.length === 0 || offset + items.length >= total) break;
    }
    return ids.filter((id) => !this.#isHidden(id));
  }

  /**
   * @param {Query} query
   * @param {number} number
   * @param {AbortSignal} signal
   */
  #ask(query, number, signal) {
    return this.#load({ ...query, offset: number * pageSize, limit: pageSize }, signal);
  }

  /** @param {number} number */
  async #want(number) {
    const known = this.#pages.get(number);
    if (known !== undefined) {
      this.#pages.delete(number);
      this.#pages.set(number, known);
      return;
    }
    if (this.#loading.has(number)) return;
    const request = new AbortController();
    this.#loading.set(number, request);
    try {
      const { items, total, unreadable = 0 } = await this.#ask(this.#shownQuery, number, request.signal);
      if (request.signal.aborted) return;
      this.#pages.set(number, items);
      this.#total = total;
      this.unreadable = unreadable;
      this.#forget();
      this.#findHoles();
      this.#changed();
    } catch (error) {
      if (!request.signal.aborted) this.#failed(error);
    } finally {
      if (this.#loading.get(number) === request) this.#loading.delete(number);
    }
  }

  #forget() {
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= pagesKept) return;
      this.#pages.delete(number);
    }
  }

  /** Finds hidden items among the cached pages; those elsewhere are counted when their page arrives. */
  #findHoles() {
    /** @type {number[]} */
    const holes = [];
    for (const [number, items] of this.#pages) {
      items.forEach((item, offset) => {
        if (this.#isHidden(item.id)) holes.push(number * pageSize + offset);
      });
    }
    this.#holes = holes.sort((one, other) => one - other);
  }

  /** @param {number} place */
  #index(place) {
    let index = place;
    for (const hole of this.#holes) {
      if (hole > index) break;
      index += 1;
    }
    return index;
  }
}
