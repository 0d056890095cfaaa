/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */

/** How many parts are cached; the least recently requested is dropped first. */
const partsKept = 24;

/** The parts of a text that are loaded or loading. */
export class TextParts {
  #load;
  #failed;
  /** @type {Map<number, TextPart>} */
  #present = new Map();
  /** @type {Map<number, Promise<TextPart | null>>} */
  #coming = new Map();
  #life = new AbortController();

  /**
   * @param {readonly Span[]} spans The existing text: in order, without overlaps.
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
   * @returns {TextPart | undefined} `undefined` while it is not loaded.
   */
  part(index) {
    return this.#present.get(index);
  }

  /**
   * Loads a part, unless it is loaded.
   *
   * @param {number} index
   * @param {(index: number) => boolean} isShown Tells which parts must stay.
   * @returns {Promise<TextPart | null>} `null` when it cannot be loaded.
   */
  need(index, isShown) {
    const present = this.#present.get(index);
    if (present !== undefined) return Promise.resolve(present);
    const coming = this.#coming.get(index) ?? this.#bring(index, isShown);
    this.#coming.set(index, coming);
    return coming;
  }

  /**
   * The real ends of a part; its nominal ones until it is loaded.
   *
   * @param {number} index
   * @returns {Span}
   */
  ends(index) {
    const part = this.#present.get(index);
    return part === undefined ? this.chunks[index] : realEnds(this.chunks[index], part);
  }

  /**
   * The parts that may contain a place, the likeliest first.
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

/**
 * A range that is requested as a whole. Its real ends are paragraph ends near the nominal ones, so that a chunk does
 * not depend on the one before.
 *
 * @typedef {object} Chunk
 * @property {number} from The nominal start.
 * @property {number} to The nominal end.
 * @property {boolean} beginsSpan Whether it really starts there.
 * @property {boolean} endsSpan Whether it really ends there.
 * @property {number} spanEnd Nothing beyond this is shown.
 */

/** UTF-16 units of a chunk: a few screens of text. */
export const chunkSize = 12_000;

/** How far beyond its nominal ends a chunk looks for a paragraph end, in UTF-16 units. */
const reach = 4_000;

/**
 * @param {readonly Span[]} spans The visible text: in order, without overlaps.
 * @returns {Chunk[]}
 */
export function chunksOf(spans) {
  /** @type {Chunk[]} */
  const chunks = [];
  for (const { from, to } of spans) {
    const count = Math.max(1, Math.round((to - from) / chunkSize));
    const step = Math.ceil((to - from) / count);
    for (let begin = from; begin < to; begin += step) {
      const end = Math.min(to, begin + step);
      chunks.push({ from: begin, to: end, beginsSpan: begin === from, endsSpan: end === to, spanEnd: to });
    }
  }
  return chunks;
}

/**
 * The span to request for a chunk.
 *
 * @param {Chunk} chunk
 * @returns {Span}
 */
export function wantedFor({ from, to, beginsSpan, endsSpan, spanEnd }) {
  // A blank line just before it may be its start.
  return { from: beginsSpan ? from : Math.max(0, from - 2), to: endsSpan ? to : Math.min(spanEnd, to + reach) };
}

/**
 * The real ends of a chunk.
 *
 * @param {Chunk} chunk
 * @param {{ from: number, text: string }} part The loaded part; it may start a unit early.
 * @returns {Span}
 */
export function realEnds(chunk, part) {
  const from = chunk.beginsSpan ? chunk.from : breakAfter(part, chunk.from, chunk.spanEnd);
  const to = chunk.endsSpan ? chunk.to : breakAfter(part, chunk.to, chunk.spanEnd);
  return { from: Math.max(from, part.from), to: Math.min(to, part.from + part.text.length) };
}

/**
 * The start of the first paragraph at or after a place; the place itself if none starts within reach.
 *
 * @param {{ from: number, text: string }} part
 * @param {number} unit
 * @param {number} end
 */
function breakAfter(part, unit, end) {
  const at = part.text.indexOf("\n\n", Math.max(0, unit - part.from - 2));
  if (at >= 0) {
    const begin = part.from + at + 2;
    if (begin >= unit && begin <= Math.min(end, unit + reach)) return begin;
  }
  return unit;
}

/**
 * The chunk that contains a place, or the nearest one.
 *
 * @param {readonly Chunk[]} chunks
 * @param {number} unit
 */
export function chunkAt(chunks, unit) {
  let low = 0;
  let high = Math.max(0, chunks.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (chunks[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Maximum height of all text in pixels: browsers limit the height of an element. */
const tallest = 6_000_000;

/**
 * The heights of the parts of a long text: measured, or estimated from measured ones. It does not use the document.
 */
export class Heights {
  /** @type {number[]} UTF-16 units of each part. */
  #units;
  /** @type {(number | undefined)[]} Pixels. */
  #measured = [];
  #sum = { pixels: 0, units: 0 };
  /** @type {number[] | null} */
  #tops = null;

  /**
   * @param {number[]} units Of each part, in UTF-16 units.
   * @param {number} [guess] Pixels per unit before anything is measured.
   */
  constructor(units, guess = 0.5) {
    this.#units = units;
    this.guess = guess;
  }

  /** Total pixels. */
  get total() {
    return this.top(this.#units.length);
  }

  /**
   * Pixels above a part.
   *
   * @param {number} index
   */
  top(index) {
    this.#tops ??= this.#count();
    return this.#tops[Math.max(0, Math.min(index, this.#units.length))];
  }

  /** @param {number} index */
  of(index) {
    return this.top(index + 1) - this.top(index);
  }

  /**
   * The part at a height.
   *
   * @param {number} pixels
   */
  at(pixels) {
    let low = 0;
    let high = Math.max(0, this.#units.length - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle + 1) > pixels) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * @param {number} index
   * @param {number} pixels
   * @returns {boolean} Whether that changed it.
   */
  measure(index, pixels) {
    const before = this.#measured[index];
    if (before !== undefined && Math.abs(before - pixels) < 1) return false;
    this.#sum.pixels += pixels - (before ?? 0);
    if (before === undefined) this.#sum.units += this.#units[index];
    this.#measured[index] = pixels;
    this.#tops = null;
    return true;
  }

  /** Drops the measurements: the width or the font has changed. */
  forget() {
    if (this.#sum.units > 0) this.guess = this.#sum.pixels / this.#sum.units;
    this.#measured = [];
    this.#sum = { pixels: 0, units: 0 };
    this.#tops = null;
  }

  #count() {
    const each = this.#sum.units > 0 ? this.#sum.pixels / this.#sum.units : this.guess;
    let unknown = 0;
    this.#units.forEach((units, index) => (unknown += this.#measured[index] === undefined ? units : 0));
    const room = Math.max(tallest - this.#sum.pixels, tallest / 2);
    const scale = unknown * each > room ? room / (unknown * each) : 1;
    const tops = [0];
    this.#units.forEach((units, index) => tops.push(tops[index] + (this.#measured[index] ?? units * each * scale)));
    return tops;
  }
}
