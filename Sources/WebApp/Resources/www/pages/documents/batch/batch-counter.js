import { loadBatch } from "../../../server/batch.js";
import { icon } from "../../../components/icon.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { onServer } from "../../../server/events.js";
import { t } from "../../../core/i18n.js";
import { openBatchSheet } from "./batch-sheet.js";

/**
 * @typedef {import("../../../server/batch.js").BatchCount} BatchCount
 * @typedef {import("../../../server/batch.js").BatchEntry} BatchEntry
 */

/** At the top of every page while a batch runs, or has failures that nobody has dismissed: which one of how many. */
export class BatchCounter {
  #words = h("span", { class: "batch-words numbers" });
  #name = h("span", { class: "batch-name", dir: "auto" });
  #mark = h("span", { class: "batch-mark" });
  /** Says the same when it changes, and only then. */
  #status = h("p", { class: "visually-hidden", role: "status" });
  #bar;

  constructor() {
    const open = h(
      "button",
      { type: "button", class: "batch-open", "aria-haspopup": "dialog", onclick: () => openBatchSheet() },
      this.#mark,
      this.#words,
      this.#name,
      icon("chevron-right"),
    );
    this.#bar = h("div", { class: "batch-counter", hidden: true }, open);
    this.element = h("div", { class: "batch-place" }, this.#bar, this.#status);
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("batch", (batch) => this.#show(batch, batch.entry), signal);
    onServer("reset", () => this.#look(signal), signal);
    this.#look(signal);
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      const batch = await loadBatch(signal);
      if (!signal.aborted) this.#show(batch, batch.entries.find(({ state }) => state === "begun") ?? null);
    } catch {
      // The next event brings the state.
    }
  }

  /**
   * @param {BatchCount} batch
   * @param {BatchEntry | null} entry
   */
  #show({ total, failed, current, isFinished, isRunning }, entry) {
    const isOver = isFinished || total === 0;
    this.#bar.hidden = total === 0 || (isOver && failed === 0);
    const words = isOver ? wordsAtEnd(total, failed) : t(isRunning ? "batch.counter" : "batch.resting", { n: current, all: total });
    setText(this.#words, words);
    setText(this.#name, isOver ? "" : (entry?.name ?? ""));
    const kind = isOver || failed > 0 ? "warning" : "speak";
    setAttribute(this.#bar, "data-kind", kind);
    if (this.#mark.dataset.kind !== kind) {
      this.#mark.dataset.kind = kind;
      this.#mark.replaceChildren(icon(kind));
    }
    const isNews = this.#status.dataset.words !== words;
    const wasRunning = this.#status.dataset.running === "true";
    this.#status.dataset.words = words;
    this.#status.dataset.running = String(!isOver);
    if (isNews && (!isOver || wasRunning)) setText(this.#status, words);
  }
}

/**
 * @param {number} total
 * @param {number} failed
 */
function wordsAtEnd(total, failed) {
  return failed === 0 ? t("batch.finished", { n: total }) : t("batch.failed", { n: failed });
}
