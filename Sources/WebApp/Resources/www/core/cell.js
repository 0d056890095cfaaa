/**
 * One value that can be watched.
 *
 * @template Value
 */
export class Cell {
  /** @type {Value} */
  #value;

  /** @type {Set<(value: Value) => void>} */
  #watchers = new Set();

  /** @param {Value} value */
  constructor(value) {
    this.#value = value;
  }

  get value() {
    return this.#value;
  }

  /**
   * Changes the value and tells the watchers, also when it is the same object as before.
   *
   * @param {Value} value
   */
  set(value) {
    this.#value = value;
    for (const watcher of [...this.#watchers]) watcher(value);
  }

  /**
   * Calls `watcher` at every change until `signal` is aborted.
   *
   * @param {(value: Value) => void} watcher
   * @param {AbortSignal} signal
   */
  watch(watcher, signal) {
    if (signal.aborted) return;
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => this.#watchers.delete(watcher), { once: true });
  }

  /**
   * Calls `watcher` now and at every change until `signal` is aborted.
   *
   * @param {(value: Value) => void} watcher
   * @param {AbortSignal} signal
   */
  follow(watcher, signal) {
    watcher(this.#value);
    this.watch(watcher, signal);
  }
}
