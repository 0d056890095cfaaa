import { recordingMark, setting } from "../../core/store.js";
import { assure } from "../../server/send-file.js";

/** @typedef {import("./capture.js").CaptureNews} CaptureNews */

/**
 * The user's settings for the microphone.
 *
 * @typedef {object} MicrophoneOptions
 * @property {string} input The microphone's name; empty for the browser's default. Its id would not survive a server
 * start, after which the page has another origin.
 * @property {boolean} echoCancellation
 * @property {boolean} noiseSuppression
 * @property {boolean} autoGainControl
 */

/**
 * The events of a microphone.
 *
 * @typedef {object} MicrophoneListener
 * @property {(chunk: ArrayBuffer) => void} chunk
 * @property {(level: import("./capture.js").Level) => void} level
 * @property {(device: string | null) => void} switched Another one continues in its place.
 * @property {() => void} lost There is no other.
 * @property {() => void} found There is one again.
 * @property {(isRunning: boolean) => void} running Whether the browser delivers sound.
 * @property {(seconds: number, ago: number) => void} [missed] Seconds of sound are missing, `ago` seconds of sound before the
 *   end of the last chunk.
 */

/** Sample rates in hertz, in order of preference; the last is the device's own. */
const wantedRates = [48_000, 44_100, 16_000, undefined];

/**
 * Maximum time for the audio thread to deliver its last sound while it runs, in milliseconds. A busy machine delays it
 * for seconds; sound that is not waited for is lost.
 */
const flushTimeout = 60_000;

/** The settings of the browser's sound processing, with their defaults. */
export const soundSwitches = /** @type {const} */ ([
  ["recording.echo-cancellation", "off"],
  ["recording.noise-suppression", "off"],
  ["recording.gain", "on"],
]);

/** @returns {MicrophoneOptions} */
export function microphoneOptions() {
  const [echoCancellation, noiseSuppression, autoGainControl] = soundSwitches.map(([name, standard]) => setting(name, standard) === "on");
  return {
    input: setting("recording.input", ""),
    echoCancellation: echoCancellation === true,
    noiseSuppression: noiseSuppression === true,
    autoGainControl: autoGainControl === true,
  };
}

/** Why no microphone is available, by the browsers' error names. */
const problems = new Map([
  ["NotAllowedError", "microphone.denied"],
  ["SecurityError", "microphone.denied"],
  ["NotFoundError", "microphone.missing"],
  ["NotReadableError", "microphone.busy"],
  ["AbortError", "microphone.busy"],
]);

/** @returns {Promise<MediaDeviceInfo[]>} Without names until a microphone has been allowed. */
export async function microphones() {
  const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return all.filter(({ kind, deviceId }) => kind === "audioinput" && deviceId !== "default" && deviceId !== "communications");
}

/**
 * @param {MicrophoneOptions} options
 * @returns {Promise<MediaStream>}
 * @throws {{ code: string }} With a code of the catalogue's.
 */
async function streamOf({ input, echoCancellation, noiseSuppression, autoGainControl }) {
  if (navigator.mediaDevices === undefined) throw problem("microphone.unsupported");
  const named = input === "" ? undefined : (await microphones()).find(({ label }) => label === input);
  const audio = {
    deviceId: named === undefined ? undefined : { exact: named.deviceId },
    channelCount: { ideal: 1 },
    sampleRate: { ideal: 48_000 },
    echoCancellation,
    noiseSuppression,
    autoGainControl,
  };
  try {
    return await navigator.mediaDevices.getUserMedia({ audio });
  } catch (error) {
    const { name = "" } = /** @type {{ name?: string }} */ (error ?? {});
    if (name === "OverconstrainedError" && named !== undefined) {
      return streamOf({ input: "", echoCancellation, noiseSuppression, autoGainControl });
    }
    throw problem(problems.get(name) ?? "microphone.failed");
  }
}

/** @param {string} code */
function problem(code) {
  return Object.assign(new Error(code), { code });
}

/** A microphone whose sound arrives in chunks; when it is unplugged, another takes over. */
export class Microphone {
  #options;
  #listener;
  #life = new AbortController();
  /** Removes the listeners of the present track. */
  #trackLife = new AbortController();
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {MediaStreamAudioSourceNode | null} */
  #source = null;
  /** @type {AudioWorkletNode | null} */
  #node = null;
  #isPaused = true;
  #isMetered = false;
  /** The rate of the chunks, in hertz. */
  rate = 0;
  /** @type {number | undefined} */
  #chunksPerSecond;
  /** @type {Array<() => void>} The callers waiting for the present node's sound, in order. */
  #flushes = [];
  /** @type {import("./capture.js").MissedSound | null} */
  #missed = null;
  /** @type {Promise<void> | null} */
  #replacing = null;

  /**
   * @param {MicrophoneOptions} options
   * @param {MicrophoneListener} listener
   */
  constructor(options, listener) {
    this.#options = options;
    this.#listener = listener;
  }

  /** Its name; `null` while there is none. */
  get device() {
    return this.#track?.label || null;
  }

  get #track() {
    return this.#stream?.getAudioTracks()[0] ?? null;
  }

  /**
   * Opens it, paused.
   *
   * @param {number} [rate] Of the chunks, in hertz; default: the best available.
   * @param {number} [chunksPerSecond] Default: few, which cost little.
   */
  async open(rate, chunksPerSecond) {
    this.#chunksPerSecond = chunksPerSecond;
    const stream = await streamOf(this.#options);
    try {
      await this.#connect(stream, rate);
    } catch (error) {
      stop(stream);
      await this.close();
      throw error instanceof Error && "code" in error ? error : problem("microphone.failed");
    }
    const { signal } = this.#life;
    navigator.mediaDevices.addEventListener("devicechange", () => this.#devicesChanged(), { signal });
  }

  /** @param {boolean} isPaused */
  pause(isPaused) {
    this.#isPaused = isPaused;
    this.#missed?.reset();
    this.#order({ isPaused });
    for (const track of this.#stream?.getTracks() ?? []) track.enabled = !isPaused;
  }

  /** @param {boolean} isMetered Whether the level is measured. */
  meter(isMetered) {
    this.#isMetered = isMetered;
    this.#order({ isMetered });
  }

  /** Resumes sound that the browser has suspended, and opens another microphone instead of a lost one. */
  async reopen() {
    if (this.#track === null || this.#track.readyState === "ended") await this.#replace();
    await this.#context?.resume();
  }

  /** Pauses it; fulfilled when all sound so far has arrived as chunks. */
  flush() {
    this.#isPaused = true;
    return this.#flushNode();
  }

  /** @returns {Promise<void>} Fulfilled when the present node has delivered its sound; it accepts no more then. */
  #flushNode() {
    const [node, context] = [this.#node, this.#context];
    if (node === null || context?.state !== "running") return Promise.resolve();
    return new Promise((/** @type {(value: void) => void} */ resolve) => {
      const waits = new AbortController();
      const { signal } = waits;
      const timer = setTimeout(() => end(), flushTimeout);
      const end = () => {
        clearTimeout(timer);
        waits.abort();
        resolve();
      };
      this.#flushes.push(end);
      context.addEventListener("statechange", () => context.state !== "running" && end(), { signal });
      node.addEventListener("processorerror", end, { signal });
      this.#order({ isPaused: true, flush: true });
    });
  }

  async close() {
    this.#life.abort();
    this.#trackLife.abort();
    stop(this.#stream);
    this.#stream = null;
    this.#source?.disconnect();
    const context = this.#context;
    this.#context = null;
    if (context !== null && context.state !== "closed") await context.close();
  }

  /**
   * Connects a stream with a context at the best rate that the browser supports for it.
   *
   * @param {MediaStream} stream
   * @param {number} [rate]
   */
  async #connect(stream, rate) {
    let [context, source] = [this.#context, /** @type {MediaStreamAudioSourceNode | null} */ (null)];
    if (context !== null) source = sourceIn(context, stream);
    for (const wanted of rate === undefined ? wantedRates : [rate, ...wantedRates]) {
      if (source !== null) break;
      context = contextAt(wanted);
      source = context && sourceIn(context, stream);
      if (source === null) await context?.close();
    }
    if (context === null || source === null) throw problem("microphone.failed");
    this.#source?.disconnect();
    this.#source = source;
    if (context !== this.#context) await this.#useContext(context, rate ?? context.sampleRate);
    if (this.#node !== null) source.connect(this.#node);
    this.#follow(stream);
  }

  /**
   * @param {AudioContext} context
   * @param {number} rate
   */
  async #useContext(context, rate) {
    const before = this.#context;
    await this.#flushNode(); // the previous node's part of a chunk
    this.#context = context;
    this.rate = rate;
    await assure();
    const { captureWorklet, MissedSound } = await import("./capture.js");
    await context.audioWorklet.addModule(captureWorklet);
    const node = new AudioWorkletNode(context, "echo-capture", { processorOptions: { rate, chunksPerSecond: this.#chunksPerSecond } });
    node.port.onmessage = ({ data }) => this.#receive(data);
    node.connect(context.destination); // silent output, without which some browsers do not run the node
    this.#node = node;
    this.#missed = new MissedSound(context.sampleRate, (seconds, ago) => this.#listener.missed?.(seconds, ago));
    this.#flushes = [];
    this.#order({ isPaused: this.#isPaused, isMetered: this.#isMetered });
    context.onstatechange = () => {
      if (context !== this.#context) return;
      this.#missed?.reset(); // a suspension is reported otherwise
      this.#listener.running(context.state === "running");
    };
    await before?.close();
    await context.resume();
  }

  /** @param {CaptureNews} news */
  #receive({ chunk, frame = 0, skipped = 0, heard = 0, level, isFlushed = false }) {
    if (chunk !== undefined) {
      this.#listener.chunk(chunk);
      if (skipped > 0) this.#listener.missed?.(skipped / (this.#context?.sampleRate ?? Infinity), chunk.byteLength / 2 / this.rate);
      if (!this.#isPaused) this.#missed?.push(frame, heard, performance.now());
    }
    if (level !== undefined) this.#listener.level(level);
    if (isFlushed) this.#flushes.shift()?.();
  }

  /** @param {import("./capture.js").CaptureOrder} order */
  #order(order) {
    this.#node?.port.postMessage(order);
  }

  /** @param {MediaStream} stream */
  #follow(stream) {
    this.#trackLife.abort();
    this.#trackLife = new AbortController();
    this.#stream = stream;
    for (const track of stream.getTracks()) {
      track.enabled = !this.#isPaused;
      track.addEventListener("ended", () => this.#lost(), { signal: this.#trackLife.signal });
    }
  }

  async #lost() {
    try {
      await this.#replace();
      this.#listener.switched(this.device);
    } catch {
      if (!this.#life.signal.aborted) this.#listener.lost();
    }
  }

  /** @returns {Promise<void>} One replacement at a time, as another one would leave its stream open. */
  #replace() {
    return (this.#replacing ??= this.#openOther().finally(() => (this.#replacing = null)));
  }

  async #openOther() {
    stop(this.#stream);
    this.#stream = null;
    if ((await microphones()).length === 0) throw problem("microphone.missing");
    const stream = await streamOf(this.#options);
    try {
      if (!this.#life.signal.aborted) await this.#connect(stream, this.rate);
      // It may have been unplugged before anybody listened.
      if (this.#life.signal.aborted || this.#track?.readyState === "ended") throw problem("microphone.failed");
    } catch (error) {
      stop(stream);
      throw error;
    }
  }

  async #devicesChanged() {
    if (this.#track === null && (await microphones()).length > 0) this.#listener.found();
  }
}

/** @param {MediaStream | null} stream */
function stop(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** @param {number} [sampleRate] In hertz. */
function contextAt(sampleRate) {
  try {
    return new AudioContext({ sampleRate, latencyHint: "playback" });
  } catch {
    return null; // this browser does not support the rate
  }
}

/**
 * @param {AudioContext} context
 * @param {MediaStream} stream
 */
function sourceIn(context, stream) {
  try {
    return context.createMediaStreamSource(stream);
  } catch {
    return null; // this browser does not resample a microphone
  }
}

/** Keeps the screen on while recording, if the browser can. */
export class WakingScreen {
  /** @type {WakeLockSentinel | null} */
  #lock = null;
  #isWanted = false;

  async keepAwake() {
    this.#isWanted = true;
    try {
      if (document.visibilityState !== "visible") return;
      const lock = (await navigator.wakeLock?.request("screen")) ?? null;
      const spare = this.#isWanted ? this.#lock : lock;
      if (this.#isWanted) this.#lock = lock;
      await spare?.release();
    } catch {
      // The screen may turn off as usual.
    }
  }

  letSleep() {
    this.#isWanted = false;
    this.#lock?.release().catch(() => {}); // it was released before
    this.#lock = null;
  }
}

/** @typedef {{ stop: () => void }} RecordingMark */

/** @type {Set<RecordingMark>} The marks of everything that records now. */
const marks = new Set();

/**
 * Shows that a microphone is recorded, as long as any recorder is active.
 *
 * @param {RecordingMark} mark The recorder's mark, always the same object.
 * @param {boolean} isRecording
 */
export function showRecording(mark, isRecording) {
  if (marks.has(mark) === isRecording) return;
  if (isRecording) marks.add(mark);
  else marks.delete(mark);
  recordingMark.set(marks.size === 0 ? null : { stop: () => [...marks].forEach((one) => one.stop()) });
}

/** The lowest level that a meter shows, in decibels below full scale. */
const quietest = 60;

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
