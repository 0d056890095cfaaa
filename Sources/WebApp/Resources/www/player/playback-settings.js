import { attempt } from "../components/toast.js";
import { numberSetting, setting, settings } from "../core/store.js";
import { changeSetting } from "../server/settings.js";

/** Milliseconds after the last choice until a speed becomes the setting. */
const keptAfter = 400;

/** Seconds of a step back or forward. */
export function stepSeconds() {
  return numberSetting("playback.step", 15);
}

/** Whether the queue repeats. */
export function isLooping() {
  return ["on", "true", "yes"].includes(setting("playback.loop", "off"));
}

/** The playback speed: the setting's, until another is chosen, which becomes the setting. */
export class PlaybackSpeed {
  #sound;
  #timer = 0;
  /** Whether a choice is about to become the setting, which still has the old value. */
  #isPending = false;
  /** The last value adopted from the setting. */
  #taken = NaN;

  /** @param {import("./sound.js").Sound} sound */
  constructor(sound) {
    this.#sound = sound;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    settings.follow(() => this.#takeSetting(), signal);
  }

  /** @param {number} rate Tempo factor; limited to the allowed range. */
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
