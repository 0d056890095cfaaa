/**
 * The timing functions of an echo clock.
 *
 * @typedef {object} ClockParts
 * @property {() => number} now Seconds of a monotonic clock.
 * @property {(run: () => void, seconds: number) => () => void} later Runs something after a delay; returns a function
 * that cancels it.
 */

/** @type {ClockParts} */
const real = {
  now: () => performance.now() / 1_000,
  later: (run, seconds) => {
    const timer = setTimeout(run, seconds * 1_000);
    return () => clearTimeout(timer);
  },
};

/** The pause in which a user repeats a segment: how much of it has passed, and when it ends. */
export class EchoClock {
  #parts;
  #length = 0;
  /** Seconds that had passed when it started or resumed. */
  #before = 0;
  #since = 0;
  #isRunning = false;
  #cancel = () => {};
  #ended = () => {};

  /** @param {ClockParts} parts */
  constructor(parts = real) {
    this.#parts = parts;
  }

  get isRunning() {
    return this.#isRunning;
  }

  /** Seconds that have passed. */
  get elapsed() {
    const elapsed = this.#before + (this.#isRunning ? this.#parts.now() - this.#since : 0);
    return Math.min(this.#length, elapsed);
  }

  /** Seconds that are left. */
  get remaining() {
    return this.#length - this.elapsed;
  }

  /** The fraction that has passed, from 0 to 1. */
  get part() {
    return this.#length === 0 ? 0 : this.elapsed / this.#length;
  }

  /**
   * @param {number} seconds
   * @param {() => void} ended Called once, unless it is stopped first.
   */
  start(seconds, ended) {
    this.stop();
    this.#length = seconds;
    this.#before = 0;
    this.#ended = ended;
    this.#run();
  }

  suspend() {
    if (!this.#isRunning) return;
    this.#before = this.elapsed;
    this.#rest();
  }

  /** @param {number} [remaining] Seconds left; default: as before the pause. */
  resume(remaining = this.remaining) {
    if (this.#isRunning || this.#length === 0) return;
    this.#before = Math.max(0, this.#length - remaining);
    this.#run();
  }

  stop() {
    this.#rest();
    this.#length = this.#before = 0;
    this.#ended = () => {};
  }

  #run() {
    this.#isRunning = true;
    this.#since = this.#parts.now();
    this.#cancel = this.#parts.later(() => this.#end(), this.#length - this.#before);
  }

  #rest() {
    this.#cancel();
    this.#cancel = () => {};
    this.#isRunning = false;
  }

  #end() {
    const ended = this.#ended;
    this.#before = this.#length;
    this.#rest();
    this.#ended = () => {};
    ended();
  }
}
