import { registerWorker } from "./core/shell.js";
import { pages } from "./pages/registry.js";
import { startMediaSession } from "./player/media-session.js";
import { player } from "./player/player.js";
import "./player/player-bar.js";
import { emptyStore, keepStore, refreshStore } from "./upkeep.js";

/**
 * What stands behind every page and need not be there at its first sight: the player, the store's upkeep, the shell's
 * worker, the modules of the other pages.
 */

/** Milliseconds before the browser is asked to keep the shell: what a person waits for goes first. */
const workerAfter = 2_000;

/**
 * Begins once, with the page's life.
 *
 * @param {AbortSignal} life
 */
export function start(life) {
  keepStore(life);
  player.start(life);
  startMediaSession(life);
  setTimeout(registerWorker, workerAfter);
}

/** The library has been opened. */
export async function attend() {
  await Promise.all([refreshStore(), player.restore()]);
  loadPagesAhead();
}

/** The library has been closed. */
export function leave() {
  player.stop();
  emptyStore();
}

/** Has the other pages' modules here before somebody goes there; one that fails now is asked for again then. */
function loadPagesAhead() {
  const wait = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  wait(() => Promise.allSettled(pages.map((page) => page.load())));
}
