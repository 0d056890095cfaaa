/** The buffered part of a stream of samples: recently played and coming next. */
export class SampleWindow {
  /** @type {Int16Array[]} */
  #blocks = [];
  #first;
  #end;
  /** The first byte of a sample whose second has not arrived. */
  #half = /** @type {number | null} */ (null);

  /** @param {number} first The number of the first sample. */
  constructor(first) {
    this.#first = first;
    this.#end = first;
  }

  /** The first buffered sample. */
  get first() {
    return this.#first;
  }

  /** The sample after the last. */
  get end() {
    return this.#end;
  }

  /**
   * @param {Uint8Array} bytes Signed 16-bit little-endian; may start and end in the middle of a sample.
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
   * @returns {Float32Array} Between −1 and 1; shorter if the window ends first.
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

  /** @param {Uint8Array} bytes An even number of bytes. */
  #add(bytes) {
    if (bytes.length === 0) return;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const block = new Int16Array(bytes.length / 2);
    for (let index = 0; index < block.length; index += 1) block[index] = view.getInt16(index * 2, true);
    this.#blocks.push(block);
    this.#end += block.length;
  }
}
