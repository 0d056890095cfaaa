import { chunkAt, chunksOf, realEnds, wantedFor } from "./text-chunks.js";

/**
 * @typedef {import("../../../server/documents.js").Span} Span
 * @typedef {import("../../../server/documents.js").TextPart} TextPart
 */

/** How many parts are kept in memory; what was asked for longest ago goes first. */
const partsKept = 24;

/** The parts of a text that are there, and those that are on their way. */
export class TextParts {
  #load;
  #failed;
  /** @type {Map<number, TextPart>} */
  #present = new Map();
  /** @type {Map<number, Promise<TextPart | null>>} */
  #coming = new Map();
  #life = new AbortController();

  /**
   * @param {readonly Span[]} spans What there is: in order, none overlapping.
   * @param {(span: Span, signal: AbortSignal) => Promise<TextPart>} load
   * @param {(error: unknown) => void} failed
   */
  constructor(spans, load, failed) {
    this.chunks = chunksOf(spans);
    this.#load = load;
    this.#failed = failed;
  }

  /**
   * @param {number} index
   * @returns {TextPart | undefined} `undefined` while it is not there.
   */
  part(index) {
    return this.#present.get(index);
  }

  /**
   * Sees to it that a part is there.
   *
   * @param {number} index
   * @param {(index: number) => boolean} isShown Those that must not be forgotten.
   * @returns {Promise<TextPart | null>} `null` when it cannot be had.
   */
  need(index, isShown) {
    const present = this.#present.get(index);
    if (present !== undefined) return Promise.resolve(present);
    const coming = this.#coming.get(index) ?? this.#bring(index, isShown);
    this.#coming.set(index, coming);
    return coming;
  }

  /**
   * Where a part really begins and ends; nominally while it is not there.
   *
   * @param {number} index
   * @returns {Span}
   */
  ends(index) {
    const part = this.#present.get(index);
    return part === undefined ? this.chunks[index] : realEnds(this.chunks[index], part);
  }

  /**
   * The parts that may hold a place, the likeliest first.
   *
   * @param {number} unit
   */
  around(unit) {
    const nominal = chunkAt(this.chunks, unit);
    return [nominal, nominal - 1].filter((index) => index >= 0 && index < this.chunks.length);
  }

  /** Ends every request. */
  close() {
    this.#life.abort();
  }

  /**
   * @param {number} index
   * @param {(index: number) => boolean} isShown
   */
  async #bring(index, isShown) {
    const { signal } = this.#life;
    try {
      const part = await this.#load(wantedFor(this.chunks[index]), signal);
      if (signal.aborted) return null;
      this.#present.set(index, part);
      for (const old of this.#present.keys()) {
        if (this.#present.size <= partsKept) break;
        if (old !== index && !isShown(old)) this.#present.delete(old);
      }
      return part;
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
      return null;
    } finally {
      this.#coming.delete(index);
    }
  }
}
