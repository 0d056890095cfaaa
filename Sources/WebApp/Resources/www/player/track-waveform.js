import { clock } from "../core/format.js";
import { t } from "../core/i18n.js";
import { Cell } from "../core/store.js";
import { loadPeaks } from "../server/library.js";

/** @typedef {import("./track.js").Track} Track */
/** @typedef {import("./sound.js").Phase} Phase */

/** The waveform of the recording in the player. */
export class TrackWaveform {
  /** @type {Cell<readonly number[]>} See {@link loadPeaks}; none while it is not known. */
  peaks = new Cell(/** @type {readonly number[]} */ ([]));
  #track;
  #phase;
  /** @type {Set<object>} Where it is seen. */
  #places = new Set();
  /** @type {string | null} The sound whose waveform this is. */
  #sound = null;
  #isAsked = false;
  #load = new AbortController();

  /**
   * @param {Cell<Track | null>} track
   * @param {Cell<Phase>} phase
   */
  constructor(track, phase) {
    this.#track = track;
    this.#phase = phase;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#track.follow(() => this.#renew(), signal);
    this.#phase.watch(() => this.#renew(), signal);
  }

  /**
   * Notes that a place shows the waveform, or no longer does; it is requested only if one does.
   *
   * @param {object} place
   * @param {boolean} isSeen
   */
  see(place, isSeen) {
    if (isSeen) this.#places.add(place);
    else this.#places.delete(place);
    this.#renew();
  }

  async #renew() {
    const track = this.#track.value;
    const isWhole = track !== null && track.kind === "recording" && track.isWhole;
    // A sentence that is spoken again makes another length.
    const sound = isWhole ? `${track.id} ${track.duration}` : null;
    if (sound !== this.#sound) {
      this.#load.abort();
      this.#sound = sound;
      this.#isAsked = false;
      this.peaks.set([]);
    }
    // What is waited for is the sound.
    if (!isWhole || this.#isAsked || this.#places.size === 0 || this.#phase.value === "loading") return;
    this.#isAsked = true;
    this.#load = new AbortController();
    const { signal } = this.#load;
    try {
      const peaks = await loadPeaks(track.id, signal);
      if (!signal.aborted) this.peaks.set(peaks);
    } catch {
      // It plays without a waveform.
    }
  }
}

/** Peaks below this are not drawn higher than it, so that noise does not look like speech. */
const leastPeak = 32;

/**
 * The outline of a waveform: as far below the zero line as above it, at most 1, and flat where it is silent.
 *
 * @param {readonly number[]} peaks See {@link loadPeaks}.
 * @param {number} width
 * @returns {string} The path of an SVG element; empty without peaks.
 */
export function waveformPath(peaks, width) {
  if (peaks.length === 0) return "";
  const largest = Math.max(leastPeak, ...peaks);
  const points = peaks.map((peak, index) => ({
    x: (((index + 0.5) / peaks.length) * width).toFixed(1),
    // Between amplitude and its square root: speech stands out from noise, and soft speech is still seen.
    y: ((peak / largest) ** 1.5).toFixed(3),
  }));
  const above = points.map(({ x, y }) => `L${x} -${y}`);
  const below = points.map(({ x, y }) => `L${x} ${y}`).reverse();
  return `M0 0${above.join("")}L${width} 0${below.join("")}Z`;
}

/** @typedef {import("../server/recordings.js").Mark} Mark */

/**
 * A mark's time and name.
 *
 * @param {Mark} mark
 */
export function markWords({ seconds, label }) {
  return `${clock(seconds)} ${label ?? t("marks.mark")}`;
}

/**
 * The mark nearest to a time.
 *
 * @param {readonly Mark[]} marks
 * @param {number} time Seconds.
 * @param {number} reach The longest distance, in seconds.
 * @returns {Mark | null} `null` if none is within reach.
 */
export function markAt(marks, time, reach) {
  const distance = (/** @type {Mark} */ { seconds }) => Math.abs(seconds - time);
  const near = marks.filter((mark) => distance(mark) <= reach);
  return near.reduce((/** @type {Mark | null} */ best, mark) => (best === null || distance(mark) < distance(best) ? mark : best), null);
}
