/**
 * What an event of `<echo-rows>` tells; which of it, the list says at its events.
 *
 * @param {Event} event
 * @returns {import("../menu.js").MenuPlace & { key: string, index: number, keys: string[] }}
 */
export function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}
