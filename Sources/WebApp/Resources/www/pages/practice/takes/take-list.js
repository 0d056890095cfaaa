import { Cell } from "../../../core/store.js";

/** @typedef {import("../session/echo.js").RecordedTake} RecordedTake */
/** @typedef {import("../../../server/practice.js").PracticeTake} PracticeTake */
/** @typedef {import("../../../server/practice.js").TakeScore} TakeScore */

/**
 * A take, its state and its score. `wave` is here while it was recorded in this visit.
 *
 * @typedef {object} TakeEntry
 * @property {number} key
 * @property {string | null} id `null` until the server has it.
 * @property {number} segment
 * @property {number} repetition
 * @property {number} rate The rate at which the model was played.
 * @property {RecordedTake["granularity"]} [granularity] How the text was cut when it was recorded.
 * @property {number} seconds
 * @property {"sending" | "scoring" | "scored" | "stored" | "failed"} state `stored`: from an earlier visit, not
 * requested again yet.
 * @property {TakeScore | null} score
 * @property {unknown} problem
 * @property {Blob | null} wave
 * @property {boolean} hasSound Whether the server has stored its sound.
 * @property {string} text The segment's; empty until the server has sent it.
 * @property {number | null} mark The score alone, for a take whose full score was not requested.
 */

/**
 * @typedef {object} TakeListParts
 * @property {(place: Pick<TakeEntry, "segment" | "repetition" | "rate" | "granularity">, wave: ArrayBuffer) => Promise<PracticeTake>} send
 * @property {(id: string) => Promise<TakeScore>} score
 * @property {(id: string, options?: { keepalive?: boolean }) => Promise<void>} remove
 * @property {(id: string) => Promise<ArrayBuffer>} load
 */

/**
 * Whether a take can be played: from here if it was recorded in this visit, else if the server stored it.
 *
 * @param {TakeEntry} take
 */
export const canBeHeard = ({ wave, hasSound }) => wave !== null || hasSound;

/** How many takes have their sound in memory; older ones are requested again, if they were stored. */
const maximumHeld = 20;

/** The takes of a session: they are sent and scored while practice continues. */
export class TakeList {
  #parts;
  #lastKey = 0;
  /** @type {Map<TakeEntry, Promise<void>>} The takes being sent to the server. */
  #sending = new Map();
  /** The newest first. */
  takes = new Cell(/** @type {readonly TakeEntry[]} */ ([]));

  /** @param {TakeListParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /** The ids of those that the server has. */
  get ids() {
    return new Set(this.takes.value.flatMap(({ id }) => id ?? []));
  }

  /**
   * Takes of earlier visits and of other tabs.
   *
   * @param {readonly PracticeTake[]} takes All that the server has, the oldest first.
   * @param {number} usual The rate of those whose own is not known.
   * @param {ReadonlySet<string>} before The ids that were here when the server was asked: what it lacks of them was deleted.
   */
  addStored(takes, usual, before = new Set()) {
    const places = new Map(takes.map(({ id }, place) => [id, place]));
    const here = this.takes.value.filter(({ id }) => id === null || places.has(id) || !before.has(id));
    const known = new Map(here.map((entry) => [entry.id, entry]));
    const placed = new Set(before);
    for (const take of takes) {
      const { id, segment, repetition, seconds, hasSound, text, score: mark } = take;
      const present = known.get(id);
      if (present?.state === "stored") Object.assign(present, { mark, hasSound });
      if (present !== undefined) continue;
      placed.add(id);
      const older = here.findIndex((one) => one.id !== null && placed.has(one.id) && Number(places.get(one.id)) < Number(places.get(id)));
      const entry = this.#entry({ id, segment, repetition, seconds, hasSound, text, mark, rate: take.rate ?? usual, state: "stored", wave: null });
      here.splice(older < 0 ? here.length : older, 0, entry); // those of this visit are newer than what is listed first
    }
    this.takes.set(here);
  }

  /** @param {RecordedTake} take */
  add({ segment, repetition, rate, granularity, seconds, wave }) {
    const entry = this.#entry({ id: null, segment, repetition, rate, granularity, seconds, wave, state: "sending", hasSound: false, text: "", mark: null });
    const takes = [entry, ...this.takes.value];
    for (const old of takes.slice(maximumHeld)) old.wave = old.id === null ? old.wave : null;
    this.takes.set(takes);
    return this.finish(entry);
  }

  /**
   * Sends and scores what is pending, including earlier failures.
   *
   * @param {TakeEntry} entry
   */
  async finish(entry) {
    try {
      await this.#sent(entry);
      this.#change(entry, { state: "scoring", problem: null });
      const score = await this.#parts.score(entry.id ?? "");
      this.#change(entry, { score, mark: score.score, hasSound: score.hasSound, state: "scored" });
    } catch (problem) {
      this.#change(entry, { problem, state: "failed" });
    }
  }

  /** Those that the server does not have yet, and can have. */
  get unsent() {
    const isGone = (/** @type {unknown} */ problem) => /** @type {{ status?: number } | null} */ (problem)?.status === 404; // session gone
    return this.takes.value.filter(({ id, problem }) => id === null && !isGone(problem));
  }

  /** Sends what the server does not have, including earlier failures; fulfilled when each was tried. */
  async sendAll() {
    await Promise.all(this.unsent.map((entry) => this.finish(entry)));
  }

  /**
   * Fulfilled when the server has it.
   *
   * @param {TakeEntry} entry
   */
  async #sent(entry) {
    if (entry.id !== null) return;
    const sending = this.#sending.get(entry) ?? this.#send(entry);
    this.#sending.set(entry, sending);
    try {
      await sending;
    } finally {
      this.#sending.delete(entry);
    }
  }

  /** @param {TakeEntry} entry */
  async #send(entry) {
    this.#change(entry, { state: "sending", problem: null });
    const wave = await /** @type {Blob} */ (entry.wave).arrayBuffer();
    const { id, text, hasSound } = await this.#parts.send(entry, wave);
    // It may be listed already.
    this.takes.set(this.takes.value.filter((one) => one === entry || one.id !== id));
    this.#change(entry, { id, text, hasSound });
  }

  /**
   * @param {TakeEntry} entry
   * @param {{ keepalive?: boolean }} options
   */
  async remove(entry, options = {}) {
    await this.#sending.get(entry)?.catch(() => {}); // then there is nothing to delete
    if (entry.id !== null) {
      await this.#parts.remove(entry.id, options).catch((/** @type {{ status?: number }} */ error) => {
        if (error.status !== 404) throw error; // it was not stored
      });
    }
    this.takes.set(this.takes.value.filter((one) => one !== entry));
  }

  /**
   * @param {TakeEntry} entry
   * @returns {Promise<ArrayBuffer>} A WAV file.
   */
  sound({ wave, id }) {
    return wave?.arrayBuffer() ?? this.#parts.load(id ?? "");
  }

  /** @param {Omit<TakeEntry, "key" | "score" | "problem">} known @returns {TakeEntry} */
  #entry(known) {
    this.#lastKey += 1;
    return { key: this.#lastKey, score: null, problem: null, ...known };
  }

  /**
   * @param {TakeEntry} entry
   * @param {Partial<TakeEntry>} change
   */
  #change(entry, change) {
    Object.assign(entry, change);
    this.takes.set(this.takes.value);
  }
}

/** @typedef {import("../../../server/practice.js").ScoredWord} ScoredWord */

/**
 * A piece of the take, and when to play it so that its words start with the model's.
 *
 * @typedef {object} AlignedPiece
 * @property {number} at In seconds of the model.
 * @property {number} from In seconds of the take.
 * @property {number} to
 */

/** Seconds before a word that belong to it, if there are as many: it starts to sound before the recognizer's time. */
const lead = 0.05;

/**
 * Splits a take at its words, so that each plays together with the same word of the model.
 *
 * @param {readonly ScoredWord[]} words
 * @param {number} seconds The take's length.
 * @returns {AlignedPiece[]} By time; the whole take in one piece when none of its words is known.
 */
export function alignedPieces(words, seconds) {
  const known = words.flatMap(({ start, modelStart }) => {
    if (start == null || modelStart == null) return [];
    const before = Math.min(lead, start, modelStart); // as much of both
    return [{ from: start - before, at: modelStart - before }];
  });
  if (known.length === 0) return [{ at: 0, from: 0, to: seconds }];
  return known.map(({ from, at }, index) => {
    const next = known[index + 1];
    if (next === undefined) return { at, from, to: seconds };
    // A drawn-out word ends where the model's next one begins.
    const room = Math.max(0, next.at - at);
    return { at, from, to: Math.min(Math.max(from, next.from), from + room) };
  });
}

/** Seconds over which a piece fades in and out. */
const fade = 0.01;

/** How far to the sides the model and the take are panned when both play, from 0 to 1. */
const apart = 0.7;

/** Plays a model, a take, both at once, or a piece of either; one thing at a time. */
export class TakePlayback {
  #context;
  /** @type {AudioScheduledSourceNode[]} */
  #sources = [];
  /** The sound that is playing, by a name of the caller's. */
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

/** @typedef {import("../../../server/practice.js").ExtraWord} ExtraWord */

/**
 * A piece of a segment and its result: words, the text between them, and extra words that the segment lacks.
 *
 * @typedef {{ kind: "plain", text: string }
 *   | { kind: "said" | "missed" | "different", text: string, word: ScoredWord }
 *   | { kind: "extra", text: string, extra: ExtraWord }} MarkedPiece
 */

/**
 * Splits the text of a segment into pieces, in order.
 *
 * @param {string} text
 * @param {Pick<TakeScore, "words" | "extra">} score
 * @returns {MarkedPiece[]}
 */
export function markedPieces(text, { words, extra }) {
  /** @type {MarkedPiece[]} */
  const pieces = [];
  const plain = (/** @type {string} */ part) => part !== "" && pieces.push({ kind: "plain", text: part });
  const addExtra = (/** @type {number} */ after) => {
    for (const one of extra.filter((word) => word.after === after)) pieces.push({ kind: "extra", text: one.heard, extra: one });
  };
  let at = 0;
  addExtra(0);
  words.forEach((word, index) => {
    plain(text.slice(at, word.from));
    pieces.push({ kind: word.kind, text: text.slice(word.from, word.to), word });
    at = Math.max(at, word.to);
    addExtra(index + 1);
  });
  plain(text.slice(at));
  return pieces;
}

/**
 * The number of words of each kind.
 *
 * @param {Pick<TakeScore, "words" | "extra">} score
 */
export function wordCounts({ words, extra }) {
  const count = (/** @type {ScoredWord["kind"]} */ kind) => words.filter((word) => word.kind === kind).length;
  return { said: count("said"), missed: count("missed"), different: count("different"), extra: extra.length };
}

/**
 * The lines of a drawing: the connected parts of a contour.
 *
 * @param {readonly (number | null)[]} values
 * @param {number} step Seconds between values.
 * @param {(value: number) => number} height From 0, at the bottom, to 1.
 * @param {{ seconds: number, width: number, height: number }} box `seconds`: the length that its width represents.
 * @returns {string} An SVG path; empty when there is nothing to draw.
 */
export function contourPath(values, step, height, { seconds, width, height: tall }) {
  let path = "";
  let isDown = false;
  values.forEach((value, index) => {
    if (value === null) {
      isDown = false;
      return;
    }
    const x = seconds === 0 ? 0 : (index * step * width) / seconds;
    const y = (1 - Math.max(0, Math.min(1, height(value)))) * tall;
    path += `${isDown ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`;
    isDown = true;
  });
  return path;
}

/**
 * The height of a pitch in the drawing: in semitones, which sound evenly spaced, within the range of both voices.
 *
 * @param {{ low: number, high: number }} range In hertz.
 */
export function pitchHeight({ low, high }) {
  const span = Math.max(1e-6, Math.log2(high / low));
  return (/** @type {number} */ hertz) => Math.log2(hertz / low) / span;
}

/** The lowest level drawn, in decibels. */
const quietest = -60;

/** @param {number} decibels */
export function loudnessHeight(decibels) {
  return 1 - decibels / quietest;
}

/**
 * The range that contains most of a voice's pitches: its single highest and lowest values are often errors.
 *
 * @param {readonly (number | null)[]} values In hertz.
 * @returns {{ low: number, high: number } | null} `null` without a voice.
 */
export function pitchRange(values) {
  const voiced = values.filter((value) => value !== null).sort((one, other) => Number(one) - Number(other));
  if (voiced.length === 0) return null;
  const at = (/** @type {number} */ part) => Number(voiced[Math.min(voiced.length - 1, Math.floor(part * voiced.length))]);
  return { low: at(0.05), high: at(0.95) };
}

/** Seconds drawn before the first sound of a voice and after its last. */
const margin = 0.2;

/**
 * The places in a contour between which there is a voice, with a margin: how long somebody took to begin is not part of
 * the melody.
 *
 * @param {readonly (number | null)[]} pitch
 * @param {number} step Seconds between values.
 * @returns {{ from: number, to: number }} Possibly beyond its ends, so that voices lie over each other; all of it without
 * a voice.
 */
export function spokenPart(pitch, step) {
  const voiced = pitch.flatMap((value, index) => (value === null ? [] : [index]));
  const [first, last] = [voiced[0], voiced[voiced.length - 1]];
  if (first === undefined || last === undefined) return { from: 0, to: pitch.length };
  const around = Math.round(margin / step);
  return { from: first - around, to: last + 1 + around };
}

/**
 * The values of a part; `null` beyond the ends.
 *
 * @param {readonly (number | null)[]} values
 * @param {{ from: number, to: number }} part
 * @returns {(number | null)[]}
 */
export function valuesOf(values, { from, to }) {
  return Array.from({ length: to - from }, (_, index) => values[from + index] ?? null);
}

/**
 * The factor that brings a voice to the middle of another, so that a deep voice's melody is over a high one's.
 *
 * @param {{ low: number, high: number } | null} own
 * @param {{ low: number, high: number } | null} other
 */
export function transposition(own, other) {
  if (own === null || other === null) return 1;
  return Math.sqrt((other.low * other.high) / (own.low * own.high));
}

/**
 * The range that includes both, with a margin.
 *
 * @param {...({ low: number, high: number } | null)} ranges
 */
export function commonRange(...ranges) {
  const known = ranges.flatMap((one) => one ?? []);
  if (known.length === 0) return { low: 80, high: 320 };
  return { low: Math.min(...known.map(({ low }) => low)) / 1.12, high: Math.max(...known.map(({ high }) => high)) * 1.12 };
}
