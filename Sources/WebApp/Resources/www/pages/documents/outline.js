/**
 * @typedef {import("../../server/documents.js").Chapter} Chapter
 * @typedef {import("../../server/documents.js").Span} Span
 */

/**
 * The number of the page that a place of the text stands on, from 1.
 *
 * @param {readonly Span[]} pages In order, without gaps.
 * @param {number} unit
 */
export function pageAt(pages, unit) {
  let low = 0;
  let high = Math.max(0, pages.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pages[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/**
 * The chapter that a place of the text stands in, the deepest one.
 *
 * @param {readonly Chapter[]} chapters In the order of their beginnings.
 * @param {number} unit
 * @returns {Chapter | null} `null` before the first, and between two.
 */
export function chapterAt(chapters, unit) {
  /** @type {Chapter | null} */
  let found = null;
  for (const chapter of chapters) {
    if (chapter.from > unit) break;
    if (chapter.to > unit) found = chapter;
  }
  return found;
}

/**
 * Which chapters are spoken when some are chosen: those and the chapters within them.
 *
 * @param {readonly Chapter[]} chapters
 * @param {ReadonlySet<number>} chosen By number.
 * @returns {Set<number>}
 */
export function withInner(chapters, chosen) {
  /** @type {Set<number>} */
  const all = new Set();
  /** @type {number | null} The level of the chosen chapter we are in. */
  let within = null;
  for (const { number, level } of chapters) {
    if (within !== null && level <= within) within = null;
    if (within === null && chosen.has(number)) within = level;
    if (within !== null) all.add(number);
  }
  return all;
}
