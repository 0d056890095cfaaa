import { loadItem } from "../server/library.js";
import {
  addToQueue,
  clearQueue,
  keepBookmark,
  loadPlayback,
  moveInQueue,
  removeFromQueue,
  setCurrent,
} from "../server/playback.js";
import { Cell } from "../core/cell.js";
import { onServer } from "../core/events.js";
import { isConnected, numberSetting, setting, settings } from "../core/store.js";
import { LiveSource } from "./live-source.js";
import { currentAfterRemoval, entryAfter, entryBefore, moved } from "./queue.js";
import { RecordingSource } from "./recording-source.js";
import { SleepTimer } from "./sleep-timer.js";
import { sentenceNear } from "./timeline.js";
import { trackOf, trackOfNarration } from "./track.js";
import { loadTranscript, Transcript } from "./transcript.js";

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("../server/playback.js").Playback} Playback */
/** @typedef {import("../server/playback.js").QueueEntry} QueueEntry */
/** @typedef {import("./source.js").Source} Source */

/** @typedef {import("./track.js").Track} Track */
/** @typedef {"stopped" | "loading" | "playing" | "paused"} Phase */

/** Milliseconds between bookmarks while playing, and between looks at the time. */
const bookmarkEvery = 5_000;
const lookEvery = 200;

/** How often a sound that broke off is asked for again, and after how many milliseconds. */
const tries = 4;
const retryAfter = 1_000;

export const slowest = 0.5;
export const fastest = 3;

/** The one player of the page: what it plays, when, how fast, and what comes next. Knows nothing of how it looks. */
export class Player {
  /** @type {Cell<Track | null>} */
  track = new Cell(/** @type {Track | null} */ (null));
  /** @type {Cell<Phase>} */
  phase = new Cell(/** @type {Phase} */ ("stopped"));
  /** Seconds; for what shows them a few times a second. Read `now()` for every frame. */
  time = new Cell(0);
  rate = new Cell(1);
  isMuted = new Cell(false);
  /** @type {Cell<Playback>} */
  queue = new Cell(/** @type {Playback} */ ({ entries: [], current: null, bookmark: null }));
  /** @type {Cell<Transcript | null>} Loaded once someone has asked by `needTranscript`. */
  transcript = new Cell(/** @type {Transcript | null} */ (null));
  /** @type {Cell<unknown>} Why it does not play, or `null`. */
  problem = new Cell(/** @type {unknown} */ (null));
  sleep = new SleepTimer(() => this.pause());

  /** @type {Source | null} */
  #source = null;
  #clock = 0;
  #lastBookmark = 0;
  #wantsPlay = false;
  #triesLeft = tries;
  #retry = 0;
  #transcriptLoad = new AbortController();
  #isRateChosen = false;
  /** Other pages of the same browser: one of them plays at a time. */
  #others = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("echotext-player");

  /**
   * Follows the server and the settings; called once.
   *
   * @param {AbortSignal} signal
   */
  start(signal) {
    onServer("playback", () => this.#refreshQueue(), signal);
    onServer("reset", () => this.#refreshQueue(), signal);
    onServer("narration", (narration) => this.#narrationChanged(narration), signal);
    onServer("sentence", ({ narration, sentence }) => this.#sentenceMade(narration, sentence), signal);
    onServer("library", ({ changed, added, deleted }) => this.#libraryChanged([...changed, ...added], deleted), signal);
    settings.follow(() => this.#takeSettings(), signal);
    isConnected.watch((yes) => yes && this.#comeBack(), signal);
    this.#others?.addEventListener("message", () => this.pause(), { signal });
    addEventListener("pagehide", () => this.#bookmark(true), { signal });
  }

  // What it plays

  /** Loads the queue and, paused, what was heard last. */
  async restore() {
    await this.#refreshQueue();
    const { bookmark, current, entries } = this.queue.value;
    if (this.track.value !== null) return;
    const entry = entries.find(({ id }) => id === current);
    if (bookmark !== null) {
      const own = entry?.item.id === bookmark.item.id ? entry : entries.find(({ item }) => item.id === bookmark.item.id);
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
    this.#unlockSound();
    const first = this.queue.value.entries.find(({ item }) => item.id === ids[0]);
    if (ids.length === 1 && first !== undefined) {
      await this.playEntry(first.id, from);
      return;
    }
    await this.#change(addToQueue(ids, true));
    const entry = this.queue.value.entries.find(({ id }) => id === this.queue.value.current);
    if (entry !== undefined) this.#put(trackOf(entry.item, entry.id), from, true);
  }

  /** @param {string[]} ids Of recordings. */
  async addToQueue(ids) {
    await this.#change(addToQueue(ids, false));
  }

  /**
   * @param {string} id Of an entry of the queue.
   * @param {number} [from] Seconds.
   */
  async playEntry(id, from = 0) {
    const entry = this.queue.value.entries.find((one) => one.id === id);
    if (entry === undefined) return;
    this.#put(trackOf(entry.item, entry.id), from, true);
    await this.#change(setCurrent(id));
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
    return this.#wantsPlay;
  }

  // What is done with it

  play() {
    if (this.track.value === null) {
      const first = entryAfter(this.queue.value.entries, this.queue.value.current, true);
      if (first !== null) this.playEntry(first.id);
      return;
    }
    this.#wantsPlay = true;
    this.#triesLeft = tries;
    this.problem.set(null);
    if (this.#source === null) this.#open(this.track.value, this.time.value);
    else this.#sound();
  }

  pause() {
    if (!this.#wantsPlay) return;
    this.#wantsPlay = false;
    clearTimeout(this.#retry);
    this.#source?.pause();
    this.#showState();
    this.#bookmark(false);
  }

  toggle() {
    if (this.#wantsPlay) this.pause();
    else this.play();
  }

  /** Empties the player; the queue stays. */
  stop() {
    this.#bookmark(false);
    this.#close();
    this.#wantsPlay = false;
    this.sleep.set(null);
    this.track.set(null);
    this.transcript.set(null);
    this.queue.set({ entries: [], current: null, bookmark: null });
    this.time.set(0);
    this.#showState();
  }

  /** Takes this out of the player, if it is there: it is gone. */
  forget(/** @type {string} */ id) {
    if (!this.isCurrent(id)) return;
    this.#close();
    this.#wantsPlay = false;
    this.track.set(null);
    this.transcript.set(null);
    this.time.set(0);
    this.#showState();
  }

  /** @param {number} seconds */
  seek(seconds) {
    const track = this.track.value;
    if (track === null) return;
    const to = Math.max(0, Math.min(seconds, Math.max(0, this.duration - 0.05)));
    this.time.set(to);
    if (this.#source === null) this.#open(track, to);
    else if (track.kind === "recording" && !isConnected.value) this.#waitForServer(to);
    else if (track.kind === "narration" && track.isWhole) this.#becomeRecording(to);
    else this.#source.seek(to);
    this.time.set(to);
    if (!this.#wantsPlay) this.#bookmark(false);
  }

  /**
   * Back or forward by the step that the person has set.
   *
   * @param {1 | -1} direction
   */
  skip(direction) {
    this.seek(this.now() + direction * this.step);
  }

  /**
   * To the sentence before or after.
   *
   * @param {1 | -1} direction
   */
  async skipSentence(direction) {
    const transcript = await this.needTranscript();
    const to = transcript === null ? null : sentenceNear(transcript.sentences, this.now(), direction);
    if (to !== null) this.seek(to);
  }

  async next() {
    const entry = entryAfter(this.queue.value.entries, this.#currentEntry, this.loops);
    if (entry !== null) await this.playEntry(entry.id);
  }

  async previous() {
    const entry = entryBefore(this.queue.value.entries, this.#currentEntry, this.now(), this.loops);
    if (entry === null || entry.id === this.track.value?.entry) this.seek(0);
    else await this.playEntry(entry.id);
  }

  /** Whether something follows what is played. */
  get hasNext() {
    return entryAfter(this.queue.value.entries, this.#currentEntry, this.loops) !== null;
  }

  /** @param {number} rate Times the tempo; brought into what is allowed. */
  setRate(rate) {
    const allowed = Math.min(fastest, Math.max(slowest, Math.round(rate * 100) / 100));
    this.#isRateChosen = true;
    this.rate.set(allowed);
    this.#source?.setRate(allowed);
  }

  /** @param {boolean} isMuted */
  setMuted(isMuted) {
    this.isMuted.set(isMuted);
    this.#source?.setMuted(isMuted);
  }

  /** Seconds of a step back or forward. */
  get step() {
    return numberSetting("playback.step", 15);
  }

  get loops() {
    return ["on", "true", "yes"].includes(setting("playback.loop", "off"));
  }

  /** Where it is, in seconds, to the moment. */
  now() {
    return this.#source?.time ?? this.time.value;
  }

  /** Seconds; of a narration those made so far. */
  get duration() {
    const { kind, duration = 0 } = this.track.value ?? {};
    const own = this.#source?.duration ?? null;
    return kind === "recording" && own !== null ? own : Math.max(own ?? 0, duration);
  }

  // The queue

  /**
   * @param {string} id Of an entry.
   * @param {number} position Where it stands afterwards.
   */
  async moveEntry(id, position) {
    const { entries, ...rest } = this.queue.value;
    this.queue.set({ ...rest, entries: moved(entries, id, position) });
    await this.#change(moveInQueue(id, position));
  }

  /** @param {string[]} ids Of entries. */
  async removeEntries(ids) {
    const gone = new Set(ids);
    const { entries, current, bookmark } = this.queue.value;
    this.queue.set({
      entries: entries.filter(({ id }) => !gone.has(id)),
      current: currentAfterRemoval(entries, current, gone),
      bookmark,
    });
    await this.#change(removeFromQueue(ids));
  }

  async clearQueue() {
    await this.#change(clearQueue());
  }

  // The text

  /** @returns {Promise<Transcript | null>} Of what is in the player; `null` when it cannot be had. */
  async needTranscript() {
    const track = this.track.value;
    if (track === null) return null;
    if (this.transcript.value?.id === track.id) return this.transcript.value;
    this.#transcriptLoad.abort();
    this.#transcriptLoad = new AbortController();
    const { signal } = this.#transcriptLoad;
    try {
      const transcript = await loadTranscript(this.track.value ?? track, signal);
      if (!signal.aborted && this.isCurrent(track.id)) this.transcript.set(transcript);
    } catch (error) {
      if (!signal.aborted) this.problem.set(error);
    }
    return this.transcript.value;
  }

  // Inside

  get #currentEntry() {
    return this.track.value === null ? this.queue.value.current : this.track.value.entry;
  }

  /**
   * @param {Track} track
   * @param {number} from Seconds.
   * @param {boolean} startsNow
   */
  #put(track, from, startsNow) {
    if (!this.isCurrent(track.id)) this.#bookmark(false);
    this.#close();
    this.#wantsPlay = startsNow;
    this.#triesLeft = tries;
    this.problem.set(null);
    const hadTranscript = this.transcript.value !== null;
    if (this.transcript.value?.id !== track.id) this.transcript.set(null);
    this.time.set(from);
    this.track.set(track);
    if (startsNow) this.#open(track, from);
    this.#showState();
    if (hadTranscript && this.transcript.value === null) this.needTranscript();
  }

  /**
   * @param {Track} track
   * @param {number} from Seconds.
   */
  #open(track, from) {
    this.#source?.close();
    const listener = {
      changed: () => this.#showState(),
      ended: () => this.#ended(),
      failed: (/** @type {unknown} */ error) => this.#failed(error),
    };
    this.#source = track.kind === "recording" ? new RecordingSource(track.id, from, listener) : new LiveSource(track, from, listener);
    this.#source.setRate(this.rate.value);
    this.#source.setMuted(this.isMuted.value);
    if (this.#wantsPlay) this.#sound();
  }

  async #sound() {
    this.#others?.postMessage("playing");
    const source = this.#source;
    this.#showState();
    try {
      await source?.play();
    } catch (error) {
      if (source !== this.#source || !this.#wantsPlay) return;
      if (error instanceof DOMException && error.name === "NotAllowedError") this.pause();
    }
    if (source === this.#source) this.#showState();
  }

  /** A press is what lets a page make sound; Safari wants it used before the first answer of the server. */
  #unlockSound() {
    this.#wantsPlay = true;
  }

  #close() {
    clearTimeout(this.#retry);
    this.#transcriptLoad.abort();
    this.#source?.close();
    this.#source = null;
    this.#tick(false);
  }

  #showState() {
    const { value } = this.track;
    /** @type {Phase} */
    let phase = "paused";
    if (value === null) phase = "stopped";
    else if (this.#wantsPlay) phase = this.#source === null || this.#source.isWaiting ? "loading" : "playing";
    if (phase !== this.phase.value) this.phase.set(phase);
    this.#tick(phase === "playing" || phase === "loading");
    if (this.#source !== null) this.#look();
  }

  /** @param {boolean} isOn */
  #tick(isOn) {
    if (isOn === (this.#clock !== 0)) return;
    clearInterval(this.#clock);
    this.#clock = isOn ? setInterval(() => this.#look(), lookEvery) : 0;
  }

  #look() {
    const source = this.#source;
    if (source === null) return;
    this.time.set(source.time);
    if (this.phase.value === "playing") this.#triesLeft = tries;
    if (this.phase.value === "playing" && Date.now() - this.#lastBookmark > bookmarkEvery) this.#bookmark(false);
  }

  #ended() {
    const track = this.track.value;
    if (track?.kind === "recording" && !isConnected.value) {
      // To a browser a sound whose rest cannot be fetched has ended.
      this.#waitForServer(this.time.value);
      return;
    }
    this.time.set(this.duration);
    const following = this.sleep.endsHere() ? null : this.#following();
    if (following !== null) {
      this.playEntry(following.id);
      return;
    }
    this.#wantsPlay = false;
    this.#source?.close();
    this.#source = null;
    this.time.set(0);
    if (track?.kind === "narration" && track.isWhole) this.track.set({ ...track, kind: "recording" });
    this.#showState();
    this.#bookmark(false);
  }

  /** What comes by itself: after a narration nothing, it was not in the queue. */
  #following() {
    const track = this.track.value;
    if (track === null || track.entry === null) return null;
    return entryAfter(this.queue.value.entries, track.entry, this.loops);
  }

  /** @param {unknown} error */
  #failed(error) {
    const track = this.track.value;
    if (track === null) return;
    const at = this.#source?.time ?? this.time.value;
    this.#source?.close();
    this.#source = null;
    this.time.set(at);
    if (track.kind === "narration") {
      this.#findRecording(track, at, error);
      return;
    }
    if (this.#triesLeft > 0 && this.#wantsPlay) {
      this.#triesLeft -= 1;
      this.#showState();
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#comeBack(), retryAfter);
      return;
    }
    this.#wantsPlay = false;
    this.problem.set(error ?? new Error("no sound"));
    this.#showState();
  }

  /**
   * Rests until the server is back, then goes on.
   *
   * @param {number} at Seconds.
   */
  #waitForServer(at) {
    this.#source?.close();
    this.#source = null;
    this.time.set(at);
    this.#showState();
  }

  /** Opens again what broke off, where it was. */
  #comeBack() {
    const track = this.track.value;
    if (track === null || this.#source !== null || !this.#wantsPlay) return;
    if (isConnected.value) this.#open(track, this.time.value);
  }

  /**
   * A narration that cannot be followed any more may be a recording by now.
   *
   * @param {Track} track
   * @param {number} at Seconds.
   * @param {unknown} error What to tell if it is not.
   */
  async #findRecording(track, at, error) {
    try {
      const item = await loadItem(track.id);
      if (!this.isCurrent(track.id)) return;
      this.track.set(trackOf(item, track.entry));
      if (this.#wantsPlay) this.#open(trackOf(item, track.entry), at);
    } catch {
      if (!this.isCurrent(track.id)) return;
      this.#wantsPlay = false;
      this.problem.set(error);
    }
    this.#showState();
  }

  /**
   * From here on the finished recording is played rather than the stream it was made in.
   *
   * @param {number} at Seconds.
   */
  #becomeRecording(at) {
    const track = this.track.value;
    if (track === null) return;
    const recording = { ...track, kind: /** @type {const} */ ("recording") };
    this.track.set(recording);
    this.#open(recording, at);
  }

  /** @param {Narration} narration */
  #narrationChanged(narration) {
    const track = this.track.value;
    if (track === null || track.id !== narration.id || track.kind !== "narration") return;
    const isWhole = narration.state === "finished";
    this.track.set({ ...track, name: narration.name, duration: Math.max(track.duration, narration.seconds), isWhole });
    if (isWhole && this.#source === null) this.track.set({ ...trackOfNarration(narration), kind: "recording" });
  }

  /**
   * @param {string} narration
   * @param {import("../server/narrations.js").Sentence} sentence
   */
  #sentenceMade(narration, sentence) {
    if (this.transcript.value?.id === narration) this.transcript.value.add([sentence]);
  }

  /**
   * @param {string[]} changed
   * @param {string[]} deleted
   */
  async #libraryChanged(changed, deleted) {
    const track = this.track.value;
    if (track === null) return;
    if (deleted.includes(track.id)) this.forget(track.id);
    else if (changed.includes(track.id)) await this.#refreshTrack(track);
  }

  /**
   * Takes over what the library says of it; what is there is whole.
   *
   * @param {Track} track
   */
  async #refreshTrack(track) {
    try {
      const { name, duration } = await loadItem(track.id);
      const now = this.track.value;
      if (now?.id !== track.id) return;
      const kind = this.#source === null ? "recording" : now.kind;
      this.track.set({ ...now, kind, name, duration, isWhole: true });
    } catch {
      // It went meanwhile: the event that says so follows.
    }
  }

  #takeSettings() {
    if (this.#isRateChosen || settings.value.size === 0) return;
    this.rate.set(Math.min(fastest, Math.max(slowest, numberSetting("playback.speed", 1))));
    this.#source?.setRate(this.rate.value);
  }

  async #refreshQueue() {
    try {
      this.queue.set(await loadPlayback());
    } catch {
      // The next event or reconnection asks again.
    }
  }

  /**
   * Shows the queue as the server says it is after a change; as it was when the change was refused.
   *
   * @param {Promise<Playback>} change
   */
  async #change(change) {
    try {
      this.queue.set(await change);
      const track = this.track.value;
      const { entries } = this.queue.value;
      if (track?.entry && !entries.some(({ id }) => id === track.entry)) this.track.set({ ...track, entry: null });
    } catch (error) {
      this.problem.set(error);
      await this.#refreshQueue();
    }
  }

  /** @param {boolean} isLeaving Whether the request has to outlive the page. */
  #bookmark(isLeaving) {
    const track = this.track.value;
    if (track === null || !(track.kind === "recording" || track.isWhole)) return;
    if (!isLeaving && Date.now() - this.#lastBookmark < 300) return;
    this.#lastBookmark = Date.now();
    // A bookmark that does not arrive is made up for by the next.
    keepBookmark(track.id, this.now(), { keepalive: isLeaving }).catch(() => {});
  }
}

export const player = new Player();
