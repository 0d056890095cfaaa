import { pageAt, withInner } from "../outline.js";
import { rangesOf, readRanges, writeRanges } from "../page-ranges.js";

/**
 * @typedef {import("../../../server/documents.js").Selection} Selection
 * @typedef {import("../../../server/documents.js").Structure} Structure
 */

/** @typedef {"all" | "range" | "pages" | "chapters"} Way */

/**
 * What of a document a person has chosen, each way for itself: who goes back to a way finds it as it was left.
 *
 * @typedef {object} Choice
 * @property {Way} way
 * @property {readonly [number, number]} range Of pages, both included.
 * @property {ReadonlySet<number>} pages
 * @property {ReadonlySet<number>} chapters
 * @property {Pick<Selection, "spokenRoles" | "putBack" | "leftOut">} cuts What is put back or struck out in it.
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
 * The numbers of the pages that are chosen or touched.
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
