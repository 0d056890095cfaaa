/** Milliseconds of touch that make a long press. */
const longPress = 500;

/** Pixels that a finger may move meanwhile. */
const slack = 8;

/** Notices that a finger rests on an element, and that the click which follows is no click. */
export class LongPress {
  #timer = 0;
  #has = false;

  /** Whether the present touch, or the one that has just ended, is a long one. */
  get hasHappened() {
    return this.#has;
  }

  /** @returns {boolean} Whether the next click belongs to a long press; true once. */
  takeClick() {
    const had = this.#has;
    this.#has = false;
    return had;
  }

  /** Forgets the one before: another touch begins. */
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

  /** @param {PointerEvent} event Of the finger that moved, was lifted, or was taken over by scrolling. */
  released(event) {
    if (event.type === "pointermove" && Math.abs(event.movementX) + Math.abs(event.movementY) < slack) return;
    this.end();
  }

  end() {
    clearTimeout(this.#timer);
  }
}
