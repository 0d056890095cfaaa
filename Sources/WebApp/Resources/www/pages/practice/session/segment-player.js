/** Seconds over which an interrupted sound fades out, to avoid a click. */
const fade = 0.015;

/** Plays one sound at a time, with pause and resume. */
export class SegmentPlayer {
  #context;
  /** @type {AudioBuffer | null} */
  #buffer = null;
  /** @type {{ source: AudioBufferSourceNode, gain: GainNode } | null} */
  #playing = null;
  /** When it would have started without pauses, in seconds of the context. */
  #start = 0;
  /** The position where it is paused, in seconds. */
  #rests = 0;
  #ended = () => {};

  /** @param {AudioContext} context */
  constructor(context) {
    this.#context = context;
  }

  get isPlaying() {
    return this.#playing !== null;
  }

  /** The playback position, in seconds of the sound. */
  get time() {
    if (this.#playing === null) return this.#rests;
    const { currentTime, outputLatency = 0 } = this.#context;
    return Math.max(0, Math.min(this.#buffer?.duration ?? 0, currentTime - outputLatency - this.#start));
  }

  /**
   * Plays a sound instead of the previous one.
   *
   * @param {AudioBuffer} buffer
   * @param {() => void} ended Called once, unless it is stopped first.
   */
  play(buffer, ended) {
    this.stop();
    this.#buffer = buffer;
    this.#ended = ended;
    this.#sound(0);
  }

  suspend() {
    if (this.#playing === null) return;
    this.#rests = Math.max(0, this.#context.currentTime - this.#start);
    this.#silence();
  }

  resume() {
    if (this.#buffer === null || this.#playing !== null) return;
    this.#sound(Math.min(this.#rests, this.#buffer.duration));
  }

  stop() {
    this.#silence();
    this.#buffer = null;
    this.#rests = 0;
    this.#ended = () => {};
  }

  /** @param {number} from Seconds. */
  #sound(from) {
    const source = this.#context.createBufferSource();
    const gain = this.#context.createGain();
    source.buffer = this.#buffer;
    source.connect(gain).connect(this.#context.destination);
    source.onended = () => this.#playing?.source === source && this.#end();
    this.#playing = { source, gain };
    this.#start = this.#context.currentTime - from;
    source.start(0, from);
  }

  #end() {
    const ended = this.#ended;
    this.#playing = null;
    this.#rests = this.#buffer?.duration ?? 0;
    this.#ended = () => {};
    ended();
  }

  #silence() {
    const playing = this.#playing;
    this.#playing = null;
    if (playing === null) return;
    const { currentTime } = this.#context;
    playing.gain.gain.setValueAtTime(1, currentTime);
    playing.gain.gain.linearRampToValueAtTime(0, currentTime + fade);
    playing.source.stop(currentTime + fade);
  }
}
