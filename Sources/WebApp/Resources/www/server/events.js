import { address, firstAnswer, lastEventOf, trust } from "./http.js";
import { assure } from "./send-file.js";

/**
 * The server's events, by name.
 *
 * @typedef {object} ServerEvents
 * @property {import("./narrations.js").Narration} narration At most four a second per narration.
 * @property {{ narration: string, sentence: import("./narrations.js").Sentence }} sentence
 * @property {{ changed: string[], deleted: string[], added: string[] }} library
 * @property {{ changed: string[], deleted: string[], added: string[] }} documents
 * @property {import("./narrations.js").BatchCount & { entry: import("./narrations.js").BatchEntry | null }} batch `entry` is the
 * running one.
 * @property {{ id: string, session: import("./recordings.js").Session | null }} recording Once a second while it grows;
 * `null` when the session has ended.
 * @property {import("./transcriptions.js").Transcription} transcription A few times a second while it runs.
 * @property {{ item: string, segments: import("./transcriptions.js").Segment[] }} heard
 * @property {import("./transcriptions.js").SpeakerSearch} speakers At most a hundred times per search.
 * @property {import("./transcriptions.js").SpeechCheckProgress} speechCheck A few times a second while it runs.
 * @property {import("./voices.js").Download} voice A few times a second during a download.
 * @property {{ id: string, failure: import("./http.js").Problem | null, leftOut: number, lacksParts: boolean }} export A
 * download that is generated while it is sent has ended; `leftOut` counts omitted recordings, which are damaged or missing,
 * and `lacksParts` is for a book without its document's cover or chapters, which are damaged.
 * @property {{ id: string, percent: number }} exportProgress
 * @property {{}} voices A voice was added or removed, or the catalogue has changed.
 * @property {{}} speeches
 * @property {{}} practice Sessions or hard segments have changed.
 * @property {{}} playback
 * @property {{}} history
 * @property {{ taken: string }} draft Another page writes on the draft that the page of this name had.
 * @property {{}} profiles
 * @property {{}} settings
 * @property {import("./http.js").AppState} vault
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
  "exportProgress",
  "playback",
  "history",
  "draft",
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

/**
 * The messages between the tabs of a browser.
 *
 * - `opened`: the stream has started, or exists; `id` is that of its last event.
 * - `lost`: it has ended, or never started.
 * - `refused`: it ended before it started, although the server answered.
 * - `missed`: another tab reads the stream from now on; events between the two were missed.
 * - `asked`: asks whether the stream exists; otherwise it is requested again.
 *
 * @typedef {{ kind: "lost" | "refused" | "missed" | "asked" }
 *   | { kind: "opened", id: string | null }
 *   | { kind: "event", name: keyof ServerEvents, content: any, id: string | null }} TabMessage
 */

/** @typedef {{ readonly value: boolean, set(value: boolean): void }} Connection Whether the server can be reached. */

/** Milliseconds until an ended stream is requested again: initial and maximum. */
const firstWait = 300;
const longestWait = 8_000;

/**
 * Follows the server until `signal` is aborted, and pauses while the browser caches or freezes the page. When the
 * stream returns after an interruption, the event `reset` is dispatched: events may have been missed.
 *
 * @param {Connection} isConnected Set when the stream begins, and when the server cannot be reached.
 * @param {AbortSignal} signal
 * @param {boolean} [wasAway] Whether it was lost before it ever started.
 */
export function startEvents(isConnected, signal, wasAway = false) {
  let life = new AbortController();
  const rest = () => life.abort();
  const begin = (/** @type {boolean} */ hasMissed) => {
    rest();
    life = new AbortController();
    new SharedEvents(isConnected, life.signal, hasMissed).start();
  };
  begin(wasAway);
  // A cached page and a frozen one would hold the stream without reading it.
  addEventListener("pagehide", rest, { signal });
  addEventListener("pageshow", (event) => event.persisted && begin(true), { signal });
  document.addEventListener("freeze", rest, { signal });
  document.addEventListener("resume", () => begin(true), { signal });
  signal.addEventListener("abort", rest, { once: true });
}

/**
 * The part of a tab in the stream that all tabs of a browser share. A browser opens six connections per server, and a
 * stream occupies one; so the tab with the lock reads it and passes events on.
 */
class SharedEvents {
  #isConnected;
  #signal;
  /** Whether events may have been missed. */
  #wasLost;
  /** @type {BroadcastChannel | null} `null` in a browser without locks; each tab then has its own stream. */
  #tabs = navigator.locks === undefined ? null : new BroadcastChannel("events");
  #isReader = false;
  /** Whether another tab has read for this one. */
  #hasFollowed = false;
  /** @type {"none" | "opening" | "open"} */
  #stream = "none";
  /** @type {string | null} The id of the last event of the stream. */
  #last = null;
  #end = () => {};
  /** Whether the last stream ended before it started, although the server answered. */
  #isRefused = false;
  #wait = firstWait;
  #timer = 0;

  /**
   * @param {Connection} isConnected
   * @param {AbortSignal} signal
   * @param {boolean} wasLost
   */
  constructor(isConnected, signal, wasLost) {
    this.#isConnected = isConnected;
    this.#signal = signal;
    this.#wasLost = wasLost;
  }

  start() {
    this.#tabs?.addEventListener("message", ({ data }) => this.#receive(data));
    this.#signal.addEventListener("abort", () => this.#leave(), { once: true });
    this.#tabs?.postMessage({ kind: "asked" });
    this.#queueUp();
  }

  #leave() {
    clearTimeout(this.#timer);
    this.#end();
    this.#tabs?.close();
    firstAnswer.event = null;
  }

  async #queueUp() {
    const signal = this.#signal;
    if (this.#tabs === null) return this.#read();
    try {
      await navigator.locks.request("events", { signal }, () => this.#read());
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Reads the stream for all tabs, until the signal is aborted. */
  #read() {
    this.#isReader = true;
    this.#wasLost ||= this.#hasFollowed;
    this.#tabs?.postMessage({ kind: "missed" });
    this.#open();
    return new Promise((done) => this.#signal.addEventListener("abort", done, { once: true }));
  }

  async #open() {
    if (this.#stream !== "none") return;
    this.#stream = "opening";
    try {
      await assure();
    } catch {
      this.#stream = "none";
      if (!this.#signal.aborted) this.#report({ kind: "lost" });
      return;
    }
    if (this.#signal.aborted) return;
    // A stream does not say why it was refused; an ordinary request does.
    if (this.#isRefused) this.#report({ kind: "refused" });
    this.#isRefused = true;
    const listener = {
      received: (/** @type {any} */ name, /** @type {any} */ content, /** @type {string | null} */ id) => {
        this.#last = id ?? this.#last;
        this.#report({ kind: "event", name, content, id });
      },
      opened: () => {
        this.#isRefused = false;
        this.#stream = "open";
        this.#report({ kind: "opened", id: this.#last });
      },
      lost: () => {
        this.#stream = "none";
        this.#report({ kind: "lost" });
      },
    };
    // After an interruption everything is loaded again.
    this.#end = followEvents(listener, this.#wasLost ? null : firstAnswer.event);
  }

  /**
   * Handles a message of the stream here, and forwards it to the other tabs.
   *
   * @param {TabMessage} message
   */
  #report(message) {
    this.#tabs?.postMessage(message);
    this.#take(message);
  }

  /** @param {TabMessage} message From another tab. */
  #receive(message) {
    if (this.#signal.aborted) return;
    if (message.kind === "asked") return this.#answer();
    // From a tab that has been reading until now.
    if (this.#isReader) return;
    // Events before this tab listened reached only the others.
    if (message.kind === "opened" && !this.#hasFollowed) this.#wasLost ||= eventOrder(message.id, firstAnswer.event) > 0;
    this.#hasFollowed = true;
    this.#take(message);
  }

  #answer() {
    if (!this.#isReader) return;
    if (this.#stream === "open") {
      this.#tabs?.postMessage({ kind: "opened", id: this.#last });
    } else if (this.#wasLost) {
      this.#tabs?.postMessage({ kind: "lost" });
      clearTimeout(this.#timer);
      this.#open();
    }
  }

  /** @param {TabMessage} message */
  #take(message) {
    if (message.kind === "event") dispatch(message.name, message.content, message.id);
    if (message.kind === "refused") dispatch("reset", {});
    if (message.kind === "missed") this.#wasLost = true;
    if (message.kind === "opened") this.#found();
    if (message.kind === "lost") this.#lose();
  }

  #found() {
    clearTimeout(this.#timer);
    this.#wait = firstWait;
    this.#isConnected.set(true);
    if (this.#wasLost) dispatch("reset", {});
    this.#wasLost = false;
  }

  #lose() {
    trust.isDoubted = true;
    this.#wasLost = true;
    if (this.#isConnected.value) this.#isConnected.set(false);
    this.#tryLater();
  }

  #tryLater() {
    if (this.#signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tryAgain(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  /** The visible tab asks for it, since a browser rarely wakes a hidden one. */
  #tryAgain() {
    if (this.#isReader) this.#open();
    else if (document.visibilityState === "visible") this.#tabs?.postMessage({ kind: "asked" });
  }
}
