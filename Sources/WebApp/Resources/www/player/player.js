import { icon } from "../components/button.js";
import { attempt, showNews } from "../components/toast.js";
import { h } from "../core/dom.js";
import { paragraphFor, wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { Cell, numberSetting, setting, settings } from "../core/store.js";
import { onServer } from "../server/events.js";
import { listItems, loadItem } from "../server/library.js";
import { loadNarrationPlace } from "../server/narrations.js";
import { changeSetting } from "../server/settings.js";
import {
  Course,
  entryAfter,
  entryBefore,
  isPastItsStart,
  ListNow,
  playListOf,
  PlayQueue,
  Unplayable,
  wholeLibrary,
} from "./play-queue.js";
import { Sound } from "./sound.js";
import {
  Bookmark,
  lastPlace,
  sentenceNear,
  TrackChapters,
  trackOf,
  trackOfNarration,
  TrackTranscript,
  TrackUpdates,
} from "./track.js";

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
class PlaybackSpeed {
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

/** @typedef {import("../server/library.js").QueueEntry} QueueEntry */
/** @typedef {import("./play-queue.js").Stop} Stop */
/** @typedef {import("./track.js").Track} Track */

/** The neighbors of the track: in the list that it was played from, else in the queue. */
class PlayOrder {
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
   * Waits until the neighbors in the list are known.
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
   * @returns {Stop | QueueEntry | null} What follows automatically; nothing follows what is in neither, such as a narration
   *   or what was taken out of the queue elsewhere.
   */
  get following() {
    return this.isInList || this.#queue.entry(this.#track.value?.entry ?? null) ? this.next : null;
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
class SleepTimer {
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

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./play-queue.js").PlayList} PlayList */

/** The page's only player: track, time, speed and queue. It has no user interface. */
export class Player {
  /** @type {Cell<Track | null>} */
  track = new Cell(/** @type {Track | null} */ (null));
  /** @type {Cell<unknown>} Why it does not play, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  unplayable = new Unplayable();
  /** @type {PlayQueue} */
  queue = new PlayQueue(() => this.#order.matchQueue());
  #course = new Course((id) => !this.unplayable.reasons.value.has(id));
  #order = new PlayOrder(this.track, this.queue, this.#course, this.unplayable);
  /** The neighbors of a recording that was played from a list. */
  neighbours = this.#course.neighbours;
  /** @type {Cell<boolean>} Whether there is something to play when nothing was chosen. */
  hasRecordings = new Cell(false);
  /** @type {(() => PlayList) | null} Returns the page's list. */
  #shownList = null;
  sleep = new SleepTimer(() => this.pause());

  /** @type {(id: string) => boolean} Whether the user has deleted it on this page, and knows that it is gone. */
  isDeletedHere = () => false;

  /** Counts what the user has chosen to hear: what is loaded after a later choice is not played. */
  #wishes = 0;

  #sound = new Sound(this.track, {
    ended: () => this.#ended(),
    failed: (error) => this.#failed(error),
    heard: () => this.#heard(),
    displaced: () => this.pause(),
  });
  phase = this.#sound.phase;
  time = this.#sound.time;
  rate = this.#sound.rate;
  isMuted = this.#sound.isMuted;

  #updates = new TrackUpdates(this.track, this.#sound, {
    gone: (track) => this.#gone(track),
    resounded: () => this.#takeOtherSound(),
    isResounded: (isUnsure) => this.#transcript.isOther(isUnsure),
    lost: (error) => this.#fail(error),
  });

  #transcript = new TrackTranscript(
    this.track,
    (error) => this.problem.set(error),
    (error) => this.problem.value === error && this.problem.set(null),
  );
  transcript = this.#transcript.state;
  #chapters = new TrackChapters(this.track);
  chapters = this.#chapters.state;

  /** The position at which all of the track had been played, in seconds. */
  #heardOut = 0;

  #bookmark = new Bookmark((error) =>
    showNews({ icon: "warning", text: `${t("player.unkept")} ${paragraphFor(error)}`, seconds: 15 }),
  );
  #speed = new PlaybackSpeed(this.#sound);

  /**
   * Follows the server and the settings; called once.
   *
   * @param {AbortSignal} signal
   */
  start(signal) {
    onServer("playback", () => this.queue.refresh(), signal);
    onServer("library", ({ changed }) => changed.some((id) => this.queue.entryOf(id)) && this.queue.refresh(), signal);
    onServer("reset", () => this.queue.refresh(), signal);
    this.#speed.start(signal);
    this.#sound.start(signal);
    this.#updates.start(signal);
    this.#transcript.start(signal);
    this.#chapters.start(signal);
    this.unplayable.start(signal);
    this.#course.start(signal);
    onServer("library", () => this.track.value === null && this.#lookForRecordings(), signal);
    addEventListener("pagehide", () => this.#keepPlace(true), { signal });
    addEventListener("pagehide", () => this.queue.leave(), { signal });
  }

  // Its content

  /** Loads the queue and the last track, paused. */
  async restore() {
    await this.queue.known();
    if (this.track.value !== null) return;
    const last = lastPlace(this.queue);
    if (last === null) await this.#lookForRecordings();
    else await this.#return(last);
  }

  /** @param {NonNullable<ReturnType<typeof lastPlace>>} last Where listening stopped. */
  async #return({ item, entry, position, list: queryString }) {
    this.#put(trackOf(item, entry), position, false);
    if (entry !== null) return;
    const { list, at } = await playListOf(item, queryString);
    if (this.isCurrent(item.id)) this.#course.take(list, item.id, at);
  }

  async #lookForRecordings() {
    try {
      this.hasRecordings.set((await listItems({ limit: 1 })).total > 0);
    } catch {
      // The next event or reconnection requests it again.
    }
  }

  /**
   * Plays one recording, and nothing after it. One that is already in the player continues.
   *
   * @param {string} id
   * @param {number} [from] Seconds.
   */
  async playItem(id, from = 0) {
    const wish = (this.#wishes += 1);
    if (this.#goesOn(id, from)) return;
    const item = await loadItem(id);
    if (wish !== this.#wishes) return;
    this.#course.leave();
    this.#put(trackOf(item, null), from, true);
  }

  /**
   * Plays a recording of a list, and then those that follow it there; the queue stays as it is. One that is already in
   * the player continues.
   *
   * @param {PlayList} list
   * @param {Stop} stop The recording and its place in the list.
   * @param {number} [from] Seconds.
   */
  playListed(list, { item, at }, from = 0) {
    this.#wishes += 1;
    this.#course.take(list, item.id, at);
    if (!this.#goesOn(item.id, from)) this.#put(trackOf(item, null), from, true);
    else if (this.track.value !== null) this.track.set({ ...this.track.value, entry: null });
  }

  /**
   * @param {string} id
   * @param {number} from Seconds.
   * @returns {boolean} Whether that recording was in the player and continues.
   */
  #goesOn(id, from) {
    if (!this.isCurrent(id)) return false;
    if (from > 0) this.seek(from);
    this.play();
    return true;
  }

  /**
   * @param {string} id Of an entry of the queue.
   * @param {number} [from] Seconds.
   */
  async playEntry(id, from = 0) {
    const entry = this.queue.entry(id);
    if (entry === undefined) return;
    this.#wishes += 1;
    this.#course.leave();
    this.#put(trackOf(entry.item, entry.id), from, true);
    try {
      await this.queue.choose(id);
    } catch (error) {
      this.problem.set(error);
    }
  }

  /**
   * Loads a recording, paused where listening to it stopped, unless something plays.
   *
   * @param {import("../server/library.js").Item} item
   */
  async takeUp(item) {
    await this.queue.known();
    if (this.isPlaying || this.isCurrent(item.id)) return;
    const last = lastPlace(this.queue);
    this.#course.leave();
    this.#put(trackOf(item, null), last?.item.id === item.id ? last.position : 0, false);
  }

  /**
   * Plays a narration while it is being generated.
   *
   * @param {Narration} narration
   * @param {number} [from] Seconds.
   */
  playNarration(narration, from = 0) {
    this.#wishes += 1;
    this.#course.leave();
    this.#put(trackOfNarration(narration), from, true);
  }

  /**
   * Loads a narration that started before the page was loaded, paused where listening stopped, unless something plays.
   *
   * @param {Narration} narration
   */
  async takeUpNarration(narration) {
    const from = await this.#placeIn(narration.id);
    if (this.isPlaying || this.isCurrent(narration.id)) return;
    this.#course.leave();
    this.#put(trackOfNarration(narration), from, false);
  }

  /**
   * Continues to play a narration that is being generated again, from where listening stopped.
   *
   * @param {Narration} narration
   */
  async resumeNarration(narration) {
    const wish = (this.#wishes += 1);
    const from = await this.#placeIn(narration.id);
    if (wish !== this.#wishes) return;
    this.#course.leave();
    this.#put(trackOfNarration(narration), from, true);
  }

  /**
   * Where listening to a narration stopped, in seconds; 0 if unknown.
   *
   * @param {string} id
   */
  async #placeIn(id) {
    return this.isCurrent(id) ? this.now() || this.#heardOut : loadNarrationPlace(id).catch(() => 0);
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

  /**
   * Offers this list's first recording while nothing else was chosen.
   *
   * @param {() => PlayList} list Returns the page's list.
   * @param {AbortSignal} signal The life of the page.
   */
  offerList(list, signal) {
    this.#shownList = list;
    signal.addEventListener("abort", () => this.#shownList === list && (this.#shownList = null), { once: true });
  }

  /** Loads the text of the track into `transcript`; `null` when it cannot be loaded. */
  needTranscript() {
    return this.#transcript.need();
  }

  // Its controls

  play() {
    if (this.track.value === null) {
      this.#begin();
      return;
    }
    this.problem.set(null);
    this.#transcript.retry();
    this.#sound.play();
  }

  /** Plays the first recording when nothing was chosen: of the queue, else of the page's list, else of the library. */
  async #begin() {
    const entry = entryAfter(this.queue.entries, this.queue.current, true);
    if (entry !== null) return this.playEntry(entry.id);
    const list = this.#shownList?.() ?? wholeLibrary;
    try {
      const stop = await new ListNow(list, new AbortController().signal).first(0, 1, () => true);
      if (stop !== null && this.track.value === null) this.playListed(list, stop);
    } catch (error) {
      this.problem.set(error);
    }
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
    this.#wishes += 1;
    this.#keepPlace(false);
    this.sleep.set(null);
    this.#course.leave();
    this.hasRecordings.set(false);
    this.#empty();
    this.queue.forget();
    this.unplayable.clear();
  }

  /** Empties the player, if this was in it and no longer exists. */
  forget(/** @type {string} */ id) {
    if (!this.isCurrent(id)) return;
    this.#bookmark.drop();
    this.#empty();
  }

  /** @param {Track} track It was deleted; elsewhere, unless this page has done it. */
  #gone({ id, name }) {
    if (!this.isCurrent(id)) return;
    this.forget(id);
    if (!this.isDeletedHere(id)) showNews({ icon: "warning", text: t("player.gone", { name }), seconds: 15 });
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
   * Moves back or forward by the step in the settings.
   *
   * @param {1 | -1} direction
   */
  skip(direction) {
    this.seek(this.now() + direction * stepSeconds());
  }

  /**
   * Moves to the previous or next sentence.
   *
   * @param {1 | -1} direction
   */
  async skipSentence(direction) {
    const transcript = await this.needTranscript();
    const to = transcript === null ? null : sentenceNear(transcript.sentences, this.now(), direction);
    if (to !== null) this.seek(to);
  }

  async next() {
    await this.#findNeighbours();
    const { next } = this.#order;
    if (next !== null) await this.#go(next);
  }

  async previous() {
    await this.#findNeighbours();
    const before = this.#order.before(this.now());
    if (before === null) this.seek(0);
    else await this.#go(before);
  }

  /** Whether something follows the track, as far as is known. */
  get hasNext() {
    return this.#order.hasNext;
  }

  /** @param {number} rate Tempo factor; limited to the allowed range. */
  setRate(rate) {
    this.#speed.choose(rate);
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.#sound.setMuted(isMuted);
  }

  /** The present time in seconds. */
  now() {
    return this.#sound.now();
  }

  /** Seconds; for a narration, those generated so far. */
  get duration() {
    const { kind, duration = 0 } = this.track.value ?? {};
    const own = this.#sound.duration;
    return kind === "recording" && own !== null ? own : Math.max(own ?? 0, duration);
  }

  // Internals

  /** Waits for the recording's neighbors in its list, and shows why they cannot be found. */
  async #findNeighbours() {
    const problem = await this.#order.known();
    if (problem !== null) this.problem.set(problem);
  }

  /** @param {Stop | QueueEntry} to */
  async #go(to) {
    if ("id" in to) return this.playEntry(to.id);
    this.#course.move(to.item.id, to.at);
    this.#put(trackOf(to.item, null), 0, true);
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
    this.#heardOut = 0;
    this.track.set(track);
    this.#sound.begin();
    if (wasRead) this.needTranscript();
  }

  /**
   * Takes the sound of a recording again, of which a sentence was spoken again and whose length may be as it was.
   *
   * @param {string} id
   */
  resound(id) {
    this.#sound.forgetLoaded();
    if (this.isCurrent(id)) this.#takeOtherSound();
  }

  #takeOtherSound() {
    this.#chapters.renew();
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

  async #ended() {
    const track = this.track.value;
    this.time.set(this.duration);
    const isLast = this.sleep.endsHere();
    await this.#findNeighbours();
    if (this.track.value?.id !== track?.id) return;
    const following = isLast ? null : this.#order.following;
    if (following !== null) {
      this.#go(following);
      return;
    }
    this.#heardOut = this.time.value;
    this.#sound.close();
    this.time.set(0);
    if (track?.kind === "narration" && track.isWhole) this.track.set({ ...track, kind: "recording" });
    this.#sound.showPhase();
    this.#keepPlace(false);
  }

  /** @param {unknown} error */
  #failed(error) {
    const track = this.track.value;
    if (track?.kind === "narration") this.#updates.findRecording(track, error);
    else if (track !== null) this.#passOver(track, error);
  }

  /**
   * Continues with what follows an unplayable recording; pauses if nothing does.
   *
   * @param {Track} track
   * @param {unknown} reason
   */
  async #passOver(track, reason) {
    const goesOn = this.unplayable.note(track.id, reason) && this.isPlaying && !this.sleep.endsHere();
    await this.#findNeighbours();
    if (!this.isCurrent(track.id)) return;
    const following = goesOn ? this.#order.following : null;
    if (following === null || following.item.id === track.id) return this.#fail(reason);
    this.unplayable.passed.set({ name: track.name, reason, following: following.item.name });
    this.#go(following);
  }

  /** @param {unknown} error */
  #fail(error) {
    this.problem.set(error);
    this.#sound.pause();
  }

  #heard() {
    const track = this.track.value;
    if (track !== null) this.unplayable.remove([track.id]);
    if (this.#bookmark.isDue) this.#keepPlace(false);
  }

  /** @param {boolean} isLeaving Whether the request must outlive the page. */
  #keepPlace(isLeaving) {
    const track = this.track.value;
    const heardOut = track?.kind === "narration" && !track.isWhole ? this.#heardOut : 0;
    this.#bookmark.keep(track, this.now() || heardOut, isLeaving, this.#order.isInList ? this.#course.queryString : null);
  }
}

export const player = new Player();

/**
 * Says in a row why its recording cannot be played.
 *
 * @param {string} id Of a recording.
 * @returns {HTMLElement | null} `null` for no known problem.
 */
export function unplayableMark(id) {
  const reason = player.unplayable.reasons.value.get(id);
  return reason === undefined ? null : h("span", { class: "unplayable" }, icon("warning"), wordsFor(reason).message);
}
