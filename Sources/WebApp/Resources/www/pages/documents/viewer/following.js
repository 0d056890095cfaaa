import { Cell } from "../../../core/store.js";
import { placesOf, spokenUnit } from "../places.js";
import { player } from "../../../player/player.js";
import { spokenAt, timeOfPlace } from "../../../player/timeline.js";
import { previewSelection } from "../../../server/documents.js";
import { loadItem } from "../../../server/library.js";
import { loadNarration } from "../../../server/narrations.js";

/** @typedef {import("../../../server/documents.js").Piece} Piece */
/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../player/track.js").Track} Track */

/** @typedef {{ sentence: Span[], word: Span[] }} Heard The places of the spoken sentence and word in the document. */

/** Maps the player's time to places of a document, and pressed places to the player's time. */
export class Following {
  /** @type {Cell<Heard | null>} `null` while the player has nothing of this document. */
  heard = new Cell(/** @type {Heard | null} */ (null));
  #id;
  /** @type {{ track: string, pieces: Piece[] } | null} */
  #spoken = null;
  #asked = "";
  #frame = 0;
  /** @type {[unknown, unknown]} The sentence and word reported last. */
  #reported = [null, null];

  /** @param {string} id Of the document. */
  constructor(id) {
    this.#id = id;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    player.track.follow((track) => this.#take(track, signal), signal);
    player.transcript.watch(() => this.#plan(), signal);
    player.phase.watch(() => this.#plan(), signal);
    player.time.watch(() => this.#plan(), signal);
    signal.addEventListener("abort", () => cancelAnimationFrame(this.#frame), { once: true });
  }

  /**
   * Moves the player to a place of the document, if the player has it.
   *
   * @param {number} unit
   * @returns {boolean} Whether it did.
   */
  seek(unit) {
    const spoken = this.#spoken === null ? null : spokenUnit(this.#spoken.pieces, unit);
    const seconds = spoken === null ? null : timeOfPlace(player.transcript.value?.sentences ?? [], spoken);
    if (seconds === null) return false;
    player.seek(seconds);
    return true;
  }

  /**
   * @param {Track | null} track
   * @param {AbortSignal} signal
   */
  async #take(track, signal) {
    const asked = track === null ? "" : track.id;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#spoken = null;
    this.#notify(null, null, null);
    if (track === null) return;
    try {
      const source = await sourceOf(track, signal);
      if (source?.id !== this.#id || this.#asked !== asked) return;
      const { pieces } = await previewSelection(this.#id, source.selection ?? {}, signal);
      if (this.#asked !== asked || signal.aborted) return;
      this.#spoken = { track: track.id, pieces };
      await player.needTranscript();
      this.#plan();
    } catch {
      // Then the document does not follow the player; the player shows its error.
    }
  }

  #plan() {
    if (this.#frame !== 0 || this.#spoken === null) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#look();
      if (player.phase.value === "playing") this.#plan();
    });
  }

  #look() {
    const transcript = player.transcript.value;
    if (this.#spoken === null || transcript?.id !== this.#spoken.track) return;
    const { sentence, word } = spokenAt(transcript.sentences, player.now());
    if (this.heard.value !== null && sentence === this.#reported[0] && word === this.#reported[1]) return;
    this.#notify(sentence, word, this.#spoken.pieces);
  }

  /**
   * @param {Span | null} sentence In the spoken text.
   * @param {Span | null} word
   * @param {readonly Piece[] | null} pieces `null` when nothing is playing.
   */
  #notify(sentence, word, pieces) {
    this.#reported = [sentence, word];
    if (pieces === null) {
      if (this.heard.value !== null) this.heard.set(null);
      return;
    }
    this.heard.set({
      sentence: sentence === null ? [] : placesOf(pieces, sentence),
      word: word === null ? [] : placesOf(pieces, word),
    });
  }
}

/**
 * The document and the selection that a track speaks.
 *
 * @param {Track} track
 * @param {AbortSignal} signal
 */
async function sourceOf({ kind, id }, signal) {
  if (kind === "recording") return sourceOfItem(id, signal);
  try {
    return (await loadNarration(id, signal)).document ?? null;
  } catch (error) {
    if (/** @type {{ status?: number }} */ (error).status !== 404) throw error;
    return sourceOfItem(id, signal); // it has become a recording meanwhile
  }
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function sourceOfItem(id, signal) {
  return (await loadItem(id, signal)).narration?.document ?? null;
}
