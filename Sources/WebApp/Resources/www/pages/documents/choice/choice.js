import { pageAt, withInner } from "../places.js";

/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("../../../server/documents.js").Structure} Structure */

/** @typedef {"all" | "range" | "pages" | "chapters"} Way */

/**
 * A user's choice in a document. Each way of choosing has its own, so that switching back restores it.
 *
 * @typedef {object} Choice
 * @property {Way} way
 * @property {readonly [number, number]} range Of pages, both included.
 * @property {ReadonlySet<number>} pages
 * @property {ReadonlySet<number>} chapters
 * @property {Pick<Selection, "spokenRoles" | "putBack" | "leftOut">} cuts The text in it that is put back or struck
 * out.
 */

/**
 * @param {Selection} selection
 * @param {Structure} structure
 * @returns {Choice}
 */
export function choiceOf({ pages, chapters, ...cuts }, structure) {
  const last = structure.pages.length;
  /** @type {Choice} */
  const all = { way: "all", range: [1, last], pages: new Set(), chapters: new Set(), cuts };
  const chosenPages = pages === undefined ? null : readRanges(pages, last);
  if (chosenPages !== null) {
    const ranges = rangesOf(chosenPages);
    const set = new Set(chosenPages);
    if (ranges.length === 1) return { ...all, way: "range", range: ranges[0], pages: set };
    return { ...all, way: "pages", pages: set };
  }
  const chosenChapters = chapters === undefined ? null : readRanges(chapters, structure.chapters.length);
  return chosenChapters === null ? all : { ...all, way: "chapters", chapters: new Set(chosenChapters) };
}

/**
 * @param {Choice} choice
 * @returns {Selection | null} `null` when nothing is chosen.
 */
export function selectionOf({ way, range, pages, chapters, cuts }) {
  switch (way) {
    case "all":
      return { ...cuts };
    case "range":
      return { ...cuts, pages: writeRanges([...numbersBetween(range)]) };
    case "pages":
      return pages.size === 0 ? null : { ...cuts, pages: writeRanges(pages) };
    case "chapters":
      return chapters.size === 0 ? null : { ...cuts, chapters: writeRanges(chapters) };
  }
}

/**
 * The numbers of the pages that are chosen, wholly or in part.
 *
 * @param {Choice} choice
 * @param {Structure} structure
 * @returns {Set<number>}
 */
export function chosenPages(choice, structure) {
  switch (choice.way) {
    case "all":
      return new Set(structure.pages.map(({ number }) => number));
    case "range":
      return new Set(numbersBetween(choice.range));
    case "pages":
      return new Set(choice.pages);
    case "chapters": {
      /** @type {Set<number>} */
      const touched = new Set();
      const spoken = withInner(structure.chapters, choice.chapters);
      for (const { number, from, to } of structure.chapters) {
        if (!spoken.has(number) || to <= from) continue;
        const ends = /** @type {const} */ ([pageAt(structure.pages, from), pageAt(structure.pages, to - 1)]);
        for (const page of numbersBetween(ends)) touched.add(page);
      }
      return touched;
    }
  }
}

/** @param {readonly [number, number]} range */
function* numbersBetween([from, to]) {
  for (let number = from; number <= to; number += 1) yield number;
}

/**
 * Numbers of pages or chapters in the server's form: `3-7,9`.
 *
 * @param {Iterable<number>} numbers In any order.
 */
export function writeRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/**
 * The same in printed form: `3–7, 9`.
 *
 * @param {Iterable<number>} numbers
 */
export function printRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/**
 * Parses ranges from the server or a user: numbers and ranges separated by commas, any dash, spaces anywhere.
 *
 * @param {string} text
 * @param {number} last The largest valid number.
 * @returns {number[] | null} Ascending, without duplicates; `null` when it cannot be parsed or contains invalid
 * numbers.
 */
export function readRanges(text, last) {
  /** @type {Set<number>} */
  const numbers = new Set();
  for (const part of text.split(",")) {
    const bounds = /^\s*(\d+)\s*(?:[-–—‐‑−]\s*(\d+)\s*)?$/.exec(part);
    if (bounds === null) return null;
    const from = Number(bounds[1]);
    const to = Number(bounds[2] ?? bounds[1]);
    if (from < 1 || to < from || to > last) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

/**
 * @param {Iterable<number>} numbers
 * @returns {[number, number][]} Ascending, with a gap between any two.
 */
function rangesOf(numbers) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
