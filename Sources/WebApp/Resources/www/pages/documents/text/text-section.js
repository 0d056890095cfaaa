import { button } from "../../../components/button.js";
import { h } from "../../../core/dom.js";
import { highlight } from "../../../core/highlight.js";
import { t } from "../../../core/i18n.js";

/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
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
 * One line of the text: a paragraph, a heading, an item of a list, a row of a table.
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
