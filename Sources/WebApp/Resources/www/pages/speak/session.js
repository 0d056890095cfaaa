import { Cell, profiles } from "../../core/store.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/voices.js").Manner} Manner */

/**
 * Where the page stands.
 *
 * - `writing`: the text is being written;
 * - `asking`: the server has been asked to speak it;
 * - `speaking`: it is being spoken, or waits for its turn;
 * - `saved`: it has become a recording, perhaps of a part only;
 * - `unfinished`: it broke off, and can go on.
 *
 * @typedef {object} Stage
 * @property {"writing" | "asking" | "speaking" | "saved" | "unfinished"} kind
 * @property {Narration | null} narration Absent only while `writing` and `asking`.
 * @property {boolean} [isPart] Whether a saved one was stopped before its end.
 */

/**
 * The text and what became of it; `speaking.js` speaks it. Outlives the Speak page, in memory only: what is written is
 * kept nowhere until it is spoken.
 */
export class SpeakSession {
  text = "";
  /** @type {Cell<Stage>} */
  stage = new Cell(/** @type {Stage} */ ({ kind: "writing", narration: null }));
  /** @type {Cell<unknown>} What went wrong last, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  /** @type {Cell<Manner>} What was chosen here beside the profile, for what is spoken next. */
  manner = new Cell(/** @type {Manner} */ ({}));

  /** Whether speech is being made. */
  get isBusy() {
    return ["asking", "speaking"].includes(this.stage.value.kind);
  }

  /** How the next text will be spoken: the chosen profile, with what was chosen beside it. */
  get wholeManner() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen) ?? null;
    return { ...profile, ...this.manner.value, profile, isChanged: Object.keys(this.manner.value).length > 0 };
  }

  /** @param {Manner} change */
  choose(change) {
    this.manner.set({ ...this.manner.value, ...change });
  }

  /** Back to writing, with the text as it is. */
  write() {
    this.problem.set(null);
    this.stage.set({ kind: "writing", narration: null });
  }

  /**
   * Writes another text.
   *
   * @param {string} text
   */
  begin(text) {
    if (this.isBusy) return;
    this.text = text;
    this.write();
  }
}

export const session = new SpeakSession();
