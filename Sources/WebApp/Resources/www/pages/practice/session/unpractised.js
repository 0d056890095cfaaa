/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */

/**
 * Whether nothing would be lost with a session, by what the server says now; not when it does not say.
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
