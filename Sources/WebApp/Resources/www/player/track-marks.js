import { addGeneralShortcuts } from "../core/shortcuts.js";
import { Cell } from "../core/store.js";
import { onServer } from "../server/events.js";
import { loadMarks } from "../server/recordings.js";
import { player } from "./player.js";
import { markNear } from "./track.js";

/** @typedef {import("../server/recordings.js").Mark} Mark */

/** The marks of the recording in the player; none for what a voice is just speaking. */
class TrackMarks {
  /** @type {Cell<readonly Mark[]>} */
  state = new Cell(/** @type {readonly Mark[]} */ ([]));
  /** @type {Cell<Mark | null>} The mark that was gone to last. */
  reached = new Cell(/** @type {Mark | null} */ (null));
  /** @type {string | null} The recording's id. */
  #id = null;
  #load = new AbortController();
  #isStarted = false;

  /** Follows the player, for as long as the document lives. */
  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { signal } = new AbortController();
    player.track.follow((track) => this.#take(track?.kind === "recording" ? track.id : null), signal);
    onServer("library", ({ changed }) => this.#id !== null && changed.includes(this.#id) && this.#renew(), signal);
    onServer("reset", () => this.#renew(), signal);
    addGeneralShortcuts(
      [
        { keys: ",", label: "shortcut.mark.previous", group: "playing", run: () => this.go(-1) },
        { keys: ".", label: "shortcut.mark.next", group: "playing", run: () => this.go(1) },
      ],
      signal,
    );
  }

  /** @param {1 | -1} step To the next mark, or the previous one. */
  go(step) {
    const to = markNear(this.state.value, player.now(), step);
    if (to === null) return;
    player.seek(to);
    this.reached.set(this.state.value.find(({ seconds }) => seconds === to) ?? null);
  }

  /** @param {string | null} id */
  #take(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.state.set([]);
    this.reached.set(null);
    this.#renew();
  }

  async #renew() {
    this.#load.abort();
    this.#load = new AbortController();
    const { signal } = this.#load;
    if (this.#id === null) return;
    try {
      const marks = await loadMarks(this.#id, signal);
      if (!signal.aborted) this.state.set(marks);
    } catch {
      // It plays without them; the next event requests them again.
    }
  }
}

export const trackMarks = new TrackMarks();
