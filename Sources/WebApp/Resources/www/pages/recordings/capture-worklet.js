import { Chunker, Meter, MissedSound, mixed, Resampler } from "./samples.js";

/** The address of this module, for loading it into the audio thread. */
export const captureWorklet = import.meta.url;

/** Chunks, unless others are asked for, and level measurements per second. */
const usualChunks = 4;
const levelsPerSecond = 20;

/**
 * Messages from a page to the processor.
 *
 * @typedef {{ isPaused?: boolean, isMetered?: boolean, flush?: boolean }} CaptureOrder
 */

/**
 * Messages from the processor to the page: a chunk, a level, that seconds of sound are missing, or that everything was
 * sent.
 *
 * @typedef {{ chunk?: ArrayBuffer, level?: import("./samples.js").Level, missed?: number, isFlushed?: boolean }} CaptureNews
 */

// A page imports this module as well, for its address.
if ("registerProcessor" in globalThis) {
  /** Turns a microphone's sound into numbered chunks: mono, 16 bits, at the requested rate. */
  class Capture extends AudioWorkletProcessor {
    #isPaused = true;
    #isMetered = false;
    #chunker;
    #meter;
    #missed = new MissedSound(sampleRate, (missed) => this.#post({ missed }));
    /** @type {Resampler | null} */
    #resampler;

    /**
     * @param {{ processorOptions: { rate: number, chunksPerSecond?: number } }} options `rate`: that of the chunks, in
     * hertz.
     */
    constructor({ processorOptions: { rate, chunksPerSecond = usualChunks } }) {
      super();
      this.#chunker = new Chunker(Math.round(rate / chunksPerSecond), ({ buffer }) => this.#post({ chunk: buffer }, [buffer]));
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

    /**
     * @param {CaptureNews} news
     * @param {Transferable[]} transferred
     */
    #post(news, transferred = []) {
      this.port.postMessage(news, transferred);
    }

    /** @param {Float32Array[][]} inputs */
    process([channels = []]) {
      if (channels.length === 0) return true; // between two microphones
      const sound = mixed(channels);
      if (this.#isMetered) this.#meter.push(sound);
      if (this.#isPaused) this.#missed.reset();
      else {
        this.#missed.push(currentFrame, Date.now());
        this.#chunker.push(this.#resampler?.push(sound) ?? sound);
      }
      return true;
    }
  }

  registerProcessor("echo-capture", Capture);
}
