import { icon } from "../../../components/icon.js";
import { h, reducedMotion, setAttribute, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { part } from "../../recordings/samples.js";

const namespace = "http://www.w3.org/2000/svg";

/** The number of steps in which the ring fills with reduced motion. */
const steps = 8;

/**
 * The state of the ring.
 *
 * @typedef {object} RingState
 * @property {"idle" | "playing" | "echo" | "paused" | "finished"} phase
 * @property {boolean} records Whether echoes are recorded.
 * @property {boolean} isRecording
 * @property {boolean} isUntilSilence
 */

/** The ring that fills while a user repeats, around a dot that is red while recording. */
export class EchoRing {
  #filled = circle("ring-filled");
  #level = h("span", { class: "ring-level", "aria-hidden": "true" });
  #dot;
  #words = h("p", { class: "ring-words" });
  #detail = h("p", { class: "ring-detail muted small numbers", "aria-hidden": "true" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #said = "";
  element;

  /** @param {{ toggleRecording: () => void }} actions */
  constructor({ toggleRecording }) {
    const picture = document.createElementNS(namespace, "svg");
    picture.setAttribute("viewBox", "0 0 100 100");
    picture.setAttribute("class", "ring-picture");
    picture.setAttribute("aria-hidden", "true");
    picture.append(circle("ring-line"), this.#filled);
    this.#dot = h("button", { type: "button", class: "ring-dot", onclick: toggleRecording }, this.#level, icon("microphone"));
    const words = h("div", { class: "ring-say" }, this.#words, this.#detail);
    this.element = h("div", { class: "echo-ring" }, h("div", { class: "ring" }, picture, this.#dot), words, this.#status);
  }

  /** @param {RingState} state */
  show({ phase, records, isRecording, isUntilSilence }) {
    setAttribute(this.element, "data-phase", phase);
    setAttribute(this.element, "data-recording", isRecording);
    setAttribute(this.element, "data-waits", phase === "echo" && isUntilSilence);
    setAttribute(this.#dot, "aria-pressed", String(records));
    const label = t(records ? "practice.record.off" : "practice.record.on");
    setAttribute(this.#dot, "aria-label", t("practice.record"));
    setAttribute(this.#dot, "title", label);
    const words = t(isRecording ? "practice.phase.recording" : `practice.phase.${phase}`);
    setText(this.#words, words);
    this.#say(phase, words);
  }

  /**
   * @param {number} filled From 0 to 1.
   * @param {number | null} remaining Seconds; `null` for none.
   */
  fill(filled, remaining) {
    const shown = reducedMotion() ? Math.floor(filled * steps) / steps : filled;
    this.#filled.style.setProperty("--part", shown.toFixed(3));
    setText(this.#detail, remaining === null ? "" : t("practice.seconds", { n: Math.ceil(remaining) }));
  }

  /** @param {number} rms From 0 to 1. */
  showLevel(rms) {
    this.#level.style.setProperty("--level", part(rms).toFixed(2));
  }

  /**
   * Announces what the user should do, unless the voice itself makes it clear.
   *
   * @param {string} phase
   * @param {string} words
   */
  #say(phase, words) {
    if (phase === this.#said) return;
    this.#said = phase;
    setText(this.#status, phase === "playing" || phase === "idle" ? "" : words);
  }
}

/** @param {string} className */
function circle(className) {
  const element = document.createElementNS(namespace, "circle");
  for (const [name, value] of Object.entries({ cx: "50", cy: "50", r: "46", pathLength: "1", class: className })) {
    element.setAttribute(name, value);
  }
  return element;
}
