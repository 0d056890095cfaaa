import { Cell, isConnected } from "../core/store.js";
import { ServerProblem } from "../server/http.js";
import { soundAddress, soundProblem } from "../server/library.js";
import { LiveSource } from "./live-source.js";

/**
 * Plays a finished recording with an `<audio>` outside the document; the browser requests the ranges it needs.
 *
 * @implements {Source}
 */
class RecordingSource {
  #audio = new Audio();
  #life = new AbortController();
  #start;
  /** Whether it stands at the start position; the browser knows the sound somewhat earlier. */
  #hasBegun = false;

  /**
   * @param {string} address
   * @param {number} from The start position in seconds.
   * @param {SourceListener} listener
   */
  constructor(address, from, listener) {
    const audio = this.#audio;
    const { signal } = this.#life;
    this.#start = from;
    audio.preload = "metadata";
    audio.preservesPitch = true;
    for (const name of ["playing", "pause", "waiting", "canplay", "seeked", "durationchange"]) {
      audio.addEventListener(name, listener.changed, { signal });
    }
    audio.addEventListener("loadedmetadata", () => this.#begin(), { signal });
    audio.addEventListener("ended", listener.ended, { signal });
    audio.addEventListener("error", () => listener.failed(audio.error), { signal });
    audio.src = address;
  }

  get time() {
    return this.#hasBegun ? this.#audio.currentTime : this.#start;
  }

  get duration() {
    return Number.isFinite(this.#audio.duration) ? this.#audio.duration : null;
  }

  get isPlaying() {
    return !this.#audio.paused;
  }

  get isWaiting() {
    return !this.#audio.paused && this.#audio.readyState < HTMLMediaElement.HAVE_FUTURE_DATA && !this.#audio.ended;
  }

  async play() {
    await this.#audio.play();
  }

  pause() {
    this.#audio.pause();
  }

  /** @param {number} seconds */
  seek(seconds) {
    if (this.#hasBegun) this.#audio.currentTime = seconds;
    else this.#start = seconds;
  }

  /** @param {number} rate */
  setRate(rate) {
    this.#audio.defaultPlaybackRate = rate;
    this.#audio.playbackRate = rate;
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.#audio.muted = isMuted;
  }

  close() {
    this.#life.abort();
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#audio.load();
  }

  #begin() {
    this.#hasBegun = true;
    if (this.#start > 0) this.#audio.currentTime = this.#start;
  }
}

/** @typedef {import("./track.js").Track} Track */

/**
 * The callbacks of a source of sound to the player.
 *
 * @typedef {object} SourceListener
 * @property {() => void} changed It now plays, pauses or waits.
 * @property {() => void} ended All has been played.
 * @property {(error: unknown) => void} failed It cannot continue by itself.
 */

/**
 * A source that the player can play; created paused.
 *
 * @typedef {object} Source
 * @property {number} time Seconds from the start of the whole sound.
 * @property {number | null} duration Seconds available; `null` while unknown.
 * @property {boolean} isPlaying Whether it is meant to play.
 * @property {boolean} isWaiting Whether it is meant to play but has no sound yet.
 * @property {() => Promise<void>} play Throws when the browser requires a press first.
 * @property {() => void} pause
 * @property {(seconds: number) => void} seek
 * @property {(rate: number) => void} setRate
 * @property {(isMuted: boolean) => void} setMuted
 * @property {() => void} close After this it is silent and makes no more callbacks.
 */

/** @typedef {"stopped" | "loading" | "playing" | "paused"} Phase */

/** Milliseconds between updates of the time. */
const lookEvery = 200;

/** For the sound of a recording, which is mono. */
const bytesPerSample = 2;

/** How often an interrupted sound is requested again, and after how many milliseconds. */
const tries = 4;
const retryAfter = 1_000;

export const slowest = 0.5;
export const fastest = 3;

/**
 * The sound's callbacks to the player.
 *
 * @typedef {object} SoundListener
 * @property {() => void} ended All of the track has been played.
 * @property {(error: unknown) => void} failed It was interrupted and is not requested again.
 * @property {() => void} heard It is playing; called a few times a second.
 * @property {() => void} displaced Another page of this browser is playing now.
 */

/**
 * The sound of the player's track: whether it should play, its speed, muting, and recovery from interruptions.
 */
export class Sound {
  /** @type {Cell<Phase>} */
  phase = new Cell(/** @type {Phase} */ ("stopped"));
  /** Seconds, updated a few times a second for display. Read `now()` for every frame. */
  time = new Cell(0);
  rate = new Cell(1);
  isMuted = new Cell(false);

  #track;
  #listener;
  /** @type {Source | null} */
  #source = null;
  #isWanted = false;
  #clock = 0;
  #triesLeft = tries;
  #retry = 0;
  /** How often recordings have changed: a browser does not request an address again that it has loaded recently. */
  #revision = 0;
  /** Other pages of the same browser: only one of them plays at a time. */
  #others = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("echotext-player");

  /**
   * @param {Cell<Track | null>} track The track to play; the player changes it.
   * @param {SoundListener} listener
   */
  constructor(track, listener) {
    this.#track = track;
    this.#listener = listener;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    isConnected.watch((yes) => yes && this.#comeBack(), signal);
    this.#others?.addEventListener("message", () => this.#listener.displaced(), { signal });
  }

  /** Whether the track is meant to play, though it may be waiting. */
  get isWanted() {
    return this.#isWanted;
  }

  /** Whether a source is open; without one, the next play or seek opens it. */
  get isOpen() {
    return this.#source !== null;
  }

  /** The present time in seconds. */
  now() {
    return this.#source?.time ?? this.time.value;
  }

  /** Seconds known to the source, or `null`. */
  get duration() {
    return this.#source?.duration ?? null;
  }

  /**
   * Closes the present sound; another track may follow.
   *
   * @param {boolean} [isWanted] Whether the next sound is meant to play.
   */
  close(isWanted = false) {
    clearTimeout(this.#retry);
    this.#isWanted = isWanted;
    this.#triesLeft = tries;
    this.#closeSource();
    this.#tick(false);
  }

  /** Starts the track that follows `close`, at `time`. */
  begin() {
    if (this.#isWanted) this.open(this.time.value);
    this.showPhase();
  }

  /** @param {number} from Seconds. */
  open(from) {
    const track = this.#track.value;
    if (track === null) return;
    this.#source?.close();
    const listener = {
      changed: () => this.showPhase(),
      ended: () => this.#ended(),
      failed: (/** @type {unknown} */ error) => this.#failed(error),
    };
    this.#source = track.kind === "recording" ? new RecordingSource(soundAddress(track.id, this.#revision), from, listener) : new LiveSource(track, from, listener);
    this.#source.setRate(this.rate.value);
    this.#source.setMuted(this.isMuted.value);
    if (this.#isWanted) this.#play();
  }

  /** Makes recordings opened from now on load again. */
  forgetLoaded() {
    this.#revision += 1;
  }

  play() {
    this.#isWanted = true;
    this.#triesLeft = tries;
    if (this.#source === null) this.open(this.time.value);
    else this.#play();
  }

  pause() {
    this.#isWanted = false;
    clearTimeout(this.#retry);
    this.#source?.pause();
    this.showPhase();
  }

  /** @param {number} seconds */
  seek(seconds) {
    if (this.#source === null) this.open(seconds);
    else if (this.#track.value?.kind === "recording" && !isConnected.value) this.#waitForServer(seconds);
    else this.#source.seek(seconds);
  }

  /** @param {number} rate Tempo factor; limited to the allowed range. */
  setRate(rate) {
    const allowed = Math.min(fastest, Math.max(slowest, Math.round(rate * 100) / 100));
    this.rate.set(allowed);
    this.#source?.setRate(allowed);
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.isMuted.set(isMuted);
    this.#source?.setMuted(isMuted);
  }

  /** Synchronizes the phase, and the timer that checks the time, with the track and its source. */
  showPhase() {
    /** @type {Phase} */
    let phase = "paused";
    if (this.#track.value === null) phase = "stopped";
    else if (this.#isWanted) phase = this.#source === null || this.#source.isWaiting ? "loading" : "playing";
    if (phase !== this.phase.value) this.phase.set(phase);
    this.#tick(phase === "playing" || phase === "loading");
    this.#look();
  }

  async #play() {
    this.#others?.postMessage("playing");
    const source = this.#source;
    this.showPhase();
    try {
      await source?.play();
    } catch (error) {
      if (source !== this.#source || !this.#isWanted) return;
      if (error instanceof DOMException && error.name === "NotAllowedError") this.pause();
    }
    if (source === this.#source) this.showPhase();
  }

  #closeSource() {
    this.#source?.close();
    this.#source = null;
  }

  /** @param {boolean} isOn */
  #tick(isOn) {
    if (isOn === (this.#clock !== 0)) return;
    clearInterval(this.#clock);
    this.#clock = isOn ? setInterval(() => this.#look(), lookEvery) : 0;
  }

  #look() {
    if (this.#source === null) return;
    this.time.set(this.#source.time);
    if (this.phase.value !== "playing") return;
    this.#triesLeft = tries;
    this.#listener.heard();
  }

  #ended() {
    // A browser reports a sound as ended when its rest cannot be loaded.
    if (this.#track.value?.kind === "recording" && !isConnected.value) this.#waitForServer(this.time.value);
    else this.#listener.ended();
  }

  /** @param {unknown} error The source's error. */
  #failed(error) {
    const track = this.#track.value;
    if (track === null) return;
    const at = this.now();
    this.#closeSource();
    this.time.set(at);
    this.showPhase();
    if (track.kind === "recording") this.#findReason(track, at);
    else this.#listener.failed(error ?? unplayable());
  }

  /**
   * Asks the server why a recording was interrupted: a browser does not say. A damaged or missing one is not requested
   * again; one that was only interrupted is, a few times.
   *
   * @param {Track} track
   * @param {number} at Seconds.
   */
  async #findReason(track, at) {
    const reason = await soundProblem(track.id, Math.floor(at * track.sampleRate) * bytesPerSample);
    if (this.#track.value?.id !== track.id || this.#source !== null) return;
    const isSilence = reason === null || reason.status === 0;
    if (isSilence && this.#isWanted && this.#triesLeft > 0) {
      this.#triesLeft -= 1;
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#comeBack(), retryAfter);
      return;
    }
    this.#listener.failed(reason ?? unplayable());
  }

  /**
   * Pauses until the server is back, then continues.
   *
   * @param {number} at Seconds.
   */
  #waitForServer(at) {
    this.#closeSource();
    this.time.set(at);
    this.showPhase();
  }

  /** Reopens what was interrupted, at the same position. */
  #comeBack() {
    if (this.#source !== null || !this.#isWanted) return;
    if (isConnected.value) this.open(this.time.value);
  }
}

/** The error for a sound that the browser refuses although the server sends it. */
function unplayable() {
  return new ServerProblem({ code: "sound.unplayable", message: "The browser cannot play this sound." }, 200);
}
