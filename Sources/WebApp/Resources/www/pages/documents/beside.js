import { icon } from "../../components/button.js";
import { showToast, whenFree } from "../../components/toast.js";
import { h, loadStyle, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { isOpen, state } from "../../core/store.js";
import { NewestState, onServer } from "../../server/events.js";
import { loadBatch } from "../../server/narrations.js";
import { openBatch } from "./batch-sheet.js";
import { imports } from "./import-queue.js";

/** @typedef {import("../../server/narrations.js").BatchCount} BatchCount */
/** @typedef {import("../../server/narrations.js").BatchEntry} BatchEntry */

/**
 * The documents' part on every page: the batch counter, and what is shown while files are dragged over the page.
 *
 * @param {HTMLElement} top The slot above the page.
 * @param {AbortSignal} signal
 */
export async function stand(top, signal) {
  await loadStyle("/styles/batch.css");
  if (signal.aborted) return;
  const counter = new BatchCounter();
  top.replaceChildren(counter.element);
  counter.start(signal);
  showDrops(signal);
  const n = imports.takeForgotten();
  if (n > 0) whenFree(() => showToast({ icon: "warning", text: t("import.forgotten", { n }), seconds: 20 }));
  state.watch(() => !isOpen() && imports.forget(), signal);
  signal.addEventListener("abort", () => !isOpen() && imports.forget(), { once: true });
}

/** The progress of the batch at the top of every page, while it runs or something of it that was not spoken is not dismissed. */
class BatchCounter {
  #words = h("span", { class: "batch-words numbers" });
  #name = h("span", { class: "batch-name", dir: "auto" });
  #mark = h("span", { class: "batch-mark" });
  /** Announces a change of the words. */
  #status = h("p", { class: "visually-hidden", role: "status" });
  #newest = new NewestState();
  #bar;

  constructor() {
    const open = h(
      "button",
      { type: "button", class: "batch-open", "aria-haspopup": "dialog", onclick: () => openBatch() },
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
    onServer("batch", (batch, event) => {
      if (!this.#newest.takesEvent(event)) return;
      // No event has the words that could not be spoken.
      if (batch.isFinished) this.#look(signal, batch);
      else this.#show(batch, batch.entry);
    }, signal);
    onServer("reset", () => this.#look(signal), signal);
    this.#look(signal);
  }

  /**
   * @param {AbortSignal} signal
   * @param {BatchCount | null} [known] Shown where more cannot be loaded; without it, the next event brings the state.
   */
  async #look(signal, known = null) {
    try {
      const batch = await loadBatch(signal);
      if (signal.aborted || !this.#newest.takesAnswer(batch)) return;
      const [unspoken] = batch.entries.flatMap((entry) => entry.unspoken);
      this.#show(batch, batch.entries.find(({ state }) => state === "begun") ?? null, unspoken);
    } catch {
      if (known !== null && !signal.aborted) this.#show(known, null);
    }
  }

  /**
   * @param {BatchCount} batch
   * @param {BatchEntry | null} entry
   * @param {string} [unspoken] The first words of what could not be spoken of one.
   */
  #show({ total, failed, current, isFinished, isRunning }, entry, unspoken) {
    const isOver = isFinished || total === 0;
    this.#bar.hidden = total === 0 || (isOver && failed === 0 && unspoken === undefined);
    const step = isRunning ? "batch.counter" : "batch.resting";
    const words = isOver ? wordsAtEnd(total, failed, unspoken) : t(step, { n: current, all: total });
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
 * @param {string} [unspoken]
 */
function wordsAtEnd(total, failed, unspoken) {
  if (failed === 0 && unspoken !== undefined) return t("speak.unspoken", { text: unspoken });
  return failed === 0 ? t("batch.finished", { n: total }) : t("batch.failed", { n: failed });
}

/**
 * Shows over the page that files can be dropped, while some are dragged over it.
 *
 * @param {AbortSignal} signal
 */
function showDrops(signal) {
  const veil = h("div", { class: "drop-veil" }, h("p", {}, icon("document"), t("import.drop.here")));
  document.body.append(veil);
  signal.addEventListener("abort", () => veil.remove(), { once: true });
}
