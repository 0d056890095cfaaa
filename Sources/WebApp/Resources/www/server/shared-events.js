import { dispatch, eventOrder, followEvents } from "./events.js";
import { firstAnswer, trust } from "./http.js";
import { assure } from "./proof.js";

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
 *   | { kind: "event", name: keyof import("./events.js").ServerEvents, content: any, id: string | null }} TabMessage
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
 * One tab's part in the stream that all tabs of a browser share. A browser opens six connections per server, and a
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
  #hear(message) {
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
