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
 * The order a list had last. The browser remembers it; it tells nothing about a person.
 *
 * @template {string} Order
 * @param {string} list Its name, “library”.
 * @param {readonly Order[]} orders Those it can have, the usual one first; at least one.
 * @returns {Order}
 */
export function rememberedOrder(list, orders) {
  const kept = localStorage.getItem(`${list}-order`);
  return orders.find((order) => order === kept) ?? /** @type {Order} */ (orders[0]);
}

/**
 * @param {string} list Its name.
 * @param {string} order
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
