import { isConnected } from "../core/store.js";
import { dispatch, eventOrder, followEvents } from "./events.js";
import { firstAnswer, trust } from "./http.js";
import { assure } from "./proof.js";

/**
 * What the tabs of a browser report to each other.
 *
 * - `opened`: the stream has begun, or is there; `id` is that of its last event.
 * - `lost`: it has ended, or never began.
 * - `refused`: it ended before it began, though the server answered.
 * - `missed`: another tab follows the server from now on; what came between the two is missing.
 * - `asked`: whether the stream is there; where it is not, it is tried again.
 *
 * @typedef {{ kind: "lost" | "refused" | "missed" | "asked" }
 *   | { kind: "opened", id: string | null }
 *   | { kind: "event", name: keyof import("./events.js").ServerEvents, content: any, id: string | null }} TabMessage
 */

/** Milliseconds before a stream that ended is requested again: the first time, and at most. */
const firstWait = 300;
const longestWait = 8_000;

/**
 * Follows the server until `signal` is aborted, and rests while the browser keeps the page without showing it. When the
 * stream comes back after a loss, the event `reset` is dispatched: events may have been missed.
 *
 * @param {AbortSignal} signal
 * @param {boolean} [wasAway] Whether it was lost before it was ever there.
 */
export function startEvents(signal, wasAway = false) {
  let life = new AbortController();
  const rest = () => life.abort();
  const begin = (/** @type {boolean} */ hasMissed) => {
    rest();
    life = new AbortController();
    new SharedEvents(life.signal, hasMissed).start();
  };
  begin(wasAway);
  // A page that the browser keeps for “back”, and one that it freezes, would hold the stream without reading it.
  addEventListener("pagehide", rest, { signal });
  addEventListener("pageshow", (event) => event.persisted && begin(true), { signal });
  document.addEventListener("freeze", rest, { signal });
  document.addEventListener("resume", () => begin(true), { signal });
  signal.addEventListener("abort", rest, { once: true });
}

/**
 * One tab's part in the one stream that all tabs of a browser share. A browser opens six connections to a server, and a
 * stream holds one of them; so the tab that has the lock reads it and passes on what comes.
 */
class SharedEvents {
  #signal;
  /** Whether events may have been missed. */
  #wasLost;
  /** @type {BroadcastChannel | null} `null` in a browser that cannot say which tab reads; each then has its own stream. */
  #tabs = navigator.locks === undefined ? null : new BroadcastChannel("events");
  #isReader = false;
  /** Whether another tab has read for this one. */
  #hasFollowed = false;
  /** @type {"none" | "opening" | "open"} */
  #stream = "none";
  /** @type {string | null} The id of the last event that the stream has brought. */
  #last = null;
  #end = () => {};
  /** Whether the last stream ended before it began, though the server answered. */
  #isRefused = false;
  #wait = firstWait;
  #timer = 0;

  /**
   * @param {AbortSignal} signal
   * @param {boolean} wasLost
   */
  constructor(signal, wasLost) {
    this.#signal = signal;
    this.#wasLost = wasLost;
  }

  start() {
    this.#tabs?.addEventListener("message", ({ data }) => this.#hear(data));
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
      this.#tryLater();
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
    // After a loss everything is loaded again.
    this.#end = followEvents(listener, this.#wasLost ? null : firstAnswer.event);
  }

  /**
   * Handles what the stream says here, and tells the other tabs.
   *
   * @param {TabMessage} message
   */
  #report(message) {
    this.#tabs?.postMessage(message);
    this.#take(message);
  }

  /** @param {TabMessage} message By another tab. */
  #hear(message) {
    if (this.#signal.aborted) return;
    if (message.kind === "asked") return this.#answer();
    // Of a tab that has read until now, and has gone.
    if (this.#isReader) return;
    // What happened before this tab listened reached the others alone.
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
    isConnected.set(true);
    if (this.#wasLost) dispatch("reset", {});
    this.#wasLost = false;
  }

  #lose() {
    trust.isDoubted = true;
    this.#wasLost = true;
    if (isConnected.value) isConnected.set(false);
    this.#tryLater();
  }

  #tryLater() {
    if (this.#signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tryAgain(), this.#wait);
    this.#wait = Math.min(this.#wait * 2, longestWait);
  }

  /** The tab in sight asks for it, since a browser seldom wakes one that is hidden. */
  #tryAgain() {
    if (this.#isReader) this.#open();
    else if (document.visibilityState === "visible") this.#tabs?.postMessage({ kind: "asked" });
  }
}
