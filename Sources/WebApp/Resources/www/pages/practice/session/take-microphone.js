import { Microphone } from "../../recordings/microphone.js";
import { waveFile } from "../../recordings/samples.js";

/** The sample rate of a take in hertz: more than recognisers need, and enough to listen to. */
export const takeRate = 24_000;

/** So many that the end of speech is noticed soon after it. */
const chunksPerSecond = 10;

/** @typedef {import("../../recordings/microphone.js").MicrophoneListener} MicrophoneListener */
/** @typedef {import("../../recordings/microphone.js").MicrophoneOptions} MicrophoneOptions */

/**
 * @typedef {object} TakeListener
 * @property {(rms: number) => void} level From 0 to 1; reported only while listening.
 * @property {(chunk: ArrayBuffer) => void} sound A tenth of a second in 16-bit samples, whether it is recorded or not.
 * @property {() => void} lost The microphone was lost.
 */

/** The microphone of practice: open while a session is practised, and recorded only in its pauses. */
export class TakeMicrophone {
  #listener;
  #options;
  /** @type {Microphone | null} */
  #microphone = null;
  /** @type {ArrayBuffer[]} */
  #chunks = [];
  #keeps = false;
  /** @type {Promise<void> | null} The pending or present opening. */
  #opening = null;
  /** Incremented on closing: an opening in progress is then closed as soon as it is open. */
  #generation = 0;
  #make;

  /**
   * @param {() => MicrophoneOptions} options
   * @param {TakeListener} listener
   * @param {(options: MicrophoneOptions, listener: MicrophoneListener) => Microphone} [make]
   */
  constructor(options, listener, make = (wanted, heard) => new Microphone(wanted, heard)) {
    this.#options = options;
    this.#listener = listener;
    this.#make = make;
  }

  get isOpen() {
    return this.#microphone !== null;
  }

  /**
   * Opens it, unless it is open. Throws an error that the catalogue has words for when there is none or it is not
   * allowed.
   */
  async open() {
    if (this.#microphone !== null) return;
    const opening = (this.#opening ??= this.#openOne());
    try {
      await opening;
    } finally {
      if (this.#opening === opening) this.#opening = null;
    }
  }

  async #openOne() {
    const generation = this.#generation;
    const microphone = this.#make(this.#options(), {
      chunk: (chunk) => this.#hear(chunk),
      level: ({ rms }) => this.#listener.level(rms),
      switched: () => {},
      lost: () => this.#listener.lost(),
      found: () => {},
      running: () => {},
    });
    await microphone.open(takeRate, chunksPerSecond);
    if (generation === this.#generation) this.#microphone = microphone;
    else await microphone.close();
  }

  /** @param {ArrayBuffer} chunk */
  #hear(chunk) {
    if (this.#keeps) this.#chunks.push(chunk);
    this.#listener.sound(chunk);
  }

  /** @param {boolean} records Whether to record, or only to listen for the end of the turn. */
  listen(records) {
    this.#keeps = records;
    this.#microphone?.pause(false);
    this.#microphone?.meter(true);
  }

  rest() {
    this.#microphone?.meter(false);
    this.#microphone?.pause(true);
  }

  /** What was recorded since `listen`; `null` for nothing. */
  async finish() {
    await this.#microphone?.flush();
    const chunks = this.#chunks;
    this.#keeps = false;
    this.#chunks = [];
    const seconds = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) / 2 / takeRate;
    return chunks.length === 0 ? null : { wave: waveFile(chunks, takeRate), seconds };
  }

  /** Drops what was recorded, and what is on its way. */
  forget() {
    this.#keeps = false;
    this.#chunks = [];
    this.#microphone?.flush();
  }

  /** @param {boolean} [keepsSound] Whether what was recorded stays, and goes on when it is opened again. */
  async close(keepsSound = false) {
    const microphone = this.#microphone;
    this.#generation += 1;
    this.#opening = null;
    this.#microphone = null;
    this.#keeps = false;
    if (!keepsSound) this.#chunks = [];
    await microphone?.close();
  }
}
