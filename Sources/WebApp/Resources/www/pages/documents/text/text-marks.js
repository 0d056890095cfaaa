import { highlight } from "../../../core/dom.js";

/**
 * @typedef {import("../../../server/documents.js").Span} Span
 * @typedef {import("./text-section.js").TextSection} TextSection
 */

/** Places of a text that are marked, of which only those in the page cost anything. */
export class TextMarks {
  /** @type {Map<string, readonly Span[]>} */
  #spans = new Map();
  /** @type {Map<string, Range[]>} */
  #ranges = new Map();

  /**
   * @param {string} name Of the highlight.
   * @param {readonly Span[]} spans In order, none overlapping.
   * @param {number} priority
   * @param {Iterable<TextSection>} sections
   */
  set(name, spans, priority, sections) {
    highlight(name, priority);
    this.#spans.set(name, spans);
    this.#show(name, spans, sections);
  }

  /** @param {Iterable<TextSection>} sections Those that are in the page now. */
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
 * @param {readonly Span[]} spans In order, none overlapping.
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
