/**
 * Changes the tempo of speech but not its pitch: waveform similarity overlap-add (Verhelst and Roelands, ICASSP 1993).
 *
 * Windows of 40 ms overlap by half; each is taken within ±10 ms of its nominal position, where the sound best continues
 * the previous window.
 */
export class TempoChanger {
  #rate;
  #hop;
  #reach;
  /** @type {Float32Array} */
  #fade;
  /** Input that may still be needed; `#start` is the position of its first sample in the whole input. */
  #input = new Float32Array(0);
  #start = 0;
  /** The nominal position of the next window in the input. */
  #wanted = 0;
  /** The natural continuation of the last window, not yet faded; `null` before the first. */
  #tail = /** @type {Float32Array | null} */ (null);

  /**
   * @param {number} sampleRate Hertz.
   * @param {number} rate Tempo factor, 0.25 to 4.
   */
  constructor(sampleRate, rate) {
    if (!(rate >= 0.25 && rate <= 4)) throw new RangeError(`no tempo: ${rate}`);
    this.#rate = rate;
    this.#hop = Math.round(sampleRate * 0.02);
    this.#reach = Math.round(sampleRate * 0.01);
    this.#fade = new Float32Array(this.#hop);
    for (let index = 0; index < this.#hop; index += 1) {
      this.#fade[index] = 0.5 - 0.5 * Math.cos((Math.PI * (index + 0.5)) / this.#hop);
    }
  }

  /**
   * @param {Float32Array} samples The next input.
   * @returns {Float32Array} The available output; some 60 ms of input wait for what follows.
   */
  push(samples) {
    const joined = new Float32Array(this.#input.length + samples.length);
    joined.set(this.#input);
    joined.set(samples, this.#input.length);
    this.#input = joined;
    /** @type {Float32Array[]} */
    const ready = [];
    const end = this.#start + this.#input.length;
    while (Math.round(this.#wanted) + this.#reach + 2 * this.#hop <= end) {
      ready.push(this.#step());
      this.#wanted += this.#hop * this.#rate;
    }
    this.#forget();
    return joinAll(ready);
  }

  /** @returns {Float32Array} The rest of the output, at the end of the input. */
  flush() {
    const pushed = this.push(new Float32Array(this.#reach + 2 * this.#hop));
    const tail = this.#tail;
    this.#tail = null;
    if (tail === null) return pushed;
    return joinAll([pushed, tail.map((sample, index) => sample * this.#fade[this.#hop - 1 - index])]);
  }

  #step() {
    const hop = this.#hop;
    const place = this.#tail === null ? Math.round(this.#wanted) : this.#bestPlace(this.#tail);
    const from = place - this.#start;
    const made = this.#input.slice(from, from + hop);
    const tail = this.#tail;
    if (tail !== null) {
      for (let index = 0; index < hop; index += 1) {
        const fade = this.#fade[index];
        made[index] = made[index] * fade + tail[index] * (1 - fade);
      }
    }
    this.#tail = this.#input.slice(from + hop, from + 2 * hop);
    return made;
  }

  /**
   * The position where the input is most like `tail`, by normalized correlation: first every fourth position, then
   * those around the best.
   *
   * @param {Float32Array} tail
   */
  #bestPlace(tail) {
    const wanted = Math.round(this.#wanted);
    const low = Math.max(this.#start, wanted - this.#reach);
    const high = wanted + this.#reach;
    const coarse = this.#best(tail, low, high, 4);
    return this.#best(tail, Math.max(low, coarse - 3), Math.min(high, coarse + 3), 1);
  }

  /**
   * @param {Float32Array} tail
   * @param {number} low
   * @param {number} high Inclusive.
   * @param {number} step
   */
  #best(tail, low, high, step) {
    let best = low;
    let bestLikeness = -Infinity;
    for (let place = low; place <= high; place += step) {
      const from = place - this.#start;
      let product = 0;
      let energy = 1e-9;
      for (let index = 0; index < tail.length; index += 2) {
        const sample = this.#input[from + index];
        product += sample * tail[index];
        energy += sample * sample;
      }
      const likeness = product / Math.sqrt(energy);
      if (likeness > bestLikeness) {
        bestLikeness = likeness;
        best = place;
      }
    }
    return best;
  }

  #forget() {
    const unneeded = Math.min(this.#input.length, Math.round(this.#wanted) - this.#reach - this.#start);
    if (unneeded <= 0) return;
    this.#input = this.#input.slice(unneeded);
    this.#start += unneeded;
  }
}

/** @param {Float32Array[]} parts */
function joinAll(parts) {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
