import { Cell } from "../core/store.js";

/** When the player pauses by itself: at a time (milliseconds since 1970), at the end of a recording, or never. */
export class SleepTimer {
  /** @type {Cell<number | "end" | null>} */
  until = new Cell(/** @type {number | "end" | null} */ (null));
  #timer = 0;
  #rest;

  /** @param {() => void} rest Called when the time has come. */
  constructor(rest) {
    this.#rest = rest;
  }

  /** @param {number | "end" | null} minutes */
  set(minutes) {
    clearTimeout(this.#timer);
    if (typeof minutes !== "number") {
      this.until.set(minutes);
      return;
    }
    const milliseconds = minutes * 60_000;
    this.until.set(Date.now() + milliseconds);
    this.#timer = setTimeout(() => {
      this.until.set(null);
      this.#rest();
    }, milliseconds);
  }

  /** @returns {boolean} Whether to pause now that a recording has ended; this turns the timer off. */
  endsHere() {
    if (this.until.value !== "end") return false;
    this.until.set(null);
    return true;
  }
}
