import {
  continueNarration,
  discardNarration,
  listNarrations,
  loadNarration,
  loadNarrationText,
  startNarration,
  stopNarration,
} from "../../server/narrations.js";
import { Cell } from "../../core/cell.js";
import { onServer } from "../../core/events.js";
import { isOpen, profiles, state } from "../../core/store.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/voices.js").Manner} Manner */

/** The player and the library are brought when there is something to hear: the page can be written in before. */
const sound = () => import("./own-sound.js");
const library = () => import("../../server/library.js");

/**
 * Where the page stands.
 *
 * - `writing`: the text is being written;
 * - `asking`: the server has been asked to speak it;
 * - `speaking`: it is being spoken, or waits for its turn;
 * - `saved`: it has become a recording, perhaps of a part only;
 * - `unfinished`: it broke off, and can go on.
 *
 * @typedef {object} Stage
 * @property {"writing" | "asking" | "speaking" | "saved" | "unfinished"} kind
 * @property {Narration | null} narration Absent only while `writing` and `asking`.
 * @property {boolean} [isPart] Whether a saved one was stopped before its end.
 */

/**
 * The text and its narration. Outlives the Speak page, in memory only: what is written is kept nowhere until it is spoken.
 */
export class SpeakSession {
  text = "";
  /** @type {Cell<Stage>} */
  stage = new Cell(/** @type {Stage} */ ({ kind: "writing", narration: null }));
  /** @type {Cell<unknown>} What went wrong last, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  /** @type {Cell<Manner>} What was chosen here beside the profile, for what is spoken next. */
  manner = new Cell(/** @type {Manner} */ ({}));
  /** Whether the narration was stopped by hand, so that its end is a part. */
  #wasStopped = false;

  /** Begins with the page, ends with `signal`. */
  start(/** @type {AbortSignal} */ signal) {
    onServer("narration", (narration) => this.#changed(narration), signal);
    onServer("reset", () => this.#lookAgain(), signal);
    state.watch(() => !isOpen() && this.#forgetSpoken(), signal);
    addEventListener("beforeunload", (event) => this.isBusy && event.preventDefault(), { signal });
  }

  /** Whether speech is being made. */
  get isBusy() {
    return ["asking", "speaking"].includes(this.stage.value.kind);
  }

  /** How the next text will be spoken: the chosen profile, with what was chosen beside it. */
  get wholeManner() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen) ?? null;
    const { voice, speaker, speed, pitch } = { ...profile, ...this.manner.value };
    return { profile, voice, speaker, speed, pitch, isChanged: Object.keys(this.manner.value).length > 0 };
  }

  /** @param {Manner} change */
  choose(change) {
    this.manner.set({ ...this.manner.value, ...change });
  }

  /** Takes up what is being spoken, or broke off, when the page was loaded anew. */
  async takeUp() {
    if (this.stage.value.kind !== "writing" || this.text !== "") return;
    try {
      const all = await listNarrations();
      const narration = all.find(({ state }) => state === "speaking") ?? all[all.length - 1];
      if (narration === undefined || this.stage.value.kind !== "writing" || this.text !== "") return;
      const text = await loadNarrationText(narration.id);
      if (this.stage.value.kind !== "writing" || this.text !== "") return;
      this.text = text;
      this.#show(narration);
      (await sound()).takeUpSound(narration);
    } catch {
      // There is still the empty page, and the next visit asks again.
    }
  }

  /** Speaks the text from its start. */
  async generate() {
    if (this.isBusy) return;
    this.problem.set(null);
    this.#wasStopped = false;
    this.stage.set({ kind: "asking", narration: null });
    try {
      const [{ playSound }, narration] = await Promise.all([
        sound(),
        startNarration({ text: this.text, ...this.manner.value }),
      ]);
      this.stage.set({ kind: "speaking", narration });
      playSound(narration, this.text);
    } catch (error) {
      this.stage.set({ kind: "writing", narration: null });
      this.problem.set(error);
    }
  }

  /** Ends the narration; what has been spoken becomes a recording, if there is anything. */
  async stop() {
    const { narration } = this.stage.value;
    if (narration === null) return;
    const keepsPart = narration.seconds > 0;
    this.#wasStopped = true;
    await this.#try(async () => {
      await stopNarration(narration.id, keepsPart);
      if (keepsPart) await this.#saved(narration);
      else this.write();
    });
  }

  /** Goes on with one that broke off. */
  async continue() {
    const { narration } = this.stage.value;
    if (narration === null) return;
    await this.#try(async () => this.#show(await continueNarration(narration.id)));
  }

  /** Lets go of one that broke off; its text stays to be written on. */
  async discard() {
    const { narration } = this.stage.value;
    if (narration === null) return;
    await this.#try(async () => {
      await discardNarration(narration.id);
      (await sound()).forgetSound(narration.id);
      this.write();
    });
  }

  /** Takes the saved recording back; its text stays to be written on. */
  async undo() {
    const { narration } = this.stage.value;
    if (narration === null) return;
    await this.#try(async () => {
      (await sound()).forgetSound(narration.id);
      await (await library()).deleteItems([narration.id]);
      this.write();
    });
  }

  /** @param {string} name */
  async rename(name) {
    const { narration, isPart } = this.stage.value;
    if (narration === null || name === "" || name === narration.name) return;
    await this.#try(async () => {
      const item = await (await library()).changeItem(narration.id, { name });
      this.stage.set({ kind: "saved", narration: { ...narration, name: item.name }, isPart });
    });
  }

  /** Back to writing, with the text as it is. */
  write() {
    this.problem.set(null);
    this.stage.set({ kind: "writing", narration: null });
  }

  /**
   * Writes another text.
   *
   * @param {string} text
   */
  begin(text) {
    if (this.isBusy) return;
    this.text = text;
    this.write();
  }

  /** @param {() => Promise<void>} change */
  async #try(change) {
    this.problem.set(null);
    try {
      await change();
    } catch (error) {
      this.problem.set(error);
    }
  }

  /** @param {Narration} narration */
  #changed(narration) {
    if (this.stage.value.narration?.id !== narration.id || this.stage.value.kind === "saved") return;
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
        if (!this.#wasStopped) this.stage.set({ kind: "unfinished", narration });
        break;
      default:
        this.stage.set({ kind: "speaking", narration });
    }
  }

  /**
   * Shows the recording under the name it was kept by.
   *
   * @param {Narration} narration
   */
  async #saved(narration) {
    const isPart = this.#wasStopped;
    this.stage.set({ kind: "saved", narration: { ...narration, state: "finished" }, isPart });
    try {
      const { name, duration } = await (await library()).loadItem(narration.id);
      if (this.stage.value.kind !== "saved" || this.stage.value.narration?.id !== narration.id) return;
      this.stage.set({ kind: "saved", narration: { ...narration, name, seconds: duration, state: "finished" }, isPart });
    } catch {
      // The name it was started with serves.
    }
  }

  /** Lets go of what the library keeps, now that it is closed; what has only been written stays, it is nowhere else. */
  #forgetSpoken() {
    if (this.stage.value.kind !== "writing") this.text = "";
    this.write();
  }

  /** What became of the narration while the server could not be heard. */
  async #lookAgain() {
    const { narration, kind } = this.stage.value;
    if (narration === null || kind === "saved") return;
    try {
      this.#show(await loadNarration(narration.id));
    } catch (error) {
      if (/** @type {{ status?: number }} */ (error).status !== 404) return;
      await this.#findSaved(narration);
    }
  }

  /** @param {Narration} narration */
  async #findSaved(narration) {
    try {
      await (await library()).loadItem(narration.id);
      await this.#saved(narration);
    } catch {
      this.write();
    }
  }
}

export const session = new SpeakSession();
