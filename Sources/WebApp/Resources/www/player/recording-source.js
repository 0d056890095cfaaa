/** @typedef {import("./sound.js").Source} Source */
/** @typedef {import("./sound.js").SourceListener} SourceListener */

/**
 * Plays a finished recording with an `<audio>` outside the document; the browser requests the ranges it needs.
 *
 * @implements {Source}
 */
export class RecordingSource {
  #audio = new Audio();
  #life = new AbortController();
  #start;

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
    return this.#audio.readyState === 0 ? this.#start : this.#audio.currentTime;
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
    if (this.#audio.readyState === 0) this.#start = seconds;
    else this.#audio.currentTime = seconds;
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
    if (this.#start > 0) this.#audio.currentTime = this.#start;
  }
}
