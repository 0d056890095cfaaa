/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/**
 * The order of preference after one recogniser was moved. A service that was only asked when it was chosen stays so, unless it is
 * the one that was moved.
 *
 * @param {readonly Pick<Recognizer, "id" | "engine">[]} recognizers As they are listed.
 * @param {readonly string[]} order The IDs that were put first until now.
 * @param {string} id The one that is moved.
 * @param {number} position Its new place in the list.
 * @returns {string[]} IDs.
 */
export function movedOrder(recognizers, order, id, position) {
  const moved = recognizers.find((one) => one.id === id);
  if (moved === undefined) return [...order];
  const listed = recognizers.filter((one) => one !== moved);
  listed.splice(position, 0, moved);
  return listed.filter((one) => one.engine !== "remote" || one === moved || order.includes(one.id)).map((one) => one.id);
}
