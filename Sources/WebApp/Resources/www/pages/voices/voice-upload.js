import { Cell } from "../../core/store.js";
import { addVoiceFile } from "../../server/voice-catalogue.js";

/** @typedef {import("../../server/voice-catalogue.js").VoiceListing} VoiceListing */

/**
 * A voice that is being added from a file.
 *
 * - `sending`, then `trying` when the server has all of it: it unpacks the voice and speaks a word with it;
 * - `refused`; `done`.
 *
 * @typedef {object} Upload
 * @property {File} file
 * @property {"sending" | "trying" | "refused" | "done"} state
 * @property {number} part The uploaded fraction, from 0 to 1.
 * @property {unknown} problem Why it was refused, or `null`.
 * @property {VoiceListing | null} voice Set when it is done.
 */

/** The voice that is being added from a file, one at a time; it outlives the page. */
export class VoiceUpload {
  /** `null` when there is none. */
  current = new Cell(/** @type {Upload | null} */ (null));
  #send;
  #request = new AbortController();

  /** @param {(file: File, options: { progressed: (part: number) => void, signal: AbortSignal }) => Promise<VoiceListing>} send */
  constructor(send = addVoiceFile) {
    this.#send = send;
  }

  /** @param {File} file Replaces the previous one. */
  async add(file) {
    this.drop();
    const request = (this.#request = new AbortController());
    this.current.set({ file, state: "sending", part: 0, problem: null, voice: null });
    try {
      const voice = await this.#send(file, {
        signal: request.signal,
        progressed: (part) => this.#change(request, { part, state: part < 1 ? "sending" : "trying" }),
      });
      this.#change(request, { state: "done", voice });
    } catch (problem) {
      this.#change(request, { state: "refused", problem });
    }
  }

  /** Removes it; a file that is still being uploaded is not added. */
  drop() {
    this.#request.abort();
    if (this.current.value !== null) this.current.set(null);
  }

  /**
   * @param {AbortController} request The request of the upload; another upload may have replaced it.
   * @param {Partial<Upload>} change
   */
  #change(request, change) {
    const { value } = this.current;
    if (!request.signal.aborted && value !== null) this.current.set({ ...value, ...change });
  }
}

export const upload = new VoiceUpload();
