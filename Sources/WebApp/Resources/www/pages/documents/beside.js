import { loadStyle } from "../../core/dom.js";
import { isOpen, state } from "../../core/store.js";
import { BatchCounter } from "./batch/batch-counter.js";
import { takeDrops } from "./import/file-drop.js";
import { imports } from "./import/import-queue.js";

/**
 * What of the documents stands beside every page: how far the batch is, and the way in for files that are dropped.
 *
 * @param {HTMLElement} top The place above the page.
 * @param {AbortSignal} signal
 */
export async function stand(top, signal) {
  await loadStyle("/styles/batch.css");
  if (signal.aborted) return;
  const counter = new BatchCounter();
  top.replaceChildren(counter.element);
  counter.start(signal);
  takeDrops((files) => imports.add(files), signal);
  state.watch(() => !isOpen() && imports.forget(), signal);
  signal.addEventListener("abort", () => !isOpen() && imports.forget(), { once: true });
}
