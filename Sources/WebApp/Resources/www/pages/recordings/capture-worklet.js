import { Resampler } from "./resampler.js";
import { Chunker, Meter, mixed } from "./samples.js";

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
 * @property {import("./samples.js").Level} [level]
 * @property {boolean} [isFlushed]
 */

// A page imports this module as well, for its address.
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
