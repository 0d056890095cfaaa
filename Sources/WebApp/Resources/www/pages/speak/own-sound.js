import { player } from "../../player/player.js";
import { Transcript } from "../../player/transcript.js";
import { session } from "./session.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** Whether the player plays what was written here. */
export function isPlayingOwn() {
  const { narration } = session.stage.value;
  return narration !== null && player.isCurrent(narration.id) && player.isPlaying;
}

export function togglePlaying() {
  const { narration, kind } = session.stage.value;
  if (narration === null) return;
  if (player.isCurrent(narration.id)) player.toggle();
  else if (kind === "saved") player.playItems([narration.id]);
  else player.playNarration(narration);
}

/**
 * Plays a narration that begins now.
 *
 * @param {Narration} narration
 * @param {string} text
 */
export function playSound(narration, text) {
  player.playNarration(narration);
  player.transcript.set(new Transcript(narration.id, text, []));
}

/**
 * Gives the player one that was there before the page was loaded, unless it plays something else.
 *
 * @param {Narration} narration
 */
export function takeUpSound(narration) {
  if (player.track.value === null || !player.isPlaying) player.playNarration(narration, false);
}

/** @param {string} id Of a narration or recording that is gone. */
export function forgetSound(id) {
  player.forget(id);
}
