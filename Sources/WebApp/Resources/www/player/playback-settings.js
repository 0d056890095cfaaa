import { attempt } from "../components/toast.js";
import { numberSetting, setting, settings } from "../core/store.js";
import { changeSetting } from "../server/settings.js";

/** Milliseconds without another choice before a speed becomes the setting. */
const keptAfter = 400;

/** Seconds of a step back or forward. */
export function stepSeconds() {
  return numberSetting("playback.step", 15);
}

/** Whether the first of the queue follows the last. */
export function isLooping() {
  return ["on", "true", "yes"].includes(setting("playback.loop", "off"));
}

/** The speed of playback: the setting's, until another is chosen, which becomes the setting. */
export class PlaybackSpeed {
  #sound;
  #timer = 0;
  /** Whether a choice is about to become the setting, which is another one until then. */
  #isPending = false;
  /** The setting's value that was taken last. */
  #taken = NaN;

  /** @param {import("./sound.js").Sound} sound */
  constructor(sound) {
    this.#sound = sound;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    settings.follow(() => this.#takeSetting(), signal);
  }

  /** @param {number} rate Times the tempo; limited to the allowed range. */
  choose(rate) {
    this.#isPending = true;
    this.#sound.setRate(rate);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), keptAfter);
  }

  async #keep() {
    const kept = this.#timer;
    await attempt(() => changeSetting("playback.speed", String(this.#sound.rate.value)));
    if (kept === this.#timer) this.#isPending = false;
  }

  /** Another tab, the settings or a command may have changed it. */
  #takeSetting() {
    const value = numberSetting("playback.speed", 1);
    if (this.#isPending || settings.value.size === 0 || value === this.#taken) return;
    this.#taken = value;
    this.#sound.setRate(value);
  }
}
