import { player } from "../../player/player.js";
import { session } from "./session.js";

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
