import { button } from "../../components/button.js";
import { h, setAttribute, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { mannerChips } from "./chips.js";
import { session } from "./session.js";

/** Milliseconds after a key before the words are counted again. */
const countAfter = 120;

/** Larger files are no texts to paste: 4 MB. */
const largestFile = 4_000_000;

/**
 * What the page does for the view.
 *
 * @typedef {object} WritingListener
 * @property {() => void} typed The text has changed, a moment ago.
 * @property {() => void} generate
 * @property {() => void} startOver
 * @property {(text: string) => void} dropped A text file's.
 */

/** The field that the text is written in, and the row under it that says how it will be spoken. */
export class WritingView {
  field = h("textarea", {
    class: "speak-text",
    placeholder: t("speak.placeholder"),
    "aria-label": t("speak.text"),
    spellcheck: "true",
    dir: "auto",
  });
  chips;
  actions;
  #count;
  #listener;
  #clear;
  #generate;
  #timer = 0;

  /**
   * @param {import("./word-count.js").WordCount} count
   * @param {WritingListener} listener
   * @param {AbortSignal} signal
   */
  constructor(count, listener, signal) {
    this.#count = count;
    this.#listener = listener;
    this.#clear = button({ label: t("speak.clear"), icon: "close", look: "quiet", className: "speak-clear", onPress: () => listener.startOver() });
    this.#generate = button({ label: t("speak.generate"), look: "primary", className: "generate", onPress: () => listener.generate() });
    this.actions = h("div", { class: "speak-actions" }, this.#clear, this.#generate);
    this.chips = mannerChips(signal);
    this.field.value = session.text;
    this.field.addEventListener("input", () => this.#typed(), { signal });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) listener.generate();
    }, { signal });
    // Anywhere on the page: what is not taken would be opened instead of the page.
    addEventListener("dragover", (event) => this.#dragged(event), { signal });
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.#markDrop(false), { signal });
    addEventListener("drop", (event) => this.#drop(event), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer), { once: true });
  }

  /** Takes over the session's text. */
  refill() {
    this.field.value = session.text;
    this.field.focus();
  }

  /** Whether the text can be generated as it is, and whether there is anything to clear. */
  update() {
    const isAsking = session.stage.value.kind === "asking";
    setAttribute(this.#generate, "aria-busy", isAsking ? "true" : null);
    setText(/** @type {Element} */ (this.#generate.lastElementChild), t(isAsking ? "speak.asking" : "speak.generate"));
    setAttribute(this.#generate, "aria-disabled", this.#count.words === 0 || this.#count.isOver || isAsking ? "true" : null);
    this.#clear.hidden = session.text === "";
  }

  #typed() {
    session.text = this.field.value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#listener.typed(), countAfter);
    if (session.problem.value !== null) session.problem.set(null);
  }

  /** @param {DragEvent} event */
  #dragged(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    this.#markDrop(true);
  }

  /** @param {boolean} isOver Whether a file is held over the page. */
  #markDrop(isOver) {
    this.field.classList.toggle("dropping", isOver);
  }

  /** @param {DragEvent} event */
  async #drop(event) {
    this.#markDrop(false);
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    const text = /^text\/|^$/.test(file.type) && file.size <= largestFile ? await file.text() : null;
    if (text === null || text.includes("\0")) {
      const { showToast } = await import("../../components/toast.js");
      showToast({ text: t("speak.not-text"), icon: "warning" });
    } else if (!session.isBusy) this.#listener.dropped(text);
  }
}
