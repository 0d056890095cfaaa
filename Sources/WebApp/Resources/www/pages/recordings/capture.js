/**
 * Captures a microphone's sound in the audio thread: resamples it, and sends it to the page in chunks; the page detects with it
 * what never came. Nothing here uses the document.
 */

/** The address of this module, for loading it into the audio thread. */
export const captureWorklet = import.meta.url;

/** Chunks, unless others are asked for, and level measurements per second. */
const usualChunks = 4;
const levelsPerSecond = 20;

/** Seconds that the audio context passes over until they are reported. */
const leastSkipped = 0.2;

/**
 * Messages from a page to the processor.
 *
 * @typedef {{ isPaused?: boolean, isMetered?: boolean, flush?: boolean }} CaptureOrder
 */

/**
 * Messages from the processor to the page: a chunk, a level, or that everything was sent. A chunk comes with the number of
 * the frame at its end, how many frames were passed over before it, and the time, in milliseconds.
 *
 * @typedef {object} CaptureNews
 * @property {ArrayBuffer} [chunk]
 * @property {number} [frame]
 * @property {number} [skipped]
 * @property {number} [heard]
 * @property {Level} [level]
 * @property {boolean} [isFlushed]
 */

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

// A page imports this module as well, for its address and for what detects missed sound.
if ("registerProcessor" in globalThis) {
  /** Turns a microphone's sound into numbered chunks: mono, 16 bits, at the requested rate. */
  class Capture extends AudioWorkletProcessor {
    #isPaused = true;
    #isMetered = false;
    #chunker;
    #meter;
    /** The frame that comes next if none is passed over; `null` where a gap is intended. */
    #next = /** @type {number | null} */ (null);
    #skipped = 0;
    /** @type {Resampler | null} */
    #resampler;

    /**
     * @param {{ processorOptions: { rate: number, chunksPerSecond?: number } }} options `rate`: that of the chunks, in
     * hertz.
     */
    constructor({ processorOptions: { rate, chunksPerSecond = usualChunks } }) {
      super();
      this.#chunker = new Chunker(Math.round(rate / chunksPerSecond), ({ buffer }) => this.#postChunk(buffer));
      this.#meter = new Meter(Math.round(sampleRate / levelsPerSecond), (level) => this.#post({ level }));
      this.#resampler = rate === sampleRate ? null : new Resampler(sampleRate, rate);
      this.port.onmessage = ({ data }) => this.#follow(data);
    }

    /** @param {CaptureOrder} order */
    #follow({ isPaused, isMetered, flush = false }) {
      this.#isPaused = isPaused ?? this.#isPaused;
      this.#isMetered = isMetered ?? this.#isMetered;
      if (!flush) return;
      if (this.#resampler !== null) this.#chunker.push(this.#resampler.finish());
      this.#chunker.flush();
      this.#post({ isFlushed: true });
    }

    /** @param {ArrayBuffer} chunk */
    #postChunk(chunk) {
      const skipped = this.#skipped < leastSkipped * sampleRate ? 0 : this.#skipped;
      this.#skipped -= skipped;
      this.#post({ chunk, frame: this.#next ?? currentFrame, skipped, heard: Date.now() }, [chunk]);
    }

    /**
     * @param {CaptureNews} news
     * @param {Transferable[]} transferred
     */
    #post(news, transferred = []) {
      this.port.postMessage(news, transferred);
    }

    /** @param {Float32Array[][]} inputs */
    process([channels = []]) {
      if (channels.length === 0) {
        this.#next = null; // between two microphones
        return true;
      }
      const sound = mixed(channels);
      if (this.#isMetered) this.#meter.push(sound);
      if (this.#isPaused) this.#next = null;
      else {
        this.#skipped += currentFrame - (this.#next ?? currentFrame);
        this.#next = currentFrame + sound.length;
        this.#chunker.push(this.#resampler?.push(sound) ?? sound);
      }
      return true;
    }
  }

  registerProcessor("echo-capture", Capture);
}

/** Seconds between two checks of how late the frames come. */
const lookedAfter = 3;

/** Seconds at the beginning in which frames come early, until a browser's buffers are full. */
const settling = 1;

/** Seconds by which frames fall behind at once only where some are missing: browsers hold about 0.1 s back. */
const leastMissed = 0.2;

/** Seconds that late frames make up between two checks, at the least, while they still come. */
const leastMadeUp = 0.05;

/** The part by which the clocks of a sound card and of the machine may differ. */
const drift = 0.002;

/** How late frames come by one clock, in seconds. */
class Lateness {
  /** How late the earliest frame was before; `null` at first. */
  #usual = /** @type {number | null} */ (null);
  #earliest = Infinity;

  /**
   * @param {number} late
   * @returns {number} How much later than usual it is.
   */
  push(late) {
    this.#earliest = Math.min(this.#earliest, late);
    return late - (this.#usual ?? this.#earliest);
  }

  /** How much later than usual the earliest frame was. */
  get later() {
    return this.#earliest - (this.#usual ?? this.#earliest);
  }

  /**
   * Begins the next check.
   *
   * @param {number} later How late the frames were by all clocks; where this one differs much, it was set.
   * @param {number} missed How much of that is missing.
   */
  settle(later, missed) {
    const own = this.later;
    if (missed > 0) this.#usual = (this.#usual ?? 0) + missed;
    else if (later < leastMissed) {
      const known = own - later >= leastMissed ? later : own;
      this.#usual = this.#earliest - Math.max(0, known - drift * lookedAfter);
    }
    this.#earliest = Infinity;
  }
}

/**
 * Detects sound that never came, because the machine was too busy: the frames that the audio context counts stay as late, by
 * each of two clocks. Frames that are only late catch up, however slowly, and are not missing; a clock that
 * is set, or a page that is slow, makes them late by one clock only.
 */
export class MissedSound {
  #rate;
  #emit;
  #clocks = [new Lateness(), new Lateness()];
  #first = /** @type {number | null} */ (null);
  /** Where the check began: a frame, and milliseconds. */
  #start = /** @type {{ frame: number, now: number } | null} */ (null);
  /** How late all were at the last check. */
  #before = 0;
  /** The last frame that was in time. */
  #inTime = 0;

  /**
   * @param {number} rate Of the frames, in hertz.
   * @param {(seconds: number, ago: number) => void} emit Called with the length of what is missing, and of the sound that has
   *   come since.
   */
  constructor(rate, emit) {
    this.#rate = rate;
    this.#emit = emit;
  }

  /**
   * @param {number} frame The number of a frame.
   * @param {number} heard When it was heard, in milliseconds of a clock that a person may set.
   * @param {number} now When that is known here, in milliseconds of a clock that never jumps.
   */
  push(frame, heard, now) {
    this.#first ??= frame;
    if (frame - this.#first < settling * this.#rate) return;
    const start = (this.#start ??= { frame, now });
    const times = [heard, now];
    const late = this.#clocks.map((clock, index) => clock.push((times[index] ?? 0) / 1_000 - frame / this.#rate));
    if (Math.min(...late) < leastMissed) this.#inTime = frame;
    // Both: many frames that come at once, after a while without any, are one check.
    if (frame - start.frame < lookedAfter * this.#rate || now - start.now < lookedAfter * 1_000) return;
    const later = Math.min(...this.#clocks.map((clock) => clock.later));
    const isForGood = Math.min(later, this.#before) >= leastMissed && later > this.#before - leastMadeUp;
    const missed = isForGood ? Math.min(later, this.#before) : 0;
    for (const clock of this.#clocks) clock.settle(later, missed);
    this.#before = later - missed;
    this.#start = { frame, now };
    if (missed === 0) return;
    this.#emit(missed, (frame - this.#inTime) / this.#rate);
    this.#inTime = frame;
  }

  /** Forgets what came before an intended gap. */
  reset() {
    this.#clocks = [new Lateness(), new Lateness()];
    this.#first = this.#start = null;
    this.#before = 0;
  }
}
