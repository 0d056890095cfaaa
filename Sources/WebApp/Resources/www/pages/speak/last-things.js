/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../server/practice.js").Speech} Speech */

/**
 * Something that a person made, wrote or imported.
 *
 * @typedef {{ kind: "item", date: string, item: Item } | { kind: "document" | "speech", date: string, id: string, name: string }} LastThing
 */

/**
 * The last things of every kind together.
 *
 * @param {{ items: readonly Item[], documents: readonly Document[], speeches: readonly Speech[] }} all
 * @param {number} count How many are wanted at most.
 * @returns {LastThing[]} Newest first; a speech by its last change.
 */
export function lastOf({ items, documents, speeches }, count) {
  /** @type {LastThing[]} */
  const things = [
    ...items.map((item) => ({ kind: /** @type {const} */ ("item"), date: item.created, item })),
    ...documents.map(({ id, name, added }) => ({ kind: /** @type {const} */ ("document"), date: added, id, name })),
    ...speeches.map(({ id, title, updated }) => ({ kind: /** @type {const} */ ("speech"), date: updated, id, name: title })),
  ];
  return things.sort((one, other) => Date.parse(other.date) - Date.parse(one.date)).slice(0, count);
}
