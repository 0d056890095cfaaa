import { attempt } from "../components/toast.js";
import { Cell, numberSetting, setting, settings } from "../core/store.js";
import { changeSetting } from "../server/settings.js";
import { entryBefore, isPastItsStart } from "./play-queue.js";

/** Milliseconds after the last choice until a speed becomes the setting. */
const keptAfter = 400;

/** Seconds of a step back or forward. */
export function stepSeconds() {
  return numberSetting("playback.step", 15);
}

/** Whether the queue repeats. */
function isLooping() {
  return ["on", "true", "yes"].includes(setting("playback.loop", "off"));
}

/** The playback speed: the setting's, until another is chosen, which becomes the setting. */
export class PlaybackSpeed {
  #sound;
  #timer = 0;
  /** Whether a choice is about to become the setting, which still has the old value. */
  #isPending = false;
  /** The last value adopted from the setting. */
  #taken = NaN;

  /** @param {import("./sound.js").Sound} sound */
  constructor(sound) {
    this.#sound = sound;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    settings.follow(() => this.#takeSetting(), signal);
  }

  /** @param {number} rate Tempo factor; limited to the allowed range. */
  choose(rate) {
    this.#isPending = true;
    this.#sound.setRate(rate);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), keptAfter);
  }

  async #keep() {
    const kept = this.#timer;
    await attempt(() => changeSetting("playback.speed", String(this.#sound.rate.value)));
    if (kept === this.#timer) this.#isPending = false;
  }

  /** Another tab, the settings or a command may have changed it. */
  #takeSetting() {
    const value = numberSetting("playback.speed", 1);
    if (this.#isPending || settings.value.size === 0 || value === this.#taken) return;
    this.#taken = value;
    this.#sound.setRate(value);
  }
}

/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */
/** @typedef {import("./play-queue.js").Stop} Stop */
/** @typedef {import("./track.js").Track} Track */

/** What precedes and follows the track: in the list that it was played from, else in the queue. */
export class PlayOrder {
  #track;
  #queue;
  #course;
  #unplayable;
  /** @type {{ track: string, entry: string } | null} The entry that the track has left, and may return to. */
  #left = null;

  /**
   * @param {import("../core/store.js").Cell<Track | null>} track
   * @param {import("./play-queue.js").PlayQueue} queue
   * @param {import("./play-queue.js").Course} course The path through the list.
   * @param {import("./play-queue.js").Unplayable} unplayable
   */
  constructor(track, queue, course, unplayable) {
    this.#track = track;
    this.#queue = queue;
    this.#course = course;
    this.#unplayable = unplayable;
  }

  /** Clears the track's entry when it is removed from the queue, and restores it when it is put back. */
  matchQueue() {
    const track = this.#track.value;
    if (track === null) return;
    const { id, entry } = track;
    if (entry !== null && this.#queue.entry(entry) === undefined) {
      this.#left = { track: id, entry };
      this.#track.set({ ...track, entry: null });
    } else if (entry === null && this.#left?.track === id && this.#queue.entry(this.#left.entry) !== undefined) {
      this.#track.set({ ...track, entry: this.#left.entry });
    }
  }

  /** Whether the list that the track was played from decides, rather than the queue. */
  get isInList() {
    return this.#course.holds(this.#track.value?.id);
  }

  /**
   * Waits until the neighbours in the list are known.
   *
   * @returns {Promise<unknown>} Why they cannot be found, or `null`.
   */
  async known() {
    if (!this.isInList) return null;
    await this.#course.known();
    return this.isInList ? this.#course.problem : null;
  }

  /** @returns {Stop | QueueEntry | null} What “next” plays. */
  get next() {
    if (this.isInList) return this.#course.after(isLooping());
    return this.#unplayable.entryAfter(this.#queue.entries, this.#entry, isLooping());
  }

  /** Whether something comes next, as far as is known. */
  get hasNext() {
    return this.next !== null || (this.isInList && this.#course.problem !== null);
  }

  /**
   * @returns {Stop | QueueEntry | null} What follows automatically; nothing follows a narration, which was in neither.
   */
  get following() {
    return this.#track.value?.entry || this.isInList ? this.next : null;
  }

  /**
   * @param {number} elapsed Seconds of the track that have been played.
   * @returns {Stop | QueueEntry | null} What “previous” plays; `null` when it restarts the track.
   */
  before(elapsed) {
    if (this.isInList) return isPastItsStart(elapsed) ? null : this.#course.before(isLooping());
    const entry = entryBefore(this.#queue.entries, this.#entry, elapsed, isLooping());
    return entry === null || entry.id === this.#track.value?.entry ? null : entry;
  }

  /** The place in the queue: the track's, or without a track the last one played. */
  get #entry() {
    return this.#track.value === null ? this.#queue.current : this.#track.value.entry;
  }
}

/** When the player pauses by itself: at a time (milliseconds since 1970), at the end of a recording, or never. */
export class SleepTimer {
  /** @type {Cell<number | "end" | null>} */
  until = new Cell(/** @type {number | "end" | null} */ (null));
  #timer = 0;
  #rest;

  /** @param {() => void} rest Called when the time has come. */
  constructor(rest) {
    this.#rest = rest;
  }

  /** @param {number | "end" | null} minutes */
  set(minutes) {
    clearTimeout(this.#timer);
    if (typeof minutes !== "number") {
      this.until.set(minutes);
      return;
    }
    const milliseconds = minutes * 60_000;
    this.until.set(Date.now() + milliseconds);
    this.#timer = setTimeout(() => {
      this.until.set(null);
      this.#rest();
    }, milliseconds);
  }

  /** @returns {boolean} Whether to pause now that a recording has ended; this turns the timer off. */
  endsHere() {
    if (this.until.value !== "end") return false;
    this.until.set(null);
    return true;
  }
}
