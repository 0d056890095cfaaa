/**
 * What a list shows before it knows its rows: a skeleton for each of some.
 *
 * @param {number} count
 * @returns {import("../rows.js").RowSource<unknown>}
 */
export function waitingRows(count) {
  return { count, at: () => null, key: () => "", content: () => ({ title: "", details: [] }) };
}
