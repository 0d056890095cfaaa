import { fill, h } from "../core/dom.js";
import { player } from "./player.js";
import { silencesOf } from "./timeline.js";
import { trackMarks } from "./track-marks.js";

/**
 * Shows the marks of the recording in the player on a position line, and where nothing is said in it, if that is known.
 *
 * @param {HTMLElement} line
 * @param {AbortSignal} signal
 */
export function standMarks(line, signal) {
  const ticks = h("div", { class: "seek-marks", "aria-hidden": "true" });
  line.append(ticks);
  trackMarks.start();
  const show = () => {
    const { duration } = player;
    if (!(duration > 0)) return fill(ticks);
    const marks = trackMarks.state.value.map((mark) => tickOf(mark, duration));
    fill(ticks, ...silences(duration), ...marks);
  };
  player.transcript.watch(show, signal);
  trackMarks.state.follow(show, signal);
  player.track.watch(show, signal);
}

/** @param {number} duration Seconds. */
function silences(duration) {
  const { track, transcript } = player;
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
