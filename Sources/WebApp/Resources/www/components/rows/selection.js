/** Which rows of a list are selected, and whether a click selects at all. */
export class Selection {
  isOn = false;
  /** Where a range begins. */
  anchor = 0;
  /** @type {Set<string>} */
  #keys = new Set();

  /** @returns {string[]} In the order they were selected. */
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

  /** @param {boolean} isOn Nothing stays selected when it is turned off. */
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
