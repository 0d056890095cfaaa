import { loadItem } from "../../server/library.js";
import {
  addMarks,
  changeSession,
  importSound,
  loadSession,
  loadSessionSound,
  loadSoundEnd,
  markSession,
  sendChunk,
} from "../../server/recordings.js";
import { chunksASecond, forgetSession, isEndOf, rememberedSessions, rememberSession, StoredChunks } from "./chunk-queue.js";
import { waveFile } from "./microphone.js";

/** @typedef {import("../../server/recordings.js").Session} Session */

/**
 * Why chunks are pending in the browser: the server is unreachable, EchoText was started again at another address, the
 * library is closed, or the server refuses them (`problem` says why).
 *
 * @typedef {"server" | "restarted" | "locked" | "refused"} Waiting
 */

/** @typedef {{ name: string, seconds: number }} LostMark `name`: the recording's. */

/**
 * The state of the recorder.
 *
 * - `idle`;
 * - `asking`: the browser asks for the microphone, or the session starts;
 * - `recording`, `paused`;
 * - `saving`: the last chunks are being sent, then the session becomes a recording; where EchoText was started again,
 *   what waits is for a file, and the session stays unfinished.
 *
 * @typedef {object} RecorderState
 * @property {"idle" | "asking" | "recording" | "paused" | "saving"} phase
 * @property {Session | null} session
 * @property {number} seconds Recorded so far, including earlier visits.
 * @property {string | null} device The microphone's name.
 * @property {Waiting | null} waiting
 * @property {number} unsent Seconds of sound pending in the browser.
 * @property {number | null} remaining Seconds until the disk is full.
 * @property {"lost" | "switched" | "suspended" | "silent" | "found" | null} note What happened to the microphone.
 * @property {number} missed Seconds of sound that are missing.
 * @property {unknown} problem Why nothing is recorded, or `null`.
 * @property {readonly LostMark[]} lostMarks Those that nobody could keep, until a person has seen them.
 */

/**
 * The events of the recorder.
 *
 * @typedef {{ kind: "ask" }
 *   | { kind: "begun", session: Session, device: string | null }
 *   | { kind: "refused", problem: unknown }
 *   | { kind: "heard", seconds: number, isSilent: boolean }
 *   | { kind: "changed", session: Session }
 *   | { kind: "pause" } | { kind: "resume" }
 *   | { kind: "switched", device: string | null } | { kind: "lost" } | { kind: "found" }
 *   | { kind: "suspended" } | { kind: "running" } | { kind: "missed", seconds: number }
 *   | { kind: "sent", unsent: number, remaining: number | null }
 *   | { kind: "waits", waiting: Waiting, unsent: number, problem: unknown }
 *   | { kind: "lostMarks", marks: readonly LostMark[] } | { kind: "seen" }
 *   | { kind: "stop" } | { kind: "ended" }} RecorderEvent
 */

/** @type {Readonly<RecorderState>} */
export const atRest = {
  phase: "idle",
  session: null,
  seconds: 0,
  device: null,
  waiting: null,
  unsent: 0,
  remaining: null,
  note: null,
  missed: 0,
  problem: null,
  lostMarks: [],
};

/** A warning is shown when the disk has room for fewer seconds of recording. */
export const lowDisk = 600;

/** @param {RecorderState} state */
export const isLive = ({ phase }) => phase === "recording" || phase === "paused";

/**
 * Whether it has ended without its server, so that what waits is for a file.
 *
 * @param {RecorderState} state
 */
export const isLeft = ({ phase, waiting }) => phase === "saving" && waiting === "restarted";

/** @param {RecorderState} state */
export const isBusy = ({ phase }) => phase !== "idle";

/**
 * The state after an event; an event without meaning in the present state changes nothing.
 *
 * @param {RecorderState} state
 * @param {RecorderEvent} event
 * @returns {RecorderState}
 */
export function step(state, event) {
  switch (event.kind) {
    case "ask":
      return state.phase === "idle" ? { ...ended(state), phase: "asking" } : state;
    case "begun":
      return state.phase === "asking" ? begun(state, event) : state;
    case "refused":
      return { ...ended(state), problem: event.problem };
    case "stop":
      return isLive(state) ? { ...state, phase: "saving", note: null } : state;
    case "ended":
      return ended(state);
    case "lostMarks":
      return { ...state, lostMarks: [...state.lostMarks, ...event.marks] };
    case "seen":
      return { ...state, lostMarks: [] };
    case "sent":
      return { ...state, waiting: null, problem: null, unsent: event.unsent, remaining: event.remaining };
    case "waits":
      // A restarted server has forgotten this page for good.
      return { ...state, waiting: state.waiting === "restarted" ? "restarted" : event.waiting, unsent: event.unsent, problem: event.problem };
    case "missed":
      return state.session === null ? state : { ...state, missed: state.missed + event.seconds };
    case "changed":
      return state.session?.id === event.session.id ? { ...state, session: event.session } : state;
    default:
      return isLive(state) ? live(state, event) : state;
  }
}

/**
 * @param {RecorderState} state
 * @returns {RecorderState}
 */
function ended({ lostMarks }) {
  return { ...atRest, lostMarks };
}

/**
 * @param {RecorderState} state
 * @param {{ session: Session, device: string | null }} event
 * @returns {RecorderState}
 */
function begun(state, { session, device }) {
  return { ...state, phase: "recording", session, device, seconds: session.seconds };
}

/**
 * Handles events while recording or paused.
 *
 * @param {RecorderState} state
 * @param {RecorderEvent} event
 * @returns {RecorderState}
 */
function live(state, event) {
  switch (event.kind) {
    case "heard":
      return { ...state, seconds: event.seconds, note: noteOf(state.note, event.isSilent) };
    case "pause":
      return { ...state, phase: "paused", note: null };
    case "resume":
      return { ...state, phase: "recording", note: null };
    case "switched":
      return { ...state, device: event.device, note: "switched" };
    case "lost":
      return { ...state, phase: "paused", device: null, note: "lost" };
    case "found":
      return state.note === "lost" ? { ...state, note: "found" } : state;
    case "suspended":
      return state.phase === "recording" ? { ...state, note: "suspended" } : state;
    case "running":
      return state.note === "suspended" ? { ...state, note: null } : state;
    default:
      return state;
  }
}

/**
 * @param {RecorderState["note"]} note
 * @param {boolean} isSilent
 */
function noteOf(note, isSilent) {
  if (isSilent) return note ?? "silent";
  return note === "silent" || note === "suspended" ? null : note;
}

/**
 * The catalogue's code for a problem, if any.
 *
 * @param {unknown} problem
 */
export function codeOf(problem) {
  return /** @type {{ code?: string }} */ (problem ?? {}).code ?? "";
}

/**
 * The condition that a problem makes the recorder wait for.
 *
 * @param {unknown} problem
 */
export function waitingOf(problem) {
  const { status = 0 } = /** @type {{ status?: number }} */ (problem ?? {});
  if (status === 423) return "locked";
  if (status === 421) return "restarted";
  return status === 0 || status === 401 ? "server" : "refused";
}

/**
 * Whether retrying to finish cannot succeed either.
 *
 * @param {unknown} problem
 */
export function isFinal(problem) {
  return codeOf(problem) === "recording.empty" || isGone(problem);
}

/** @param {unknown} problem Whether there is no such session. */
function isGone(problem) {
  return ["recording.not-found", discarded].includes(codeOf(problem));
}

/** The code for a session that is unwanted, while one that is only unknown may be of a newer library than this one. */
const discarded = "recording.discarded";

/**
 * Locks a session against the other tabs of this browser.
 *
 * @param {string} id
 * @returns {Promise<() => void>} Releases it.
 */
export function holdSession(id) {
  return new Promise((resolve) => {
    const held = navigator.locks?.request(`recording ${id}`, () => new Promise((release) => resolve(() => release(undefined))));
    if (held === undefined) resolve(() => {});
  });
}

/**
 * Runs something on a session that no other tab of this browser has locked.
 *
 * @param {string} id
 * @param {() => Promise<void>} work
 */
async function withFreeSession(id, work) {
  await navigator.locks?.request(`recording ${id}`, { ifAvailable: true }, (lock) => lock && work());
}

/** @typedef {import("./chunk-queue.js").Apart} Apart */
/** @typedef {import("../../server/library.js").Item} Item */

/**
 * The message about sound that another page's recording did not take.
 *
 * @typedef {object} ApartTeller
 * @property {(name: string | null) => string} name Names the recording that it becomes, by the one that did not take it,
 *   if that is still known.
 * @property {(item: Item) => void} kept It is a recording of its own now.
 * @property {(sound: File) => void} waits It could not become one yet, and stays in this browser.
 * @property {(mark: LostMark) => void} markRefused A mark of an earlier visit is never taken.
 */

/** @typedef {"keep" | "read" | "forget" | "numbers" | "keepMarks" | "marks"} StorePart */

/** The parts of recovery: the browser's store, and the server. */
const usual = {
  remembered: rememberedSessions,
  remember: rememberSession,
  forget: forgetSession,
  chunks: (/** @type {string} */ id) => /** @type {Pick<StoredChunks, StorePart>} */ (new StoredChunks(id)),
  alone: withFreeSession,
  load: loadSession,
  send: sendChunk,
  mark: markSession,
  change: changeSession,
  importSound,
  nameOf,
  finished,
  sound: loadSessionSound,
  soundEnd: loadSoundEnd,
  addMarks,
};

/**
 * The recording that a session has become; `null` when there is none.
 *
 * @param {string} id
 * @returns {Promise<{ duration: number, sampleRate: number } | null>}
 */
function finished(id) {
  return loadItem(id).catch((problem) => {
    if (problem.status === 404) return null;
    throw problem;
  });
}

/** @typedef {typeof usual & Pick<ApartTeller, "markRefused">} RecoveryParts */
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
 * @param {typeof usual} given
 */
export async function recoverSessions(isRecorded, teller, given = usual) {
  const parts = { ...given, markRefused: teller.markRefused };
  for (const [id, known] of await remembered(parts)) {
    if (!id.startsWith(apartMark) && !isRecorded(id)) await parts.alone(id, () => recover(id, known, parts));
  }
  for (const [id, apart] of await remembered(parts)) {
    if (id.startsWith(apartMark) && typeof apart !== "number") await parts.alone(id, () => keepApart(id, apart, teller, parts));
  }
}

/**
 * @param {RecoveryParts} parts
 * @returns {Promise<Map<string, Apart | number>>}
 */
function remembered(parts) {
  return parts.remembered().catch(() => new Map());
}

/**
 * @param {string} id
 * @param {Apart | number} known Its sample rate, or that the server has already refused what there is.
 * @param {RecoveryParts} parts
 */
async function recover(id, known, parts) {
  const kept = parts.chunks(id);
  try {
    const refused = typeof known === "number" ? await sendKept(id, kept, parts) : known;
    if (refused !== null) await moveApart(kept, refused, parts);
  } catch (problem) {
    if (!isGone(problem) || typeof known !== "number") return; // another time
    try {
      if (codeOf(problem) !== discarded) await keepRest(id, known, kept, parts);
    } catch {
      return;
    }
  }
  await kept.forget(Infinity);
  await kept.keepMarks([]);
  await parts.forget(id);
}

/**
 * Moves what waits for a session that was finished elsewhere to a place of its own, and all that waits for one that the
 * library does not know: it may be an older copy.
 *
 * @param {string} id
 * @param {number} rate That of its samples in hertz; 0 when it is not known.
 * @param {Kept} kept
 * @param {RecoveryParts} parts
 */
async function keepRest(id, rate, kept, parts) {
  const item = await parts.finished(id);
  if (item === null) {
    if (rate > 0) await moveApart(kept, { session: id, sampleRate: rate }, parts);
    return;
  }
  const { duration, sampleRate } = item;
  const numbers = await kept.numbers();
  const left = numbers.slice(await countThere(id, kept, numbers, parts));
  await kept.forget(left[0] ?? Infinity);
  // Another page may have recorded in their place.
  const from = Math.min(duration, (left[0] ?? Infinity) / chunksASecond);
  await moveApart(kept, { session: id, sampleRate, from }, parts);
}

/** How many chunks may wait though the server has them: each is forgotten before the next but a few is sent. */
const mostUnreceipted = 8;

/**
 * How many of the first chunks that are kept are the end of a recording, since only their receipts were lost. They are known
 * by their sound, because another page may have recorded in their place.
 *
 * @param {string} id
 * @param {Kept} kept
 * @param {readonly number[]} numbers Those of the chunks.
 * @param {RecoveryParts} parts
 */
async function countThere(id, kept, numbers, parts) {
  /** @type {number[]} */
  const bytes = [];
  const ends = [0];
  for (const number of numbers.slice(0, mostUnreceipted)) {
    const chunk = number === (numbers[0] ?? 0) + ends.length - 1 ? await kept.read(number) : null;
    if (chunk === null) break;
    bytes.push(...new Uint8Array(chunk));
    ends.push(bytes.length);
  }
  if (bytes.length === 0) return 0;
  const there = new Uint8Array(await parts.soundEnd(id, bytes.length));
  const isEnd = (/** @type {number} */ end) => end <= there.length && bytes.slice(0, end).every((byte, place) => byte === there[there.length - end + place]);
  return ends.reduce((count, end, index) => (isEnd(end) ? index : count), 0);
}

/**
 * Forgets chunks that are kept where they are the end of the session: a server that was started again knows only the last.
 * Where that cannot be read, the server is asked about each.
 *
 * @param {Session} session
 * @param {Kept} kept
 * @param {RecoveryParts} parts
 */
async function forgetSent(session, kept, parts) {
  const chunks = [];
  for (const number of await kept.numbers()) {
    const bytes = number < session.nextChunk ? await kept.read(number) : null;
    if (bytes !== null) chunks.push(bytes);
  }
  const isThere = await isEndOf(new Blob(chunks), session, parts.sound).catch(() => false);
  if (isThere) await kept.forget(session.nextChunk);
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
  let end = Infinity;
  await forgetSent(session, kept, parts);
  for (const number of await kept.numbers()) {
    const bytes = await kept.read(number);
    if (bytes === null) continue;
    if (number > next) {
      end = number / chunksASecond; // what was between is lost
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
  await sendMarks(session, kept, end, parts);
  if (session.state !== "interrupted") await parts.change(id, { state: "interrupted" });
  return end === Infinity ? null : { ...apart, from: end };
}

/** @param {unknown} problem Whether a mark is never taken. */
export function isMarkRefused(problem) {
  const { status = 0 } = /** @type {{ status?: number }} */ (problem ?? {});
  return [400, 422].includes(status) || codeOf(problem) === "recording.too-many-marks";
}

/**
 * Whether a session has a mark that is kept, since only the answer to it was lost.
 *
 * @param {{ marks: readonly { seconds: number }[] }} session
 * @param {import("./chunk-queue.js").Mark} mark
 */
export function hasMark({ marks }, mark) {
  return marks.some(({ seconds }) => Math.abs(seconds - mark.seconds) < 0.001);
}

/**
 * Sends the marks that are kept, except those that the session has.
 *
 * @param {import("../../server/recordings.js").Session} session
 * @param {Kept} kept
 * @param {number} end Seconds; later marks belong to what the session does not take, and stay.
 * @param {RecoveryParts} parts
 */
async function sendMarks(session, kept, end, parts) {
  let waiting = await kept.marks();
  for (const mark of waiting.filter(({ seconds }) => seconds < end)) {
    await sendMark(session, mark, parts);
    waiting = waiting.filter((one) => one !== mark);
    await kept.keepMarks(waiting);
  }
}

/**
 * @param {Session} session
 * @param {import("./chunk-queue.js").Mark} mark
 * @param {RecoveryParts} parts
 */
async function sendMark(session, mark, parts) {
  if (hasMark(session, mark)) return;
  await parts.mark(session.id, mark).catch((problem) => {
    if (!isMarkRefused(problem)) throw problem;
    parts.markRefused({ name: session.name, seconds: mark.seconds });
  });
}

/**
 * Gives marks to a session, or to the recording that it has become.
 *
 * @param {string} id
 * @param {readonly import("./chunk-queue.js").Mark[]} marks
 * @param {RecoveryParts} parts
 */
async function giveMarks(id, marks, parts) {
  if (marks.length === 0) return;
  try {
    const session = await parts.load(id);
    for (const mark of marks) await sendMark(session, mark, parts);
  } catch (problem) {
    if (!isGone(problem)) throw problem;
    await addTo(id, marks, parts);
  }
}

/**
 * @param {string} item
 * @param {readonly import("./chunk-queue.js").Mark[]} marks
 * @param {RecoveryParts} parts
 */
async function addTo(item, marks, parts) {
  for (const { seconds } of await parts.addMarks(item, marks)) parts.markRefused({ name: (await parts.nameOf(item)) ?? "", seconds });
}

/**
 * Moves what is kept to a place of its own, where the session's next chunks do not overwrite it. Its marks are counted from
 * its start there, so that those before it belong to the session. It is remembered last, so that nobody imports a part of
 * it.
 *
 * @param {Kept} kept
 * @param {Apart} apart
 * @param {RecoveryParts} parts
 */
async function moveApart(kept, apart, parts) {
  const [numbers, marks] = [await kept.numbers(), await kept.marks()];
  if (numbers.length + marks.length === 0) return;
  const from = apart.from ?? (numbers[0] ?? 0) / chunksASecond;
  const place = `${apartMark}${crypto.randomUUID()}`;
  const there = parts.chunks(place);
  for (const number of numbers) {
    const bytes = await kept.read(number);
    if (bytes !== null) await there.keep(number, bytes);
  }
  await there.keepMarks(marks.map((mark) => ({ ...mark, seconds: mark.seconds - from })));
  await parts.remember(place, { ...apart, from });
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
  let { item } = apart;
  if (chunks.length > 0) {
    const name = teller.name(await parts.nameOf(apart.session)).replaceAll("/", "-");
    const sound = new File([waveFile(chunks, apart.sampleRate)], `${name}.wav`, { type: "audio/wav" });
    try {
      const made = (await parts.importSound(sound)).item;
      item = made.id;
      teller.kept(made);
    } catch {
      teller.waits(sound);
      return; // another time
    }
  }
  try {
    await giveMarksApart(await kept.marks(), { ...apart, item }, parts);
  } catch {
    await parts.remember(place, { ...apart, item });
    await kept.forget(Infinity);
    return; // the marks another time
  }
  await kept.keepMarks([]);
  await kept.forget(Infinity);
  await parts.forget(place);
}

/**
 * Gives the marks of what was kept apart to the recording that it has become, and those before it to the one that did not
 * take it.
 *
 * @param {readonly import("./chunk-queue.js").Mark[]} marks Counted from its start.
 * @param {Apart} apart
 * @param {RecoveryParts} parts
 */
async function giveMarksApart(marks, { session, from = 0, item }, parts) {
  const own = item === undefined ? [] : marks.filter(({ seconds }) => seconds >= 0);
  if (item !== undefined && own.length > 0) await addTo(item, own, parts);
  const others = marks.filter((mark) => !own.includes(mark));
  await giveMarks(session, others.map((mark) => ({ ...mark, seconds: mark.seconds + from })), parts);
}
