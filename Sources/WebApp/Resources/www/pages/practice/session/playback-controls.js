import { button } from "../../../components/button.js";
import { setIcon } from "../../../components/icon.js";
import { slider } from "../../../components/slider.js";
import { h, setAttribute } from "../../../core/dom.js";
import { number, t } from "../../../core/i18n.js";

/** The rate of normal speech, and the slowest and fastest. */
const normalRate = 0.5;
export const slowest = 0.1;
export const fastest = 1;

/**
 * A rate in words: 0.5, which is normal speed.
 *
 * @param {number} rate
 */
export const rateWords = (rate) => number(rate, 2);

/**
 * @typedef {object} ControlActions
 * @property {() => void} toggle
 * @property {(step: 1 | -1) => void} step
 * @property {() => void} again
 * @property {() => void} openSegments
 * @property {(rate: number) => void} setRate
 */

/** The playback buttons: back, play or pause, forward, again, all segments; and the rate. */
export class PlaybackControls {
  #toggle;
  #rate;
  element;

  /** @param {ControlActions} actions */
  constructor({ toggle, step, again, openSegments, setRate }) {
    const quiet = /** @type {const} */ ({ look: "quiet", iconOnly: true });
    this.#toggle = button({ label: t("practice.begin"), icon: "play", iconOnly: true, className: "practice-toggle", look: "primary", onPress: toggle });
    this.#rate = slider({
      label: t("practice.rate"),
      min: slowest,
      max: fastest,
      step: 0.05,
      value: normalRate,
      format: rateWords,
      marks: [slowest, normalRate, fastest],
      onChange: setRate,
    });
    this.element = h(
      "div",
      { class: "practice-controls" },
      h(
        "div",
        { class: "practice-buttons", role: "group", "aria-label": t("practice.controls") },
        button({ label: t("practice.segments"), icon: "text", opens: true, ...quiet, onPress: openSegments }),
        button({ label: t("practice.previous"), icon: "previous", iconOnly: true, className: "practice-step", onPress: () => step(-1) }),
        this.#toggle,
        button({ label: t("practice.next"), icon: "next", iconOnly: true, className: "practice-step", onPress: () => step(1) }),
        button({ label: t("practice.again"), icon: "again", ...quiet, onPress: again }),
      ),
      this.#rate,
    );
  }

  /**
   * @param {object} shown
   * @param {boolean} shown.isRunning
   * @param {"begin" | "continue" | "anew"} shown.way What a press does while nothing runs.
   * @param {number} shown.rate
   */
  show({ isRunning, way, rate }) {
    setIcon(this.#toggle, isRunning ? "pause" : "play");
    const label = t(isRunning ? "practice.pause" : `practice.${way}`);
    setAttribute(this.#toggle, "aria-label", label);
    setAttribute(this.#toggle, "title", label);
    if (!this.#rate.contains(document.activeElement) && this.#rate.value !== rate) this.#rate.value = rate;
  }

  focus() {
    this.#toggle.focus({ preventScroll: true });
  }
}
