import { Cell } from "../../../core/store.js";
import { EchoClock } from "./echo-clock.js";
import { VoiceWait } from "./voice-wait.js";

/** @typedef {import("./driver.js").EchoPause} EchoPause */

/**
 * A recorded take.
 *
 * @typedef {object} RecordedTake
 * @property {number} segment
 * @property {number} repetition
 * @property {number} rate The rate at which the model was played.
 * @property {number} seconds
 * @property {Blob} wave A WAV file.
 */

/**
 * The microphone, as far as a pause needs it.
 *
 * @typedef {object} EchoMicrophone
 * @property {boolean} isOpen
 * @property {(records: boolean) => void} listen Whether to record, or only to listen for the end of the turn.
 * @property {() => void} rest
 * @property {() => Promise<{ wave: Blob, seconds: number } | null>} finish Returns the recording; `null` for nothing.
 * @property {() => void} forget
 */

/**
 * The detector of voices, as far as a pause needs it.
 *
 * @typedef {object} EchoDetection
 * @property {boolean} isCurrent Whether it decides at the moment; loudness does otherwise.
 * @property {(token: number, over: () => void) => void} begin
 * @property {() => void} end
 * @property {(chunk: ArrayBuffer) => void} hear
 */

/** Seconds between two level measurements. */
const levelStep = 0.05;

/** A shorter take, in seconds, is discarded: the key was pressed before anything was said. */
const shortestTake = 0.2;

/** The pause: its length, its listener and its recording. */
export class Echo {
  clock;
  /** Whether the microphone is recorded. */
  isRecording = new Cell(false);
  #microphone;
  #taken;
  #records;
  #detection;
  #wait = new VoiceWait();
  /** @type {EchoPause | null} */
  #pause = null;
  #isOver = false;
  /** Whether this pause is recorded, which it is from its start: the rest of a take would be taken for missed words. */
  #hasRecorded = false;
  /** Fulfilled when the take of the last pause has been handed over. */
  kept = Promise.resolve();

  /**
   * @param {EchoMicrophone} microphone
   * @param {object} parts
   * @param {() => boolean} parts.records Whether takes are wanted.
   * @param {(take: RecordedTake) => void} parts.taken
   * @param {EchoDetection} [parts.detection]
   * @param {EchoClock} [parts.clock]
   */
  constructor(microphone, { records, taken, detection, clock = new EchoClock() }) {
    this.#microphone = microphone;
    this.#records = records;
    this.#taken = taken;
    this.#detection = detection;
    this.clock = clock;
  }

  /** Whether it lasts until the speaker falls silent. */
  get isUntilSilence() {
    return this.#pause !== null && this.#pause.seconds === null;
  }

  /** @param {EchoPause} pause */
  start(pause) {
    this.#pause = pause;
    this.#isOver = this.#hasRecorded = false;
    this.#wait.begin();
    if (pause.seconds === null) this.#detection?.begin(pause.token, () => this.clock.isRunning && this.#end("silenceHeard"));
    this.#listen(this.#records());
    this.clock.start(pause.seconds ?? pause.longest, () => this.#end("echoElapsed"));
  }

  suspend() {
    this.clock.suspend();
    this.#rest();
  }

  /** @param {number} remaining Seconds. */
  resume(remaining) {
    if (this.#pause === null) return;
    this.clock.resume(remaining);
    this.#listen(this.#hasRecorded && this.#records());
  }

  /** @param {boolean} keepsTake */
  stop(keepsTake) {
    const pause = this.#pause;
    this.#pause = null;
    this.#detection?.end();
    this.clock.stop();
    this.#rest();
    if (keepsTake && this.#hasRecorded && pause !== null) this.kept = this.#keep(pause);
    else this.#microphone.forget();
  }

  /** Recording is switched off: it ends at once, and discards what was recorded in this pause. */
  forget() {
    if (this.#pause === null || !this.#hasRecorded) return;
    this.#hasRecorded = false;
    this.#microphone.forget();
    if (!this.isRecording.value) return;
    this.isRecording.set(false);
    this.#microphone.listen(false);
  }

  /** @param {number} rms The level of the microphone, from 0 to 1. */
  hear(rms) {
    if (!this.clock.isRunning || !this.isUntilSilence) return;
    this.#wait.hear(rms, levelStep);
    if (this.#wait.isSilent && !this.#detection?.isCurrent) this.#end("silenceHeard");
  }

  /** @param {ArrayBuffer} chunk The sound of the microphone, whether it is recorded or not. */
  hearSound(chunk) {
    if (this.clock.isRunning && this.isUntilSilence) this.#detection?.hear(chunk);
  }

  /** @param {boolean} records */
  #listen(records) {
    if (!this.#microphone.isOpen) return;
    this.#hasRecorded ||= records;
    this.isRecording.set(records); // the indicator appears before anything is recorded
    this.#microphone.listen(records);
  }

  #rest() {
    this.#microphone.rest();
    this.isRecording.set(false);
  }

  /** @param {"echoElapsed" | "silenceHeard"} kind */
  #end(kind) {
    if (this.#isOver) return;
    this.#isOver = true;
    this.clock.suspend();
    this.#rest();
    this.#pause?.ended(kind);
  }

  /** @param {EchoPause} pause */
  async #keep({ segment, repetition, rate }) {
    const found = await this.#microphone.finish();
    if (found !== null && found.seconds >= shortestTake) this.#taken({ segment, repetition, rate, ...found });
  }
}
