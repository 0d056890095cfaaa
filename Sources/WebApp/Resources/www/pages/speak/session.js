import { Cell, profiles } from "../../core/store.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/voices.js").VoiceSettings} VoiceSettings */

/**
 * The stage of the page.
 *
 * - `writing`: the text is being written;
 * - `asking`: the server has been asked to speak it;
 * - `speaking`: it is being spoken, or is queued;
 * - `saved`: it has become a recording, perhaps only of a part;
 * - `unfinished`: it was interrupted, and can be resumed.
 *
 * @typedef {object} Stage
 * @property {"writing" | "asking" | "speaking" | "saved" | "unfinished"} kind
 * @property {Narration | null} narration Absent only while `writing` and `asking`.
 * @property {boolean} [isPart] Whether a saved recording was stopped before the end.
 */

/**
 * The text and its narration; `speaking.js` speaks it, and saves it in the library until then. It outlives
 * the Speak page.
 */
export class SpeakSession {
  written = new Cell("");
  /** @type {Cell<Stage>} */
  stage = new Cell(/** @type {Stage} */ ({ kind: "writing", narration: null }));
  /** @type {Cell<unknown>} The last error, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  /** @type {Cell<unknown>} Why the library cannot save the text at the moment, or `null`. */
  unkept = new Cell(/** @type {unknown} */ (null));
  /** @type {Cell<VoiceSettings>} Overrides of the profile for the next text. */
  settings = new Cell(/** @type {VoiceSettings} */ ({}));

  get text() {
    return this.written.value;
  }

  set text(text) {
    this.written.set(text);
  }

  /** Whether speech is being generated. */
  get isBusy() {
    return ["asking", "speaking"].includes(this.stage.value.kind);
  }

  /** The voice settings of the next text: the chosen profile's with the overrides. */
  get effectiveSettings() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen) ?? null;
    return { ...profile, ...this.settings.value, profile, isChanged: Object.keys(this.settings.value).length > 0 };
  }

  /** @param {VoiceSettings} change */
  choose(change) {
    this.settings.set({ ...this.settings.value, ...change });
  }

  /** Returns to writing, with the present text. */
  write() {
    this.problem.set(null);
    this.stage.set({ kind: "writing", narration: null });
  }

  /**
   * Starts writing another text.
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
