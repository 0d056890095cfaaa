/** The orders that the server can give a list, the usual one first; the names are the catalogue's. */
export const sortOrders = /** @type {const} */ ([
  "date.down",
  "date.up",
  "length.down",
  "length.up",
  "name.up",
  "name.down",
]);

/** @typedef {(typeof sortOrders)[number]} SortOrder */

/**
 * @param {SortOrder} order
 * @returns {{ order: "date" | "length" | "name", ascending: boolean }}
 */
export function queryOfOrder(order) {
  const [by, direction] = /** @type {["date" | "length" | "name", "up" | "down"]} */ (order.split("."));
  return { order: by, ascending: direction === "up" };
}
