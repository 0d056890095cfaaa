import { fill, h, loadStyle, setText } from "../core/dom.js";
import { clock } from "../core/format.js";
import { t } from "../core/i18n.js";
import { addGeneralShortcuts } from "../core/shortcuts.js";
import { Cell } from "../core/store.js";
import { onServer } from "../server/events.js";
import { loadPeaks } from "../server/library.js";
import { loadMarks } from "../server/recordings.js";
import { player } from "./player.js";
import { markNear, silencesOf } from "./track.js";

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
    // The sound has priority over its waveform.
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

/** The marks of the recording in the player; none for what a voice is just speaking. */
class TrackMarks {
  /** @type {Cell<readonly Mark[]>} */
  state = new Cell(/** @type {readonly Mark[]} */ ([]));
  /** @type {Cell<Mark | null>} The mark that was gone to last. */
  reached = new Cell(/** @type {Mark | null} */ (null));
  /** @type {string | null} The recording's id. */
  #id = null;
  #load = new AbortController();
  #isStarted = false;

  /** Follows the player, for as long as the document lives. */
  start() {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { signal } = new AbortController();
    player.track.follow((track) => this.#take(track?.kind === "recording" ? track.id : null), signal);
    onServer("library", ({ changed }) => this.#id !== null && changed.includes(this.#id) && this.#renew(), signal);
    onServer("reset", () => this.#renew(), signal);
    addGeneralShortcuts(
      [
        { keys: ",", label: "shortcut.mark.previous", group: "playing", run: () => this.go(-1) },
        { keys: ".", label: "shortcut.mark.next", group: "playing", run: () => this.go(1) },
      ],
      signal,
    );
  }

  /** @param {1 | -1} step To the next mark, or the previous one. */
  go(step) {
    const to = markNear(this.state.value, player.now(), step);
    if (to === null) return;
    player.seek(to);
    this.reached.set(this.state.value.find(({ seconds }) => seconds === to) ?? null);
  }

  /** @param {string | null} id */
  #take(id) {
    if (id === this.#id) return;
    this.#id = id;
    this.state.set([]);
    this.reached.set(null);
    this.#renew();
  }

  async #renew() {
    this.#load.abort();
    this.#load = new AbortController();
    const { signal } = this.#load;
    if (this.#id === null) return;
    try {
      const marks = await loadMarks(this.#id, signal);
      if (!signal.aborted) this.state.set(marks);
    } catch {
      // It plays without them; the next event requests them again.
    }
  }
}

export const trackMarks = new TrackMarks();

const namespace = "http://www.w3.org/2000/svg";

/** The width of a waveform in units; it scales to its place. */
const width = 512;

const waveform = new TrackWaveform(player.track, player.phase);
waveform.start(new AbortController().signal);

/**
 * Draws the recording in the player on a position line: its waveform behind the line, and in front of it the marks, and
 * where nothing is said, if that is known.
 *
 * @param {HTMLElement} line
 * @param {AbortSignal} signal
 */
function drawOn(line, signal) {
  drawWaveform(line, signal);
  const ticks = h("div", { class: "seek-marks", "aria-hidden": "true" });
  const name = h("span", { class: "seek-name numbers" });
  name.hidden = true;
  const reached = h("p", { class: "visually-hidden", "aria-live": "polite" });
  line.append(ticks, reached);
  const show = () => {
    const { duration } = player;
    const marks = duration > 0 ? trackMarks.state.value : [];
    if (!marks.some((mark) => markWords(mark) === name.textContent)) name.hidden = true;
    fill(ticks, ...silences(duration), ...marks.map((mark) => tickOf(mark, duration)), name);
  };
  player.transcript.watch(show, signal);
  trackMarks.state.follow(show, signal);
  player.track.watch(show, signal);
  trackMarks.reached.watch((mark) => setText(reached, mark === null ? "" : markWords(mark)), signal);
  nameUnderPointer(line, ticks, name, signal);
}

/**
 * @param {HTMLElement} line
 * @param {AbortSignal} signal
 */
function drawWaveform(line, signal) {
  const path = document.createElementNS(namespace, "path");
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 -1 ${width} 2`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.append(path);
  const place = h("div", { class: "seek-wave", "aria-hidden": "true" });
  place.append(picture);
  line.prepend(place);
  waveform.peaks.follow((peaks) => path.setAttribute("d", waveformPath(peaks, width)), signal);
  // A narrow bar does not show it.
  const sizes = new ResizeObserver(() => waveform.see(place, place.clientWidth > 0));
  sizes.observe(place);
  const leave = () => {
    sizes.disconnect();
    waveform.see(place, false);
  };
  signal.addEventListener("abort", leave, { once: true });
}

/** So near to a mark, in pixels, its name is shown. */
const reach = 8;

/**
 * Shows the name of the mark under the pointer.
 *
 * @param {HTMLElement} line
 * @param {HTMLElement} ticks
 * @param {HTMLElement} name Among the ticks.
 * @param {AbortSignal} signal
 */
function nameUnderPointer(line, ticks, name, signal) {
  const show = (/** @type {PointerEvent} */ { clientX }) => {
    const { duration } = player;
    const { left, width } = ticks.getBoundingClientRect();
    const perPixel = duration / width;
    const mark = duration > 0 && width > 0 ? markAt(trackMarks.state.value, (clientX - left) * perPixel, reach * perPixel) : null;
    name.hidden = mark === null;
    if (mark === null) return;
    setText(name, markWords(mark));
    name.style.setProperty("--at", String(Math.min(1, mark.seconds / duration)));
  };
  line.addEventListener("pointermove", show, { signal });
  line.addEventListener("pointerleave", () => (name.hidden = true), { signal });
}

/** @param {number} duration Seconds. */
function silences(duration) {
  const { track, transcript } = player;
  if (!(duration > 0)) return [];
  // A voice only pauses.
  if (track.value === null || track.value.voiceName !== "" || transcript.value?.id !== track.value.id) return [];
  return silencesOf(transcript.value.sentences, duration).map(({ start, end }) => {
    const part = h("span", { class: "seek-silence" });
    part.style.setProperty("--at", String(start / duration));
    part.style.setProperty("--length", String(Math.min(1, end / duration) - start / duration));
    return part;
  });
}

/**
 * @param {import("../server/recordings.js").Mark} mark
 * @param {number} duration Seconds.
 */
function tickOf({ seconds }, duration) {
  const tick = h("span", { class: "seek-mark" });
  tick.style.setProperty("--at", String(Math.min(1, seconds / duration)));
  return tick;
}

/**
 * Shows on a position line what is known of the recording in the player; what draws it is loaded with the first one.
 *
 * @param {HTMLElement} line
 * @param {AbortSignal} signal
 */
export function standMarks(line, signal) {
  trackMarks.start();
  let isAsked = false;
  player.track.follow(async (track) => {
    if (isAsked || track?.kind !== "recording") return;
    isAsked = true;
    try {
      await loadStyle("/styles/seek.css");
      if (!signal.aborted) drawOn(line, signal);
    } catch {
      // A position can be chosen without it; the next track asks again.
      isAsked = false;
    }
  }, signal);
}
