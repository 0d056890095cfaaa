import { loadStyle } from "../core/dom.js";
import { player } from "./player.js";
import { trackMarks } from "./track-marks.js";

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
      const [{ drawOn }] = await Promise.all([import("./seek-drawing.js"), loadStyle("/styles/seek.css")]);
      if (!signal.aborted) drawOn(line, signal);
    } catch {
      // A position can be chosen without it; the next track asks again.
      isAsked = false;
    }
  }, signal);
}
