/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/** How many segments' sounds are cached; the least recently used is dropped first. */
const maximumHeld = 8;

/**
 * The sound of a segment at a rate.
 *
 * @template Sound
 * @typedef {object} SegmentSound
 * @property {Sound} sound
 * @property {Promise<SegmentTiming | null>} timing `null` when it could not be loaded: then the words are not
 * highlighted.
 */

/**
 * @template Sound
 * @typedef {object} SoundParts
 * @property {(segment: number, rate: number) => Promise<Sound>} load
 * @property {(segment: number, rate: number) => Promise<SegmentTiming>} loadTiming
 */

/**
 * The sounds of segments, loaded ahead so that playback does not wait.
 *
 * @template Sound
 */
export class SegmentSounds {
  #parts;
  /** @type {Map<string, Promise<SegmentSound<Sound>>>} */
  #held = new Map();

  /** @param {SoundParts<Sound>} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * @param {number} segment
   * @param {number} rate
   * @returns {Promise<SegmentSound<Sound>>}
   */
  load(segment, rate) {
    const key = `${segment} ${rate.toFixed(3)}`;
    const loading = this.#held.get(key) ?? this.#bring(segment, rate);
    this.#held.delete(key);
    this.#held.set(key, loading);
    loading.catch(() => this.#held.get(key) === loading && this.#held.delete(key)); // it will be requested again
    for (const old of this.#held.keys()) {
      if (this.#held.size <= maximumHeld) break;
      this.#held.delete(old);
    }
    return loading;
  }

  /** Drops all, because another voice or segmentation has other sounds. */
  forget() {
    this.#held.clear();
  }

  /**
   * @param {number} segment
   * @param {number} rate
   */
  async #bring(segment, rate) {
    const sound = await this.#parts.load(segment, rate);
    const timing = this.#parts.loadTiming(segment, rate).catch(() => null);
    return { sound, timing };
  }
}
