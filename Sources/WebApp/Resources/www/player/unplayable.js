import { entryAfter } from "./play-queue.js";
import { Cell } from "../core/store.js";
import { onServer } from "../server/events.js";

/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */

/**
 * A recording that was skipped.
 *
 * @typedef {object} PassedOver
 * @property {string} name
 * @property {unknown} reason
 * @property {string} following The name of what is played instead.
 */

/** The codes of errors that concern one recording only, so that others may well be playable. */
const ownReasons = ["vault.content-damaged", "vault.content-missing", "library.item-not-found", "sound.unplayable"];

/** The recordings that turned out to be damaged or missing, and why; until they change. */
export class Unplayable {
  /** By a recording's id. */
  reasons = new Cell(/** @type {ReadonlyMap<string, unknown>} */ (new Map()));
  /** The last one. */
  passed = new Cell(/** @type {PassedOver | null} */ (null));

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("library", ({ changed, deleted }) => this.remove([...changed, ...deleted]), signal);
  }

  /**
   * @param {string} id Of a recording.
   * @param {unknown} reason Why it cannot be played.
   * @returns {boolean} Whether that concerns only this recording.
   */
  note(id, reason) {
    const { code = "" } = /** @type {{ code?: string }} */ (reason ?? {});
    const isItsOwn = ownReasons.includes(code);
    if (isItsOwn) this.reasons.set(new Map([...this.reasons.value, [id, reason]]));
    return isItsOwn;
  }

  /** @param {string[]} ids Of recordings that may be intact again. */
  remove(ids) {
    const { value } = this.reasons;
    if (ids.some((id) => value.has(id))) this.reasons.set(new Map([...value].filter(([id]) => !ids.includes(id))));
  }

  clear() {
    this.reasons.set(new Map());
    this.passed.set(null);
  }

  /**
   * @param {readonly QueueEntry[]} entries
   * @param {string | null} current An entry's id.
   * @param {boolean} loops Whether the first follows the last.
   * @returns {QueueEntry | null} The next that is not known to be unplayable.
   */
  entryAfter(entries, current, loops) {
    let at = current;
    for (let count = 0; count < entries.length; count += 1) {
      const entry = entryAfter(entries, at, loops);
      if (entry === null || !this.reasons.value.has(entry.item.id)) return entry;
      at = entry.id;
    }
    return null;
  }
}
