import { setAttribute } from "../../../core/dom.js";

/**
 * How deep each heading stands among those before it, from 1. A document may leave levels out, or be shown from the
 * middle on; a screen reader's list of headings has no gap then.
 *
 * @param {readonly number[]} levels As the document has them, in order.
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
 * Sets the levels of the headings that are shown, under the page's own title.
 *
 * @param {HTMLElement} place
 */
export function levelHeadings(place) {
  const headings = /** @type {HTMLElement[]} */ ([...place.querySelectorAll("[role=heading]")]);
  const depths = headingDepths(headings.map((one) => Number(one.dataset.level)));
  headings.forEach((one, index) => setAttribute(one, "aria-level", String(Math.min(6, depths[index] + 1))));
}
