import { openNarrationSound } from "../server/narrations.js";

/** The buffered part of a stream of samples: recently played and coming next. */
export class SampleWindow {
  /** @type {Int16Array[]} */
  #blocks = [];
  #first;
  #end;
  /** The first byte of a sample whose second has not arrived. */
  #half = /** @type {number | null} */ (null);

  /** @param {number} first The number of the first sample. */
  constructor(first) {
    this.#first = first;
    this.#end = first;
  }

  /** The first buffered sample. */
  get first() {
    return this.#first;
  }

  /** The sample after the last. */
  get end() {
    return this.#end;
  }

  /**
   * @param {Uint8Array} bytes Signed 16-bit little-endian; may start and end in the middle of a sample.
   */
  append(bytes) {
    const whole = this.#half === null ? bytes : Uint8Array.of(this.#half, ...bytes.subarray(0, 1));
    if (this.#half !== null && whole.length === 2) {
      this.#half = null;
      this.#add(whole);
      bytes = bytes.subarray(1);
    }
    if (bytes.length % 2 === 1) {
      this.#half = bytes[bytes.length - 1];
      bytes = bytes.subarray(0, bytes.length - 1);
    }
    this.#add(bytes);
  }

  /**
   * @param {number} from
   * @param {number} count
   * @returns {Float32Array} Between −1 and 1; shorter if the window ends first.
   */
  read(from, count) {
    const start = Math.max(from, this.#first);
    const made = new Float32Array(Math.max(0, Math.min(from + count, this.#end) - start));
    let blockStart = this.#first;
    for (const block of this.#blocks) {
      const blockEnd = blockStart + block.length;
      const low = Math.max(start, blockStart);
      const high = Math.min(start + made.length, blockEnd);
      for (let sample = low; sample < high; sample += 1) made[sample - start] = block[sample - blockStart] / 32_768;
      if (blockEnd >= start + made.length) break;
      blockStart = blockEnd;
    }
    return made;
  }

  /**
   * Drops whole blocks before a sample.
   *
   * @param {number} sample
   */
  dropBefore(sample) {
    while (this.#blocks.length > 0 && this.#first + this.#blocks[0].length <= sample) {
      this.#first += /** @type {Int16Array} */ (this.#blocks.shift()).length;
    }
  }

  /** @param {Uint8Array} bytes An even number of bytes. */
  #add(bytes) {
    if (bytes.length === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const block = new Int16Array(bytes.length / 2);
    for (let index = 0; index < block.length; index += 1) block[index] = view.getInt16(index * 2, true);
    this.#blocks.push(block);
    this.#end += block.length;
  }
}

/**
 * Changes the tempo of speech but not its pitch: waveform similarity overlap-add (Verhelst and Roelands, ICASSP 1993).
 *
 * Windows of 40 ms overlap by half; each is taken within ±10 ms of its nominal position, where the sound best continues
 * the previous window.
 */
export class TempoChanger {
  #rate;
  #hop;
  #reach;
  /** @type {Float32Array} */
  #fade;
  /** Input that may still be needed; `#start` is the position of its first sample in the whole input. */
  #input = new Float32Array(0);
  #start = 0;
  /** The nominal position of the next window in the input. */
  #wanted = 0;
  /** The natural continuation of the last window, not yet faded; `null` before the first. */
  #tail = /** @type {Float32Array | null} */ (null);

  /**
   * @param {number} sampleRate Hertz.
   * @param {number} rate Tempo factor, 0.25 to 4.
   */
  constructor(sampleRate, rate) {
    if (!(rate >= 0.25 && rate <= 4)) throw new RangeError(`no tempo: ${rate}`);
    this.#rate = rate;
    this.#hop = Math.round(sampleRate * 0.02);
    this.#reach = Math.round(sampleRate * 0.01);
    this.#fade = new Float32Array(this.#hop);
    for (let index = 0; index < this.#hop; index += 1) {
      this.#fade[index] = 0.5 - 0.5 * Math.cos((Math.PI * (index + 0.5)) / this.#hop);
    }
  }

  /**
   * @param {Float32Array} samples The next input.
   * @returns {Float32Array} The available output; some 60 ms of input wait for what follows.
   */
  push(samples) {
    const joined = new Float32Array(this.#input.length + samples.length);
    joined.set(this.#input);
    joined.set(samples, this.#input.length);
    this.#input = joined;
    /** @type {Float32Array[]} */
    const ready = [];
    const end = this.#start + this.#input.length;
    while (Math.round(this.#wanted) + this.#reach + 2 * this.#hop <= end) {
      ready.push(this.#step());
      this.#wanted += this.#hop * this.#rate;
    }
    this.#forget();
    return joinAll(ready);
  }

  /** @returns {Float32Array} The rest of the output, at the end of the input. */
  flush() {
    const pushed = this.push(new Float32Array(this.#reach + 2 * this.#hop));
    const tail = this.#tail;
    this.#tail = null;
    if (tail === null) return pushed;
    return joinAll([pushed, tail.map((sample, index) => sample * this.#fade[this.#hop - 1 - index])]);
  }

  #step() {
    const hop = this.#hop;
    const place = this.#tail === null ? Math.round(this.#wanted) : this.#bestPlace(this.#tail);
    const from = place - this.#start;
    const made = this.#input.slice(from, from + hop);
    const tail = this.#tail;
    if (tail !== null) {
      for (let index = 0; index < hop; index += 1) {
        const fade = this.#fade[index];
        made[index] = made[index] * fade + tail[index] * (1 - fade);
      }
    }
    this.#tail = this.#input.slice(from + hop, from + 2 * hop);
    return made;
  }

  /**
   * The position where the input is most like `tail`, by normalized correlation: first every fourth position, then
   * those around the best.
   *
   * @param {Float32Array} tail
   */
  #bestPlace(tail) {
    const wanted = Math.round(this.#wanted);
    const low = Math.max(this.#start, wanted - this.#reach);
    const high = wanted + this.#reach;
    const coarse = this.#best(tail, low, high, 4);
    return this.#best(tail, Math.max(low, coarse - 3), Math.min(high, coarse + 3), 1);
  }

  /**
   * @param {Float32Array} tail
   * @param {number} low
   * @param {number} high Inclusive.
   * @param {number} step
   */
  #best(tail, low, high, step) {
    let best = low;
    let bestLikeness = -Infinity;
    for (let place = low; place <= high; place += step) {
      const from = place - this.#start;
      let product = 0;
      let energy = 1e-9;
      for (let index = 0; index < tail.length; index += 2) {
        const sample = this.#input[from + index];
        product += sample * tail[index];
        energy += sample * sample;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > bestLikeness) {
        bestLikeness = likeness;
        best = place;
      }
    }
    return best;
  }

  #forget() {
    const unneeded = Math.min(this.#input.length, Math.round(this.#wanted) - this.#reach - this.#start);
    if (unneeded <= 0) return;
    this.#input = this.#input.slice(unneeded);
    this.#start += unneeded;
  }
}

/** @param {Float32Array[]} parts */
function joinAll(parts) {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @typedef {import("./sound.js").SourceListener} SourceListener */

/** Seconds buffered behind the playback position, read ahead of it, and scheduled ahead of time. */
const kept = 30;
const ahead = 60;
const scheduled = 1.5;

/** Seconds per piece of sound. */
const piece = 0.1;

/** Milliseconds between checks for sound to schedule. */
const beat = 80;

/** Milliseconds until a lost stream is requested again. */
const retryDelay = 700;

/**
 * A scheduled piece of sound.
 *
 * @typedef {object} Piece
 * @property {AudioBufferSourceNode} node
 * @property {number} at When it starts, on the context's clock.
 * @property {number} seconds Its length in playback.
 * @property {number} time The position of its start, in seconds of the narration.
 */

/**
 * Plays a narration while it is being generated. Older sound is dropped; seeking back to it requests it again.
 *
 * @implements {Source}
 * @typedef {import("./sound.js").Source} Source
 */
export class LiveSource {
  #id;
  #listener;
  #context;
  #gain;
  #sampleRate;
  #window;
  /** The next sample to schedule. */
  #cursor = 0;
  #rate = 1;
  /** @type {TempoChanger | null} */
  #tempo = null;
  /** The sample at which the tempo changer started, and the number it has produced since. */
  #tempoStart = 0;
  #tempoMade = 0;
  /** @type {Piece[]} */
  #pieces = [];
  #nextAt = 0;
  #isPlaying = false;
  #isWaiting = false;
  #isComplete = false;
  #hasEnded = false;
  #timer = 0;
  #reading = new AbortController();
  /** Wakes the reader when there is room again. */
  #wake = () => {};

  /**
   * @param {{ id: string, sampleRate: number }} narration
   * @param {number} from The start position in seconds.
   * @param {SourceListener} listener
   */
  constructor({ id, sampleRate }, from, listener) {
    this.#id = id;
    this.#listener = listener;
    this.#sampleRate = sampleRate;
    this.#context = new AudioContext({ sampleRate, latencyHint: "playback" });
    this.#gain = this.#context.createGain();
    this.#gain.connect(this.#context.destination);
    this.#context.suspend();
    this.#cursor = Math.round(from * sampleRate);
    this.#window = new SampleWindow(this.#cursor);
    this.#read();
  }

  get time() {
    const now = this.#context.currentTime - (this.#context.outputLatency || 0);
    let heard = this.#pieces[0];
    for (const one of this.#pieces) if (one.at <= now) heard = one;
    if (heard === undefined) return this.#cursor / this.#sampleRate;
    return heard.time + Math.max(0, Math.min(now - heard.at, heard.seconds)) * this.#rate;
  }

  get duration() {
    return this.#isComplete ? this.#window.end / this.#sampleRate : null;
  }

  get isPlaying() {
    return this.#isPlaying;
  }

  get isWaiting() {
    return this.#isPlaying && this.#isWaiting;
  }

  async play() {
    if (this.#hasEnded) this.seek(0);
    this.#isPlaying = true;
    this.#isWaiting = this.#pieces.length === 0;
    this.#listener.changed();
    await this.#context.resume();
    if (!this.#isPlaying) return;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#beat(), beat);
    this.#beat();
  }

  pause() {
    this.#isPlaying = false;
    clearInterval(this.#timer);
    this.#context.suspend();
    this.#listener.changed();
  }

  /** @param {number} seconds */
  seek(seconds) {
    const sample = Math.max(0, Math.round(seconds * this.#sampleRate));
    this.#silence(sample);
    this.#hasEnded = false;
    const isKept = sample >= this.#window.first && sample <= this.#window.end + ahead * this.#sampleRate;
    if (!isKept) {
      this.#window = new SampleWindow(sample);
      this.#isComplete = false;
      this.#read();
    }
    this.#wake();
    if (this.#isPlaying) this.#beat();
  }

  /** @param {number} rate */
  setRate(rate) {
    if (rate === this.#rate) return;
    const time = this.time;
    this.#rate = rate;
    this.#silence(Math.round(time * this.#sampleRate));
    if (this.#isPlaying) this.#beat();
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.#gain.gain.setTargetAtTime(isMuted ? 0 : 1, this.#context.currentTime, 0.01);
  }

  close() {
    this.#listener = { changed() {}, ended() {}, failed() {} };
    this.#isPlaying = false;
    clearInterval(this.#timer);
    this.#reading.abort();
    this.#wake();
    this.#context.close();
  }

  /**
   * Cancels scheduled sound, and continues from a sample.
   *
   * @param {number} sample
   */
  #silence(sample) {
    for (const { node } of this.#pieces) node.stop();
    this.#pieces = [];
    this.#nextAt = 0;
    this.#cursor = sample;
    this.#tempo = null;
  }

  /** Drops sound that has played and schedules the next. */
  #beat() {
    if (!this.#isPlaying) return;
    const now = this.#context.currentTime;
    while (this.#pieces.length > 1 && this.#pieces[1].at < now - 1) this.#pieces.shift();
    while (this.#nextAt < now + scheduled && this.#handOn()) continue;
    const hasRun = this.#nextAt <= now + 0.005;
    if (hasRun && this.#isComplete && this.#cursor >= this.#window.end) {
      this.#finish();
      return;
    }
    if (hasRun !== this.#isWaiting) {
      this.#isWaiting = hasRun;
      this.#listener.changed();
    }
    this.#window.dropBefore(this.#cursor - kept * this.#sampleRate);
    this.#wake();
  }

  #finish() {
    this.#hasEnded = true;
    this.#isPlaying = false;
    this.#isWaiting = false;
    clearInterval(this.#timer);
    this.#context.suspend();
    this.#listener.ended();
  }

  /** @returns {boolean} Whether there was something to schedule. */
  #handOn() {
    const wanted = Math.round(piece * this.#sampleRate * this.#rate);
    const samples = this.#window.read(this.#cursor, wanted);
    const isLast = this.#isComplete && this.#cursor + samples.length >= this.#window.end;
    if (samples.length === 0 || (samples.length < wanted && !isLast)) return false;
    const time = this.#rate === 1 ? this.#cursor / this.#sampleRate : this.#tempoTime();
    const sound = this.#rate === 1 ? samples : this.#changeTempo(samples, isLast);
    this.#cursor += samples.length;
    if (sound.length === 0) return true;
    this.#schedule(sound, time);
    return true;
  }

  #tempoTime() {
    if (this.#tempo === null) {
      this.#tempo = new TempoChanger(this.#sampleRate, this.#rate);
      this.#tempoStart = this.#cursor;
      this.#tempoMade = 0;
    }
    return (this.#tempoStart + this.#tempoMade * this.#rate) / this.#sampleRate;
  }

  /**
   * @param {Float32Array} samples
   * @param {boolean} isLast
   */
  #changeTempo(samples, isLast) {
    const tempo = /** @type {TempoChanger} */ (this.#tempo);
    const ready = tempo.push(samples);
    const rest = isLast ? tempo.flush() : new Float32Array(0);
    const sound = new Float32Array(ready.length + rest.length);
    sound.set(ready);
    sound.set(rest, ready.length);
    this.#tempoMade += sound.length;
    return sound;
  }

  /**
   * @param {Float32Array} sound
   * @param {number} time The position of its start, in seconds of the narration.
   */
  #schedule(sound, time) {
    const buffer = this.#context.createBuffer(1, sound.length, this.#sampleRate);
    buffer.copyToChannel(sound, 0);
    const node = this.#context.createBufferSource();
    node.buffer = buffer;
    node.connect(this.#gain);
    const at = Math.max(this.#nextAt, this.#context.currentTime + 0.02);
    node.start(at);
    this.#nextAt = at + sound.length / this.#sampleRate;
    this.#pieces.push({ node, at, seconds: sound.length / this.#sampleRate, time });
  }

  /** Reads the narration into the window, and requests it again from the same place when the stream is lost. */
  async #read() {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const samples = this.#window;
    while (!signal.aborted) {
      try {
        const { stream } = await openNarrationSound(this.#id, samples.end, signal);
        await this.#take(stream, samples, signal);
        if (signal.aborted) return;
        this.#isComplete = true;
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isRefusal(error)) {
          this.#listener.failed(error);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, retryDelay));
      }
    }
  }

  /**
   * @param {ReadableStream<Uint8Array>} stream
   * @param {SampleWindow} samples
   * @param {AbortSignal} signal
   */
  async #take(stream, samples, signal) {
    const reader = stream.getReader();
    while (!signal.aborted) {
      await this.#room(samples, signal);
      const { done, value } = await reader.read();
      if (done || signal.aborted) return;
      samples.append(value);
      if (this.#isPlaying && this.#isWaiting) this.#beat();
    }
  }

  /**
   * Waits while enough is buffered: the server sends no more than is read.
   *
   * @param {SampleWindow} samples
   * @param {AbortSignal} signal
   */
  async #room(samples, signal) {
    while (!signal.aborted && samples.end - this.#cursor > ahead * this.#sampleRate) {
      await new Promise((resolve) => (this.#wake = () => resolve(undefined)));
    }
  }
}

/**
 * Whether the server answered with an error, so that a retry would not help.
 *
 * @param {unknown} error
 */
function isRefusal(error) {
  const status = /** @type {{ status?: number }} */ (error ?? {}).status ?? 0;
  return status >= 400 && status < 500;
}
