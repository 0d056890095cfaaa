/** @typedef {import("../../server/recordings.js").Session} Session */

/**
 * Why chunks are pending in the browser: the server is unreachable, EchoText was started again at another address, the
 * library is closed, or the server refuses them (`problem` says why).
 *
 * @typedef {"server" | "restarted" | "locked" | "refused"} Waiting
 */

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
 * @property {unknown} problem Why nothing is recorded, or `null`.
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
 *   | { kind: "suspended" } | { kind: "running" }
 *   | { kind: "sent", unsent: number, remaining: number | null }
 *   | { kind: "waits", waiting: Waiting, unsent: number, problem: unknown }
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
  problem: null,
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
      return state.phase === "idle" ? { ...atRest, phase: "asking" } : state;
    case "begun":
      return state.phase === "asking" ? begun(state, event) : state;
    case "refused":
      return { ...atRest, problem: event.problem };
    case "stop":
      return isLive(state) ? { ...state, phase: "saving", note: null } : state;
    case "ended":
      return { ...atRest };
    case "sent":
      return { ...state, waiting: null, problem: null, unsent: event.unsent, remaining: event.remaining };
    case "waits":
      // Who was started again has forgotten this page, whatever the next attempt meets.
      return { ...state, waiting: state.waiting === "restarted" ? "restarted" : event.waiting, unsent: event.unsent, problem: event.problem };
    case "changed":
      return state.session?.id === event.session.id ? { ...state, session: event.session } : state;
    default:
      return isLive(state) ? live(state, event) : state;
  }
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
