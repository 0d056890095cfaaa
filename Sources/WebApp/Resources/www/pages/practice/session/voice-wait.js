/** Seconds of voice after which somebody counts as having spoken, and of silence after which they have fallen silent. */
const leastVoice = 0.3;
const leastSilence = 0.9;

/** How much louder than the room a voice is, in decibels, and how loud it is at least. */
const above = 9;
const quietestVoice = -50;

/** How fast the measure of the room follows it: decibels a second upwards, and at once downwards. */
const climb = 3;

/** The loudest that a room counts as, in decibels: whoever speaks at once, and on and on, is no room. */
const loudestRoom = -35;

/**
 * Hears by the level of a microphone alone when somebody has spoken and fallen silent. It learns how loud the room is.
 */
export class VoiceWait {
  /** Decibels below full scale. */
  #room = loudestRoom;
  #voice = 0;
  #silence = 0;
  #hasSpoken = false;
  #isOver = false;

  /** Whether somebody has spoken since it began. */
  get hasSpoken() {
    return this.#hasSpoken;
  }

  /**
   * Begins another pause; what is known of the room stays.
   */
  begin() {
    this.#voice = this.#silence = 0;
    this.#hasSpoken = this.#isOver = false;
  }

  /**
   * @param {number} rms The level, from 0 to 1.
   * @param {number} seconds How much of the sound it is of.
   * @returns {boolean} Whether it is over with this; `true` once only.
   */
  hear(rms, seconds) {
    const level = rms <= 0 ? -100 : 20 * Math.log10(rms);
    this.#room = Math.min(level, this.#room + climb * seconds, loudestRoom);
    const isVoice = level > Math.max(quietestVoice, this.#room + above);
    if (isVoice) this.#voice += seconds;
    this.#silence = isVoice ? 0 : this.#silence + seconds;
    // A click of a key or a cough is not kept for ever.
    if (!this.#hasSpoken && this.#silence >= leastSilence) this.#voice = 0;
    this.#hasSpoken ||= this.#voice >= leastVoice - 1e-6;
    if (this.#isOver || !this.#hasSpoken || this.#silence < leastSilence - 1e-6) return false;
    this.#isOver = true;
    return true;
  }
}
