import { setAttribute } from "../../../core/dom.js";

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
