import { SampleWindow } from "../../../player/live-source.js";

/** @typedef {import("../../../server/practice.js").PracticeSegment} PracticeSegment */
/** @typedef {import("../../../server/practice.js").PracticeSegments} PracticeSegments */

/** The number of segments per request. */
const windowSize = 50;

/** The segments' words, requested in windows on demand; a long text is never requested whole. */
export class SegmentTexts {
  #load;
  #changed;
  /** @type {Map<number, PracticeSegment>} */
  #known = new Map();
  /** @type {Map<number, Promise<void>>} By the first number of the window. */
  #asked = new Map();
  #count = { known: 0, isComplete: false };
  #lastTurn = 0;
  /** @type {Map<number, number>} The last request for each window, by its first number. */
  #turns = new Map();

  /**
   * @param {(window: { from: number, count: number }) => Promise<PracticeSegments>} load
   * @param {() => void} changed Called when more is known.
   */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
  }

  /**
   * @param {number} number From 1.
   * @returns {PracticeSegment | null} `null` while unknown; it is then requested.
   */
  at(number) {
    const found = this.#known.get(number) ?? null;
    if (found === null && number >= 1) this.need(number).catch(() => {}); // it will be requested again
    return found;
  }

  /**
   * A segment, if it has been requested.
   *
   * @param {number} number
   */
  known(number) {
    return this.#known.get(number) ?? null;
  }

  /**
   * Fulfilled when a segment is known, or does not exist.
   *
   * @param {number} number
   */
  need(number) {
    const from = number - ((number - 1) % windowSize);
    const asked = this.#asked.get(from);
    if (asked !== undefined) return asked;
    const asking = this.#ask(from);
    this.#asked.set(from, asking);
    asking.catch(() => this.#asked.get(from) === asking && this.#asked.delete(from));
    return asking;
  }

  /** @param {number} from */
  async #ask(from) {
    const turn = (this.#lastTurn += 1);
    this.#turns.set(from, turn);
    const { segments, known, isComplete } = await this.#load({ from, count: windowSize });
    if (turn !== this.#turns.get(from)) return;
    this.#count = { known: Math.max(this.#count.known, known), isComplete: this.#count.isComplete || isComplete };
    for (const segment of segments) this.#known.set(segment.number, segment);
    this.#changed();
  }

  /**
   * The number of segments according to the latest window, or to the session, which is updated.
   *
   * @param {{ known: number, isComplete: boolean }} session
   */
  countWith({ known, isComplete }) {
    return { known: Math.max(known, this.#count.known), isComplete: isComplete || this.#count.isComplete };
  }

  /**
   * The first segment of another paragraph.
   *
   * @param {number} number
   * @param {1 | -1} step To the next paragraph, or to the start of the previous one.
   * @returns {number | null} `null` when unknown.
   */
  paragraphFrom(number, step) {
    const here = this.#known.get(number);
    if (here === undefined) return null;
    let wanted = number + step;
    while (this.#known.get(wanted)?.paragraph === here.paragraph) wanted += step;
    const found = this.#known.get(wanted);
    if (found === undefined) return step < 0 && number > 1 ? 1 : null;
    while (step < 0 && this.#known.get(wanted - 1)?.paragraph === found.paragraph) wanted -= 1;
    return wanted;
  }

  /**
   * @param {number} number
   * @param {boolean} isHard
   */
  markHard(number, isHard) {
    const segment = this.#known.get(number);
    if (segment === undefined) return;
    this.#known.set(number, { ...segment, isHard });
    this.#changed();
  }

  /**
   * Requests again what may have changed, the marks of hard segments: at once for a segment and those before it, for
   * others on demand.
   *
   * @param {number} number
   */
  async renew(number) {
    const held = [...this.#asked.keys()];
    this.#asked.clear();
    const near = [number, number - windowSize].filter((one) => held.includes(one - ((one - 1) % windowSize)));
    await Promise.all(near.map((one) => this.need(one)));
  }

  /** Drops all, because another segmentation has other segments. */
  forget() {
    this.#turns.clear();
    this.#count = { known: 0, isComplete: false };
    this.#known.clear();
    this.#asked.clear();
  }
}

/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/**
 * The word being spoken, or the last one before a short silence.
 *
 * @param {SegmentTiming | null} timing
 * @param {number} seconds
 * @returns {{ from: number, to: number } | null} Its place in the text; `null` before the first word and after the
 * last.
 */
export function wordAt(timing, seconds) {
  if (timing === null || seconds >= timing.seconds) return null;
  const { words } = timing;
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? Infinity) <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word === undefined ? null : { from: word.from, to: word.to };
}

/** How many segments' sounds are cached; the least recently used is dropped first. */
const maximumHeld = 8;

/**
 * The sound of a segment at a rate.
 *
 * @template {{ readonly arrived: Promise<unknown> }} Sound
 * @typedef {object} SegmentSound
 * @property {Sound} sound
 * @property {Promise<SegmentTiming | null>} timing `null` when it could not be loaded: then the words are not
 * highlighted.
 */

/**
 * @template {{ readonly arrived: Promise<unknown> }} Sound
 * @typedef {object} SoundParts
 * @property {(segment: number, rate: number) => Promise<Sound>} load Fulfilled when it can be played.
 * @property {(segment: number, rate: number) => Promise<SegmentTiming>} loadTiming
 */

/**
 * The sounds of segments, loaded ahead so that playback does not wait.
 *
 * @template {{ readonly arrived: Promise<unknown> }} Sound
 */
export class SegmentSounds {
  #parts;
  /** @type {Map<string, Promise<SegmentSound<Sound>>>} */
  #held = new Map();

  /** @param {SoundParts<Sound>} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {number} segment
   * @param {number} rate
   * @returns {Promise<SegmentSound<Sound>>}
   */
  load(segment, rate) {
    const key = `${segment} ${rate.toFixed(3)}`;
    const loading = this.#held.get(key) ?? this.#bring(segment, rate);
    this.#held.delete(key);
    this.#held.set(key, loading);
    // It will be requested again, as the rest of it is lost.
    const fail = () => this.#held.get(key) === loading && this.#held.delete(key);
    loading.then(({ sound }) => sound.arrived).catch(fail);
    for (const old of this.#held.keys()) {
      if (this.#held.size <= maximumHeld) break;
      this.#held.delete(old);
    }
    return loading;
  }

  /** Drops all, because another voice or segmentation has other sounds. */
  forget() {
    this.#held.clear();
  }

  /**
   * @param {number} segment
   * @param {number} rate
   */
  async #bring(segment, rate) {
    const sound = await this.#parts.load(segment, rate);
    // The server knows the times only then, and a browser has few connections that can wait.
    const timing = sound.arrived.then(() => this.#parts.loadTiming(segment, rate)).catch(() => null);
    return { sound, timing };
  }
}

/** The bytes of a WAV file's header, as the server writes it. */
const headerLength = 44;

/** Seconds of sound that are played before all of it has arrived; less would begin no sooner, and might halt. */
const least = 0.25;

/** A sound that can be played while it arrives. */
export class ArrivingSound {
  /** Called when more of it has arrived. */
  changed = () => {};
  /** Fulfilled when all of it has arrived. */
  arrived;
  #samples = new SampleWindow(0);
  #isWhole = false;

  /**
   * @param {number} rate In samples a second.
   * @param {Uint8Array} first The beginning, 16-bit mono.
   * @param {ReadableStreamDefaultReader<Uint8Array>} rest
   * @param {() => Promise<ArrayBuffer>} loadWhole Loads all of it as a WAV file when the rest fails, or says why not.
   */
  constructor(rate, first, rest, loadWhole) {
    this.rate = rate;
    this.#samples.append(first);
    this.arrived = this.#read(rest, loadWhole);
    this.arrived.catch(() => {}); // it is reported to whoever plays it
  }

  /** The number of samples so far. */
  get count() {
    return this.#samples.end;
  }

  /** Whether all of it is here. */
  get isWhole() {
    return this.#isWhole;
  }

  /** In seconds, so far. */
  get duration() {
    return this.count / this.rate;
  }

  /**
   * The sound from a sample on, as far as it is here.
   *
   * @param {number} from
   * @returns {AudioBuffer | null} `null` as long as that is too little to be played, and after the end.
   */
  after(from) {
    const count = this.count - from;
    return count <= 0 || (!this.#isWhole && count < least * this.rate) ? null : bufferOf(this.#samples.read(from, count), this.rate);
  }

  /** All of it, once it is here. */
  async whole() {
    await this.arrived;
    return bufferOf(this.#samples.read(0, this.count), this.rate);
  }

  /**
   * @param {ReadableStreamDefaultReader<Uint8Array>} rest
   * @param {() => Promise<ArrayBuffer>} loadWhole
   */
  async #read(rest, loadWhole) {
    try {
      for (let next = await rest.read(); !next.done; next = await rest.read()) {
        this.#samples.append(next.value);
        this.changed();
      }
    } catch {
      const whole = new SampleWindow(0);
      whole.append(new Uint8Array(await loadWhole(), headerLength));
      this.#samples = whole;
    }
    if (this.count === 0) this.#samples.append(new Uint8Array(2)); // a buffer cannot be empty
    this.#isWhole = true;
    this.changed();
  }
}

/**
 * A sound whose header has arrived.
 *
 * @param {Response} response A WAV file of 16-bit mono that may arrive while it is made.
 * @param {() => Promise<ArrayBuffer>} loadWhole Loads all of it when the rest fails, or says why not.
 * @returns {Promise<ArrivingSound>}
 */
export async function arrivingSound({ body }, loadWhole) {
  const reader = /** @type {ReadableStream<Uint8Array>} */ (body).getReader();
  let first = new Uint8Array(0);
  try {
    while (first.length < headerLength) {
      const { done, value } = await reader.read();
      if (done) break;
      const joined = new Uint8Array(first.length + value.length);
      joined.set(first);
      joined.set(value, first.length);
      first = joined;
    }
  } catch {
    return arrivingSound(new Response(await loadWhole()), loadWhole);
  }
  const { sampleRate } = readWave(first.slice(0, headerLength).buffer);
  return new ArrivingSound(sampleRate, first.subarray(headerLength), reader, loadWhole);
}

/** Seconds over which an interrupted sound fades out, to avoid a click. */
const fade = 0.015;

/**
 * The part of a sound that is scheduled or played.
 *
 * @typedef {object} Playing
 * @property {GainNode} gain
 * @property {AudioBufferSourceNode[]} sources
 * @property {number} next The first sample that is not scheduled.
 * @property {boolean} isSilent Whether all that is scheduled has been played.
 */

/** @typedef {Pick<ArrivingSound, "rate" | "count" | "isWhole" | "duration" | "after" | "changed">} PlayableSound */

/** Plays one sound at a time, also while it arrives, with pause and resume. */
export class SegmentPlayer {
  #context;
  /** @type {PlayableSound | null} */
  #sound = null;
  /** @type {Playing | null} */
  #playing = null;
  /** When it would have started without pauses, in seconds of the context. */
  #start = 0;
  /** The position where it is paused, in seconds. */
  #rests = 0;
  #ended = () => {};

  /** @param {AudioContext} context */
  constructor(context) {
    this.#context = context;
  }

  get isPlaying() {
    return this.#playing !== null;
  }

  /** The playback position, in seconds of the sound. */
  get time() {
    if (this.#playing === null) return this.#rests;
    const { currentTime, outputLatency = 0 } = this.#context;
    return this.#reached(currentTime - outputLatency);
  }

  /**
   * Plays a sound instead of the previous one.
   *
   * @param {PlayableSound} sound
   * @param {() => void} ended Called once, unless it is stopped first.
   */
  play(sound, ended) {
    this.stop();
    this.#sound = sound;
    this.#ended = ended;
    sound.changed = () => this.#sound === sound && this.#schedule();
    this.#begin(0);
  }

  suspend() {
    if (this.#playing === null) return;
    this.#rests = this.#reached(this.#context.currentTime);
    this.#silence();
  }

  resume() {
    if (this.#sound === null || this.#playing !== null) return;
    this.#begin(this.#rests);
  }

  stop() {
    this.#silence();
    this.#sound = null;
    this.#rests = 0;
    this.#ended = () => {};
  }

  /**
   * The position at a time of the context; what has arrived but is not scheduled is still to come.
   *
   * @param {number} at
   */
  #reached(at) {
    const scheduled = (this.#playing?.next ?? 0) / (this.#sound?.rate ?? 1);
    return Math.max(0, Math.min(scheduled, at - this.#start));
  }

  /** @param {number} from Seconds. */
  #begin(from) {
    const gain = this.#context.createGain();
    gain.connect(this.#context.destination);
    const { rate, count } = /** @type {PlayableSound} */ (this.#sound);
    // At the end a sample is left, since it is the end of a source that ends the sound.
    const next = Math.max(0, Math.min(Math.round(from * rate), count - 1));
    this.#playing = { gain, sources: [], next, isSilent: true };
    this.#start = this.#context.currentTime - next / rate;
    this.#schedule();
  }

  /** Lets what has arrived follow what is played, or come at once where that is over. */
  #schedule() {
    const [sound, playing] = [this.#sound, this.#playing];
    if (sound === null || playing === null) return;
    const buffer = sound.after(playing.next);
    if (buffer === null) {
      if (playing.isSilent && sound.isWhole) this.#end();
      return;
    }
    const { currentTime } = this.#context;
    const due = this.#start + playing.next / sound.rate;
    if (due < currentTime) this.#start += currentTime - due;
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(playing.gain);
    source.onended = () => {
      if (this.#playing !== playing || playing.sources.at(-1) !== source) return;
      playing.isSilent = true;
      this.#schedule();
    };
    playing.sources.push(source);
    playing.isSilent = false;
    playing.next += buffer.length;
    source.start(Math.max(due, currentTime), 0);
  }

  #end() {
    const ended = this.#ended;
    this.#playing = null;
    this.#rests = this.#sound?.duration ?? 0;
    this.#ended = () => {};
    ended();
  }

  #silence() {
    const playing = this.#playing;
    this.#playing = null;
    if (playing === null) return;
    const { currentTime } = this.#context;
    playing.gain.gain.setValueAtTime(1, currentTime);
    playing.gain.gain.linearRampToValueAtTime(0, currentTime + fade);
    for (const source of playing.sources) source.stop(currentTime + fade);
  }
}

/** @typedef {import("../../../core/store.js").Cell<import("../../../server/practice.js").PracticeSession>} SessionCell */

/**
 * Drops what is known of segments when the text is segmented differently, here or elsewhere: their numbers then mean
 * other segments.
 *
 * @param {SessionCell} session
 * @param {readonly { forget: () => void }[]} known
 * @param {() => void} changed Called after that.
 * @param {AbortSignal} signal Ends it.
 */
export function forgetWithCut(session, known, changed, signal) {
  let { granularity } = session.value.settings;
  session.watch(({ settings }) => {
    if (settings.granularity === granularity) return;
    granularity = settings.granularity;
    for (const one of known) one.forget();
    changed();
  }, signal);
}

/**
 * Reads a WAV file of 16-bit mono without an audio context, which can only be made after a press.
 *
 * @param {ArrayBuffer} bytes
 * @returns {{ sampleRate: number, samples: Float32Array }}
 */
export function readWave(bytes) {
  const view = new DataView(bytes);
  const word = (/** @type {number} */ at) => String.fromCharCode(...new Uint8Array(bytes, at, 4));
  if (bytes.byteLength < 44 || word(0) !== "RIFF" || word(8) !== "WAVE") throw new Error("no WAV file");
  let sampleRate = 0;
  for (let at = 12; at + 8 <= bytes.byteLength; ) {
    const [name, size] = [word(at), view.getUint32(at + 4, true)];
    if (name === "fmt ") {
      if (view.getUint16(at + 10, true) !== 1 || view.getUint16(at + 22, true) !== 16) throw new Error("no 16-bit mono");
      sampleRate = view.getUint32(at + 12, true);
    }
    // A streamed file may not know its length.
    if (name === "data") {
      const sound = new SampleWindow(0);
      sound.append(new Uint8Array(bytes, at + 8, Math.min(size, bytes.byteLength - at - 8)));
      return { sampleRate, samples: sound.read(0, sound.end) };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error("a WAV file without sound");
}

/**
 * The same as a playable buffer; some silence when there is no sound, since a buffer cannot be empty.
 *
 * @param {ArrayBuffer} bytes
 * @returns {AudioBuffer}
 */
export function soundOf(bytes) {
  const { sampleRate, samples } = readWave(bytes);
  return bufferOf(samples, sampleRate);
}

/**
 * @param {Float32Array} samples
 * @param {number} sampleRate
 */
function bufferOf(samples, sampleRate) {
  const sound = new AudioBuffer({ length: Math.max(1, samples.length), sampleRate, numberOfChannels: 1 });
  sound.copyToChannel(samples, 0);
  return sound;
}

/** @typedef {Pick<MediaDeviceInfo, "kind" | "deviceId" | "groupId">} Device */

/**
 * Whether the loudspeaker that was the browser's default was disconnected, as far as it names them: without permission
 * for a microphone, some name none.
 *
 * @param {readonly Device[]} before
 * @param {readonly Device[]} now
 */
export function isOutputLost(before, now) {
  const outputs = (/** @type {readonly Device[]} */ all) => all.filter(({ kind }) => kind === "audiooutput");
  const [had, has] = [outputs(before), outputs(now)];
  if (had.length === 0 || has.length === 0) return had.length > 0;
  const used = had.find(({ deviceId }) => deviceId === "default")?.groupId ?? "";
  return used !== "" && has.every(({ groupId }) => groupId !== used);
}

/** @typedef {"segmentEnd" | "navigation" | "finished"} Signal */

/**
 * The sound and vibration of a signal.
 *
 * @type {Readonly<Record<Signal, { tones: readonly number[], touch: readonly number[] }>>}
 */
const kinds = {
  segmentEnd: { tones: [660], touch: [40] },
  navigation: { tones: [440], touch: [15] },
  finished: { tones: [523, 659, 784], touch: [40, 60, 40, 60, 80] },
};

/** Seconds of a tone, and from the start of one to the next. */
const toneLength = 0.12;
const toneStep = 0.14;

/** Seconds for which a room still returns a tone. */
const reverberation = 0.08;

/** Volume of a tone, from 0 to 1: quieter than the voice. */
const loudness = 0.12;

/**
 * Milliseconds for which a signal is visible.
 */
export const pulseTime = 450;

/** Signals that a segment has ended or another begins: with a tone, a vibration and a flash. */
export class Signals {
  #context;
  #settings;
  #pulse;
  #vibrate;
  /** When the last tone ends, in seconds of the context. */
  #end = -Infinity;

  /**
   * @param {AudioContext} context
   * @param {object} parts
   * @param {() => { earcon: boolean, vibration: boolean, pulse: boolean }} parts.settings
   * @param {(signal: Signal) => void} parts.pulse Shows it.
   * @param {(pattern: number[]) => unknown} [parts.vibrate]
   */
  constructor(context, { settings, pulse, vibrate = (pattern) => navigator.vibrate?.(pattern) }) {
    this.#context = context;
    this.#settings = settings;
    this.#pulse = pulse;
    this.#vibrate = vibrate;
  }

  /** Seconds for which a tone is still heard. */
  get remaining() {
    const { currentTime, outputLatency = 0 } = this.#context;
    return Math.max(0, this.#end + outputLatency + reverberation - currentTime);
  }

  /** @param {Signal} signal */
  give(signal) {
    const { earcon, vibration, pulse } = this.#settings();
    const { tones, touch } = kinds[signal];
    if (earcon) tones.forEach((hertz, index) => this.#tone(hertz, index * toneStep));
    if (vibration) this.#vibrate([...touch]);
    if (pulse) this.#pulse(signal);
  }

  /**
   * @param {number} hertz
   * @param {number} after Seconds.
   */
  #tone(hertz, after) {
    const start = this.#context.currentTime + after;
    const tone = this.#context.createOscillator();
    const gain = this.#context.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, start + toneLength);
    tone.connect(gain).connect(this.#context.destination);
    tone.start(start);
    tone.stop(start + toneLength);
    this.#end = Math.max(this.#end, start + toneLength);
  }
}
