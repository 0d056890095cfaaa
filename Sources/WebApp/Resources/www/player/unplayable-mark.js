import { icon } from "../components/button.js";
import { h } from "../core/dom.js";
import { wordsFor } from "../core/format.js";
import { player } from "./player.js";

/**
 * Says in a row why its recording cannot be played.
 *
 * @param {string} id Of a recording.
 * @returns {HTMLElement | null} `null` for no known problem.
 */
export function unplayableMark(id) {
  const reason = player.unplayable.reasons.value.get(id);
  return reason === undefined ? null : h("span", { class: "unplayable" }, icon("warning"), wordsFor(reason).message);
}
