/** The most that all of a text takes in pixels: browsers have a largest height. */
const tallest = 6_000_000;

/**
 * How high the parts of a long text are: as measured, or as others like them are. It knows nothing of the page.
 */
export class Heights {
  /** @type {number[]} UTF-16 units of each part. */
  #units;
  /** @type {(number | undefined)[]} Pixels. */
  #measured = [];
  #sum = { pixels: 0, units: 0 };
  /** @type {number[] | null} */
  #tops = null;

  /**
   * @param {number[]} units Of each part, in UTF-16 units.
   * @param {number} [guess] Pixels of a unit before anything is measured.
   */
  constructor(units, guess = 0.5) {
    this.#units = units;
    this.guess = guess;
  }

  /** Pixels of everything. */
  get total() {
    return this.top(this.#units.length);
  }

  /**
   * Pixels above a part.
   *
   * @param {number} index
   */
  top(index) {
    this.#tops ??= this.#count();
    return this.#tops[Math.max(0, Math.min(index, this.#units.length))];
  }

  /** @param {number} index */
  of(index) {
    return this.top(index + 1) - this.top(index);
  }

  /**
   * The part that is at a height.
   *
   * @param {number} pixels
   */
  at(pixels) {
    let low = 0;
    let high = Math.max(0, this.#units.length - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.top(middle + 1) > pixels) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /**
   * @param {number} index
   * @param {number} pixels
   * @returns {boolean} Whether that is news.
   */
  measure(index, pixels) {
    const before = this.#measured[index];
    if (before !== undefined && Math.abs(before - pixels) < 1) return false;
    this.#sum.pixels += pixels - (before ?? 0);
    if (before === undefined) this.#sum.units += this.#units[index];
    this.#measured[index] = pixels;
    this.#tops = null;
    return true;
  }

  /** Forgets what was measured: the width or the letters have changed. */
  forget() {
    if (this.#sum.units > 0) this.guess = this.#sum.pixels / this.#sum.units;
    this.#measured = [];
    this.#sum = { pixels: 0, units: 0 };
    this.#tops = null;
  }

  #count() {
    const each = this.#sum.units > 0 ? this.#sum.pixels / this.#sum.units : this.guess;
    let unknown = 0;
    this.#units.forEach((units, index) => (unknown += this.#measured[index] === undefined ? units : 0));
    const room = Math.max(tallest - this.#sum.pixels, tallest / 2);
    const scale = unknown * each > room ? room / (unknown * each) : 1;
    const tops = [0];
    this.#units.forEach((units, index) => tops.push(tops[index] + (this.#measured[index] ?? units * each * scale)));
    return tops;
  }
}
