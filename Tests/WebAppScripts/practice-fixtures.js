/** A clock that the test advances. */
export class HandClock {
  #seconds = 0;
  /** @type {{ at: number, run: () => void }[]} */
  #waiting = [];

  now = () => this.#seconds;

  /** @param {() => void} run @param {number} seconds */
  later = (run, seconds) => {
    const entry = { at: this.#seconds + seconds, run };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== entry);
    };
  };

  /** @param {number} seconds */
  pass(seconds) {
    this.#seconds += seconds;
    const due = this.#waiting.filter(({ at }) => at <= this.#seconds + 1e-9);
    this.#waiting = this.#waiting.filter((one) => !due.includes(one));
    for (const { run } of due) run();
  }
}

/** An audio context whose time the test advances. */
export class HandContext {
  currentTime = 0;
  destination = {};
  /** @type {number[]} The frequencies of the tones played, in hertz. */
  tones = [];
  /** @type {{ end: number, onended: null | (() => void) }[]} */
  #sources = [];

  /** @returns {AudioContext} */
  get asContext() {
    return /** @type {AudioContext} */ (/** @type {unknown} */ (this));
  }

  /** How many sounds are playing. */
  get sounding() {
    return this.#sources.length;
  }

  /** @param {number} seconds */
  pass(seconds) {
    this.currentTime += seconds;
    const over = this.#sources.filter(({ end }) => end <= this.currentTime + 1e-9);
    this.#sources = this.#sources.filter((one) => !over.includes(one));
    for (const one of over) one.onended?.();
  }

  createBufferSource() {
    const source = {
      buffer: /** @type {{ duration: number } | null} */ (null),
      end: Infinity,
      onended: null,
      connect: (/** @type {unknown} */ next) => next,
      start: (/** @type {number} */ at, /** @type {number} */ from = 0, /** @type {number} */ seconds = Infinity) => {
        source.end = Math.max(at, this.currentTime) + Math.min(seconds, (source.buffer?.duration ?? 0) - from);
        this.#sources.push(source);
      },
      stop: (/** @type {number} */ at = 0) => {
        source.end = Math.min(source.end, Math.max(at, this.currentTime));
      },
    };
    return source;
  }

  createOscillator() {
    const frequency = { value: 0 };
    return { frequency, connect: (/** @type {unknown} */ next) => next, start: () => this.tones.push(frequency.value), stop: () => {} };
  }

  createGain() {
    const nothing = () => {};
    const gain = { value: 1, setValueAtTime: nothing, linearRampToValueAtTime: nothing, exponentialRampToValueAtTime: nothing };
    return { gain, connect: (/** @type {unknown} */ next) => next };
  }

  createStereoPanner() {
    return { pan: { value: 0 }, connect: (/** @type {unknown} */ next) => next };
  }
}
