import { address, lastEventOf } from "./http.js";

/**
 * The server's events, by name.
 *
 * @typedef {object} ServerEvents
 * @property {import("./narrations.js").Narration} narration At most four a second per narration.
 * @property {{ narration: string, sentence: import("./narrations.js").Sentence }} sentence
 * @property {{ changed: string[], deleted: string[], added: string[] }} library
 * @property {{ changed: string[], deleted: string[], added: string[] }} documents
 * @property {import("./batch.js").BatchCount & { entry: import("./batch.js").BatchEntry | null }} batch `entry` is the
 * running one.
 * @property {{ id: string, session: import("./recordings.js").Session | null }} recording Once a second while it grows;
 * `null` when the session has ended.
 * @property {import("./transcriptions.js").Transcription} transcription A few times a second while it runs.
 * @property {{ item: string, segments: import("./transcripts.js").Segment[] }} heard
 * @property {import("./speakers.js").SpeakerSearch} speakers At most a hundred times per search.
 * @property {import("./speech-check.js").SpeechCheckProgress} speechCheck A few times a second while it runs.
 * @property {import("./voice-catalogue.js").Download} voice A few times a second during a download.
 * @property {{ id: string, failure: import("./http.js").Problem | null, leftOut: number }} export A download that is
 * generated while it is sent has ended; `leftOut` counts omitted recordings, which are damaged or missing.
 * @property {{}} voices A voice was added or removed, or the catalogue has changed.
 * @property {{}} speeches
 * @property {{}} practice Sessions or hard segments have changed.
 * @property {{}} playback
 * @property {{}} history
 * @property {{}} profiles
 * @property {{}} settings
 * @property {import("./state.js").AppState} vault
 * @property {{}} reset Events were missed, or a command has changed something: everything must be loaded again.
 */

/** @type {readonly (keyof ServerEvents)[]} */
export const eventNames = Object.freeze([
  "narration",
  "sentence",
  "library",
  "documents",
  "batch",
  "recording",
  "transcription",
  "heard",
  "speakers",
  "speechCheck",
  "voice",
  "voices",
  "speeches",
  "practice",
  "export",
  "playback",
  "history",
  "profiles",
  "settings",
  "vault",
  "reset",
]);

/**
 * @typedef {object} EventStreamListener
 * @property {<Name extends keyof ServerEvents>(name: Name, content: ServerEvents[Name], id: string | null) => void} received
 * @property {() => void} [opened]
 * @property {() => void} [lost] They have ended, or never started.
 */

/**
 * Follows the server's events, starting after a given one, until they end. Before a new call the caller checks that it
 * is the same server.
 *
 * @param {EventStreamListener} listener
 * @param {string | null} [after] The id of the last known event; `null` for new events only.
 * @param {(url: string) => EventSource} [makeSource]
 * @returns {() => void} Stops following.
 */
export function followEvents(listener, after = null, makeSource = (url) => new EventSource(url)) {
  const source = makeSource(address("/api/events", { after: after ?? undefined }));
  for (const name of eventNames) {
    source.addEventListener(name, (/** @type {MessageEvent} */ event) => {
      listener.received(name, JSON.parse(event.data), event.lastEventId || null);
    });
  }
  source.addEventListener("open", () => listener.opened?.());
  source.addEventListener("error", () => {
    source.close();
    listener.lost?.();
  });
  return () => source.close();
}

/** @type {Map<string, Set<(content: any, id: string | null) => void>>} */
const listeners = new Map();

/**
 * Listens to the server's events of one kind.
 *
 * @template {keyof ServerEvents} Name
 * @param {Name} name
 * @param {(content: ServerEvents[Name], id: string | null) => void} listener Also receives the event's id, for {@link
 * eventOrder}.
 * @param {AbortSignal} signal Ends it.
 */
export function onServer(name, listener, signal) {
  if (signal.aborted) return;
  const all = listeners.get(name) ?? new Set();
  listeners.set(name, all);
  all.add(listener);
  signal.addEventListener("abort", () => all.delete(listener), { once: true });
}

/**
 * Dispatches an event to the listeners, as if the server had sent it.
 *
 * @template {keyof ServerEvents} Name
 * @param {Name} name
 * @param {ServerEvents[Name]} content
 * @param {string | null} [id]
 */
export function dispatch(name, content, id = null) {
  for (const listener of [...(listeners.get(name) ?? [])]) listener(content, id);
}

/**
 * Compares the ids of two events, `RUN-NUMBER`.
 *
 * @param {string | null} one
 * @param {string | null} other
 * @returns {number} Above 0 when `one` is later, 0 when they are the same, and `NaN`, with which every comparison is
 * false, when they are of different runs of the server or one is unknown.
 */
export function eventOrder(one, other) {
  const [[run, number], [otherRun, otherNumber]] = [(one ?? "").split("-"), (other ?? "").split("-")];
  return run === otherRun ? Number(number) - Number(otherNumber) : NaN;
}

/**
 * Keeps visible state from going back. Answers and events use different connections, so one that was sent earlier may
 * arrive later.
 */
export class NewestState {
  /** @type {string | null} */
  #event = null;

  /**
   * @param {object} answer What `requestJSON` returned.
   * @returns {boolean} Whether it is not older than the visible state, which it then becomes.
   */
  takesAnswer(answer) {
    const event = lastEventOf(answer);
    if (eventOrder(event, this.#event) < 0) return false;
    this.#event = event;
    return true;
  }

  /**
   * @param {string | null} id The event's.
   * @returns {boolean} Whether its change is newer than the visible state, which then includes it.
   */
  takesEvent(id) {
    if (eventOrder(id, this.#event) <= 0) return false;
    this.#event = id;
    return true;
  }
}
