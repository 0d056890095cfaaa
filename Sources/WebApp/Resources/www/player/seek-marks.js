import { fill, h, loadStyle, setText } from "../core/dom.js";
import { addGeneralShortcuts } from "../core/shortcuts.js";
import { Cell } from "../core/store.js";
import { onServer } from "../server/events.js";
import { loadMarks } from "../server/recordings.js";
import { player } from "./player.js";
import { markAt, markWords, TrackWaveform, waveformPath } from "./track-waveform.js";
import { markNear, silencesOf } from "./track.js";

/** @typedef {import("../server/recordings.js").Mark} Mark */

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

const trackMarks = new TrackMarks();

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
