import { Cell } from "../../core/store.js";
import { restOf } from "./recording-rest.js";
import { importSound } from "../../server/recordings.js";

/**
 * A sound file that is being imported.
 *
 * @typedef {object} SoundImport
 * @property {number} id
 * @property {File} file
 * @property {"waiting" | "sending" | "reading" | "rest" | "joining" | "refused" | "done"} state `reading` when the server
 *   has all of it; `rest` while a person has to say what becomes of the rest of a recording.
 * @property {number} part The uploaded fraction, from 0 to 1.
 * @property {unknown} problem Why it was refused, or `null`.
 * @property {boolean} keepsPart Whether what can be read of it is kept, though it is damaged.
 * @property {number | null} track The sound track that is asked for, from 1; `null` for the usual one.
 * @property {boolean} keepsTwin Whether it is imported again, though it was imported before.
 * @property {readonly import("../../server/recordings.js").SoundNotice[]} notices
 * @property {import("../../server/library.js").Item | null} item The recording that it has become.
 * @property {{ id: string, name: string } | null} twin The recording that was imported from it before, and is used.
 * @property {import("./recording-rest.js").Joinable | null} rest The recording that it belongs to.
 * @property {boolean} isApart Whether it is imported by itself, whatever it belongs to.
 */

/** The sound files being imported, one after another; it outlives the page. */
export class SoundImports {
  /** @type {Cell<readonly SoundImport[]>} In order of arrival. */
  all = new Cell(/** @type {readonly SoundImport[]} */ ([]));
  #send;
  #restOf;
  #lastId = 0;
  /** @type {{ id: number, request: AbortController } | null} The import in progress. */
  #current = null;
  /** @type {Set<number>} The imports of whose end a person has been told. */
  #reported = new Set();

  /**
   * @param {typeof importSound} send
   * @param {typeof restOf | null} findRest Finds the recording that a file belongs to.
   */
  constructor(send = importSound, findRest = null) {
    this.#send = send;
    this.#restOf = findRest;
  }

  /** @param {Iterable<File>} files */
  add(files) {
    this.all.set([...this.all.value, ...[...files].map((file) => this.#fresh(file))]);
    this.#next();
  }

  /**
   * Imports another sound track of a file, beside the one that was taken.
   *
   * @param {number} id
   * @param {number} track From 1.
   */
  takeTrack(id, track) {
    const one = this.all.value.find((one) => one.id === id);
    if (one === undefined) return;
    this.all.set([...this.all.value, { ...this.#fresh(one.file), keepsPart: one.keepsPart, track, isApart: true }]);
    this.#next();
  }

  /**
   * @param {File} file
   * @returns {SoundImport}
   */
  #fresh(file) {
    this.#lastId += 1;
    return { id: this.#lastId, file, state: "waiting", part: 0, problem: null, keepsPart: false, track: null, keepsTwin: false, notices: [], item: null, twin: null, rest: null, isApart: false };
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
    // In one step: one that is done, and has nothing to say, leaves the list.
    this.#change(id, { state: "waiting", part: 0, problem: null, keepsTwin: true, twin: null });
    this.#next();
  }

  /**
   * Adds a file to the unfinished recording that it belongs to, which is finished then.
   *
   * @param {number} id
   */
  async join(id) {
    const one = this.all.value.find((other) => other.id === id);
    if (one?.state !== "rest" || one.rest === null || one.rest.finished !== undefined) return;
    this.#change(id, { state: "joining", part: 0, problem: null });
    try {
      await one.rest.join((part) => this.#change(id, { part }));
      this.#change(id, { state: "done", part: 1 });
    } catch (problem) {
      this.#change(id, { state: "rest", problem });
    }
  }

  /**
   * Imports a file by itself that belongs to a recording.
   *
   * @param {number} id
   */
  importApart(id) {
    this.#change(id, { isApart: true, rest: null });
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

  /** Removes those that are over, and those that a person would have to decide about. */
  clear() {
    for (const { id, state } of this.all.value) if (["refused", "rest", "done"].includes(state)) this.drop(id);
  }

  /** Drops every import; called when the library closes. */
  forget() {
    for (const { id } of this.all.value) this.drop(id);
  }

  async #next() {
    const one = this.all.value.find(({ state }) => state === "waiting");
    if (this.#current !== null || one === undefined) return;
    const { id, file, keepsPart, track, keepsTwin, isApart } = one;
    const request = new AbortController();
    this.#current = { id, request };
    this.#change(id, { state: "sending" });
    try {
      const rest = this.#restOf === null || isApart ? null : await this.#restOf(file);
      if (rest === null) {
        const { item, notices, isReused } = await this.#send(file, {
          keepsPart,
          track,
          keepsTwin,
          signal: request.signal,
          progressed: (part) => this.#change(id, { part, state: part < 1 ? "sending" : "reading" }),
        });
        const twin = isReused ? { id: item.id, name: item.name } : null;
        this.#change(id, { state: "done", part: 1, notices, item: isReused ? null : item, twin });
      } else {
        this.#change(id, { state: "rest", rest });
      }
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

export const soundImports = new SoundImports(importSound, restOf);
