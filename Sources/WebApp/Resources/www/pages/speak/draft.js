import { isConnected, isOpen } from "../../core/store.js";
import { session } from "./session.js";
import { keepDraft, loadDraft } from "../../server/draft.js";
import { ServerProblem } from "../../server/http.js";

/** Milliseconds after the last change until the text is sent. */
const keepAfter = 600;

/** Milliseconds after a failure until the text is sent again. */
const sendAgainAfter = 3_000;

/** From this many failures in a row on, the user sees why the text is not saved. */
const firstShown = 2;

/** UTF-8 bytes of text that fit into a request which outlives its page. */
const maximumOnLeaving = 60_000;

/**
 * Saves the text being written in the library until it is spoken, so that a reload does not lose it. Lives as long as
 * the document.
 */
class Draft {
  /**
   * The text in the library; `null` while unknown.
   *
   * @type {string | null}
   */
  #kept = null;
  #timer = 0;
  /** The last request; the next one waits for it, so that an older text never replaces a newer one. */
  #sending = Promise.resolve();
  /** How many requests have failed since the last one that succeeded. */
  #failures = 0;

  constructor() {
    const { signal } = new AbortController();
    session.written.watch(() => this.#changed(), signal);
    session.stage.watch(() => this.#changed(), signal);
    isConnected.watch((yes) => yes && this.#changed(), signal);
    addEventListener("pagehide", () => this.#leave());
  }

  /** Whether the library has the present text. */
  get isKept() {
    return this.#kept === wanted();
  }

  /**
   * @returns {Promise<string>} The text that was being written before the page was loaded; empty when it is already
   * known.
   */
  async load() {
    if (this.#kept !== null) return "";
    const text = await loadDraft();
    this.#kept = text;
    // The user may have typed something before this module was loaded.
    if (session.text !== "") this.#changed();
    return text;
  }

  /** Drops the library's text when the library closes. */
  forget() {
    clearTimeout(this.#timer);
    this.#kept = null;
    this.#succeeded();
  }

  #changed() {
    clearTimeout(this.#timer);
    if (this.isKept) this.#succeeded();
    if (!isOpen() || this.isKept || (this.#kept === null && wanted() === "" && session.text === "")) return;
    // A spoken text is in the history, and must not come back as a draft.
    this.#timer = setTimeout(() => this.#keep(), wanted() === "" ? 0 : keepAfter);
  }

  #keep() {
    this.#sending = this.#sending.then(() => this.#send());
  }

  async #send() {
    const text = wanted();
    if (text === this.#kept || !isOpen()) return;
    try {
      await keepDraft(text);
      this.#kept = text;
      this.#succeeded();
    } catch (error) {
      this.#failed(error);
    }
  }

  #succeeded() {
    this.#failures = 0;
    if (session.unkept.value !== null) session.unkept.set(null);
  }

  /** @param {unknown} error A permanent one is shown at once; the text is sent again with the next change. */
  #failed(error) {
    const passes = canPass(error);
    this.#failures += 1;
    const isShown = session.unkept.value !== null || wanted() === "";
    if (!isShown && (!passes || this.#failures >= firstShown)) session.unkept.set(error);
    // A silent server is asked when it is back.
    clearTimeout(this.#timer);
    if (passes && isConnected.value) this.#timer = setTimeout(() => this.#keep(), sendAgainAfter);
  }

  /** The page is unloading, perhaps for good. */
  #leave() {
    const text = wanted();
    clearTimeout(this.#timer);
    if (this.isKept || !isOpen() || (this.#kept === null && text === "")) return;
    const fits = new TextEncoder().encode(JSON.stringify({ text })).length <= maximumOnLeaving;
    keepDraft(text, { keepalive: fits }).then(() => (this.#kept = text), () => {});
  }
}

/**
 * Whether a retry may succeed later: the server was silent, broken or too busy.
 *
 * @param {unknown} error
 */
function canPass(error) {
  return !(error instanceof ServerProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** The text to save, unless it is already a narration. */
function wanted() {
  return ["writing", "asking"].includes(session.stage.value.kind) ? session.text : "";
}

export const draft = new Draft();
