/**
 * The detail of an event of `<echo-rows>`; the list of events says which parts each has.
 *
 * @param {Event} event
 * @returns {import("../menu.js").MenuPlace & { key: string, index: number, keys: string[] }}
 */
export function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
