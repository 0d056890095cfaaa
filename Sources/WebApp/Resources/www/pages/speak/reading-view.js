import { readAlong, ReadingText } from "../../components/reading-text.js";
import { fill } from "../../core/dom.js";
import { RunningRow } from "./running-row.js";
import { savedRow } from "./saved-row.js";
import { session } from "./session.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/**
 * What the page gives the view.
 *
 * @typedef {object} ReadingPlaces
 * @property {HTMLElement} body For the text.
 * @property {HTMLElement} row For what stands under it.
 * @property {() => void} startOver
 * @property {(words: string) => void} announce
 */

/**
 * Shows the text as it is read, in the place of the field, with the row that belongs to the stage. A text that was
 * there before stays, with its place and the focus.
 *
 * @param {Narration} narration
 * @param {ReadingPlaces} places
 * @param {AbortSignal} signal
 * @returns {RunningRow | null} The row that follows the narration while it is being spoken.
 */
export function showReading(narration, { body, row, startOver, announce }, signal) {
  const present = body.firstElementChild;
  const reading = present instanceof ReadingText ? present : new ReadingText();
  if (reading !== present) {
    fill(body, reading);
    reading.show(session.text, []);
  }
  readAlong(reading, signal, narration.id);
  const { kind } = session.stage.value;
  if (kind === "speaking") {
    const running = new RunningRow(narration, announce, signal);
    fill(row, running.element);
    running.focus();
    return running;
  }
  if (kind === "saved") {
    fill(row, savedRow(startOver, signal));
    announce(row.querySelector(".saved-name")?.textContent ?? "");
  } else {
    fill(row);
  }
  return null;
}
