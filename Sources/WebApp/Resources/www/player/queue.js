/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */

/** Within its first seconds “previous” leads to the one before, later to its own start. */
export const restartAfter = 3;

/**
 * @param {readonly QueueEntry[]} entries
 * @param {string | null} current An entry's id.
 * @param {boolean} loops Whether the first stands after the last.
 * @returns {QueueEntry | null} What to play; `null` when nothing follows.
 */
export function entryAfter(entries, current, loops) {
  const at = entries.findIndex(({ id }) => id === current);
  if (at < 0) return entries[0] ?? null;
  return entries[at + 1] ?? (loops ? (entries[0] ?? null) : null);
}

/**
 * @param {readonly QueueEntry[]} entries
 * @param {string | null} current An entry's id.
 * @param {number} elapsed Seconds that the current one has been heard.
 * @param {boolean} loops Whether the last stands before the first.
 * @returns {QueueEntry | null} What to play from its start; `null` when the queue is empty or the current one is not in it.
 */
export function entryBefore(entries, current, elapsed, loops) {
  const at = entries.findIndex(({ id }) => id === current);
  if (at < 0 || elapsed > restartAfter) return entries[at] ?? null;
  return entries[at - 1] ?? (loops ? entries[entries.length - 1] : entries[at]);
}

/**
 * The queue after a move, for showing it before the server has answered.
 *
 * @template {{ id: string }} Entry
 * @param {readonly Entry[]} entries
 * @param {string} id
 * @param {number} position Where it stands afterwards.
 * @returns {Entry[]}
 */
export function moved(entries, id, position) {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) return [...entries];
  const rest = entries.filter((one) => one.id !== id);
  rest.splice(Math.max(0, Math.min(position, rest.length)), 0, entry);
  return rest;
}

/**
 * What becomes current when entries are taken out: what followed the current one, if that goes.
 *
 * @param {readonly { id: string }[]} entries
 * @param {string | null} current
 * @param {ReadonlySet<string>} gone
 * @returns {string | null}
 */
export function currentAfterRemoval(entries, current, gone) {
  if (current === null || !gone.has(current)) return current;
  const at = entries.findIndex(({ id }) => id === current);
  return entries.slice(at).find(({ id }) => !gone.has(id))?.id ?? null;
}
