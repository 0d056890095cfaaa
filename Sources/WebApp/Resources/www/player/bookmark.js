import { keepBookmark } from "../server/playback.js";

/** Milliseconds between bookmarks while playing, and the fewest between any two. */
const every = 5_000;
const apart = 300;

/** Has the server keep what was heard last, and where; not more often than is of use. */
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
    // A bookmark that does not arrive is made up for by the next.
    keepBookmark(id, position, { keepalive: isLeaving }).catch(() => {});
  }
}
