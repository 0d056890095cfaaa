import { h } from "./core/dom.js";
import { onServer, startEvents } from "./core/events.js";
import { startShortcuts } from "./core/shortcuts.js";
import { state } from "./core/store.js";
import { addPageShortcuts } from "./page-shortcuts.js";
import { pages } from "./pages/registry.js";
import { loadModuleNames } from "./server/state.js";
import { startMediaSession } from "./player/media-session.js";
import { player } from "./player/player.js";
import "./player/player-bar.js";
import { emptyStore, keepStore, refreshStore } from "./upkeep.js";

/**
 * What stands behind every page and need not be there at its first sight: the server's events, the store's upkeep, the
 * player, the shortcuts, the modules of the other pages.
 */

/**
 * Begins once, with the page's life.
 *
 * @param {() => void} refreshState Asks for the state anew.
 * @param {AbortSignal} life
 */
export function start(refreshState, life) {
  onServer("vault", (content) => state.set(content), life);
  onServer("reset", refreshState, life);
  keepStore(life);
  startShortcuts(life);
  addPageShortcuts(life);
  player.start(life);
  startMediaSession(life);
}

/** Whether the events are being followed; they come only while the library is open. */
let events = new AbortController();
events.abort();

/**
 * The library has been opened.
 *
 * @param {boolean} wasAway Whether the server could not be heard before.
 */
export async function attend(wasAway) {
  events.abort();
  events = new AbortController();
  startEvents(events.signal, wasAway);
  await Promise.all([refreshStore(), player.restore()]);
  loadPagesAhead();
}

/** The library has been closed. */
export function leave() {
  events.abort();
  player.stop();
  emptyStore();
}

/** Has the other pages' modules here before somebody goes there; one that fails now is asked for again then. */
function loadPagesAhead() {
  const wait = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  wait(() => Promise.allSettled(pages.map((page) => page.load())).then(loadModulesAhead));
}

/** Has every module here while the server is sure to be the one that the page came from: what comes later, anybody may send. */
async function loadModulesAhead() {
  try {
    for (const href of await loadModuleNames()) document.head.append(h("link", { rel: "modulepreload", href }));
  } catch {
    // They come when they are wanted.
  }
}
