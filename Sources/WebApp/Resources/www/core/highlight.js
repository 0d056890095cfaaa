/** @type {Map<string, Highlight | null>} */
const all = new Map();

/**
 * The highlight with a name, which `::highlight(name)` styles; it marks text without elements.
 *
 * @param {string} name
 * @param {number} [priority] The higher one wins where two overlap.
 * @returns {Highlight | null} `null` if the browser has none.
 */
export function highlight(name, priority = 0) {
  let found = all.get(name);
  if (found === undefined) {
    found = "highlights" in CSS && CSS.highlights !== undefined ? new Highlight() : null;
    if (found !== null) {
      found.priority = priority;
      CSS.highlights?.set(name, found);
    }
    all.set(name, found);
  }
  return found;
}
