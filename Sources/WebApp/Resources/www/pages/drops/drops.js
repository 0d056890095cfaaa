/**
 * Takes files dropped anywhere that the page has not taken: the browser would open them in its place. Over a locked page
 * they are refused. It comes before the other parts of every page, so that a file dropped at once is not lost; what
 * imports it comes when it is needed.
 */

import { loadHeldStyles } from "../../core/dom.js";
import { isOpen } from "../../core/store.js";
import { loadState } from "../../server/http.js";

/** Milliseconds until what imports files is requested again. */
const againAfter = 1_000;

// “dragenter” too: what came under the pointer a moment ago gets no other event before the drop.
for (const name of /** @type {const} */ (["dragenter", "dragover", "drop"])) addEventListener(name, takeDragged);
addEventListener("dragleave", (event) => event.relatedTarget === null && mark(false));

/** @param {DragEvent} event */
function takeDragged(event) {
  const { type, dataTransfer } = event;
  const isFree = dataTransfer?.types.includes("Files") === true && !event.defaultPrevented;
  const isOurs = isFree && isOpen() && document.querySelector(".frame") !== null;
  mark(isOurs && type !== "drop");
  if (!isFree) return;
  event.preventDefault();
  dataTransfer.dropEffect = isOurs ? "copy" : "none";
  if (isOurs && type === "drop") take([...dataTransfer.files]);
}

/** @param {boolean} isOver Whether files are dragged over the page, which a style shows. */
function mark(isOver) {
  document.documentElement.toggleAttribute("data-dropping", isOver);
}

/**
 * @param {File[]} files They wait for what imports them.
 * @param {boolean} [isAgain] Whether that could not be loaded although the server answers.
 */
async function take(files, isAgain = false) {
  try {
    const [{ takeDropped }] = await Promise.all([import("./dropped-files.js"), loadHeldStyles()]);
    if (isOpen()) takeDropped(files);
  } catch (error) {
    const isAnswered = await loadState().then(() => true, () => false);
    if (isAnswered && isAgain) throw error;
    setTimeout(() => take(files, isAnswered), againAfter);
  }
}
