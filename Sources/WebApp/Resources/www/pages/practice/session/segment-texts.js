/** @typedef {import("../../../server/practice.js").PracticeSegment} PracticeSegment */
/** @typedef {import("../../../server/practice.js").PracticeSegments} PracticeSegments */

/** The number of segments per request. */
const windowSize = 50;

/** The segments' words, requested in windows on demand; a long text is never requested whole. */
export class SegmentTexts {
  #load;
  #changed;
  /** @type {Map<number, PracticeSegment>} */
  #known = new Map();
  /** @type {Map<number, Promise<void>>} By the first number of the window. */
  #asked = new Map();
  #count = { known: 0, isComplete: false };
  #lastTurn = 0;
  /** @type {Map<number, number>} The last request for each window, by its first number. */
  #turns = new Map();

  /**
   * @param {(window: { from: number, count: number }) => Promise<PracticeSegments>} load
   * @param {() => void} changed Called when more is known.
   */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
  }

  /**
   * @param {number} number From 1.
   * @returns {PracticeSegment | null} `null` while unknown; it is then requested.
   */
  at(number) {
    const found = this.#known.get(number) ?? null;
    if (found === null && number >= 1) this.need(number).catch(() => {}); // it will be requested again
    return found;
  }

  /**
   * A segment, if it has been requested.
   *
   * @param {number} number
   */
  known(number) {
    return this.#known.get(number) ?? null;
  }

  /**
   * Fulfilled when a segment is known, or does not exist.
   *
   * @param {number} number
   */
  need(number) {
    const from = number - ((number - 1) % windowSize);
    const asked = this.#asked.get(from);
    if (asked !== undefined) return asked;
    const asking = this.#ask(from);
    this.#asked.set(from, asking);
    asking.catch(() => this.#asked.get(from) === asking && this.#asked.delete(from));
    return asking;
  }

  /** @param {number} from */
  async #ask(from) {
    const turn = (this.#lastTurn += 1);
    this.#turns.set(from, turn);
    const { segments, known, isComplete } = await this.#load({ from, count: windowSize });
    if (turn !== this.#turns.get(from)) return;
    this.#count = { known: Math.max(this.#count.known, known), isComplete: this.#count.isComplete || isComplete };
    for (const segment of segments) this.#known.set(segment.number, segment);
    this.#changed();
  }

  /**
   * The number of segments according to the latest window, or to the session, which is updated.
   *
   * @param {{ known: number, isComplete: boolean }} session
   */
  countWith({ known, isComplete }) {
    return { known: Math.max(known, this.#count.known), isComplete: isComplete || this.#count.isComplete };
  }

  /**
   * The first segment of another paragraph.
   *
   * @param {number} number
   * @param {1 | -1} step To the next paragraph, or to the start of the previous one.
   * @returns {number | null} `null` when unknown.
   */
  paragraphFrom(number, step) {
    const here = this.#known.get(number);
    if (here === undefined) return null;
    let wanted = number + step;
    while (this.#known.get(wanted)?.paragraph === here.paragraph) wanted += step;
    const found = this.#known.get(wanted);
    if (found === undefined) return step < 0 && number > 1 ? 1 : null;
    while (step < 0 && this.#known.get(wanted - 1)?.paragraph === found.paragraph) wanted -= 1;
    return wanted;
  }

  /**
   * @param {number} number
   * @param {boolean} isHard
   */
  markHard(number, isHard) {
    const segment = this.#known.get(number);
    if (segment === undefined) return;
    this.#known.set(number, { ...segment, isHard });
    this.#changed();
  }

  /**
   * Requests again what may have changed, the marks of hard segments: at once for a segment and those before it, for
   * others on demand.
   *
   * @param {number} number
   */
  async renew(number) {
    const held = [...this.#asked.keys()];
    this.#asked.clear();
    const near = [number, number - windowSize].filter((one) => held.includes(one - ((one - 1) % windowSize)));
    await Promise.all(near.map((one) => this.need(one)));
  }

  /** Drops all, because another segmentation has other segments. */
  forget() {
    this.#turns.clear();
    this.#count = { known: 0, isComplete: false };
    this.#known.clear();
    this.#asked.clear();
  }
}
