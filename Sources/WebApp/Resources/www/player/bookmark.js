import { isOpen } from "../core/store.js";
import { keepNarrationPlace } from "../server/narrations.js";
import { keepBookmark } from "../server/playback.js";

/** @typedef {import("./track.js").Track} Track */

/** Milliseconds between bookmarks while playing, and the minimum between any two. */
const every = 5_000;
const apart = 300;

/** Saves the last playback position on the server, not more often than useful. */
export class Bookmark {
  #last = 0;
  #timer = 0;

  /** Whether one is due during playback. */
  get isDue() {
    return Date.now() - this.#last > every;
  }

  /**
   * @param {Track | null} track
   * @param {number} position Seconds.
   * @param {boolean} isLeaving Whether the request must outlive the page.
   * @param {string | null} [list] The query string of the list that it was played from.
   */
  keep(track, position, isLeaving, list = null) {
    if (track === null) return;
    clearTimeout(this.#timer);
    const wait = isLeaving ? 0 : this.#last + apart - Date.now();
    if (wait <= 0) return this.#send(track, position, isLeaving, list);
    this.#timer = setTimeout(() => isOpen() && this.#send(track, position, false, list), wait);
  }

  /** Drops an unsent position in something that no longer exists. */
  drop() {
    clearTimeout(this.#timer);
  }

  /**
   * @param {Track} track
   * @param {number} position Seconds.
   * @param {boolean} isLeaving
   * @param {string | null} list
   */
  #send(track, position, isLeaving, list) {
    this.#last = Date.now();
    // The next bookmark replaces one that does not arrive.
    const isPlace = track.kind === "narration" && !track.isWhole;
    const options = { list, keepalive: isLeaving };
    (isPlace ? keepNarrationPlace(track.id, position, options) : keepBookmark(track.id, position, options)).catch(() => {});
  }
}

/**
 * @param {import("./play-queue.js").PlayQueue} queue
 * @returns {{ item: import("../server/library.js").Item, entry: string | null, position: number, list: string | null } | null} Where
 * listening stopped, in seconds; the queue's current recording if there is no bookmark. `entry` is that of the queue,
 * if the recording was played from there; `list` the query string of another list that it was played from.
 */
export function lastPlace(queue) {
  const { bookmark } = queue;
  const entry = queue.entry(queue.current);
  if (bookmark === null) return entry === undefined ? null : { item: entry.item, entry: entry.id, position: 0, list: null };
  const { item, position, list } = bookmark;
  const isQueued = entry?.item.id === item.id && list === null;
  return { item, entry: isQueued ? entry.id : null, position, list };
}
