import { Cell } from "../../../core/store.js";
import { canOutlivePage, longestSpeech } from "../../../server/practice.js";

const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The number of characters as a reader counts them: accents and flags do not count separately. The server counts the
 * same.
 *
 * @param {string} text
 */
export function characterCount(text) {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of letters.segment(text)) count += 1;
  return count;
}

/** @typedef {import("../../../server/practice.js").Speech} Speech */
/** @typedef {import("../../../server/practice.js").SpeechContent} SpeechContent */

/**
 * The state of the text: `empty` and `tooLong` are not sent; `failed` is sent again with the next change or retry.
 *
 * @typedef {"saved" | "waiting" | "saving" | "failed" | "tooLong" | "empty"} SavingState
 */

/**
 * @typedef {object} SaverParts
 * @property {(content: SpeechContent) => Promise<Speech>} create
 * @property {(id: string, content: SpeechContent) => Promise<Speech>} change
 * @property {(speech: Speech) => void} created Called once, when a new speech has been saved for the first time.
 * @property {number} [rest] Milliseconds after the last change until it is sent.
 */

/** Saves a speech while it is being written: one request at a time, and never one that would be refused. */
export class SpeechSaver {
  #parts;
  /** @type {string | null} */
  #id;
  /** @type {SpeechContent | null} Content not sent yet. */
  #pending = null;
  /** @type {SpeechContent | null} Content being sent. */
  #underWay = null;
  /** @type {SpeechContent | null} Content that is too long to be sent. */
  refused = null;
  #timer = 0;
  /** @type {Promise<void> | null} */
  #sending = null;
  /** @type {Cell<SavingState>} */
  state;
  /** @type {Pick<Speech, "title" | "text" | "updated"> | null} As the server last had it, as far as this page knows. */
  #seen;
  /** @type {unknown} Why it could not be saved. */
  problem = null;

  /**
   * @param {string | null} id `null` for a new one.
   * @param {SaverParts} parts
   * @param {Speech | null} seen As it was loaded.
   */
  constructor(id, parts, seen = null) {
    this.#id = id;
    this.#seen = seen;
    this.#parts = parts;
    this.state = new Cell(/** @type {SavingState} */ (id === null ? "empty" : "saved"));
  }

  /** The speech's id; `null` until it has been saved once. */
  get id() {
    return this.#id;
  }

  /** Content that could be saved and is not, as far as is known; `null` for none. */
  get unkept() {
    return this.#pending ?? this.#underWay;
  }

  /** Whether unloading the page now would lose something: a last-moment request has limited size. */
  get wouldLose() {
    const { unkept } = this;
    if (this.state.value === "tooLong" || this.state.value === "failed") return true;
    const isBehind = this.#pending !== null && this.#underWay !== null;
    return isBehind || (unkept !== null && !canOutlivePage(unkept));
  }

  /** @param {SpeechContent} content */
  take(content) {
    clearTimeout(this.#timer);
    const state = stateOf(content);
    this.#pending = state === "waiting" ? content : null;
    this.refused = state === "tooLong" ? content : null;
    this.state.set(state);
    if (state === "waiting") this.#timer = setTimeout(() => this.#run(), this.#parts.rest ?? 700);
  }

  /**
   * Sends pending content at once.
   *
   * @returns {Promise<boolean>} Whether all is saved.
   */
  async flush() {
    clearTimeout(this.#timer);
    await this.#run();
    return this.#pending === null && this.state.value === "saved";
  }

  /**
   * Compares the speech with what this page knows, since another page may have changed it.
   *
   * @param {Speech} speech As the server has it now.
   * @returns {"same" | "newer" | "apart"} `newer`: it was changed elsewhere, and nothing here is unsaved; `apart`: it
   *   was, and what is unsaved here will become a speech of its own, so that neither replaces the other.
   */
  hear(speech) {
    const seen = this.#seen;
    // While something is being sent, this may be just that.
    if (seen === null || speech.id !== this.#id || this.#sending !== null || speech.updated <= seen.updated) return "same";
    if (speech.title === seen.title && speech.text === seen.text) return "same";
    if (this.#pending === null && this.refused === null) return "newer";
    this.#id = this.#seen = null;
    return "apart";
  }

  #run() {
    if (this.#pending === null && this.#sending === null) return Promise.resolve();
    return (this.#sending ??= this.#send());
  }

  async #send() {
    for (let content = this.#pending; content !== null; content = this.#pending) {
      this.#pending = null;
      this.#underWay = content;
      this.state.set("saving");
      try {
        await this.#keep(content);
      } catch (error) {
        this.problem = error;
        this.#pending ??= content;
        this.#underWay = null;
        this.state.set("failed");
        break;
      }
      this.#underWay = null;
      if (this.state.value === "saving") this.state.set("saved");
    }
    this.#sending = null; // at once: what comes next must be sent again
  }

  /** @param {SpeechContent} content */
  async #keep(content) {
    if (this.#id !== null) {
      this.#seen = await this.#parts.change(this.#id, content);
      return;
    }
    const speech = await this.#parts.create(content);
    this.#id = speech.id;
    this.#seen = speech;
    this.#parts.created(speech);
  }
}

/**
 * @param {SpeechContent} content
 * @returns {"waiting" | "tooLong" | "empty"}
 */
function stateOf({ text }) {
  if (text.trim() === "") return "empty";
  return characterCount(text) > longestSpeech ? "tooLong" : "waiting";
}

/** @typedef {{ language: string }} Speaker */

/**
 * The languages for a speech: those of the voices, and its present one.
 *
 * @param {readonly Speaker[]} voices
 * @param {string} present
 * @returns {string[]} BCP 47 tags, without duplicates.
 */
export function languageChoices(voices, present) {
  return [...new Set([present, ...voices.map((voice) => voice.language)])];
}

/**
 * The likely language of a new speech: the first of the user's languages that a voice speaks.
 *
 * @param {readonly Speaker[]} voices
 * @param {readonly string[]} preferred Best first.
 */
export function likelyLanguage(voices, preferred) {
  const spoken = voices.map((voice) => voice.language);
  for (const wanted of preferred) {
    const exact = spoken.find((tag) => tag.toLowerCase() === wanted.toLowerCase());
    const near = spoken.find((tag) => tag.toLowerCase().split("-")[0] === wanted.toLowerCase().split("-")[0]);
    const found = exact ?? near;
    if (found !== undefined) return found;
  }
  return preferred[0] ?? "en";
}
