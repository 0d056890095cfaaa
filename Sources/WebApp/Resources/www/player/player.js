import { Cell, numberSetting, setting, settings } from "../core/store.js";
import { Bookmark, entryAfter, entryBefore, PlayQueue } from "./play-queue.js";
import { SleepTimer } from "./sleep-timer.js";
import { Sound } from "./sound.js";
import { sentenceNear } from "./timeline.js";
import { trackOf, trackOfNarration, TrackTranscript, TrackUpdates } from "./track.js";
import { onServer } from "../server/events.js";

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./track.js").Track} Track */

/** The one player of the page: track, time, speed and queue. It has no part in how it looks. */
export class Player {
  /** @type {Cell<Track | null>} */
  track = new Cell(/** @type {Track | null} */ (null));
  /** @type {Cell<unknown>} Why it does not play, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  queue = new PlayQueue({
    changed: () => this.#letGoOfEntry(),
    refused: (error) => this.problem.set(error),
  });
  sleep = new SleepTimer(() => this.pause());

  #sound = new Sound(this.track, {
    ended: () => this.#ended(),
    failed: (error) => this.#failed(error),
    heard: () => this.#bookmark.isDue && this.#keepPlace(false),
    displaced: () => this.pause(),
  });
  phase = this.#sound.phase;
  time = this.#sound.time;
  rate = this.#sound.rate;
  isMuted = this.#sound.isMuted;

  #updates = new TrackUpdates(this.track, this.#sound, {
    gone: (id) => this.forget(id),
    resounded: () => this.#takeOtherSound(),
    lost: (error) => this.#fail(error),
  });

  #transcript = new TrackTranscript(this.track, (error) => this.problem.set(error));
  transcript = this.#transcript.state;

  #bookmark = new Bookmark();
  #isRateChosen = false;

  /**
   * Follows the server and the settings; called once.
   *
   * @param {AbortSignal} signal
   */
  start(signal) {
    onServer("playback", () => this.queue.refresh(), signal);
    onServer("library", ({ changed }) => changed.some((id) => this.queue.entryOf(id)) && this.queue.refresh(), signal);
    onServer("reset", () => this.queue.refresh(), signal);
    settings.follow(() => this.#takeSettings(), signal);
    this.#sound.start(signal);
    this.#updates.start(signal);
    this.#transcript.start(signal);
    addEventListener("pagehide", () => this.#keepPlace(true), { signal });
  }

  // What it plays

  /** Loads the queue and the track that was heard last, paused. */
  async restore() {
    await this.queue.known();
    if (this.track.value !== null) return;
    const { bookmark } = this.queue;
    const entry = this.queue.entry(this.queue.current);
    if (bookmark !== null) {
      const own = entry?.item.id === bookmark.item.id ? entry : this.queue.entryOf(bookmark.item.id);
      this.#put(trackOf(bookmark.item, own?.id ?? null), bookmark.position, false);
    } else if (entry !== undefined) {
      this.#put(trackOf(entry.item, entry.id), 0, false);
    }
  }

  /**
   * Plays recordings now; they stand at the end of the queue.
   *
   * @param {string[]} ids
   * @param {number} [from] Seconds of the first.
   */
  async playItems(ids, from = 0) {
    await this.queue.known();
    const first = this.queue.entryOf(ids[0]);
    if (ids.length === 1 && first !== undefined) {
      await this.playEntry(first.id, from);
      return;
    }
    await this.queue.add(ids, true);
    const entry = this.queue.entry(this.queue.current);
    if (entry !== undefined) this.#put(trackOf(entry.item, entry.id), from, true);
  }

  /**
   * @param {string} id Of an entry of the queue.
   * @param {number} [from] Seconds.
   */
  async playEntry(id, from = 0) {
    const entry = this.queue.entry(id);
    if (entry === undefined) return;
    this.#put(trackOf(entry.item, entry.id), from, true);
    await this.queue.choose(id);
  }

  /**
   * Plays a narration while it is made.
   *
   * @param {Narration} narration
   * @param {boolean} [startsNow]
   */
  playNarration(narration, startsNow = true) {
    this.#put(trackOfNarration(narration), 0, startsNow);
  }

  /**
   * Whether this recording or narration is in the player.
   *
   * @param {string} id
   */
  isCurrent(id) {
    return this.track.value?.id === id;
  }

  get isPlaying() {
    return this.#sound.isWanted;
  }

  /** Loads the text of the track into `transcript`; `null` when it cannot be loaded. */
  needTranscript() {
    return this.#transcript.need();
  }

  // What is done with it

  play() {
    if (this.track.value === null) {
      const first = entryAfter(this.queue.entries, this.queue.current, true);
      if (first !== null) this.playEntry(first.id);
      return;
    }
    this.problem.set(null);
    this.#sound.play();
  }

  pause() {
    if (!this.#sound.isWanted) return;
    this.#sound.pause();
    this.#keepPlace(false);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  /** Empties the player and its copy of the queue. */
  stop() {
    this.#keepPlace(false);
    this.sleep.set(null);
    this.#empty();
    this.queue.forget();
  }

  /** Empties the player, if this was in it and is gone. */
  forget(/** @type {string} */ id) {
    if (this.isCurrent(id)) this.#empty();
  }

  /** @param {number} seconds */
  seek(seconds) {
    const track = this.track.value;
    if (track === null) return;
    const to = Math.max(0, Math.min(seconds, Math.max(0, this.duration - 0.05)));
    this.time.set(to);
    if (track.kind === "narration" && track.isWhole && this.#sound.isOpen) this.#updates.becomeRecording(to);
    else this.#sound.seek(to);
    this.time.set(to);
    if (!this.isPlaying) this.#keepPlace(false);
  }

  /**
   * Moves back or forward by the step that the person has set.
   *
   * @param {1 | -1} direction
   */
  skip(direction) {
    this.seek(this.now() + direction * this.step);
  }

  /**
   * Moves to the sentence before or after.
   *
   * @param {1 | -1} direction
   */
  async skipSentence(direction) {
    const transcript = await this.needTranscript();
    const to = transcript === null ? null : sentenceNear(transcript.sentences, this.now(), direction);
    if (to !== null) this.seek(to);
  }

  async next() {
    const entry = entryAfter(this.queue.entries, this.#currentEntry, this.loops);
    if (entry !== null) await this.playEntry(entry.id);
  }

  async previous() {
    const entry = entryBefore(this.queue.entries, this.#currentEntry, this.now(), this.loops);
    if (entry === null || entry.id === this.track.value?.entry) this.seek(0);
    else await this.playEntry(entry.id);
  }

  /** Whether something follows what is played. */
  get hasNext() {
    return entryAfter(this.queue.entries, this.#currentEntry, this.loops) !== null;
  }

  /** @param {number} rate Times the tempo; limited to the allowed range. */
  setRate(rate) {
    this.#isRateChosen = true;
    this.#sound.setRate(rate);
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.#sound.setMuted(isMuted);
  }

  /** Seconds of a step back or forward. */
  get step() {
    return numberSetting("playback.step", 15);
  }

  get loops() {
    return ["on", "true", "yes"].includes(setting("playback.loop", "off"));
  }

  /** The present time in seconds. */
  now() {
    return this.#sound.now();
  }

  /** Seconds; of a narration those made so far. */
  get duration() {
    const { kind, duration = 0 } = this.track.value ?? {};
    const own = this.#sound.duration;
    return kind === "recording" && own !== null ? own : Math.max(own ?? 0, duration);
  }

  // Inside

  get #currentEntry() {
    return this.track.value === null ? this.queue.current : this.track.value.entry;
  }

  /**
   * @param {Track} track
   * @param {number} from Seconds.
   * @param {boolean} startsNow
   */
  #put(track, from, startsNow) {
    if (!this.isCurrent(track.id)) this.#keepPlace(false);
    this.#sound.close(startsNow);
    this.problem.set(null);
    const wasRead = this.#transcript.leave(track.id);
    this.time.set(from);
    this.track.set(track);
    this.#sound.begin();
    if (wasRead) this.needTranscript();
  }

  #takeOtherSound() {
    this.#transcript.renew();
    if (this.#sound.isOpen) this.#sound.open(this.now());
  }

  #empty() {
    this.#sound.close();
    this.track.set(null);
    this.#transcript.leave(null);
    this.time.set(0);
    this.#sound.showPhase();
  }

  #ended() {
    const track = this.track.value;
    this.time.set(this.duration);
    const following = this.sleep.endsHere() ? null : this.#following();
    if (following !== null) {
      this.playEntry(following.id);
      return;
    }
    this.#sound.close();
    this.time.set(0);
    if (track?.kind === "narration" && track.isWhole) this.track.set({ ...track, kind: "recording" });
    this.#sound.showPhase();
    this.#keepPlace(false);
  }

  /** The entry that follows by itself; nothing follows a narration, which was not in the queue. */
  #following() {
    const track = this.track.value;
    if (track === null || track.entry === null) return null;
    return entryAfter(this.queue.entries, track.entry, this.loops);
  }

  /** @param {unknown} error */
  #failed(error) {
    const track = this.track.value;
    if (track?.kind === "narration") this.#updates.findRecording(track, error);
    else this.#fail(error);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.problem.set(error);
    this.#sound.pause();
  }

  #takeSettings() {
    if (this.#isRateChosen || settings.value.size === 0) return;
    this.#sound.setRate(numberSetting("playback.speed", 1));
  }

  /** Clears the track's entry when that is no longer in the queue. */
  #letGoOfEntry() {
    const track = this.track.value;
    if (track?.entry && this.queue.entry(track.entry) === undefined) this.track.set({ ...track, entry: null });
  }

  /** @param {boolean} isLeaving Whether the request has to outlive the page. */
  #keepPlace(isLeaving) {
    const track = this.track.value;
    if (track !== null && (track.kind === "recording" || track.isWhole)) this.#bookmark.keep(track.id, this.now(), isLeaving);
  }
}

export const player = new Player();
