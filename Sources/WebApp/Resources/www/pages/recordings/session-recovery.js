import { forgetSession, rememberedSessions, StoredChunks } from "./chunk-store.js";
import { codeOf } from "./recorder-problem.js";
import { withFreeSession } from "./session-tabs.js";
import { changeSession, loadSession, sendChunk } from "../../server/recordings.js";

/**
 * Sends the pending chunks of this browser's earlier visits, and releases its sessions, so that they can be continued.
 *
 * @param {(id: string) => boolean} isRecorded Whether a session is being recorded here; it is left alone.
 */
export async function recoverSessions(isRecorded) {
  for (const id of await rememberedSessions().catch(() => [])) {
    if (!isRecorded(id)) await withFreeSession(id, () => recover(id));
  }
}

/** @param {string} id */
async function recover(id) {
  const kept = new StoredChunks(id);
  try {
    const session = await loadSession(id);
    const end = await kept.end();
    for (let number = session.nextChunk; number < end; number += 1) {
      const bytes = await kept.read(number);
      if (bytes === null) break;
      await sendChunk(id, number, bytes);
    }
    if (session.state !== "interrupted") await changeSession(id, { state: "interrupted" });
  } catch (problem) {
    if (codeOf(problem) !== "recording.not-found") return; // another time
  }
  await kept.forget(Infinity);
  await forgetSession(id);
}
