import { Cell } from "../../core/store.js";
import { deleteDocuments, importDocument } from "../../server/documents.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/documents.js").Notice} Notice */

/**
 * A file that is being imported.
 *
 * - `waiting` for its turn;
 * - `sending`, then `reading` when the server has all of it;
 * - `asking`: it needs a password, or it is already in the library;
 * - `refused`; `done`.
 *
 * @typedef {object} Import
 * @property {number} id
 * @property {File} file
 * @property {"waiting" | "sending" | "reading" | "asking" | "refused" | "done"} state
 * @property {number} part The uploaded fraction, from 0 to 1.
 * @property {unknown} problem Why it asks or was refused, or `null`.
 * @property {Document | null} document Set when it is done.
 * @property {readonly Notice[]} notices
 */

/**
 * The import in progress.
 *
 * @typedef {object} Current
 * @property {number} id
 * @property {AbortController} request
 * @property {boolean} isUnwanted Whether it was removed from the list meanwhile.
 */

/** Milliseconds until a retry when the server is busy and does not say how long. */
const retryDelay = 2_000;

/** Errors that a user's answer resolves. */
const questions = new Set(["document.password-needed", "document.password-wrong", "document.there-already"]);

/**
 * The files being imported, one after another; it outlives the page. A refused file does not stop the others.
 */
export class ImportQueue {
  /** @type {Cell<readonly Import[]>} In order of arrival. */
  all = new Cell(/** @type {readonly Import[]} */ ([]));
  #send;
  #remove;
  #lastId = 0;
  /** @type {Map<number, { password: string | null, keepTwin: boolean }>} */
  #answers = new Map();
  /** @type {Current | null} */
  #current = null;
  /** How many were dropped before they were done, which no message has said. */
  #forgotten = 0;

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
   * Retries an import.
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
   * Removes an import from the list and cancels it unless done. A file that the server is already reading is deleted
   * when the server answers.
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

  /** Removes those that are over or need an answer from the list. */
  clear() {
    for (const { id, state } of this.all.value) if (["refused", "asking", "done"].includes(state)) this.drop(id);
  }

  /** Drops every import; called when the library closes. */
  forget() {
    this.#forgotten += this.all.value.filter(({ state }) => state !== "done").length;
    for (const { id } of this.all.value) this.drop(id);
  }

  /** @returns {number} How many were dropped before they were done, since this was last asked. */
  takeForgotten() {
    const forgotten = this.#forgotten;
    this.#forgotten = 0;
    return forgotten;
  }

  /** How many are unfinished. */
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
      if (!current.isUnwanted) this.#refused(one.id, error); // one that could not be deleted is visible in the list
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
        await new Promise((resolve) => setTimeout(resolve, retryAfter ? retryAfter * 1_000 : retryDelay));
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
globalThis.addEventListener?.("beforeunload", (event) => imports.left > 0 && event.preventDefault());

/** @typedef {"sound" | "document" | "text"} FileKind A picture is a document, which the documents refuse with the reason. */

/** How many bytes of a file are looked at. */
export const looked = 4_096;

const otherEndings =
  /\.(pdf|epub|md|markdown|txt|text|srt|vtt|docx?|odt|rtf|xlsx?|ods|pptx?|odp|apng|avif|bmp|gif|heic|heif|ico|jpe?g|jfif|jxl|png|svgz?|tiff?|webp|psd|ttf|otf|woff2?)$/i;
const otherTypes = /^(text|image|font|model|message)\/|^application\/(pdf|epub|rtf|msword|json|xml|vnd\.(ms-|oasis\.|openxmlformats))/;

/**
 * Whether a file may be sound, by what its type and its name say; sound comes under many names.
 *
 * @param {{ type: string, name?: string }} file
 */
export function mayBeSound({ type, name = "" }) {
  return /^(audio|video)\//.test(type) || !(otherTypes.test(type) || otherEndings.test(name));
}

/** The first bytes of documents and pictures; a letter stands for its code in Latin-1. */
const documents = [/^[^]{0,1020}%PDF-/, /^PK\x03\x04/, /^\{\\rtf/, /^\xd0\xcf\x11\xe0/, /^\x89PNG/, /^\xff\xd8\xff/, /^GIF8/, /^BM[^]{4}\0\0\0\0/, /^RIFF[^]{4}WEBP/, /^(II\*\0|MM\0\*)/, /^[^]{4}ftyp(heic|heix|hevc|mif1|msf1|avif|avis)/];
const marked = /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/;
/** The first bytes of files with sound, of which a stream of MPEG has the fewest. */
const sounds = [/^(RIFF|RIFX|RF64)[^]{4}(WAVE|AVI )/, /^OggS/, /^fLaC/, /^ID3/, /^FORM[^]{4}AIF[FC]/, /^\.snd/, /^#!AMR/, /^caff/, /^\x1a\x45\xdf\xa3/, /^[^]{4}(ftyp|moov|mdat)/, /^\x30\x26\xb2\x75/, /^FLV/, /^\0\0\x01[\xba\xb3]/, /^G[^]{187}G/, /^\.RMF/, /^wvpk/, /^MAC /, /^\xff[\xe2-\xe7\xf0-\xff]/];

/** A byte that no text has, except for the NULs that pad one at its end. */
const foreign = /[\0-\x08\x0e-\x1a]/;

/**
 * The kind of a file by its first bytes; by its type and name only where they decide nothing.
 *
 * @param {Uint8Array} bytes The first {@link looked} ones, or all of a smaller file.
 * @param {{ type: string, name: string }} file
 * @returns {FileKind}
 */
export function kindOf(bytes, file) {
  const text = latin1(bytes);
  if (documents.some((one) => one.test(text))) return "document";
  if (marked.test(text)) return "text";
  const isPlain = !foreign.test(text);
  // A text may begin with the letters of a kind of sound.
  const isNamedText = isPlain && /^[ -~]/.test(text) && !mayBeSound(file);
  if (!isNamedText && sounds.some((one) => one.test(text))) return "sound";
  // Sound of no known kind and without a name for it has bytes that no text has.
  if (isPlain || !foreign.test(text.replace(/(?<=[^\0])\0+$/, ""))) return "text";
  return mayBeSound(file) ? "sound" : "document";
}

/** @param {Uint8Array} bytes */
function latin1(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
