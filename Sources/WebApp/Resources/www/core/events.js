import { followEvents } from "../server/events.js";
import { trust } from "../server/http.js";
import { assure } from "../server/proof.js";
import { isConnected } from "./store.js";

/** @typedef {import("../server/events.js").ServerEvents} ServerEvents */

/** @type {Map<string, Set<(content: any) => void>>} */
const listeners = new Map();

/**
 * Listens to the server's events of one name.
 *
 * @template {keyof ServerEvents} Name
 * @param {Name} name
 * @param {(content: ServerEvents[Name]) => void} listener
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
 * Passes an event to the listeners, as if the server had sent it.
 *
 * @template {keyof ServerEvents} Name
 * @param {Name} name
 * @param {ServerEvents[Name]} content
 */
export function dispatch(name, content) {
  for (const listener of [...(listeners.get(name) ?? [])]) listener(content);
}

/** Milliseconds before a stream that ended is requested again: the first time, and at most. */
const firstWait = 300;
const longestWait = 8_000;

/**
 * Follows the server until `signal` is aborted. When the stream comes back after a loss, the event `reset` is dispatched:
 * events may have been missed.
 *
 * @param {AbortSignal} signal
 * @param {boolean} [wasAway] Whether it was lost before it was ever there.
 */
export function startEvents(signal, wasAway = false) {
  let wait = firstWait;
  let wasLost = wasAway;
  let timer = 0;
  let end = () => {};
  /** Whether the last stream ended before it began, though the server answered. */
  let isRefused = false;

  const open = async () => {
    try {
      await assure();
    } catch {
      openLater();
      return;
    }
    if (signal.aborted) return;
    // A stream does not say why it was refused; an ordinary request does.
    if (isRefused) dispatch("reset", {});
    isRefused = true;
    end = followEvents({
      received: dispatch,
      opened: () => {
        isRefused = false;
        wait = firstWait;
        isConnected.set(true);
        if (wasLost) dispatch("reset", {});
        wasLost = false;
      },
      lost: () => {
        trust.isDoubted = true;
        wasLost = true;
        if (isConnected.value) isConnected.set(false);
        openLater();
      },
    });
  };

  const openLater = () => {
    if (signal.aborted) return;
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, longestWait);
  };

  open();
  signal.addEventListener(
    "abort",
    () => {
      clearTimeout(timer);
      end();
    },
    { once: true },
  );
}
