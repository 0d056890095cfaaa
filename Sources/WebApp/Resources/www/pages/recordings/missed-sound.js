/** Detects sound that a machine was too busy to take; it uses neither the document nor an audio context. */

/** Seconds between two checks of how late the frames come. */
const lookedAfter = 3;

/** Seconds at the beginning in which frames come early, until a browser's buffers are full. */
const settling = 1;

/** Seconds by which frames fall behind at once only where some are missing: browsers hold about 0.1 s back. */
const leastMissed = 0.2;

/** Seconds that late frames make up between two checks, at the least, while they still come. */
const leastMadeUp = 0.05;

/** The part by which the clocks of a sound card and of the machine may differ. */
const drift = 0.002;

/** How late frames come by one clock, in seconds. */
class Lateness {
  /** How late the earliest frame was before; `null` at first. */
  #usual = /** @type {number | null} */ (null);
  #earliest = Infinity;

  /**
   * @param {number} late
   * @returns {number} How much later than usual it is.
   */
  push(late) {
    this.#earliest = Math.min(this.#earliest, late);
    return late - (this.#usual ?? this.#earliest);
  }

  /** How much later than usual the earliest frame was. */
  get later() {
    return this.#earliest - (this.#usual ?? this.#earliest);
  }

  /**
   * Begins the next check.
   *
   * @param {number} later How late the frames were by all clocks; where this one differs much, it was set.
   * @param {number} missed How much of that is missing.
   */
  settle(later, missed) {
    const own = this.later;
    if (missed > 0) this.#usual = (this.#usual ?? 0) + missed;
    else if (later < leastMissed) {
      const known = own - later >= leastMissed ? later : own;
      this.#usual = this.#earliest - Math.max(0, known - drift * lookedAfter);
    }
    this.#earliest = Infinity;
  }
}

/**
 * Detects sound that never came, because the machine was too busy: the frames that the audio context counts stay as late, by
 * each of two clocks. Frames that are only late catch up, however slowly, and are not missing; a clock that
 * is set, or a page that is slow, makes them late by one clock only.
 */
export class MissedSound {
  #rate;
  #emit;
  #clocks = [new Lateness(), new Lateness()];
  #first = /** @type {number | null} */ (null);
  /** Where the check began: a frame, and milliseconds. */
  #start = /** @type {{ frame: number, now: number } | null} */ (null);
  /** How late all were at the last check. */
  #before = 0;
  /** The last frame that was in time. */
  #inTime = 0;

  /**
   * @param {number} rate Of the frames, in hertz.
   * @param {(seconds: number, ago: number) => void} emit Called with the length of what is missing, and of the sound that has
   *   come since.
   */
  constructor(rate, emit) {
    this.#rate = rate;
    this.#emit = emit;
  }

  /**
   * @param {number} frame The number of a frame.
   * @param {number} heard When it was heard, in milliseconds of a clock that a person may set.
   * @param {number} now When that is known here, in milliseconds of a clock that never jumps.
   */
  push(frame, heard, now) {
    this.#first ??= frame;
    if (frame - this.#first < settling * this.#rate) return;
    const start = (this.#start ??= { frame, now });
    const times = [heard, now];
    const late = this.#clocks.map((clock, index) => clock.push((times[index] ?? 0) / 1_000 - frame / this.#rate));
    if (Math.min(...late) < leastMissed) this.#inTime = frame;
    // Both: many frames that come at once, after a while without any, are one check.
    if (frame - start.frame < lookedAfter * this.#rate || now - start.now < lookedAfter * 1_000) return;
    const later = Math.min(...this.#clocks.map((clock) => clock.later));
    const isForGood = Math.min(later, this.#before) >= leastMissed && later > this.#before - leastMadeUp;
    const missed = isForGood ? Math.min(later, this.#before) : 0;
    for (const clock of this.#clocks) clock.settle(later, missed);
    this.#before = later - missed;
    this.#start = { frame, now };
    if (missed === 0) return;
    this.#emit(missed, (frame - this.#inTime) / this.#rate);
    this.#inTime = frame;
  }

  /** Forgets what came before an intended gap. */
  reset() {
    this.#clocks = [new Lateness(), new Lateness()];
    this.#first = this.#start = null;
    this.#before = 0;
  }
}
