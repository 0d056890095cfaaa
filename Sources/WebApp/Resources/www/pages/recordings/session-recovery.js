import { forgetSession, rememberedSessions, rememberSession, StoredChunks } from "./chunk-store.js";
import { codeOf } from "./recorder-problem.js";
import { waveFile } from "./samples.js";
import { withFreeSession } from "./session-tabs.js";
import { loadItem } from "../../server/library.js";
import { changeSession, importSound, loadSession, sendChunk } from "../../server/recordings.js";

/** @typedef {import("./chunk-store.js").Apart} Apart */
/** @typedef {import("../../server/library.js").Item} Item */

/**
 * How a person is told of sound that another page's recording did not take.
 *
 * @typedef {object} ApartTeller
 * @property {(name: string | null) => string} name Names the recording that it becomes, by the one that did not take it,
 *   if that is still known.
 * @property {(item: Item) => void} kept It is a recording of its own now.
 * @property {(sound: File) => void} waits It could not become one yet, and stays in this browser.
 */

/** What recovery works with: the browser's store, and the server. */
const usual = {
  remembered: rememberedSessions,
  remember: rememberSession,
  forget: forgetSession,
  chunks: (/** @type {string} */ id) => /** @type {Pick<StoredChunks, "keep" | "read" | "forget" | "numbers">} */ (new StoredChunks(id)),
  alone: withFreeSession,
  load: loadSession,
  send: sendChunk,
  change: changeSession,
  importSound,
  nameOf,
};

/** @typedef {typeof usual} RecoveryParts */
/** @typedef {ReturnType<RecoveryParts["chunks"]>} Kept */

/**
 * The name of a session, which may have become a recording.
 *
 * @param {string} id
 * @returns {Promise<string | null>}
 */
async function nameOf(id) {
  const { name } = await loadSession(id).catch(() => loadItem(id).catch(() => ({ name: null })));
  return name;
}

/** Begins the ids under which the store has sound that belongs to no session. */
const apartMark = "apart ";

/**
 * Sends the pending chunks of this browser's earlier visits, and releases its sessions, so that they can be continued.
 * Sound in whose place another page's is becomes a recording of its own; until then it stays in the store.
 *
 * @param {(id: string) => boolean} isRecorded Whether a session is being recorded here; it is left alone.
 * @param {ApartTeller} teller
 * @param {RecoveryParts} parts
 */
export async function recoverSessions(isRecorded, teller, parts = usual) {
  for (const [id, apart] of await remembered(parts)) {
    if (!id.startsWith(apartMark) && !isRecorded(id)) await parts.alone(id, () => recover(id, apart, parts));
  }
  for (const [id, apart] of await remembered(parts)) {
    if (id.startsWith(apartMark) && apart !== null) await parts.alone(id, () => keepApart(id, apart, teller, parts));
  }
}

/**
 * @param {RecoveryParts} parts
 * @returns {Promise<Map<string, Apart | null>>}
 */
function remembered(parts) {
  return parts.remembered().catch(() => new Map());
}

/**
 * @param {string} id
 * @param {Apart | null} apart Set when the server has already refused what there is.
 * @param {RecoveryParts} parts
 */
async function recover(id, apart, parts) {
  const kept = parts.chunks(id);
  try {
    const refused = apart ?? (await sendKept(id, kept, parts));
    if (refused !== null) await moveApart(kept, refused, parts);
  } catch (problem) {
    if (codeOf(problem) !== "recording.not-found") return; // another time
  }
  await kept.forget(Infinity);
  await parts.forget(id);
}

/**
 * Sends what is kept, from the first chunk on: the server knows its own again, and refuses another page's.
 *
 * @param {string} id
 * @param {Kept} kept
 * @param {RecoveryParts} parts
 * @returns {Promise<Apart | null>} Set when chunks are left that do not belong into the session.
 */
async function sendKept(id, kept, parts) {
  const session = await parts.load(id);
  const apart = { session: id, sampleRate: session.sampleRate };
  let next = session.nextChunk;
  /** @type {Apart | null} */
  let left = null;
  for (const number of await kept.numbers()) {
    const bytes = await kept.read(number);
    if (bytes === null) continue;
    if (number > next) {
      left = apart; // what was between is lost
      break;
    }
    try {
      next = (await parts.send(id, number, bytes)).nextChunk;
    } catch (problem) {
      if (codeOf(problem) !== "recording.chunk-taken") throw problem;
      return apart; // somebody else records it, and says so
    }
    await kept.forget(number + 1);
  }
  if (session.state !== "interrupted") await parts.change(id, { state: "interrupted" });
  return left;
}

/**
 * Moves what is kept to a place of its own, where the session's next chunks do not overwrite it.
 *
 * @param {Kept} kept
 * @param {Apart} apart
 * @param {RecoveryParts} parts
 */
async function moveApart(kept, apart, parts) {
  const place = `${apartMark}${crypto.randomUUID()}`;
  const there = parts.chunks(place);
  for (const number of await kept.numbers()) {
    const bytes = await kept.read(number);
    if (bytes !== null) await there.keep(number, bytes);
  }
  await parts.remember(place, apart); // last, so that nobody imports a part of it
}

/**
 * @param {string} place
 * @param {Apart} apart
 * @param {ApartTeller} teller
 * @param {RecoveryParts} parts
 */
async function keepApart(place, apart, teller, parts) {
  const kept = parts.chunks(place);
  const chunks = [];
  for (const number of await kept.numbers()) {
    const bytes = await kept.read(number);
    if (bytes !== null) chunks.push(bytes);
  }
  if (chunks.length > 0) {
    const name = teller.name(await parts.nameOf(apart.session)).replaceAll("/", "-");
    const sound = new File([waveFile(chunks, apart.sampleRate)], `${name}.wav`, { type: "audio/wav" });
    try {
      const { item } = await parts.importSound(sound);
      teller.kept(item);
    } catch {
      teller.waits(sound);
      return; // another time
    }
  }
  await kept.forget(Infinity);
  await parts.forget(place);
}
