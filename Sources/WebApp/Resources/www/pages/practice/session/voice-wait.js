/** Seconds of voice after which the user counts as having spoken, and of silence after which they have stopped. */
const leastVoice = 0.3;
const leastSilence = 0.9;

/** How much louder than the room a voice must be, in decibels, and its minimum level. */
const above = 9;
const quietestVoice = -50;

/** How fast the estimate of the room follows it: upwards in decibels per second; downwards at once. */
const climb = 3;

/** The maximum estimate of the room, in decibels: someone who speaks at once and without pause is not the room. */
const loudestRoom = -35;

/**
 * Detects from a microphone's level alone when the user has spoken and stopped. It learns how loud the room is.
 */
export class VoiceWait {
  /** In decibels relative to full scale. */
  #room = loudestRoom;
  #voice = 0;
  #silence = 0;
  #hasSpoken = false;
  #isOver = false;

  /** Whether the user has spoken since it began. */
  get hasSpoken() {
    return this.#hasSpoken;
  }

  /** Whether the user has spoken and is silent now. */
  get isSilent() {
    return this.#hasSpoken && this.#silence >= leastSilence - 1e-6;
  }

  /**
   * Begins another pause; the estimate of the room stays.
   */
  begin() {
    this.#voice = this.#silence = 0;
    this.#hasSpoken = this.#isOver = false;
  }

  /**
   * @param {number} rms The level, from 0 to 1.
   * @param {number} seconds The length of the measured sound.
   * @returns {boolean} Whether the wait ends with this; `true` only once.
   */
  hear(rms, seconds) {
    const level = rms <= 0 ? -100 : 20 * Math.log10(rms);
    this.#room = Math.min(level, this.#room + climb * seconds, loudestRoom);
    const isVoice = level > Math.max(quietestVoice, this.#room + above);
    if (isVoice) this.#voice += seconds;
    this.#silence = isVoice ? 0 : this.#silence + seconds;
    // A key click or a cough does not count for ever.
    if (!this.#hasSpoken && this.#silence >= leastSilence) this.#voice = 0;
    this.#hasSpoken ||= this.#voice >= leastVoice - 1e-6;
    if (this.#isOver || !this.isSilent) return false;
    this.#isOver = true;
    return true;
  }
}
