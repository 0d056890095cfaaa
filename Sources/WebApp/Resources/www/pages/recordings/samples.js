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

/** How many bytes of sound are compared at once. */
const compared = 4_000_000;

/**
 * Whether sound is the last of a session.
 *
 * @param {Blob} sound
 * @param {{ id: string, samples: number }} session
 * @param {typeof import("../../server/recordings.js").loadSessionSound} load
 */
export async function isEndOf(sound, { id, samples }, load) {
  const first = 2 * samples - sound.size;
  if (first < 0) return false;
  for (let place = 0; place < sound.size; place += compared) {
    const piece = sound.slice(place, place + compared);
    const here = new Uint8Array(await piece.arrayBuffer());
    const there = new Uint8Array(await load(id, first + place, piece.size));
    if (here.length !== there.length || here.some((byte, index) => byte !== there[index])) return false;
  }
  return true;
}
