/**
 * A piece of sound that the server does not have yet.
 *
 * @typedef {object} Chunk
 * @property {number} number
 * @property {ArrayBuffer} bytes
 */

/**
 * Where chunks are kept beside the page's memory, so that they outlive it.
 *
 * @typedef {object} ChunkKeeper
 * @property {(number: number, bytes: ArrayBuffer) => Promise<void>} keep
 * @property {(number: number) => Promise<ArrayBuffer | null>} read `null` when it is not there or cannot be read.
 * @property {(below: number) => Promise<void>} forget Forgets those with lower numbers.
 */

/**
 * @typedef {object} ChunkQueueParts
 * @property {(number: number, bytes: ArrayBuffer) => Promise<import("../../server/recordings.js").ChunkReceipt>} send
 * @property {() => Promise<number>} askNext Asks the server which chunk is the next.
 * @property {ChunkKeeper} keeper
 * @property {(receipt: import("../../server/recordings.js").ChunkReceipt) => void} sent
 * @property {(error: unknown) => void} waits A chunk could not be sent; it is tried again.
 * @property {(milliseconds: number) => Promise<void>} [pause]
 */

/** Chunks in memory; older ones are read from the keeper when it is their turn. */
const maximumInMemory = 240;

/** Milliseconds before another try: at first, and at most. */
const firstWait = 500;
const longestWait = 5_000;

/** Chunks in line from which on they are kept beside the memory: one is on its way, another has just come. */
const backlog = 3;

/** The codes of refusals that no further try changes. */
const final = new Set(["recording.not-found", "recording.invalid-chunk", "recording.chunk-taken", "library.recording-too-long"]);

/** Sends a session's chunks in their order, each as often as it must; what waits is kept where it outlives the page. */
export class ChunkQueue {
  /** The number of the next chunk that comes. */
  #end;
  /** The number of the first chunk that the server does not have. */
  #start;
  /** @type {Map<number, ArrayBuffer>} */
  #memory = new Map();
  /** Chunks below are kept beside the memory. */
  #keptEnd;
  #parts;
  #isSending = false;
  #isOver = false;
  /** Whether the last try failed. */
  #isStuck = false;
  /** Whether no further try can succeed by itself. */
  #isRefused = false;
  /** @type {Set<() => void>} */
  #waiting = new Set();
  #wake = () => {};
  /** Keeps the order of the keeper's work. */
  #keeping = Promise.resolve();

  /**
   * @param {ChunkQueueParts} parts
   * @param {{ start: number, end?: number }} numbers `start`: of the first chunk that the server does not have; those up
   *   to `end` are with the keeper.
   */
  constructor(parts, { start, end = start }) {
    this.#parts = parts;
    this.#start = start;
    this.#end = this.#keptEnd = end;
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

  /** Tries at once what waits for another try. */
  retry() {
    this.#isRefused = false;
    this.#wake();
    this.#run();
  }

  /** Fulfilled when the server has every chunk that was added, or takes none any more; also when the queue is closed. */
  async drained() {
    this.#run();
    while (this.length > 0 && !this.#isOver && !this.#isRefused) await new Promise((resolve) => this.#waiting.add(() => resolve(undefined)));
  }

  /**
   * The chunks that the server does not have, as far as they can be read.
   *
   * @returns {Promise<ArrayBuffer[]>}
   */
  async unsent() {
    const chunks = [];
    for (let number = this.#start; number < this.#end; number += 1) {
      const chunk = await this.#read(number);
      if (chunk !== null) chunks.push(chunk);
    }
    return chunks;
  }

  /** Ends it: what waits is forgotten. */
  async close() {
    this.#finish();
    await this.#keeping;
    await this.#parts.keeper.forget(Infinity);
  }

  /** Ends it here: what waits stays with the keeper, for another visit. */
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
    const bytes = await this.#read(number);
    if (this.#isOver) return;
    if (bytes === null) {
      this.#forgetBelow(number + 1); // it is lost, and those after it are not
      return;
    }
    const receipt = await this.#parts.send(number, bytes);
    if (this.#isOver) return;
    this.#forgetBelow(Math.max(receipt.nextChunk, number + 1));
    this.#parts.sent(receipt);
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
    if (this.#isRefused) this.#reportWaiting();
    await this.#rest(this.#isRefused ? Infinity : wait);
  }

  /** Whether the server asks for a chunk that is still here, which then is the next. */
  async #isBehind() {
    const next = await this.#parts.askNext().catch(() => this.#start);
    if (next >= this.#start) return false;
    if ((await this.#read(next)) === null) return false;
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
    if (this.length === 0) this.#reportWaiting();
  }

  /** Keeps what waits beside the memory too, and in memory only some of it. */
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

  /** @param {() => Promise<void>} work One that fails leaves the chunk in memory. */
  #afterKeeping(work) {
    this.#keeping = this.#keeping.then(work).catch(() => {});
  }

  #reportWaiting() {
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }
}

/** @param {number} milliseconds */
function rest(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => setTimeout(resolve, milliseconds));
}
