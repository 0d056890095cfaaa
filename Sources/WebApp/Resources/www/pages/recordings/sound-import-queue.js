import { Cell } from "../../core/store.js";
import { importSound } from "../../server/recordings.js";

/**
 * A sound file that is being imported.
 *
 * @typedef {object} SoundImport
 * @property {number} id
 * @property {File} file
 * @property {"waiting" | "sending" | "reading" | "refused" | "done"} state `reading` when the server has all of it.
 * @property {number} part The uploaded fraction, from 0 to 1.
 * @property {unknown} problem Why it was refused, or `null`.
 * @property {boolean} keepsPart Whether what can be read of it is kept, though it is damaged.
 * @property {boolean} keepsTwin Whether it is imported again, though it was imported before.
 * @property {readonly import("../../server/recordings.js").SoundNotice[]} notices
 * @property {{ id: string, name: string } | null} twin The recording that was imported from it before, and is used.
 */

/** The sound files being imported, one after another; it outlives the page. */
export class SoundImports {
  /** @type {Cell<readonly SoundImport[]>} In order of arrival. */
  all = new Cell(/** @type {readonly SoundImport[]} */ ([]));
  #send;
  #lastId = 0;
  /** @type {{ id: number, request: AbortController } | null} The import in progress. */
  #current = null;
  /** @type {Set<number>} The imports of whose end a person has been told. */
  #reported = new Set();

  /** @param {typeof importSound} send */
  constructor(send = importSound) {
    this.#send = send;
  }

  /** @param {Iterable<File>} files */
  add(files) {
    const fresh = [...files].map((file) => {
      this.#lastId += 1;
      return /** @type {SoundImport} */ ({ id: this.#lastId, file, state: "waiting", part: 0, problem: null, keepsPart: false, keepsTwin: false, notices: [], twin: null });
    });
    this.all.set([...this.all.value, ...fresh]);
    this.#next();
  }

  /** @param {number} id */
  again(id) {
    this.#change(id, { state: "waiting", part: 0, problem: null });
    this.#next();
  }

  /**
   * Takes what can be read of a damaged file.
   *
   * @param {number} id
   */
  keepPart(id) {
    this.#change(id, { keepsPart: true });
    this.again(id);
  }

  /**
   * Imports a file once more that was imported before.
   *
   * @param {number} id
   */
  keepTwin(id) {
    this.#reported.delete(id);
    this.#change(id, { keepsTwin: true, twin: null });
    this.again(id);
  }

  /**
   * Removes one from the list; one that is not done yet is not kept.
   *
   * @param {number} id
   */
  drop(id) {
    this.all.set(this.all.value.filter((one) => one.id !== id));
    if (this.#current?.id === id) this.#current.request.abort();
  }

  /**
   * Notes that a person is told of an import's end.
   *
   * @param {number} id
   * @returns {boolean} Whether nobody has been told before, on this page or another.
   */
  report(id) {
    const isNew = !this.#reported.has(id);
    this.#reported.add(id);
    return isNew;
  }

  /** Drops every import; called when the library closes. */
  forget() {
    for (const { id } of this.all.value) this.drop(id);
  }

  async #next() {
    const one = this.all.value.find(({ state }) => state === "waiting");
    if (this.#current !== null || one === undefined) return;
    const { id, file, keepsPart, keepsTwin } = one;
    const request = new AbortController();
    this.#current = { id, request };
    this.#change(id, { state: "sending" });
    try {
      const { item, notices, isReused } = await this.#send(file, {
        keepsPart,
        keepsTwin,
        signal: request.signal,
        progressed: (part) => this.#change(id, { part, state: part < 1 ? "sending" : "reading" }),
      });
      this.#change(id, { state: "done", part: 1, notices, twin: isReused ? { id: item.id, name: item.name } : null });
    } catch (problem) {
      this.#change(id, { state: "refused", problem });
    }
    this.#current = null;
    this.#next();
  }

  /**
   * @param {number} id
   * @param {Partial<SoundImport>} change
   */
  #change(id, change) {
    if (!this.all.value.some((one) => one.id === id)) return;
    this.all.set(this.all.value.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }
}

export const soundImports = new SoundImports();
