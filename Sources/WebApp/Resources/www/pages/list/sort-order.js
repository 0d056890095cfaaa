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

/**
 * The order a list had last. The browser remembers it; it tells nothing about a person.
 *
 * @param {string} list Its name, “library”.
 * @returns {SortOrder}
 */
export function rememberedOrder(list) {
  const kept = localStorage.getItem(`${list}-order`);
  return sortOrders.find((order) => order === kept) ?? sortOrders[0];
}

/**
 * @param {string} list Its name.
 * @param {SortOrder} order
 */
export function rememberOrder(list, order) {
  localStorage.setItem(`${list}-order`, order);
}

/**
 * @param {SortOrder} order
 * @returns {{ order: "date" | "length" | "name", ascending: boolean }}
 */
export function queryOfOrder(order) {
  const [by, direction] = /** @type {["date" | "length" | "name", "up" | "down"]} */ (order.split("."));
  return { order: by, ascending: direction === "up" };
}
