/**
 * What an echo clock measures time with.
 *
 * @typedef {object} ClockParts
 * @property {() => number} now Seconds of a clock that never goes back.
 * @property {(run: () => void, seconds: number) => () => void} later Runs something after a time; gives what ends it.
 */

/** @type {ClockParts} */
const real = {
  now: () => performance.now() / 1_000,
  later: (run, seconds) => {
    const timer = setTimeout(run, seconds * 1_000);
    return () => clearTimeout(timer);
  },
};

/** The pause in which a person repeats what was said: how much of it is over, and when it ends. */
export class EchoClock {
  #parts;
  #length = 0;
  /** Seconds that were over when it began or went on. */
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

  /** Seconds that are over. */
  get elapsed() {
    const elapsed = this.#before + (this.#isRunning ? this.#parts.now() - this.#since : 0);
    return Math.min(this.#length, elapsed);
  }

  /** Seconds that are left. */
  get remaining() {
    return this.#length - this.elapsed;
  }

  /** How much is over, from 0 to 1. */
  get part() {
    return this.#length === 0 ? 0 : this.elapsed / this.#length;
  }

  /**
   * @param {number} seconds
   * @param {() => void} ended Called once, unless it is stopped before.
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

  /** @param {number} [remaining] Seconds that are left; those that were left when absent. */
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
