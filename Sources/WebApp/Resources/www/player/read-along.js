import { t } from "../core/i18n.js";
import { showToast } from "../components/toast.js";
import { player } from "./player.js";

/** @typedef {import("../components/reading-text.js").ReadingText} ReadingText */

/**
 * Lets a reading text follow the player, and a click in it lead the player, until `signal` is aborted.
 *
 * @param {ReadingText} reading
 * @param {AbortSignal} signal
 * @param {string} [only] The one recording or narration to follow; without it whatever is in the player.
 */
export function readAlong(reading, signal, only) {
  let frame = 0;
  const isMeant = (/** @type {{ id: string } | null} */ transcript) =>
    transcript !== null && (only === undefined || transcript.id === only);
  const look = () => {
    frame = 0;
    if (isMeant(player.transcript.value)) reading.setTime(player.now());
    if (player.phase.value === "playing") frame = requestAnimationFrame(look);
  };
  const start = () => {
    if (frame === 0) frame = requestAnimationFrame(look);
  };
  player.transcript.follow((transcript) => {
    if (transcript !== null && isMeant(transcript)) reading.show(transcript.text, transcript.sentences);
    start();
  }, signal);
  player.phase.watch(start, signal);
  player.time.watch(start, signal);
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
  reading.addEventListener("text-seek", (event) => {
    player.seek(/** @type {CustomEvent<{ seconds: number }>} */ (event).detail.seconds);
  }, { signal });
  reading.addEventListener("text-ahead", () => showToast({ text: t("reading.ahead"), seconds: 3 }), { signal });
  if (only === undefined || player.isCurrent(only)) player.needTranscript();
}
