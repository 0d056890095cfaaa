/** @typedef {import("../server/http.js").AppState} AppState */
/** @typedef {import("../server/voices.js").Voice} Voice */
/**
 * @typedef {Voice & { title: string, fullTitle: string }} TitledVoice `title`: the name, with the quality if another has that
 * name. `fullTitle`: with the language too, where the name stands alone.
 */
/** @typedef {import("../server/voices.js").Profiles} Profiles */
/** @typedef {import("../server/settings.js").Setting} Setting */

/**
 * An observable value.
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
   * Sets the value and notifies the watchers, even if it is the same object.
   *
   * @param {Value} value
   */
  set(value) {
    this.#value = value;
    for (const watcher of [...this.#watchers]) watcher(value);
  }

  /**
   * Calls `watcher` on every change until `signal` is aborted.
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
   * Calls `watcher` now and on every change until `signal` is aborted.
   *
   * @param {(value: Value) => void} watcher
   * @param {AbortSignal} signal
   */
  follow(watcher, signal) {
    watcher(this.#value);
    this.watch(watcher, signal);
  }
}

/**
 * The values that every part of the page may read. `app.js` and `background.js` update the cells from the server's
 * events; a page changes things through `server/` and sees the change here.
 */

/** `null` until the server has answered. */
export const state = new Cell(/** @type {AppState | null} */ (null));

/** `null` until the server has answered. */
export const voices = new Cell(/** @type {TitledVoice[] | null} */ (null));

/** `null` until the server has answered. */
export const profiles = new Cell(/** @type {Profiles | null} */ (null));

/** The settings by name; empty until the server has answered. */
export const settings = new Cell(/** @type {ReadonlyMap<string, Setting>} */ (new Map()));

/** Whether the server can be reached. */
export const isConnected = new Cell(true);

/** Set while recording a microphone, which every page shows. */
export const recordingMark = new Cell(/** @type {{ stop: () => void } | null} */ (null));

/**
 * @param {string} name
 * @param {string} standIn The value until the server has answered.
 */
export function setting(name, standIn) {
  return settings.value.get(name)?.value ?? standIn;
}

/**
 * @param {string} name
 * @param {number} standIn The value until the server has answered.
 */
export function numberSetting(name, standIn) {
  const number = Number(settings.value.get(name)?.value ?? NaN);
  return Number.isFinite(number) ? number : standIn;
}

/** Whether recordings can be played and changed now. */
export function isOpen() {
  return state.value !== null && ["uninitialised", "unlocked", "readOnly"].includes(state.value.vault.state);
}

/**
 * Runs something whenever requests may succeed again: the server is back, or the library was opened or can be written to.
 *
 * @param {() => void} work
 * @param {AbortSignal} signal Ends it.
 */
export function onReturn(work, signal) {
  let before = state.value?.vault.state;
  isConnected.watch((yes) => yes && work(), signal);
  state.watch((now) => {
    const isChanged = now?.vault.state !== before;
    before = now?.vault.state;
    if (isChanged && isOpen()) work();
  }, signal);
}
