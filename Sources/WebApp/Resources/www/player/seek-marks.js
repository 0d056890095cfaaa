import { fill, h } from "../core/dom.js";
import { player } from "./player.js";
import { trackMarks } from "./track-marks.js";

/**
 * Shows the marks of the recording in the player on a position line.
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
    fill(ticks, ...(duration > 0 ? trackMarks.state.value.map((mark) => tickOf(mark, duration)) : []));
  };
  trackMarks.state.follow(show, signal);
  player.track.watch(show, signal);
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
