import { isConnected, isOpen, state } from "../../core/store.js";
import { session } from "./session.js";
import { player } from "../../player/player.js";
import { Transcript } from "../../player/track.js";
import { onServer } from "../../server/events.js";
import { changeItem, deleteItems, loadItem } from "../../server/library.js";
import {
  continueNarration,
  discardNarration,
  listNarrations,
  loadNarrationText,
  startNarration,
  stopNarration,
} from "../../server/narrations.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** Speaks the session's text, and follows its narration wherever the page is. Lives as long as the document. */
class Speaking {
  /** Whether the person stopped the narration, so that the recording is a part. */
  #wasStopped = false;

  /**
   * The last event of any narration, which may be one whose order has not been answered yet.
   *
   * @type {Narration | null}
   */
  #heard = null;

  constructor() {
    const { signal } = new AbortController();
    onServer("narration", (narration) => this.#changed(narration), signal);
    // Set when the events begin, at first and after a loss; an earlier narration may have ended meanwhile.
    isConnected.watch((yes) => yes && this.#lookAgain(), signal);
    state.watch(() => !isOpen() && this.#forgetSpoken(), signal);
    addEventListener("beforeunload", (event) => session.isBusy && event.preventDefault());
  }

  /**
   * Shows a narration that runs or broke off before the page was loaded.
   *
   * @returns {Promise<boolean>} Whether no request failed.
   */
  async takeUp() {
    if (session.stage.value.kind !== "writing" || session.text !== "") return true;
    try {
      const all = await listNarrations();
      const narration = all.find(({ state }) => state === "speaking") ?? all[all.length - 1];
      if (narration === undefined || session.stage.value.kind !== "writing" || session.text !== "") return true;
      const text = await loadNarrationText(narration.id);
      if (session.stage.value.kind !== "writing" || session.text !== "") return true;
      session.text = text;
      this.#show(narration);
      takeUpSound(narration);
      return true;
    } catch {
      return false; // the empty page stays
    }
  }

  /** Speaks the text from its start. */
  async generate() {
    if (session.isBusy) return;
    session.problem.set(null);
    this.#wasStopped = false;
    session.stage.set({ kind: "asking", narration: null });
    try {
      const narration = await startNarration({ text: session.text, ...session.settings.value });
      session.stage.set({ kind: "speaking", narration });
      playSound(narration, session.text);
      if (this.#heard?.id === narration.id) this.#changed(this.#heard);
    } catch (error) {
      session.stage.set({ kind: "writing", narration: null });
      session.problem.set(error);
    }
  }

  /** Ends the narration; what has been spoken becomes a recording, if there is anything. */
  async stop() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    const keepsPart = narration.seconds > 0;
    this.#wasStopped = true;
    await this.#try(async () => {
      await stopNarration(narration.id, keepsPart);
      if (keepsPart) await this.#saved(narration);
      else session.write();
    });
  }

  /** Resumes one that broke off. */
  async continue() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    await this.#try(async () => this.#show(await continueNarration(narration.id)));
  }

  /** Discards a narration that broke off; its text stays in the field. */
  async discard() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    await this.#try(async () => {
      await discardNarration(narration.id);
      forgetSound(narration.id);
      session.write();
    });
  }

  /** Deletes the saved recording; its text stays in the field. */
  async undo() {
    const { narration } = session.stage.value;
    if (narration === null) return;
    await this.#try(async () => {
      forgetSound(narration.id);
      await deleteItems([narration.id]);
      session.write();
    });
  }

  /** @param {string} name */
  async rename(name) {
    const { narration, isPart } = session.stage.value;
    if (narration === null || name === "" || name === narration.name) return;
    await this.#try(async () => {
      const item = await changeItem(narration.id, { name });
      session.stage.set({ kind: "saved", narration: { ...narration, name: item.name }, isPart });
    });
  }

  /** @param {() => Promise<void>} change */
  async #try(change) {
    session.problem.set(null);
    try {
      await change();
    } catch (error) {
      session.problem.set(error);
    }
  }

  /** @param {Narration} narration */
  #changed(narration) {
    this.#heard = narration;
    if (session.stage.value.narration?.id !== narration.id || session.stage.value.kind === "saved") return;
    this.#show(narration);
  }

  /** @param {Narration} narration */
  #show(narration) {
    switch (narration.state) {
      case "finished":
        this.#saved(narration);
        break;
      case "stopped":
      case "failed":
        if (!this.#wasStopped) session.stage.set({ kind: "unfinished", narration });
        break;
      default:
        session.stage.set({ kind: "speaking", narration });
    }
  }

  /**
   * Shows the recording under its name in the library.
   *
   * @param {Narration} narration
   */
  async #saved(narration) {
    const isPart = this.#wasStopped;
    session.stage.set({ kind: "saved", narration: { ...narration, state: "finished" }, isPart });
    try {
      const { name, duration } = await loadItem(narration.id);
      if (session.stage.value.kind !== "saved" || session.stage.value.narration?.id !== narration.id) return;
      session.stage.set({ kind: "saved", narration: { ...narration, name, seconds: duration, state: "finished" }, isPart });
    } catch {
      // The narration's name stays.
    }
  }

  /**
   * Forgets what the library keeps when it is closed. A text that was only written stays: it is stored nowhere else.
   */
  #forgetSpoken() {
    this.#heard = null;
    if (session.stage.value.kind !== "writing") session.text = "";
    session.write();
  }

  /** Updates the narration after the server was silent. */
  async #lookAgain() {
    const { narration, kind } = session.stage.value;
    if (narration === null || kind === "saved") return;
    try {
      const now = (await listNarrations()).find(({ id }) => id === narration.id);
      if (now === undefined) await this.#findSaved(narration);
      else this.#changed(now);
    } catch {
      // The server is silent again; the next reconnection requests the state again.
    }
  }

  /** @param {Narration} narration */
  async #findSaved(narration) {
    try {
      await loadItem(narration.id);
      await this.#saved(narration);
    } catch {
      session.write();
    }
  }
}

export const speaking = new Speaking();

/** Whether the player plays what was written here. */
export function isPlayingOwn() {
  const { narration } = session.stage.value;
  return narration !== null && player.isCurrent(narration.id) && player.isPlaying;
}

export function togglePlaying() {
  const { narration, kind } = session.stage.value;
  if (narration === null) return;
  if (player.isCurrent(narration.id)) player.toggle();
  else if (kind === "saved") player.playItems([narration.id]);
  else player.playNarration(narration);
}

/**
 * Plays a narration that begins now.
 *
 * @param {Narration} narration
 * @param {string} text
 */
function playSound(narration, text) {
  player.playNarration(narration);
  player.transcript.set(new Transcript(narration.id, text, []));
}

/**
 * Gives the player a narration that began before the page was loaded, unless it plays something else.
 *
 * @param {Narration} narration
 */
function takeUpSound(narration) {
  if (player.track.value === null || !player.isPlaying) player.playNarration(narration, false);
}

/** @param {string} id Of a narration or recording that is gone. */
function forgetSound(id) {
  player.forget(id);
}
