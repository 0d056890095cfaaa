import { Cell } from "../../core/store.js";
import { ServerProblem } from "../../server/http.js";
import { loadItem } from "../../server/library.js";
import {
  addMarks,
  finishSession,
  importSound,
  listSessions,
  loadSession,
  loadSessionSound,
  markSession,
  sendChunk,
} from "../../server/recordings.js";
import { chunksASecond, isEndOf } from "./chunk-queue.js";
import { waveFile } from "./microphone.js";

/** @typedef {import("../../server/library.js").Item} Item */

/** The name of the part of a WAV file that says to which recording its sound belongs. */
const partName = "EcTx";

/** How many bytes of a file are searched for that part. */
const looked = 65_536;

/**
 * Where sound belongs that a recording does not have yet.
 *
 * @typedef {object} Belonging
 * @property {string} session The recording's id.
 * @property {number} start The number of its first chunk.
 * @property {{ seconds: number, label?: string }[]} marks Those that the recording does not have either.
 */

/**
 * The rest of a recording, in a file.
 *
 * @typedef {Belonging & { sizes: [count: number, bytes: number][], sampleRate: number, sound: number, sent: number }} Rest
 * `sizes`: how many chunks in a row have how many bytes; `sampleRate` in hertz; `sound`: where it begins, in bytes;
 * `sent`: how many chunks this page has sent.
 */

/** The parts that joining uses. */
const usual = {
  list: listSessions,
  load: loadSession,
  item: loadItem,
  sound: loadSessionSound,
  send: sendChunk,
  mark: markSession,
  finish: finishSession,
  addMarks,
};

/** @typedef {typeof usual} JoinParts */

/**
 * A WAV file that says to which recording its sound belongs.
 *
 * @param {string} name Without an ending.
 * @param {readonly ArrayBuffer[]} chunks
 * @param {number} sampleRate In hertz.
 * @param {Belonging} belonging
 * @returns {File}
 */
export function restFile(name, chunks, sampleRate, { session, start, marks }) {
  const note = JSON.stringify({ session, start, marks, sizes: sizesOf(chunks) });
  const sound = waveFile(chunks, sampleRate, { name: partName, content: new TextEncoder().encode(note) });
  return new File([sound], `${name.replaceAll("/", "-")}.wav`, { type: "audio/wav" });
}

/** @param {readonly ArrayBuffer[]} chunks */
function sizesOf(chunks) {
  const sizes = /** @type {[count: number, bytes: number][]} */ ([]);
  for (const { byteLength } of chunks) {
    const last = sizes.at(-1);
    if (last !== undefined && last[1] === byteLength) last[0] += 1;
    else sizes.push([1, byteLength]);
  }
  return sizes;
}

/**
 * Reads to which recording the sound of a file belongs.
 *
 * @param {Blob} file
 * @returns {Promise<Rest | null>} `null` for any other file.
 */
export async function restIn(file) {
  const head = new DataView(await file.slice(0, looked).arrayBuffer());
  if (head.byteLength < 44 || word(head, 0) !== "RIFF" || word(head, 36) !== partName) return null;
  const length = head.getUint32(40, true);
  const sound = 44 + length + (length % 2) + 8;
  if (sound > head.byteLength) return null;
  const note = jsonIn(new Uint8Array(head.buffer, 44, length));
  const size = file.size - sound;
  return isNote(note) && note.sizes.reduce((sum, [count, bytes]) => sum + count * bytes, 0) === size
    ? { ...note, sampleRate: head.getUint32(24, true), sound, sent: 0 }
    : null;
}

/**
 * @param {DataView} bytes
 * @param {number} place
 */
function word(bytes, place) {
  return String.fromCharCode(...[0, 1, 2, 3].map((index) => bytes.getUint8(place + index)));
}

/** @param {Uint8Array} bytes */
function jsonIn(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

/**
 * @param {any} note From a file that anybody may have written.
 * @returns {note is Belonging & Pick<Rest, "sizes">}
 */
function isNote(note) {
  const isCount = (/** @type {unknown} */ one, least = 1) => Number.isSafeInteger(one) && Number(one) >= least;
  return (
    typeof note?.session === "string" &&
    isCount(note.start, 0) &&
    Array.isArray(note.sizes) &&
    note.sizes.every((/** @type {unknown} */ pair) => Array.isArray(pair) && pair.length === 2 && pair.every((one) => isCount(one))) &&
    Array.isArray(note.marks) &&
    note.marks.every((/** @type {any} */ mark) => typeof mark?.seconds === "number")
  );
}

/**
 * The recording that a file is the rest of.
 *
 * @typedef {object} Joinable
 * @property {string} name The recording's.
 * @property {string} [finished] The recording's id where it is finished, so that no sound can be added to it.
 * @property {boolean} isSoundless Whether the file has marks alone.
 * @property {(progressed: (part: number) => void) => Promise<Item>} join Adds the file's sound and marks, and finishes the
 *   recording.
 */

/**
 * @param {File} file
 * @param {JoinParts} parts
 * @returns {Promise<Joinable | null>} `null` for any other file, and when there is no such recording any more.
 */
export async function restOf(file, parts = usual) {
  const rest = await restIn(file);
  if (rest === null) return null;
  const { sessions } = await parts.list();
  const session = sessions.find(({ id }) => id === rest.session);
  if (session === undefined) return finishedOf(rest, parts);
  if (session.sampleRate !== rest.sampleRate) return null;
  return { name: session.name, isSoundless: isSoundless(rest), join: (progressed) => join(file, rest, progressed, parts) };
}

/**
 * @param {Rest} rest Of no unfinished recording.
 * @param {JoinParts} parts
 * @returns {Promise<Joinable | null>}
 */
async function finishedOf(rest, parts) {
  try {
    const item = await parts.item(rest.session);
    const { id, name } = item;
    if (isSoundless(rest)) return { name, isSoundless: true, join: () => addAll(rest.marks, item, parts) };
    return { name, finished: id, isSoundless: false, join: () => Promise.reject(refusal("recording.not-found")) };
  } catch (problem) {
    if (/** @type {{ status?: number }} */ (problem).status === 404) return null;
    throw problem;
  }
}

/**
 * @param {Rest["marks"]} marks They stay in their file where they are refused.
 * @param {Item} item
 * @param {JoinParts} parts
 */
async function addAll(marks, item, parts) {
  if ((await parts.addMarks(item.id, marks)).length > 0) throw refusal("recording.too-many-marks");
  return item;
}

/** @param {Rest} rest */
function isSoundless({ sizes }) {
  return sizes.length === 0;
}

/**
 * Sends the chunks that are not there under their own numbers, and refuses where other sound has come since. Those there
 * came from a page whose receipt was lost, or from one that joined the file before and was left. Once chunks were sent from
 * this file, nobody else records it.
 *
 * @param {File} file
 * @param {Rest} rest
 * @param {(part: number) => void} progressed
 * @param {JoinParts} parts
 */
async function join(file, rest, progressed, parts) {
  const { session, sizes, marks, sound } = rest;
  const { state, nextChunk, samples, marks: present } = await parts.load(session);
  const count = nextChunk - rest.start;
  if (count > 0 && !(await isThere(file, rest, { count, samples }, parts))) throw refusal("recording.chunk-taken");
  if (state !== "interrupted" && count <= 0 && rest.sent === 0) throw refusal("recording.busy");
  let [number, place] = [rest.start, sound];
  for (const [count, bytes] of sizes) {
    for (let one = 0; one < count; one += 1) {
      if (number >= nextChunk) await parts.send(session, number, await file.slice(place, place + bytes).arrayBuffer());
      number += 1;
      place += bytes;
      rest.sent = Math.max(rest.sent, number - rest.start);
      progressed((place - sound) / (file.size - sound));
    }
  }
  for (let mark = marks[0]; mark !== undefined; mark = marks[0]) {
    if (!present.some((one) => isSameMark(one, mark))) await parts.mark(session, mark);
    marks.shift();
  }
  return parts.finish(session);
}

/**
 * Gives the marks in a file to the recording that it has become by itself, and those before its sound to the one that it
 * belongs to.
 *
 * @param {Blob} file
 * @param {string} item
 * @param {typeof addMarks} give
 */
export async function giveMarksIn(file, item, give = addMarks) {
  const rest = await restIn(file);
  if (rest === null) return;
  const from = rest.start / chunksASecond;
  const own = rest.marks.filter(({ seconds }) => seconds >= from).map((mark) => ({ ...mark, seconds: mark.seconds - from }));
  const earlier = rest.marks.filter(({ seconds }) => seconds < from);
  if (own.length > 0) await give(item, own);
  if (earlier.length > 0) await give(rest.session, earlier);
}

/**
 * Whether the last sound of a recording is the first of a file.
 *
 * @param {File} file
 * @param {Rest} rest
 * @param {{ count: number, samples: number }} there `count`: how many chunks it has from the file's first on; `samples`:
 *   of the whole recording.
 * @param {JoinParts} parts
 */
async function isThere(file, { session, sizes, sound }, { count, samples }, parts) {
  const length = bytesOf(sizes, count);
  return length < Infinity && isEndOf(file.slice(sound, sound + length), { id: session, samples }, parts.sound);
}

/**
 * The bytes of the first chunks of a file.
 *
 * @param {Rest["sizes"]} sizes
 * @param {number} count
 * @returns {number} Endless where it has not so many.
 */
function bytesOf(sizes, count) {
  let [left, bytes] = [count, 0];
  for (const [chunks, size] of sizes) {
    bytes += Math.min(left, chunks) * size;
    left -= Math.min(left, chunks);
  }
  return left === 0 ? bytes : Infinity;
}

/**
 * @param {{ seconds: number, label?: string | null }} one
 * @param {{ seconds: number, label?: string | null }} other
 */
function isSameMark(one, other) {
  return Math.abs(one.seconds - other.seconds) < 0.001 && (one.label ?? null) === (other.label ?? null);
}

/** @param {string} code */
function refusal(code) {
  return new ServerProblem({ code, message: "" }, 409);
}

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
 * @property {Item | null} item The recording that it has become.
 * @property {Item | null} twin The recording that was imported from it before, and is used.
 * @property {Joinable | null} rest The recording that it belongs to.
 * @property {boolean} isApart Whether it is imported by itself, whatever it belongs to.
 */

/** The sound files being imported, one after another; it outlives the page. */
export class SoundImports {
  /** @type {Cell<readonly SoundImport[]>} In order of arrival. */
  all = new Cell(/** @type {readonly SoundImport[]} */ ([]));
  /** @type {Cell<readonly Item[]>} The recordings that files have become, and that are offered to be transcribed. */
  offered = new Cell(/** @type {readonly Item[]} */ ([]));
  #send;
  #restOf;
  #giveMarks;
  #lastId = 0;
  /** @type {{ id: number, request: AbortController } | null} The import in progress. */
  #current = null;
  /** How many were dropped before they were done, which no message has said. */
  #forgotten = 0;
  /** @type {Set<number>} The imports whose end a message has said. */
  #reported = new Set();
  /**
   * Whether a recording was deleted and exists only until that can no longer be undone; it is no twin of a file then.
   *
   * @type {((id: string) => boolean) | undefined}
   */
  isDeleted;

  /**
   * @param {typeof importSound} send
   * @param {typeof restOf | null} findRest Finds the recording that a file belongs to.
   * @param {typeof giveMarksIn | null} giveMarks Gives the marks of a file that is imported apart to its recording.
   */
  constructor(send = importSound, findRest = null, giveMarks = null) {
    this.#send = send;
    this.#restOf = findRest;
    this.#giveMarks = giveMarks;
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
    // In one step: a done one with nothing to say leaves the list.
    this.#change(id, { state: "waiting", part: 0, problem: null, keepsTwin: true, twin: null });
    this.#next();
  }

  /**
   * Adds a file to the unfinished recording that it belongs to, which is finished then.
   *
   * @param {number} id
   */
  async join(id) {
    const one = this.all.value.find((one) => one.id === id);
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
   * Notes that a message says an import's end.
   *
   * @param {number} id
   * @returns {boolean} Whether no message has said it before, on this page or another.
   */
  report(id) {
    const { size } = this.#reported;
    return this.#reported.add(id).size > size;
  }

  /** @param {Item} item A recording that a file has become. */
  offer(item) {
    this.offered.set([...this.offered.value, item]);
  }

  /** @param {readonly string[]} ids Of recordings that are not offered to be transcribed any more. */
  withdraw(ids) {
    const { value } = this.offered;
    if (value.some(({ id }) => ids.includes(id))) this.offered.set(value.filter(({ id }) => !ids.includes(id)));
  }

  /** Removes those that are over, and those that a person would have to decide about. */
  clear() {
    for (const { id, state } of this.all.value) if (["refused", "rest", "done"].includes(state)) this.drop(id);
  }

  /** Drops every import; called when the library closes. */
  forget() {
    this.#forgotten += this.all.value.filter(({ state }) => state !== "done").length;
    for (const { id } of this.all.value) this.drop(id);
    this.offered.set([]);
  }

  /** @returns {number} How many were dropped before they were done, since this was last asked. */
  takeForgotten() {
    const forgotten = this.#forgotten;
    this.#forgotten = 0;
    return forgotten;
  }

  /** How many would be lost with the page. */
  get left() {
    return this.all.value.filter(({ state }) => ["waiting", "sending", "reading", "joining"].includes(state)).length;
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
        if (isReused && this.isDeleted?.(item.id)) {
          this.keepTwin(id);
        } else {
          await this.#giveMarks?.(file, item.id);
          this.#change(id, { state: "done", part: 1, notices, item: isReused ? null : item, twin: isReused ? item : null });
        }
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

export const soundImports = new SoundImports(importSound, restOf, giveMarksIn);
globalThis.addEventListener?.("beforeunload", (event) => soundImports.left > 0 && event.preventDefault());
