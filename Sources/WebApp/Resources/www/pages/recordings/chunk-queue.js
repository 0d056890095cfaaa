/**
 * A chunk of sound that the server does not have yet.
 *
 * @typedef {object} Chunk
 * @property {number} number
 * @property {ArrayBuffer} bytes
 */

/**
 * Where chunks are stored outside the page's memory, so that they outlive it.
 *
 * @typedef {object} ChunkKeeper
 * @property {(number: number, bytes: ArrayBuffer) => Promise<void>} keep
 * @property {(number: number) => Promise<ArrayBuffer | null>} read `null` when it is missing or cannot be read.
 * @property {(below: number) => Promise<void>} forget Deletes those with lower numbers.
 */

/**
 * @typedef {object} ChunkQueueParts
 * @property {(number: number, bytes: ArrayBuffer) => Promise<import("../../server/recordings.js").ChunkReceipt>} send
 * @property {() => Promise<number>} askNext Asks the server for the number of the next chunk.
 * @property {ChunkKeeper} keeper
 * @property {() => ArrayBuffer} silence Makes the sound that replaces a lost chunk, so that the server takes the next ones.
 * @property {(count: number, ago: number) => void} lost Called when chunks in a row were lost, the first of which was the
 *   `ago`-th from the end of all.
 * @property {(receipt: import("../../server/recordings.js").ChunkReceipt) => void} sent
 * @property {(error: unknown) => void} waits Called when a chunk could not be sent; it will be retried.
 * @property {(milliseconds: number) => Promise<void>} [pause]
 */

/** How many chunks a second has; only the last one before a pause is shorter. */
export const chunksASecond = 4;

/** Maximum number of chunks in memory; older ones are read from the store when it is their turn. */
const maximumInMemory = 240;

/** Milliseconds until a retry: initial and maximum. */
const firstWait = 500;
const longestWait = 5_000;

/**
 * The number of queued chunks from which on they are stored outside memory: one is being sent, another has just
 * arrived.
 */
const backlog = 3;

/** How often a chunk is read from a store that fails, before it counts as lost. */
const mostReadings = 8;

/** The codes of refusals that no further try changes. */
const final = new Set(["recording.not-found", "recording.discarded", "recording.invalid-chunk", "recording.chunk-taken", "library.recording-too-long"]);

/** Sends a session's chunks in order, each as often as needed; pending ones are stored where they outlive the page. */
export class ChunkQueue {
  /** The number of the next new chunk. */
  #end;
  /** The number of the first chunk that the server does not have. */
  #start;
  /** @type {Map<number, ArrayBuffer>} */
  #memory = new Map();
  /** Chunks below this number are stored outside memory. */
  #keptEnd;
  #parts;
  #isSending = false;
  #isOver = false;
  /** Whether the last try failed. */
  #isStuck = false;
  /** Whether no retry can succeed by itself. */
  #isRefused = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();
  #wake = () => {};
  /** The row of chunks that was lost last, until it is reported. */
  #lost = /** @type {{ start: number, end: number } | null} */ (null);
  /** How often the store has failed since a chunk was read. */
  #failures = 0;
  /** Runs the store's operations in order. */
  #keeping = Promise.resolve();

  /**
   * @param {ChunkQueueParts} parts
   * @param {{ start: number, end?: number }} numbers `start`: of the first chunk that the server does not have; those
   * up to `end` are in the store.
   */
  constructor(parts, { start, end = start }) {
    this.#parts = parts;
    this.#start = start;
    this.#end = this.#keptEnd = end;
  }

  /** The number of the first chunk that the server does not have. */
  get start() {
    return this.#start;
  }

  /** How many chunks the server does not have. */
  get length() {
    return this.#end - this.#start;
  }

  /** @param {ArrayBuffer} bytes */
  add(bytes) {
    if (this.#isOver) return;
    this.#memory.set(this.#end, bytes);
    this.#end += 1;
    if (this.#isStuck || this.length >= backlog) this.#keepAll();
    this.#run();
  }

  /** Retries pending chunks at once. */
  retry() {
    this.#isRefused = false;
    this.#wake();
    this.#run();
  }

  /** Fulfilled when the server has every added chunk, or accepts no more; also when the queue is closed. */
  async drained() {
    this.#run();
    while (this.length > 0 && !this.#isOver && !this.#isRefused) await new Promise((resolve) => this.#waiting.add(() => resolve(undefined)));
  }

  /**
   * The chunks that the server does not have, up to the last one that is readable: silence stands for those before it that are not.
   *
   * @returns {Promise<{ start: number, chunks: ArrayBuffer[], lost: number }>} `start`: the number of the first; `lost`: how
   *   many are not readable.
   */
  async unsent() {
    const first = this.#start;
    /** @type {ArrayBuffer[]} */
    const chunks = [];
    /** @type {number[]} */
    const lost = [];
    for (let number = first; number < this.#end; number += 1) {
      const chunk = await this.#read(number).catch(() => null);
      if (chunk === null || this.#isReplaced(number)) lost.push(number);
      chunks.push(chunk ?? this.#parts.silence());
    }
    const sent = lost.filter((number) => number < this.#start); // the server has them by now, and those before them
    const start = (sent.at(-1) ?? first - 1) + 1;
    let end = first + chunks.length;
    while (end > start && lost.includes(end - 1)) end -= 1;
    return { start, chunks: chunks.slice(start - first, end - first), lost: lost.length - sent.length };
  }

  /** Ends it and drops pending chunks. */
  async close() {
    this.#finish();
    await this.#keeping;
    await this.#parts.keeper.forget(Infinity);
  }

  /** Ends it here; pending chunks stay in the store for another visit. */
  async leave() {
    this.#keepAll();
    await this.#keeping;
    this.#finish();
  }

  #finish() {
    this.#isOver = true;
    this.#wake();
    this.#reportWaiting();
    this.#memory.clear();
  }

  async #run() {
    if (this.#isSending) return;
    this.#isSending = true;
    let wait = firstWait;
    while (this.length > 0 && !this.#isOver) {
      try {
        await this.#sendFirst();
        this.#isStuck = this.#isRefused = false;
        wait = firstWait;
      } catch (error) {
        if (this.#isOver) break;
        await this.#failed(error, wait);
        wait = Math.min(2 * wait, longestWait);
      }
    }
    this.#isSending = false;
    this.#reportWaiting();
  }

  async #sendFirst() {
    const number = this.#start;
    const read = await this.#readOrLose(number);
    if (this.#isOver) return;
    const bytes = read ?? this.#replaced(number);
    if (number >= (this.#lost?.end ?? Infinity)) this.#reportLost();
    const receipt = await this.#parts.send(number, bytes);
    if (this.#isOver) return;
    this.#forgetBelow(number + 1);
    this.#parts.sent(receipt);
  }

  /**
   * Reads a chunk that is to be sent; one that the store does not give after many tries counts as lost.
   *
   * @param {number} number
   * @returns {Promise<ArrayBuffer | null>} `null` when it is lost.
   */
  async #readOrLose(number) {
    const here = this.#memory.get(number);
    if (here !== undefined) return here;
    try {
      const bytes = await this.#read(number);
      this.#failures = 0;
      return bytes;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures < mostReadings) throw error;
      return null;
    }
  }

  /**
   * Replaces a chunk that is lost by silence.
   *
   * @param {number} number
   */
  #replaced(number) {
    const silence = this.#parts.silence();
    this.#memory.set(number, silence); // what is sent again is not lost again
    this.#lost = { start: this.#lost?.start ?? number, end: number + 1 };
    return silence;
  }

  /** @param {number} number */
  #isReplaced(number) {
    return this.#lost !== null && number >= this.#lost.start && number < this.#lost.end;
  }

  #reportLost() {
    if (this.#lost === null) return;
    const { start, end } = this.#lost;
    this.#lost = null;
    this.#parts.lost(end - start, this.#end - start);
  }

  /**
   * @param {unknown} error
   * @param {number} wait Milliseconds.
   */
  async #failed(error, wait) {
    this.#isStuck = true;
    this.#keepAll();
    const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
    this.#parts.waits(error);
    if (code === "recording.chunk-missing" && (await this.#isBehind())) return;
    this.#isRefused = final.has(code);
    if (this.#isRefused) {
      this.#reportLost();
      this.#reportWaiting();
    }
    await this.#rest(this.#isRefused ? Infinity : wait);
  }

  /** Whether the server asks for an earlier chunk, which then comes next, or is lost. */
  async #isBehind() {
    const next = await this.#parts.askNext().catch(() => this.#start);
    if (next >= this.#start) return false;
    try {
      await this.#readOrLose(next);
    } catch {
      return false; // another time
    }
    this.#start = next;
    return true;
  }

  /** @param {number} milliseconds `Infinity`: until somebody calls `retry` or `close`. */
  async #rest(milliseconds) {
    const { pause = rest } = this.#parts;
    const woken = new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    await (milliseconds === Infinity ? woken : Promise.race([woken, pause(milliseconds)]));
    this.#wake = () => {};
  }

  /**
   * @param {number} number
   * @returns {Promise<ArrayBuffer | null>}
   */
  async #read(number) {
    const here = this.#memory.get(number);
    if (here !== undefined) return here;
    await this.#keeping;
    return this.#parts.keeper.read(number);
  }

  /** @param {number} number */
  #forgetBelow(number) {
    for (let one = this.#start; one < number; one += 1) this.#memory.delete(one);
    const wasKept = this.#keptEnd > this.#start;
    this.#start = Math.min(number, this.#end);
    this.#keptEnd = Math.max(this.#keptEnd, this.#start);
    if (wasKept) this.#afterKeeping(() => this.#parts.keeper.forget(number));
    if (this.length > 0) return;
    this.#reportLost();
    this.#reportWaiting();
  }

  /** Stores pending chunks outside memory too, and keeps only some of them in memory. */
  #keepAll() {
    for (; this.#keptEnd < this.#end; this.#keptEnd += 1) {
      const number = this.#keptEnd;
      const bytes = this.#memory.get(number);
      if (bytes === undefined) continue;
      this.#afterKeeping(async () => {
        if (number < this.#start) return;
        await this.#parts.keeper.keep(number, bytes);
        if (this.#memory.size > maximumInMemory && number > this.#start) this.#memory.delete(number);
      });
    }
  }

  /** @param {() => Promise<void>} work If it fails, the chunk stays in memory. */
  #afterKeeping(work) {
    this.#keeping = this.#keeping.then(work).catch(() => {});
  }

  #reportWaiting() {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }
}

/** @typedef {{ seconds: number, label?: string }} Mark */

/**
 * The marks of a session that the server does not have, sent in order and one at a time; they are stored where they
 * outlive the page.
 */
export class MarkQueue {
  /** @type {Mark[]} */
  #waiting = [];
  /** @type {Promise<void> | null} */
  #sending = null;
  #send;
  #keep;
  #keeping = Promise.resolve(true);

  /**
   * @param {(mark: Mark) => Promise<unknown>} send
   * @param {(waiting: readonly Mark[]) => Promise<void>} keep Stores those that the server does not have.
   */
  constructor(send, keep) {
    this.#send = send;
    this.#keep = keep;
  }

  /** @returns {readonly Mark[]} Those that the server does not have. */
  get waiting() {
    return this.#waiting;
  }

  /** @param {Mark} mark */
  add(mark) {
    this.#waiting.push(mark);
    this.#keepWaiting();
  }

  /** Ends it and drops those that the server does not have, though one is being sent. */
  async close() {
    this.#waiting.length = 0;
    this.#keepWaiting();
    await this.#keeping;
  }

  /**
   * Tries once more to store them, if that has failed.
   *
   * @returns {Promise<boolean>} Whether those that the server does not have are stored.
   */
  async kept() {
    if (!(await this.#keeping)) this.#keepWaiting();
    return (await this.#keeping) || this.#waiting.length === 0;
  }

  #keepWaiting() {
    // Without the store they outlive no page, but are still sent.
    this.#keeping = this.#keeping.then(() => this.#keep([...this.#waiting])).then(() => true, () => false);
  }

  /**
   * Sends all, or those before a time. After a failure, those that were not taken are sent the next time.
   *
   * @param {number} [before] Seconds; what is marked from there on is not in the session.
   */
  async send(before = Infinity) {
    if (this.#waiting.length > 0) await (this.#sending ??= this.#sendAll(before));
  }

  /** @param {number} before */
  async #sendAll(before) {
    try {
      for (let mark = this.#waiting[0]; mark !== undefined && mark.seconds < before; mark = this.#waiting[0]) {
        await this.#send(mark);
        this.#waiting.shift();
        this.#keepWaiting();
      }
    } finally {
      this.#sending = null; // at once: what comes next must be sent again
    }
  }
}

/** @param {number} milliseconds */
function rest(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, milliseconds));
}

/** The browser's own store for chunks that the server does not have yet, encrypted with a non-extractable key. */

const name = "echotext-recorder";
const way = "AES-GCM";

/** @type {Promise<IDBDatabase> | null} */
let database = null;

/** @returns {Promise<IDBDatabase>} */
function open() {
  database ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => ["keys", "sessions", "chunks"].forEach((store) => opening.result.createObjectStore(store));
    opening.onsuccess = () => {
      opening.result.onclose = () => (database = null); // what this browser keeps was cleared
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
  });
  database.catch(() => (database = null));
  return database;
}

/**
 * Runs one operation on a store, and waits until it is durable.
 *
 * @template Result
 * @param {"keys" | "sessions" | "chunks"} store
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Result>} work
 * @returns {Promise<Result>}
 */
async function within(store, mode, work) {
  const transaction = (await open()).transaction(store, mode);
  const asked = work(transaction.objectStore(store));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(asked.result);
    transaction.onabort = transaction.onerror = () => reject(transaction.error);
  });
}

/** @returns {Promise<CryptoKey>} The key, which is generated on first use. */
async function key() {
  const present = await storedKey();
  if (present !== null) return present;
  const made = await crypto.subtle.generateKey({ name: way, length: 256 }, false, ["encrypt", "decrypt"]);
  // Another tab may have stored one meanwhile, which has sealed chunks by now.
  const isFirst = await within("keys", "readwrite", (keys) => keys.add(made, "key")).then(() => true, () => false);
  const kept = isFirst ? made : await storedKey();
  if (kept === null) throw new Error("The key cannot be stored.");
  return kept;
}

async function storedKey() {
  const present = await within("keys", "readonly", (keys) => keys.get("key"));
  return present instanceof CryptoKey ? present : null;
}

/**
 * The additional data of a chunk's encryption, so that one cannot replace another.
 *
 * @param {string} session
 * @param {number | string} place
 */
function label(session, place) {
  return new TextEncoder().encode(`${session} ${place}`);
}

/** Where the marks of a session are among its chunks; it is no number, so that it is not taken for one of them. */
const placeOfMarks = "marks";

/** The chunks of one session, and its marks. */
export class StoredChunks {
  #session;
  /** @type {Promise<CryptoKey> | null} `null` also after the store has failed, which may answer the next time. */
  #key = null;

  /** @param {string} session Its id. */
  constructor(session) {
    this.#session = session;
  }

  /** @param {readonly Mark[]} marks They replace the earlier ones. */
  async keepMarks(marks) {
    if (marks.length > 0) await this.keep(placeOfMarks, new TextEncoder().encode(JSON.stringify(marks)).buffer);
    else await within("chunks", "readwrite", (chunks) => chunks.delete([this.#session, placeOfMarks]));
  }

  /** @returns {Promise<Mark[]>} */
  async marks() {
    const bytes = await this.read(placeOfMarks);
    return bytes === null ? [] : JSON.parse(new TextDecoder().decode(bytes));
  }

  /**
   * @param {number | string} place
   * @param {ArrayBuffer} bytes
   */
  async keep(place, bytes) {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const additionalData = label(this.#session, place);
    const sealed = await crypto.subtle.encrypt({ name: way, iv, additionalData }, await this.#sealingKey(), bytes);
    await within("chunks", "readwrite", (chunks) => chunks.put({ iv, sealed }, [this.#session, place]));
  }

  /**
   * @param {number | string} place
   * @returns {Promise<ArrayBuffer | null>}
   */
  async read(place) {
    const kept = await within("chunks", "readonly", (chunks) => chunks.get([this.#session, place]));
    if (kept === undefined) return null;
    const sealingKey = await this.#sealingKey();
    const additionalData = label(this.#session, place);
    return crypto.subtle.decrypt({ name: way, iv: kept.iv, additionalData }, sealingKey, kept.sealed).catch(() => null);
  }

  #sealingKey() {
    const asked = (this.#key ??= key());
    asked.catch(() => (this.#key = null));
    return asked;
  }

  /** @param {number} below */
  async forget(below) {
    const range = IDBKeyRange.bound([this.#session, 0], [this.#session, below], false, true);
    await within("chunks", "readwrite", (chunks) => chunks.delete(range));
  }

  /** @returns {Promise<number[]>} The numbers of its chunks, in their order. */
  async numbers() {
    const range = IDBKeyRange.bound([this.#session, 0], [this.#session, Infinity]);
    const keys = await within("chunks", "readonly", (chunks) => chunks.getAllKeys(range));
    return keys.map((key) => Number(Array.isArray(key) ? key[1] : key));
  }
}

/**
 * The state of chunks that a session does not take, since another page's sound is in their place there.
 *
 * @typedef {object} Apart
 * @property {string} session The id of the one that did not take them.
 * @property {number} sampleRate In hertz.
 * @property {number} [from] Where they begin in that session, in seconds.
 * @property {string} [item] The recording that they have become, while their marks are still to be added to it.
 */

/**
 * Remembers that this browser records a session, until that becomes a recording or is discarded.
 *
 * @param {string} id
 * @param {Apart | number} value Its sample rate in hertz, or what is to become of its chunks when it does not take them.
 */
export async function rememberSession(id, value) {
  await within("sessions", "readwrite", (sessions) => sessions.put(value, id));
}

/** @param {string} id */
export async function forgetSession(id) {
  await within("sessions", "readwrite", (sessions) => sessions.delete(id));
}

/**
 * The sessions that this browser has recorded and not finished, by their ids: their sample rates, or what is to become of
 * the chunks that they do not take.
 *
 * @returns {Promise<Map<string, Apart | number>>} 0 for a rate that an earlier version has not kept.
 */
export async function rememberedSessions() {
  const all = new Map();
  for (const id of (await within("sessions", "readonly", (sessions) => sessions.getAllKeys())).map(String)) {
    const value = await within("sessions", "readonly", (sessions) => sessions.get(id));
    if (value !== undefined) all.set(id, value === true ? 0 : value);
  }
  return all;
}

/** How many bytes of sound are compared at once. */
const compared = 4_000_000;

/**
 * Whether sound is the last of a session.
 *
 * @param {Blob} sound
 * @param {{ id: string, samples: number }} session
 * @param {typeof import("../../server/recordings.js").loadSessionSound} load
 */
export async function isEndOf(sound, { id, samples }, load) {
  const first = 2 * samples - sound.size;
  if (first < 0) return false;
  for (let place = 0; place < sound.size; place += compared) {
    const piece = sound.slice(place, place + compared);
    const here = new Uint8Array(await piece.arrayBuffer());
    const there = new Uint8Array(await load(id, first + place, piece.size));
    if (here.length !== there.length || here.some((byte, index) => byte !== there[index])) return false;
  }
  return true;
}
