import { Cell } from "../../../core/store.js";
import { Microphone, waveFile } from "../../recordings/microphone.js";

/**
 * The timing functions of an echo clock.
 *
 * @typedef {object} ClockParts
 * @property {() => number} now Seconds of a monotonic clock.
 * @property {(run: () => void, seconds: number) => () => void} later Runs something after a delay; returns a function
 * that cancels it.
 */

/** @type {ClockParts} */
const real = {
  now: () => performance.now() / 1_000,
  later: (run, seconds) => {
    const timer = setTimeout(run, seconds * 1_000);
    return () => clearTimeout(timer);
  },
};

/** The pause in which a user repeats a segment: how much of it has passed, and when it ends. */
export class EchoClock {
  #parts;
  #length = 0;
  /** Seconds that had passed when it started or resumed. */
  #before = 0;
  #since = 0;
  #isRunning = false;
  #cancel = () => {};
  #ended = () => {};

  /** @param {ClockParts} parts */
  constructor(parts = real) {
    this.#parts = parts;
  }

  get isRunning() {
    return this.#isRunning;
  }

  /** Seconds that have passed. */
  get elapsed() {
    const elapsed = this.#before + (this.#isRunning ? this.#parts.now() - this.#since : 0);
    return Math.min(this.#length, elapsed);
  }

  /** Seconds that are left. */
  get remaining() {
    return this.#length - this.elapsed;
  }

  /** The fraction that has passed, from 0 to 1. */
  get part() {
    return this.#length === 0 ? 0 : this.elapsed / this.#length;
  }

  /**
   * @param {number} seconds
   * @param {() => void} ended Called once, unless it is stopped first.
   */
  start(seconds, ended) {
    this.stop();
    this.#length = seconds;
    this.#before = 0;
    this.#ended = ended;
    this.#run();
  }

  suspend() {
    if (!this.#isRunning) return;
    this.#before = this.elapsed;
    this.#rest();
  }

  /**
   * Runs something by the same clock.
   *
   * @param {() => void} run
   * @param {number} seconds
   * @returns {() => void} A function that cancels it.
   */
  later(run, seconds) {
    return this.#parts.later(run, seconds);
  }

  /** @param {number} [remaining] Seconds left; default: as before the pause. */
  resume(remaining = this.remaining) {
    if (this.#isRunning || this.#length === 0) return;
    this.#before = Math.max(0, this.#length - remaining);
    this.#run();
  }

  stop() {
    this.#rest();
    this.#length = this.#before = 0;
    this.#ended = () => {};
  }

  #run() {
    this.#isRunning = true;
    this.#since = this.#parts.now();
    this.#cancel = this.#parts.later(() => this.#end(), this.#length - this.#before);
  }

  #rest() {
    this.#cancel();
    this.#cancel = () => {};
    this.#isRunning = false;
  }

  #end() {
    const ended = this.#ended;
    this.#before = this.#length;
    this.#rest();
    this.#ended = () => {};
    ended();
  }
}

/** Seconds of voice after which the user counts as having spoken, and of silence after which they have stopped. */
const leastVoice = 0.3;
const leastSilence = 0.9;

/** How much louder than the room a voice must be, in decibels, and its minimum level. */
const above = 9;
const quietestVoice = -50;

/** How fast the estimate of the room follows it: upwards in decibels per second; downwards at once. */
const climb = 3;

/** The maximum estimate of the room, in decibels: someone who speaks at once and without pause is not the room. */
const loudestRoom = -35;

/**
 * Detects from a microphone's level alone when the user has spoken and stopped. It learns how loud the room is.
 */
export class VoiceWait {
  /** In decibels relative to full scale. */
  #room = loudestRoom;
  #voice = 0;
  #silence = 0;
  #hasSpoken = false;
  #isOver = false;

  /** Whether the user has spoken since it began. */
  get hasSpoken() {
    return this.#hasSpoken;
  }

  /** Whether the user has spoken and is silent now. */
  get isSilent() {
    return this.#hasSpoken && this.#silence >= leastSilence - 1e-6;
  }

  /**
   * Begins another pause; the estimate of the room stays.
   */
  begin() {
    this.#voice = this.#silence = 0;
    this.#hasSpoken = this.#isOver = false;
  }

  /**
   * @param {number} rms The level, from 0 to 1.
   * @param {number} seconds The length of the measured sound.
   * @returns {boolean} Whether the wait ends with this; `true` only once.
   */
  addLevel(rms, seconds) {
    const level = rms <= 0 ? -100 : 20 * Math.log10(rms);
    this.#room = Math.min(level, this.#room + climb * seconds, loudestRoom);
    const isVoice = level > Math.max(quietestVoice, this.#room + above);
    if (isVoice) this.#voice += seconds;
    this.#silence = isVoice ? 0 : this.#silence + seconds;
    // A key click or a cough does not count forever.
    if (!this.#hasSpoken && this.#silence >= leastSilence) this.#voice = 0;
    this.#hasSpoken ||= this.#voice >= leastVoice - 1e-6;
    if (this.#isOver || !this.isSilent) return false;
    this.#isOver = true;
    return true;
  }
}

/** @typedef {import("./driver.js").EchoPause} EchoPause */

/**
 * A recorded take.
 *
 * @typedef {object} RecordedTake
 * @property {number} segment
 * @property {number} repetition
 * @property {number} rate The rate at which the model was played.
 * @property {EchoPause["granularity"]} [granularity] How the text was cut when it was recorded.
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
 * @property {(chunk: ArrayBuffer) => void} addSound
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
  #tone;
  #cancelListening = () => {};
  /** Fulfilled when the take of the last pause has been handed over. */
  kept = Promise.resolve();

  /**
   * @param {EchoMicrophone} microphone
   * @param {object} parts
   * @param {() => boolean} parts.records Whether takes are wanted.
   * @param {(take: RecordedTake) => void} parts.taken
   * @param {EchoDetection} [parts.detection]
   * @param {() => number} [parts.tone] Seconds for which the signal of the pause is still heard.
   * @param {EchoClock} [parts.clock]
   */
  constructor(microphone, { records, taken, detection, tone = () => 0, clock = new EchoClock() }) {
    this.#microphone = microphone;
    this.#records = records;
    this.#taken = taken;
    this.#detection = detection;
    this.#tone = tone;
    this.clock = clock;
  }

  /** Whether it lasts until the speaker falls silent. */
  get isUntilSilence() {
    return this.#pause !== null && this.#pause.seconds === null;
  }

  /** @param {EchoPause} pause */
  start(pause) {
    this.#pause = pause;
    this.#isOver = false;
    this.#hasRecorded = this.#microphone.isOpen && this.#records();
    this.#wait.begin();
    if (pause.seconds === null) this.#detection?.begin(pause.token, () => this.clock.isRunning && this.#end("silenceHeard"));
    // The time of the signal is no part of the turn.
    const tone = this.#listenAfterTone();
    this.clock.start(tone + (pause.seconds ?? pause.longest), () => this.#end("echoElapsed"));
  }

  suspend() {
    this.clock.suspend();
    this.#rest();
  }

  /** @param {number} remaining Seconds that are left at least. */
  resume(remaining) {
    if (this.#pause === null) return;
    // The server does not count the time of the signal.
    this.clock.resume(Math.max(remaining, this.clock.remaining));
    this.#listenAfterTone();
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

  /** The speaker has finished: it ends before its time, and keeps what was recorded. */
  finish() {
    if (this.clock.isRunning) this.#end("echoElapsed");
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
  addLevel(rms) {
    if (!this.clock.isRunning || !this.isUntilSilence) return;
    this.#wait.addLevel(rms, levelStep);
    if (this.#wait.isSilent && !this.#detection?.isCurrent) this.#end("silenceHeard");
  }

  /** @param {ArrayBuffer} chunk The sound of the microphone, whether it is recorded or not. */
  addSound(chunk) {
    if (this.clock.isRunning && this.isUntilSilence) this.#detection?.addSound(chunk);
  }

  /**
   * Listens once the signal is over: from a loudspeaker, a take would begin with it.
   *
   * @returns {number} Seconds until then.
   */
  #listenAfterTone() {
    const seconds = this.#tone();
    this.#cancelListening();
    if (seconds > 0) this.#cancelListening = this.clock.later(() => this.#listen(), seconds);
    else this.#listen();
    return seconds;
  }

  #listen() {
    if (!this.#microphone.isOpen) return;
    const records = this.#hasRecorded && this.#records();
    this.isRecording.set(records); // the indicator appears before anything is recorded
    this.#microphone.listen(records);
  }

  #rest() {
    this.#cancelListening();
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
  async #keep({ segment, repetition, rate, granularity }) {
    const found = await this.#microphone.finish();
    if (found !== null && found.seconds >= shortestTake) this.#taken({ segment, repetition, rate, granularity, ...found });
  }
}

/** The sample rate of a take in hertz: more than recognizers need, and enough to listen to. */
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

/** The microphone of practice: open while a session is practiced, and recorded only in its pauses. */
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
      chunk: (chunk) => this.#addChunk(chunk),
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
  #addChunk(chunk) {
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

  /** The sound since `listen`; `null` for none. */
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

  /** @param {boolean} [keepsSound] Whether the sound so far stays, and continues when it is opened again. */
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

/** Seconds by which the answers may lag behind the microphone before loudness decides. */
const longestLag = 0.3;

/** The most chunks that are sent at once; older ones are left out, since the turn's end is what counts. */
const mostChunks = 50;

/**
 * @typedef {object} DetectionParts
 * @property {(turn: number, piece: ArrayBuffer) => Promise<import("../../../server/practice.js").HeardTurn>} send The
 * next piece of a turn as a WAV file; an empty one starts the detector.
 * @property {number} rate Of the chunks, in hertz.
 * @property {() => number} [now] Seconds of a monotonic clock.
 */

/** @typedef {{ token: number, over: () => void }} Turn */

/**
 * Asks the server's detector of voices, while a turn lasts, whether its speaker has fallen silent. Where there is no
 * detector, or none that answers in time, it is not current, and loudness has to decide.
 */
export class VoiceDetection {
  #send;
  #rate;
  #now;
  /** @type {boolean | null} Whether the server has a detector; `null` while that is not known. */
  #isThere = null;
  #isAsking = false;
  /** @type {Turn | null} */
  #turn = null;
  /** @type {{ chunk: ArrayBuffer, at: number }[]} Not sent yet, oldest first. */
  #waiting = [];
  #isSending = false;
  /** When the last analyzed chunk of the turn had come. */
  #heardTo = -Infinity;

  /** @param {DetectionParts} parts */
  constructor({ send, rate, now = () => performance.now() / 1_000 }) {
    this.#send = send;
    this.#rate = rate;
    this.#now = now;
  }

  /** Whether what was analyzed is so recent that the detector decides. */
  get isCurrent() {
    return this.#isThere === true && this.#now() - this.#heardTo <= longestLag;
  }

  /** Starts the detector, so that no turn has to wait for it, and learns whether there is one. */
  async prepare() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    if (this.#isThere === false) this.#isThere = null;
    try {
      this.#isThere = (await this.#send(0, new ArrayBuffer(0))).isDetected;
    } catch {
      this.end(); // the next turn asks again
    }
    this.#isAsking = false;
  }

  /**
   * @param {number} token The pause's.
   * @param {() => void} over Called each time an answer says that the speaker has fallen silent.
   */
  begin(token, over) {
    this.end();
    this.#turn = { token, over };
  }

  end() {
    this.#turn = null;
    this.#waiting = [];
    this.#heardTo = -Infinity;
  }

  /** @param {ArrayBuffer} chunk 16-bit samples. */
  addSound(chunk) {
    if (this.#turn === null || this.#isThere === false) return;
    this.#waiting.push({ chunk, at: this.#now() });
    if (this.#waiting.length > mostChunks) this.#waiting.shift();
    if (this.#isThere === null) this.prepare(); // no sound is sent to a server that has no use for it
    else if (!this.#isSending) this.#sendAll();
  }

  async #sendAll() {
    this.#isSending = true;
    while (this.#turn !== null && this.#waiting.length > 0) {
      const turn = this.#turn;
      const pieces = this.#waiting;
      this.#waiting = [];
      try {
        const wave = await waveFile(pieces.map(({ chunk }) => chunk), this.#rate).arrayBuffer();
        const { isDetected, isOver } = await this.#send(turn.token, wave);
        if (turn !== this.#turn) continue;
        this.#isThere = isDetected;
        this.#heardTo = pieces.at(-1)?.at ?? -Infinity;
        if (!isDetected) this.end();
        else if (isOver) turn.over();
      } catch {
        if (turn === this.#turn) this.end(); // loudness decides in the rest of the turn
      }
    }
    this.#isSending = false;
  }
}
