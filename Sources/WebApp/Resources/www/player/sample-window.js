/** The part of a stream of samples that is kept in memory: what was just heard, and what comes next. */
export class SampleWindow {
  /** @type {Int16Array[]} */
  #blocks = [];
  #first;
  #end;
  /** A byte that came without its other half. */
  #half = /** @type {number | null} */ (null);

  /** @param {number} first The sample that comes first. */
  constructor(first) {
    this.#first = first;
    this.#end = first;
  }

  /** The first sample that is still kept. */
  get first() {
    return this.#first;
  }

  /** The sample after the last. */
  get end() {
    return this.#end;
  }

  /**
   * @param {Uint8Array} bytes Signed 16-bit little-endian; may begin and end in the middle of a sample.
   */
  append(bytes) {
    const whole = this.#half === null ? bytes : Uint8Array.of(this.#half, ...bytes.subarray(0, 1));
    if (this.#half !== null && whole.length === 2) {
      this.#half = null;
      this.#add(whole);
      bytes = bytes.subarray(1);
    }
    if (bytes.length % 2 === 1) {
      this.#half = bytes[bytes.length - 1];
      bytes = bytes.subarray(0, bytes.length - 1);
    }
    this.#add(bytes);
  }

  /**
   * @param {number} from
   * @param {number} count
   * @returns {Float32Array} Between −1 and 1; shorter when the window ends before.
   */
  read(from, count) {
    const start = Math.max(from, this.#first);
    const made = new Float32Array(Math.max(0, Math.min(from + count, this.#end) - start));
    let blockStart = this.#first;
    for (const block of this.#blocks) {
      const blockEnd = blockStart + block.length;
      const low = Math.max(start, blockStart);
      const high = Math.min(start + made.length, blockEnd);
      for (let sample = low; sample < high; sample += 1) made[sample - start] = block[sample - blockStart] / 32_768;
      if (blockEnd >= start + made.length) break;
      blockStart = blockEnd;
    }
    return made;
  }

  /**
   * Drops whole blocks before a sample.
   *
   * @param {number} sample
   */
  dropBefore(sample) {
    while (this.#blocks.length > 0 && this.#first + this.#blocks[0].length <= sample) {
      this.#first += /** @type {Int16Array} */ (this.#blocks.shift()).length;
    }
  }

  /** @param {Uint8Array} bytes An even number of them. */
  #add(bytes) {
    if (bytes.length === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const block = new Int16Array(bytes.length / 2);
    for (let index = 0; index < block.length; index += 1) block[index] = view.getInt16(index * 2, true);
    this.#blocks.push(block);
    this.#end += block.length;
  }
}
