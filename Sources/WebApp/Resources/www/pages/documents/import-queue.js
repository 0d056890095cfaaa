import { Cell } from "../../core/store.js";
import { deleteDocuments, importDocument } from "../../server/documents.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/documents.js").Notice} Notice */

/**
 * A file on its way into the library.
 *
 * - `waiting` for its turn;
 * - `sending`, then `reading` when the server has all of it;
 * - `asking`: it needs a password, or it is there already;
 * - `refused`; `done`.
 *
 * @typedef {object} Import
 * @property {number} id
 * @property {File} file
 * @property {"waiting" | "sending" | "reading" | "asking" | "refused" | "done"} state
 * @property {number} part How much has been sent, from 0 to 1.
 * @property {unknown} problem Why it asks or was refused, or `null`.
 * @property {Document | null} document When it is done.
 * @property {readonly Notice[]} notices
 */

/**
 * The one that the server is asked about.
 *
 * @typedef {object} Current
 * @property {number} id
 * @property {AbortController} request
 * @property {boolean} isUnwanted Whether it was taken off the list meanwhile.
 */

/** Milliseconds before a server that has too much to do is asked again, when it does not say. */
const patience = 2_000;

/** Refusals that an answer of the person mends. */
const questions = new Set(["document.password-needed", "document.password-wrong", "document.there-already"]);

/** The files that are being imported, one after another; it outlives the page. One that is refused does not keep the others. */
export class ImportQueue {
  /** @type {Cell<readonly Import[]>} In the order they came. */
  all = new Cell(/** @type {readonly Import[]} */ ([]));
  #send;
  #remove;
  #lastId = 0;
  /** @type {Map<number, { password: string | null, keepTwin: boolean }>} */
  #answers = new Map();
  /** @type {Current | null} */
  #current = null;

  /**
   * @param {typeof importDocument} send
   * @param {typeof deleteDocuments} remove
   */
  constructor(send = importDocument, remove = deleteDocuments) {
    this.#send = send;
    this.#remove = remove;
  }

  /** @param {Iterable<File>} files */
  add(files) {
    const fresh = [...files].map((file) => {
      this.#lastId += 1;
      /** @type {Import} */
      const one = { id: this.#lastId, file, state: "waiting", part: 0, problem: null, document: null, notices: [] };
      return one;
    });
    this.all.set([...this.all.value, ...fresh]);
    this.#next();
  }

  /**
   * Tries one again.
   *
   * @param {number} id
   * @param {{ password?: string, keepTwin?: boolean }} answer
   */
  again(id, answer = {}) {
    const before = this.#answers.get(id) ?? { password: null, keepTwin: false };
    this.#answers.set(id, { ...before, ...answer });
    this.#change(id, { state: "waiting", part: 0 });
    this.#next();
  }

  /**
   * Takes one off the list; what is not done yet will not be kept. What the server reads already cannot be called back: it is
   * deleted when the server answers.
   *
   * @param {number} id
   */
  drop(id) {
    if (this.#current?.id === id) {
      this.#current.isUnwanted = true;
      if (this.#stateOf(id) !== "reading") this.#current.request.abort();
    }
    this.#answers.delete(id);
    this.all.set(this.all.value.filter((one) => one.id !== id));
  }

  /** Takes those off the list that nothing more happens to. */
  clear() {
    for (const { id, state } of this.all.value) if (["refused", "done"].includes(state)) this.drop(id);
  }

  /** Lets go of everything, as if each was dropped: the library is closed. */
  forget() {
    for (const { id } of this.all.value) this.drop(id);
  }

  /** How many are still on their way. */
  get left() {
    return this.all.value.filter(({ state }) => ["waiting", "sending", "reading"].includes(state)).length;
  }

  async #next() {
    if (this.#current !== null) return;
    const one = this.all.value.find(({ state }) => state === "waiting");
    if (one === undefined) return;
    /** @type {Current} */
    const current = { id: one.id, request: new AbortController(), isUnwanted: false };
    this.#current = current;
    this.#change(one.id, { state: "sending", part: 0, problem: null });
    try {
      const { document, notices, isReused } = await this.#import(one, current);
      if (!current.isUnwanted) this.#change(one.id, { state: "done", part: 1, document, notices });
      else if (!isReused) await this.#remove([document.id]);
    } catch (error) {
      if (!current.isUnwanted) this.#refused(one.id, error); // one that could not be deleted is seen among the documents
    } finally {
      this.#current = null;
    }
    this.#next();
  }

  /**
   * @param {Import} one
   * @param {Current} current
   */
  async #import({ id, file }, current) {
    const { signal } = current.request;
    if (!(await canBeRead(file))) throw Object.assign(new Error("this cannot be read"), { code: "import.unreadable" });
    for (;;) {
      try {
        return await this.#send(file, {
          ...(this.#answers.get(id) ?? {}),
          signal,
          progressed: (part) => this.#change(id, { part, state: part < 1 ? "sending" : "reading" }),
        });
      } catch (error) {
        const { code, retryAfter } = /** @type {{ code?: string, retryAfter?: number | null }} */ (error ?? {});
        if (code !== "web.busy" || current.isUnwanted) throw error;
        this.#change(id, { state: "waiting", part: 0 });
        await new Promise((resolve) => setTimeout(resolve, retryAfter ? retryAfter * 1_000 : patience));
        signal.throwIfAborted();
        this.#change(id, { state: "sending" });
      }
    }
  }

  /** @param {number} id */
  #stateOf(id) {
    return this.all.value.find((one) => one.id === id)?.state;
  }

  /**
   * @param {number} id
   * @param {unknown} error
   */
  #refused(id, error) {
    const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
    this.#change(id, { state: questions.has(code) ? "asking" : "refused", problem: error });
  }

  /**
   * @param {number} id
   * @param {Partial<Import>} change
   */
  #change(id, change) {
    if (!this.all.value.some((one) => one.id === id)) return;
    this.all.set(this.all.value.map((one) => (one.id === id ? { ...one, ...change } : one)));
  }
}

/**
 * A folder looks like a file until it is read.
 *
 * @param {File} file
 */
async function canBeRead(file) {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

export const imports = new ImportQueue();
