/** The processing of sound from a microphone to a chunk; it uses neither the document nor an audio context. */

/**
 * A sample as 16 bits, clipped if it is too loud.
 *
 * @param {number} sample From −1 to 1.
 */
export function quantised(sample) {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_768)));
}

/**
 * All channels mixed to one, as their mean.
 *
 * @param {readonly Float32Array[]} channels
 * @returns {Float32Array}
 */
export function mixed(channels) {
  const [first = new Float32Array(0), ...others] = channels;
  if (others.length === 0) return first;
  return first.map((sample, place) => others.reduce((sum, channel) => sum + (channel[place] ?? 0), sample) / channels.length);
}

/** Splits sound into chunks of 16-bit samples. */
export class Chunker {
  #chunk;
  #filled = 0;
  #emit;

  /**
   * @param {number} size Samples per chunk.
   * @param {(chunk: Int16Array) => void} emit Called with each chunk, and owns it from then on.
   */
  constructor(size, emit) {
    this.#chunk = new Int16Array(size);
    this.#emit = emit;
  }

  /** @param {Float32Array} samples */
  push(samples) {
    for (const sample of samples) {
      this.#chunk[this.#filled] = quantised(sample);
      this.#filled += 1;
      if (this.#filled === this.#chunk.length) this.flush();
    }
  }

  /** Emits the incomplete chunk. */
  flush() {
    if (this.#filled === 0) return;
    const chunk = this.#chunk.slice(0, this.#filled);
    this.#filled = 0;
    this.#emit(chunk);
  }
}

/**
 * A sound level.
 *
 * @typedef {object} Level
 * @property {number} peak From 0 to 1.
 * @property {number} rms From 0 to 1.
 */

/** Measures the level of sound in blocks. */
export class Meter {
  #size;
  #emit;
  #count = 0;
  #peak = 0;
  #squares = 0;

  /**
   * @param {number} size Samples per measurement.
   * @param {(level: Level) => void} emit
   */
  constructor(size, emit) {
    this.#size = size;
    this.#emit = emit;
  }

  /** @param {Float32Array} samples */
  push(samples) {
    for (const sample of samples) {
      this.#peak = Math.max(this.#peak, Math.abs(sample));
      this.#squares += sample * sample;
      this.#count += 1;
      if (this.#count < this.#size) continue;
      const level = { peak: Math.min(1, this.#peak), rms: Math.min(1, Math.sqrt(this.#squares / this.#count)) };
      this.#count = this.#peak = this.#squares = 0;
      this.#emit(level);
    }
  }
}

/** The seconds after which it is looked how late the frames come. */
const lookedAfter = 2;

/** Seconds by which frames fall behind at once only where some are missing: browsers hold about 0.1 s back. */
const leastMissed = 0.2;

/** The part by which the clocks of a sound card and of the machine may differ. */
const drift = 0.002;

/**
 * Detects sound that never came, as the machine was too busy for it: the frames are late by as much for good. Those that
 * are only late come soon after one another, so that the earliest of some seconds shows it.
 */
export class MissedSound {
  #rate;
  #emit;
  /** How late the earliest frame was before, in seconds; `null` at first. */
  #usual = /** @type {number | null} */ (null);
  #earliest = Infinity;
  #start = /** @type {number | null} */ (null);

  /**
   * @param {number} rate Of the frames, in hertz.
   * @param {(seconds: number) => void} emit Called with the length of what is missing.
   */
  constructor(rate, emit) {
    this.#rate = rate;
    this.#emit = emit;
  }

  /**
   * @param {number} frame The number of a frame that comes now.
   * @param {number} now Milliseconds of any clock.
   */
  push(frame, now) {
    const start = (this.#start ??= frame);
    this.#earliest = Math.min(this.#earliest, now / 1_000 - frame / this.#rate);
    if (frame - start < lookedAfter * this.#rate) return;
    const later = this.#earliest - (this.#usual ?? this.#earliest);
    const isMissed = later >= leastMissed;
    this.#usual = this.#earliest - (isMissed ? 0 : Math.max(0, later - drift * lookedAfter));
    if (isMissed) this.#emit(later);
    this.#start = frame;
    this.#earliest = Infinity;
  }

  /** Forgets what came before, after which a gap is meant. */
  reset() {
    this.#usual = this.#start = null;
    this.#earliest = Infinity;
  }
}

/** The lowest level that a meter shows, in decibels below full scale. */
export const quietest = 60;

/**
 * The fraction of a meter that a level fills, from 0 to 1; linear in decibels.
 *
 * @param {number} value From 0 to 1.
 */
export function part(value) {
  return value <= 0 ? 0 : Math.max(0, Math.min(1, 1 + (20 * Math.log10(value)) / quietest));
}

/**
 * The filter's zero crossings on each side, table steps between two of them, and the ratio of its bandwidth to the
 * sound's. With these, attenuation reaches 80 dB at the band's edge, and the passband is flat up to nine tenths of it.
 */
const crossings = 48;
const steps = 512;
const width = 0.945;

/**
 * A side of a sinc under a Kaiser window with side lobes at −80 dB, and zeros beyond its end.
 *
 * @see Oppenheim and Schafer, Discrete-Time Signal Processing, section 7.5.3.
 */
const kernel = Float64Array.from({ length: (crossings + 1) * steps + 2 }, (_, place) => {
  const time = place / steps;
  if (time >= crossings) return 0;
  const sinc = time === 0 ? 1 : Math.sin(Math.PI * time) / (Math.PI * time);
  return (sinc * bessel(7.86 * Math.sqrt(1 - (time / crossings) ** 2))) / bessel(7.86);
});

/**
 * The modified Bessel function of the first kind, of order 0.
 *
 * @param {number} value
 */
function bessel(value) {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > sum * 1e-12; n += 1) {
    term *= (value / (2 * n)) ** 2;
    sum += term;
  }
  return sum;
}

/** Resamples sound that arrives in pieces; nothing is lost or duplicated between them. */
export class Resampler {
  #ratio;
  /** The ratio of the filter's bandwidth to half the sound's rate. */
  #scale;
  /** Input samples per output sample, on each side. */
  #reach;
  #kept = new Float32Array(0);
  /** The number of samples before the buffered ones; some samples of silence precede all. */
  #dropped = 0;
  #made = 0;

  /**
   * @param {number} from In hertz.
   * @param {number} to In hertz.
   */
  constructor(from, to) {
    this.#ratio = from / to;
    this.#scale = Math.min(1, to / from) * width;
    this.#reach = Math.ceil(crossings / this.#scale);
    this.#begin();
  }

  #begin() {
    this.#kept = new Float32Array(this.#reach);
    this.#dropped = -this.#reach;
    this.#made = 0;
  }

  /**
   * @param {Float32Array} samples
   * @returns {Float32Array} The output available so far.
   */
  push(samples) {
    const all = new Float32Array(this.#kept.length + samples.length);
    all.set(this.#kept);
    all.set(samples, this.#kept.length);
    const end = this.#dropped + all.length - this.#reach;
    const count = Math.max(0, Math.ceil(end / this.#ratio) - this.#made);
    const output = new Float32Array(count);
    for (let place = 0; place < count; place += 1) {
      output[place] = this.#sample(all, (this.#made + place) * this.#ratio - this.#dropped);
    }
    this.#made += count;
    const unneeded = Math.max(0, Math.floor(this.#made * this.#ratio) - this.#reach - this.#dropped);
    this.#kept = all.slice(unneeded);
    this.#dropped += Math.min(unneeded, all.length);
    return output;
  }

  /** The rest of the sound; samples after that are a new sound. */
  finish() {
    const last = this.push(new Float32Array(this.#reach));
    this.#begin();
    return last;
  }

  /**
   * @param {Float32Array} samples
   * @param {number} place
   */
  #sample(samples, place) {
    const first = Math.max(0, Math.ceil(place - this.#reach));
    const last = Math.min(samples.length - 1, Math.floor(place + this.#reach));
    const scale = this.#scale * steps;
    let sum = 0;
    for (let one = first; one <= last; one += 1) {
      const time = Math.abs(place - one) * scale;
      const step = Math.floor(time);
      const here = kernel[step];
      sum += samples[one] * (here + (kernel[step + 1] - here) * (time - step));
    }
    return sum * this.#scale;
  }
}

/**
 * A WAV file of 16-bit mono.
 *
 * @param {readonly ArrayBuffer[]} chunks
 * @param {number} sampleRate In hertz.
 * @param {{ name: string, content: Uint8Array }} [note] A part before the sound, which other programs skip; its name has
 *   four letters.
 * @returns {Blob}
 */
export function waveFile(chunks, sampleRate, note) {
  const length = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  // Each part has an even length.
  const noteLength = note === undefined ? 0 : 8 + note.content.length + (note.content.length % 2);
  const header = new DataView(new ArrayBuffer(44 + noteLength));
  const word = (/** @type {number} */ place, /** @type {string} */ text) =>
    [...text].forEach((letter, index) => header.setUint8(place + index, letter.charCodeAt(0)));
  word(0, "RIFF");
  header.setUint32(4, 36 + noteLength + length, true);
  word(8, "WAVEfmt ");
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, 1, true); // channels
  header.setUint32(24, sampleRate, true);
  header.setUint32(28, 2 * sampleRate, true); // bytes per second
  header.setUint16(32, 2, true); // bytes per frame
  header.setUint16(34, 16, true); // bits per sample
  if (note !== undefined) {
    word(36, note.name);
    header.setUint32(40, note.content.length, true);
    new Uint8Array(header.buffer).set(note.content, 44);
  }
  word(36 + noteLength, "data");
  header.setUint32(40 + noteLength, length, true);
  return new Blob([header, ...chunks], { type: "audio/wav" });
}
