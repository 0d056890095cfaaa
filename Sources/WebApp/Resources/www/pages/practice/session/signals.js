/** @typedef {"segmentEnd" | "navigation" | "finished"} Signal */

/**
 * The sound and vibration of a signal.
 *
 * @type {Readonly<Record<Signal, { tones: readonly number[], touch: readonly number[] }>>}
 */
const kinds = {
  segmentEnd: { tones: [660], touch: [40] },
  navigation: { tones: [440], touch: [15] },
  finished: { tones: [523, 659, 784], touch: [40, 60, 40, 60, 80] },
};

/** Seconds of a tone, and from the start of one to the next. */
const toneLength = 0.12;
const toneStep = 0.14;

/** Volume of a tone, from 0 to 1: quieter than the voice. */
const loudness = 0.12;

/**
 * Milliseconds for which a signal is visible.
 */
export const pulseTime = 450;

/** Signals that a segment has ended or another begins: with a tone, a vibration and a flash. */
export class Signals {
  #context;
  #settings;
  #pulse;
  #vibrate;

  /**
   * @param {AudioContext} context
   * @param {object} parts
   * @param {() => { earcon: boolean, vibration: boolean, pulse: boolean }} parts.settings
   * @param {(signal: Signal) => void} parts.pulse Shows it.
   * @param {(pattern: number[]) => unknown} [parts.vibrate]
   */
  constructor(context, { settings, pulse, vibrate = (pattern) => navigator.vibrate?.(pattern) }) {
    this.#context = context;
    this.#settings = settings;
    this.#pulse = pulse;
    this.#vibrate = vibrate;
  }

  /** @param {Signal} signal */
  give(signal) {
    const { earcon, vibration, pulse } = this.#settings();
    const { tones, touch } = kinds[signal];
    if (earcon) tones.forEach((hertz, index) => this.#tone(hertz, index * toneStep));
    if (vibration) this.#vibrate([...touch]);
    if (pulse) this.#pulse(signal);
  }

  /**
   * @param {number} hertz
   * @param {number} after Seconds.
   */
  #tone(hertz, after) {
    const start = this.#context.currentTime + after;
    const tone = this.#context.createOscillator();
    const gain = this.#context.createGain();
    tone.frequency.value = hertz;
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(loudness, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, start + toneLength);
    tone.connect(gain).connect(this.#context.destination);
    tone.start(start);
    tone.stop(start + toneLength);
  }
}
