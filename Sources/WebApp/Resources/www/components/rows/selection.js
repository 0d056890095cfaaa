/** The selected rows of a list, and whether a click selects at all. */
export class Selection {
  isOn = false;
  /** Where a range begins. */
  anchor = 0;
  /** @type {Set<string>} */
  #keys = new Set();

  /** @returns {string[]} In order of selection. */
  get keys() {
    return [...this.#keys];
  }

  get size() {
    return this.#keys.size;
  }

  /** @param {string} key */
  has(key) {
    return this.#keys.has(key);
  }

  /** @param {Iterable<string>} keys */
  replace(keys) {
    this.#keys = new Set(keys);
    this.isOn = this.isOn || this.#keys.size > 0;
  }

  /** @param {boolean} isOn Turning it off clears the selection. */
  turn(isOn) {
    this.isOn = isOn;
    if (!isOn) this.#keys.clear();
  }

  /** @param {string} key */
  toggle(key) {
    this.isOn = true;
    if (!this.#keys.delete(key)) this.#keys.add(key);
  }

  /** @param {Iterable<string>} keys */
  add(keys) {
    this.isOn = true;
    for (const key of keys) this.#keys.add(key);
  }
}

/** Milliseconds of touch that make a long press. */
const longPress = 500;

/** Pixels that a finger may move meanwhile. */
const slack = 8;

/** Recognises a long press, and the click event after it, which is not a click. */
export class LongPress {
  #timer = 0;
  #has = false;

  /** Whether the present touch, or the one that just ended, is a long one. */
  get hasHappened() {
    return this.#has;
  }

  /** @returns {boolean} Whether the next click belongs to a long press; true only once. */
  takeClick() {
    const had = this.#has;
    this.#has = false;
    return had;
  }

  /** Forgets the last touch; called when another begins. */
  reset() {
    this.#has = false;
  }

  /** @param {() => void} run Called when the finger has rested long enough. */
  begin(run) {
    this.end();
    this.#timer = setTimeout(() => {
      this.#has = true;
      run();
    }, longPress);
  }

  /** @param {PointerEvent} event Of the finger that moved, lifted, or started scrolling. */
  released(event) {
    if (event.type === "pointermove" && Math.abs(event.movementX) + Math.abs(event.movementY) < slack) return;
    this.end();
  }

  end() {
    clearTimeout(this.#timer);
  }
}
