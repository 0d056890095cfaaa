import { Cell } from "../../../core/store.js";
import { alignedPieces } from "./alignment.js";

/** @typedef {import("./alignment.js").AlignedPiece} AlignedPiece */

/** Seconds over which a piece fades in and out. */
const fade = 0.01;

/** How far to the sides the model and the take are panned when both play, from 0 to 1. */
const apart = 0.7;

/** Plays a model, a take, both at once, or a piece of either; one thing at a time. */
export class TakePlayback {
  #context;
  /** @type {AudioScheduledSourceNode[]} */
  #sources = [];
  /** What is playing, by a name of the caller's. */
  playing = new Cell(/** @type {string | null} */ (null));

  /** @param {() => AudioContext} context */
  constructor(context) {
    this.#context = context;
  }

  /**
   * @param {string} name
   * @param {AudioBuffer} sound
   * @param {{ from: number, to: number }} piece Seconds.
   */
  play(name, sound, { from, to } = { from: 0, to: sound.duration }) {
    this.stop();
    this.#begin(name, [this.#sound(sound, { at: 0, from, to }, 0)]);
  }

  /**
   * Plays both at once, the take split so that its words start with the model's.
   *
   * @param {string} name
   * @param {AudioBuffer} model
   * @param {AudioBuffer} take
   * @param {readonly import("../../../server/practice.js").ScoredWord[]} words
   */
  playBoth(name, model, take, words) {
    this.stop();
    const pieces = alignedPieces(words, take.duration).filter(({ from, to }) => to - from > fade);
    const whole = this.#sound(model, { at: 0, from: 0, to: model.duration }, -apart);
    this.#begin(name, [whole, ...pieces.map((piece) => this.#sound(take, piece, apart))]);
  }

  stop() {
    const sources = this.#sources;
    this.#sources = [];
    for (const source of sources) source.stop();
    if (this.playing.value !== null) this.playing.set(null);
  }

  /**
   * @param {string} name
   * @param {AudioScheduledSourceNode[]} sources
   */
  #begin(name, sources) {
    this.#sources = sources;
    this.playing.set(name);
    let left = sources.length;
    for (const source of sources) {
      source.onended = () => {
        left -= 1;
        if (left === 0 && this.#sources === sources) this.stop();
      };
    }
  }

  /**
   * @param {AudioBuffer} sound
   * @param {AlignedPiece} piece
   * @param {number} side From −1, left, to 1, right.
   */
  #sound(sound, { at, from, to }, side) {
    const context = this.#context();
    const start = context.currentTime + 0.02 + at;
    const seconds = Math.max(2 * fade, Math.min(to, sound.duration) - from);
    const source = context.createBufferSource();
    const gain = context.createGain();
    const pan = context.createStereoPanner();
    source.buffer = sound;
    pan.pan.value = side;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(1, start + fade);
    gain.gain.setValueAtTime(1, start + seconds - fade);
    gain.gain.linearRampToValueAtTime(0, start + seconds);
    source.connect(gain).connect(pan).connect(context.destination);
    source.start(start, from, seconds);
    return source;
  }
}
