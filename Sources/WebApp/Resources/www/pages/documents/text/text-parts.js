import { button } from "../../../components/button.js";
import { h, setAttribute } from "../../../core/dom.js";
import { highlight } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";

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
   * @param {(index: number) => boolean} isShown Whether a part must stay.
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

/**
 * The depth of each heading among those before it, from 1. A document may skip levels, or be shown from the middle on;
 * a screen reader's list of headings still has no gaps.
 *
 * @param {readonly number[]} levels As in the document, in order.
 * @returns {number[]}
 */
export function headingDepths(levels) {
  /** @type {number[]} */
  const open = [];
  return levels.map((level) => {
    while (open.length > 0 && open[open.length - 1] >= level) open.pop();
    return open.push(level);
  });
}

/**
 * Sets the levels of the rendered headings, below the page's own title.
 *
 * @param {HTMLElement} place
 */
export function levelHeadings(place) {
  const headings = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[role=heading]")]);
  const depths = headingDepths(headings.map((one) => Number(one.dataset.level)));
  headings.forEach((one, index) => setAttribute(one, "aria-level", String(Math.min(6, depths[index] + 1))));
}

/** @typedef {import("../../../server/documents.js").Block} Block */

/** A range of a document's text in the page, with the place of each word. */
export class TextSection {
  /** @type {{ node: Text, from: number, to: number }[]} */
  #pieces = [];

  /**
   * @param {TextPart} part
   * @param {Span} span Within the part.
   * @param {readonly Cut[]} cuts In order, without overlaps.
   */
  constructor(part, span, cuts) {
    this.from = span.from;
    this.to = span.to;
    const lines = linesOf(part, span, cuts);
    const last = lastRuns(lines);
    this.element = h("section", { class: "text-chunk" }, ...lines.map((line) => this.#line(line, last)));
  }

  /**
   * The DOM ranges of a place in this section, one per line.
   *
   * @param {Span} span
   * @returns {Range[]}
   */
  ranges({ from, to }) {
    return this.#pieces
      .filter((piece) => piece.from < to && piece.to > from)
      .map((piece) => {
        const range = document.createRange();
        range.setStart(piece.node, Math.max(0, from - piece.from));
        range.setEnd(piece.node, Math.min(piece.node.length, to - piece.from));
        return range;
      });
  }

  /**
   * The place of the document at a caret of the page.
   *
   * @param {Node} node
   * @param {number} offset
   * @returns {number | null}
   */
  unit(node, offset) {
    const piece = this.#pieces.find((one) => one.node === node);
    return piece === undefined ? null : piece.from + offset;
  }

  /**
   * The place at a height of the view.
   *
   * @param {number} top In pixels of the viewport.
   */
  unitAt(top) {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = document.createRange();
      range.selectNode(this.#pieces[middle].node);
      if (range.getBoundingClientRect().bottom > top) high = middle;
      else low = middle + 1;
    }
    return this.#pieces[low]?.from ?? this.from;
  }

  /**
   * @param {Line} line
   * @param {ReadonlySet<object>} last The last run of each cut.
   */
  #line({ runs, block, isApart }, last) {
    const isHeading = block?.kind === "heading";
    const classes = ["text-line", block === null ? "" : `is-${block.kind}`, isApart ? "apart" : ""];
    return h(
      "p",
      {
        class: classes.filter(Boolean).join(" "),
        dir: "auto",
        role: isHeading ? "heading" : null,
        "data-level": block === null ? null : String(block.level),
      },
      ...runs.flatMap((run) => {
        const node = document.createTextNode(run.text);
        this.#pieces.push({ node, from: run.from, to: run.to });
        const { cut } = run;
        if (cut === null) return /** @type {Node[]} */ ([node]);
        const shown = h(cut.look === "struck" ? "del" : "span", { class: `cut ${cut.look}`, "data-cut": cut.key, title: cut.label }, node);
        return last.has(run) && cut.look !== "aside" ? [shown, cutButton(cut)] : [shown];
      }),
    );
  }
}

/** @param {readonly Line[]} lines */
function lastRuns(lines) {
  /** @type {Map<string, object>} */
  const last = new Map();
  for (const { runs } of lines) for (const run of runs) if (run.cut !== null) last.set(run.cut.key, run);
  return new Set(last.values());
}

/** @param {Cut} cut */
function cutButton({ look, key, label }) {
  const element = button({
    label: t(look === "struck" ? "preview.putBack" : "preview.leaveOut", { what: label }),
    icon: look === "struck" ? "undo" : "close",
    look: "quiet",
    iconOnly: true,
    className: "cut-button",
  });
  element.dataset.cut = key;
  return element;
}

/** The highlighted places of a text; only those in the page have DOM ranges. */
export class TextMarks {
  /** @type {Map<string, readonly Span[]>} */
  #spans = new Map();
  /** @type {Map<string, Range[]>} */
  #ranges = new Map();

  /**
   * @param {string} name The highlight's name.
   * @param {readonly Span[]} spans In order, without overlaps.
   * @param {number} priority
   * @param {Iterable<TextSection>} sections
   */
  set(name, spans, priority, sections) {
    highlight(name, priority);
    this.#spans.set(name, spans);
    this.#show(name, spans, sections);
  }

  /** @param {Iterable<TextSection>} sections The sections in the page. */
  showAll(sections) {
    for (const [name, spans] of this.#spans) this.#show(name, spans, sections);
  }

  /**
   * @param {string} name
   * @param {readonly Span[]} spans
   * @param {Iterable<TextSection>} sections
   */
  #show(name, spans, sections) {
    const marks = highlight(name);
    if (marks === null) return;
    for (const range of this.#ranges.get(name) ?? []) marks.delete(range);
    /** @type {Range[]} */
    const ranges = [];
    for (const section of sections) {
      for (const span of spansWithin(spans, section)) ranges.push(...section.ranges(span));
    }
    for (const range of ranges) marks.add(range);
    this.#ranges.set(name, ranges);
  }
}

/**
 * @param {readonly Span[]} spans In order, without overlaps.
 * @param {Span} within
 */
function* spansWithin(spans, { from, to }) {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].to > from) high = middle;
    else low = middle + 1;
  }
  for (let index = low; index < spans.length && spans[index].from < to; index += 1) yield spans[index];
}

/**
 * A range that looks different from the text around it.
 *
 * @typedef {Span & { look: "hidden" | "struck" | "restored" | "aside", key: string, label: string }} Cut
 */

/** @typedef {Span & { text: string, cut: Cut | null }} Run A piece of a line. */

/**
 * A line of the text: a paragraph, a heading, an item of a list, a row of a table.
 *
 * @typedef {object} Line
 * @property {boolean} isApart Whether a blank line precedes it.
 * @property {Block | null} block
 * @property {Run[]} runs In order, none empty.
 */

/**
 * Splits a range of text into lines and these into runs. Hidden text is in none, and the lines around it are as if it
 * did not exist.
 *
 * @param {Pick<TextPart, "from" | "text" | "blocks">} part
 * @param {Span} span Within the part.
 * @param {readonly Cut[]} cuts In order, without overlaps.
 * @returns {Line[]}
 */
export function linesOf(part, span, cuts) {
  /** @type {Line[]} */
  const lines = [];
  /** @type {Run[]} */
  let runs = [];
  let breaks = 2;

  /** @param {Run} run */
  const add = (run) => {
    for (const piece of piecesOf(run)) {
      if (piece.text === "\n") {
        if (runs.length > 0) {
          lines.push({ isApart: breaks > 1, block: blockAt(part.blocks, runs[0].from), runs });
          runs = [];
          breaks = 0;
        }
        breaks += 1;
      } else {
        runs.push(piece);
      }
    }
  };

  for (const { from, to, cut } of stretches(span, cuts)) {
    if (cut?.look === "hidden") continue;
    add({ from, to, text: part.text.slice(from - part.from, to - part.from), cut });
  }
  if (runs.length > 0) lines.push({ isApart: breaks > 1, block: blockAt(part.blocks, runs[0].from), runs });
  return lines;
}

/**
 * A span split at the ends of cuts.
 *
 * @param {Span} span
 * @param {readonly Cut[]} cuts
 */
function* stretches({ from, to }, cuts) {
  let at = from;
  for (const cut of cuts) {
    if (cut.to <= at || cut.from >= to) continue;
    if (cut.from > at) yield { from: at, to: cut.from, cut: null };
    at = Math.max(at, cut.from);
    const end = Math.min(to, cut.to);
    yield { from: at, to: end, cut };
    at = end;
  }
  if (at < to) yield { from: at, to, cut: null };
}

/**
 * A run split at its line ends, each of which becomes a piece of its own.
 *
 * @param {Run} run
 */
function* piecesOf({ from, text, cut }) {
  let at = 0;
  for (const piece of text.split(/(\n)/)) {
    if (piece !== "") yield { from: from + at, to: from + at + piece.length, text: piece, cut };
    at += piece.length;
  }
}

/**
 * The innermost block around a place.
 *
 * @param {readonly Block[]} blocks
 * @param {number} unit
 */
function blockAt(blocks, unit) {
  /** @type {Block | null} */
  let found = null;
  for (const block of blocks) {
    if (block.from > unit) break;
    if (block.to > unit) found = block;
  }
  return found;
}
