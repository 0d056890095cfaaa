/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */

/**
 * Whether deleting a session loses nothing, according to the server now; `false` when it does not answer.
 *
 * @param {string} id
 * @param {object} server
 * @param {(id: string) => Promise<{ takes: readonly unknown[] }>} server.listTakes
 * @param {(id: string) => Promise<Pick<PracticeSession, "summary">>} server.loadSession
 */
export async function isUnpractised(id, { listTakes, loadSession }) {
  try {
    const [{ takes }, { summary }] = await Promise.all([listTakes(id), loadSession(id)]);
    return takes.length === 0 && (summary === null || (summary.segments === 0 && summary.takes === 0));
  } catch {
    return false;
  }
}

/**
 * Deletes a session once its view has been left, since the view's pending requests would no longer find it.
 *
 * @param {string} id
 * @param {AbortSignal} left Aborted when the view is left, which ends its requests.
 * @param {(id: string) => Promise<void>} remove
 */
export async function deleteOnceLeft(id, left, remove) {
  if (!left.aborted) await new Promise((resolve) => left.addEventListener("abort", resolve, { once: true }));
  await remove(id).catch(() => {}); // it stays in the list
}
