import { waveFile } from "../../recordings/samples.js";

/** Seconds by which the answers may lag behind the microphone before loudness decides. */
const longestLag = 0.3;

/** The most chunks that are sent at once; older ones are left out, since the turn's end is what counts. */
const mostChunks = 50;

/**
 * @typedef {object} DetectionParts
 * @property {(turn: number, piece: ArrayBuffer) => Promise<import("../../../server/practice.js").HeardTurn>} send The
 * next piece of a turn as a WAV file; an empty one starts the detector.
 * @property {number} rate Of the chunks, in hertz.
 * @property {() => number} [now] Seconds of a monotonic clock.
 */

/** @typedef {{ token: number, over: () => void }} Turn */

/**
 * Asks the server's detector of voices, while a turn lasts, whether its speaker has fallen silent. Where there is no
 * detector, or none that answers in time, it is not current, and loudness has to decide.
 */
export class VoiceDetection {
  #send;
  #rate;
  #now;
  /** @type {boolean | null} Whether the server has a detector; `null` while that is not known. */
  #isThere = null;
  #isAsking = false;
  /** @type {Turn | null} */
  #turn = null;
  /** @type {{ chunk: ArrayBuffer, at: number }[]} Not sent yet, oldest first. */
  #waiting = [];
  #isSending = false;
  /** When the last analyzed chunk of the turn had come. */
  #heardTo = -Infinity;

  /** @param {DetectionParts} parts */
  constructor({ send, rate, now = () => performance.now() / 1_000 }) {
    this.#send = send;
    this.#rate = rate;
    this.#now = now;
  }

  /** Whether what was analyzed is so recent that the detector decides. */
  get isCurrent() {
    return this.#isThere === true && this.#now() - this.#heardTo <= longestLag;
  }

  /** Starts the detector, so that no turn has to wait for it, and learns whether there is one. */
  async prepare() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    if (this.#isThere === false) this.#isThere = null;
    try {
      this.#isThere = (await this.#send(0, new ArrayBuffer(0))).isDetected;
    } catch {
      this.end(); // the next turn asks again
    }
    this.#isAsking = false;
  }

  /**
   * @param {number} token The pause's.
   * @param {() => void} over Called each time an answer says that the speaker has fallen silent.
   */
  begin(token, over) {
    this.end();
    this.#turn = { token, over };
  }

  end() {
    this.#turn = null;
    this.#waiting = [];
    this.#heardTo = -Infinity;
  }

  /** @param {ArrayBuffer} chunk 16-bit samples. */
  hear(chunk) {
    if (this.#turn === null || this.#isThere === false) return;
    this.#waiting.push({ chunk, at: this.#now() });
    if (this.#waiting.length > mostChunks) this.#waiting.shift();
    if (this.#isThere === null) this.prepare(); // no sound is sent to a server that has no use for it
    else if (!this.#isSending) this.#sendAll();
  }

  async #sendAll() {
    this.#isSending = true;
    while (this.#turn !== null && this.#waiting.length > 0) {
      const turn = this.#turn;
      const pieces = this.#waiting;
      this.#waiting = [];
      try {
        const wave = await waveFile(pieces.map(({ chunk }) => chunk), this.#rate).arrayBuffer();
        const { isDetected, isOver } = await this.#send(turn.token, wave);
        if (turn !== this.#turn) continue;
        this.#isThere = isDetected;
        this.#heardTo = pieces.at(-1)?.at ?? -Infinity;
        if (!isDetected) this.end();
        else if (isOver) turn.over();
      } catch {
        if (turn === this.#turn) this.end(); // loudness decides in the rest of the turn
      }
    }
    this.#isSending = false;
  }
}
