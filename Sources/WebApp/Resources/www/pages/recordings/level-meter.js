import { h, setAttribute } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { recorder } from "./recorder.js";
import { part } from "./samples.js";

/** The peak from which on sound is clipped. */
const tooLoud = 0.985;

/** Milliseconds for which a peak stays marked. */
const hold = 1_200;

/** The microphone's level: a bar for the mean and a mark for the peak. Nothing is measured while it is hidden. */
export class LevelMeter {
  #mean = h("div", { class: "level-mean" });
  #peak = h("div", { class: "level-peak" });
  #isMeasuring = false;
  #highest = 0;
  #since = 0;
  element = h("div", { class: "level", role: "img", "aria-label": t("recorder.level") }, this.#mean, this.#peak);

  /** @param {AbortSignal} signal */
  start(signal) {
    const look = () => this.#measure(!signal.aborted && document.visibilityState === "visible" && recorder.state.value.phase === "recording");
    document.addEventListener("visibilitychange", look, { signal });
    recorder.state.follow(look, signal);
    recorder.level.watch((level) => this.#show(level), signal);
    signal.addEventListener("abort", look, { once: true });
  }

  /** @param {boolean} isMeasuring */
  #measure(isMeasuring) {
    if (isMeasuring === this.#isMeasuring) return;
    this.#isMeasuring = isMeasuring;
    recorder.meter(isMeasuring);
    if (!isMeasuring) this.#show({ peak: 0, rms: 0 });
  }

  /** @param {import("./samples.js").Level} level */
  #show({ peak, rms }) {
    const now = performance.now();
    if (peak >= this.#highest || now - this.#since > hold || peak === 0) [this.#highest, this.#since] = [peak, now];
    this.#mean.style.setProperty("--part", part(rms).toFixed(3));
    this.#peak.style.setProperty("--part", part(this.#highest).toFixed(3));
    setAttribute(this.element, "data-loud", this.#highest >= tooLoud);
  }
}
