import { isOpen, state } from "../core/store.js";

/**
 * A deletion that waits until undo is no longer offered.
 *
 * @typedef {object} Pending
 * @property {() => void} undo Shows the hidden things again.
 * @property {(options?: { keepalive?: boolean }) => Promise<void>} finish Deletes them; with `keepalive` when the page
 * is unloading.
 */

/**
 * Hides things at once and deletes them later, so that it can be undone. The caller, who shows the undo, decides when
 * it is too late. What a lock has overtaken is deleted when the library is open again: the user has seen it go.
 *
 * @template Id
 */
export class DeferredDeletion {
  /** @type {(ids: Id[], options: { keepalive: boolean }) => Promise<void>} */
  #delete;
  /** @type {(error: unknown, ids: Id[]) => void} */
  #failed;
  /** @type {Set<() => void>} */
  #watchers = new Set();

  /**
   * The ids that are waiting or deleted: a list requested earlier may still contain them.
   *
   * @type {Set<Id>}
   */
  #hidden = new Set();

  /**
   * @param {object} parts
   * @param {(ids: Id[], options: { keepalive: boolean }) => Promise<void>} parts.delete
   * @param {(error: unknown, ids: Id[]) => void} parts.failed Called with the ids that are visible again.
   */
  constructor({ delete: remove, failed }) {
    this.#delete = remove;
    this.#failed = failed;
  }

  /** @param {Id} id */
  isHidden(id) {
    return this.#hidden.has(id);
  }

  /**
   * @param {() => void} watcher Called whenever the hidden ids have changed.
   * @param {AbortSignal} signal Ends it.
   */
  watch(watcher, signal) {
    this.#watchers.add(watcher);
    signal.addEventListener("abort", () => this.#watchers.delete(watcher), { once: true });
  }

  /**
   * @param {Id[]} ids
   * @returns {Pending} Only the first call of either counts.
   */
  hide(ids) {
    let isDecided = false;
    for (const id of ids) this.#hidden.add(id);
    this.#notify();
    return {
      undo: () => {
        if (isDecided) return;
        isDecided = true;
        this.#show(ids);
      },
      finish: async ({ keepalive = false } = {}) => {
        if (isDecided) return;
        isDecided = true;
        try {
          if (keepalive) await this.#delete(ids, { keepalive });
          else await this.#deleteOnceOpen(ids);
        } catch (error) {
          this.#show(ids);
          this.#failed(error, ids);
        }
      },
    };
  }

  /** @param {Id[]} ids */
  async #deleteOnceOpen(ids) {
    for (let isRefused = false; ; isRefused = true) {
      await opened(isRefused);
      try {
        await this.#delete(ids, { keepalive: false });
        return;
      } catch (error) {
        if (/** @type {{ code?: string }} */ (error).code !== "vault.locked") throw error;
      }
    }
  }

  /** @param {Id[]} ids */
  #show(ids) {
    for (const id of ids) this.#hidden.delete(id);
    this.#notify();
  }

  #notify() {
    for (const watcher of this.#watchers) watcher();
  }
}

/**
 * Waits until the library is open; nothing speaks against that before the server has answered.
 *
 * @param {boolean} isRefused Whether the server has said that it is locked, which `state` may not show yet.
 * @returns {Promise<void>}
 */
function opened(isRefused) {
  if (!isRefused && (state.value === null || isOpen())) return Promise.resolve();
  const wait = new AbortController();
  return new Promise((resolve) => state.watch(() => isOpen() && resolve(wait.abort()), wait.signal));
}
