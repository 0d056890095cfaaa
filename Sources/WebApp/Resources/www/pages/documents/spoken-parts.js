import { readRanges } from "./choice/choice.js";

/** @typedef {import("../../server/api.js").DocumentLink} DocumentLink */
/** @typedef {import("../../server/documents.js").Selection} Selection */
/** @typedef {import("../../server/documents.js").Span} Span */
/** @typedef {Pick<import("../../server/documents.js").Structure, "length" | "pages" | "chapters">} Structure */

/**
 * Whether it is of all of a document.
 *
 * @param {DocumentLink} link
 */
export function isWhole({ part, selection }) {
  if (selection === undefined) return part === undefined;
  return selection.pages === undefined && selection.chapters === undefined;
}

/**
 * The parts of a document that play one after the other, larger ones before smaller ones that overlap with them.
 *
 * @template {{ link: DocumentLink }} Part
 * @param {readonly Part[]} spoken Of equal ones the first counts.
 * @param {Structure} structure
 * @returns {Part[]} In the order of the text.
 */
export function partsInOrder(spoken, structure) {
  const parts = spoken
    .filter(({ link }) => !isWhole(link))
    .map((part) => ({ part, spans: spansOf(part.link.selection ?? {}, structure) }))
    .sort((one, other) => lengthOf(other.spans) - lengthOf(one.spans));
  /** @type {typeof parts} */
  const taken = [];
  for (const one of parts) {
    if (one.spans.length > 0 && !taken.some(({ spans }) => overlap(spans, one.spans))) taken.push(one);
  }
  return taken.sort((one, other) => one.spans[0].from - other.spans[0].from).map(({ part }) => part);
}

/**
 * @param {readonly { link: DocumentLink }[]} parts Without overlaps.
 * @param {Structure} structure
 * @returns {number} The share of the document's text in them, from 0 to 1.
 */
export function shareOf(parts, structure) {
  const covered = parts.reduce((sum, { link }) => sum + lengthOf(spansOf(link.selection ?? {}, structure)), 0);
  return structure.length === 0 ? 0 : covered / structure.length;
}

/**
 * What is read when too little of a document is recorded: what was chosen last, or all of it when that is among the
 * recordings.
 *
 * @param {Selection} last
 * @param {readonly { link: DocumentLink }[]} spoken
 * @returns {Selection}
 */
export function selectionToRead(last, spoken) {
  const isSpoken = spoken.some(({ link: { selection } }) => selection?.pages === last.pages && selection?.chapters === last.chapters);
  return isSpoken ? { ...last, pages: undefined, chapters: undefined } : last;
}

/**
 * Where to go on in a series: where listening stopped, or at its start when that was elsewhere or all was heard.
 *
 * @param {readonly string[]} ids Of recordings, in order.
 * @param {{ id: string, seconds: number } | null} last Where listening stopped; at the start of a recording that was
 * heard to its end.
 * @returns {{ at: number, from: number }} The place in the series, and seconds.
 */
export function placeToGoOn(ids, last) {
  const at = last === null ? -1 : ids.indexOf(last.id);
  if (last === null || at < 0 || (at === ids.length - 1 && last.seconds === 0)) return { at: 0, from: 0 };
  return { at, from: last.seconds };
}

/**
 * @param {Selection} selection Of pages or chapters.
 * @param {Structure} structure
 * @returns {Span[]} In order, without overlaps or empty ones; none of what is not in the document.
 */
function spansOf({ pages, chapters }, structure) {
  const [text, all] = pages === undefined ? [chapters ?? "", structure.chapters] : [pages, structure.pages];
  /** @type {Span[]} */
  const spans = [];
  for (const number of readRanges(text, all.length) ?? []) {
    const { from, to } = all[number - 1];
    const last = spans[spans.length - 1];
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) spans.push({ from, to });
  }
  return spans;
}

/** @param {readonly Span[]} spans */
function lengthOf(spans) {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * @param {readonly Span[]} some
 * @param {readonly Span[]} others
 */
function overlap(some, others) {
  return some.some((one) => others.some((other) => one.from < other.to && other.from < one.to));
}
