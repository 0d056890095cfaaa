/** @typedef {import("../../server/library.js").LibraryQuery} LibraryQuery */

/** The orders a list can have, the usual one first; the names are the catalogue's. */
export const sortOrders = /** @type {const} */ ([
  "date.down",
  "date.up",
  "length.down",
  "length.up",
  "name.up",
  "name.down",
]);

/** @typedef {(typeof sortOrders)[number]} SortOrder */

/** Where the browser remembers it; it tells nothing about a person. */
const memory = "library-order";

/** @returns {SortOrder} */
export function rememberedOrder() {
  const kept = localStorage.getItem(memory);
  return sortOrders.find((order) => order === kept) ?? sortOrders[0];
}

/** @param {SortOrder} order */
export function rememberOrder(order) {
  localStorage.setItem(memory, order);
}

/**
 * @param {SortOrder} order
 * @returns {LibraryQuery}
 */
export function queryOfOrder(order) {
  const [by, direction] = /** @type {["date" | "length" | "name", "up" | "down"]} */ (order.split("."));
  return { order: by, ascending: direction === "up" };
}
