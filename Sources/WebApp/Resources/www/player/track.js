import { t } from "../core/i18n.js";
import { Cell, isOpen, voices } from "../core/store.js";
import { onServer } from "../server/events.js";
import { keepBookmark, loadChapters, loadItem, loadItemText, loadItemTimings } from "../server/library.js";
import { keepNarrationPlace, loadNarrationChapters, loadNarrationText, loadNarrationTimings } from "../server/narrations.js";

/** @typedef {import("../server/narrations.js").Sentence} Sentence */
/** @typedef {import("../server/narrations.js").Word} Word */

/**
 * The last of `spans` that has started at `time`, by binary search.
 *
 * @param {readonly { start: number }[]} spans In time order.
 * @param {number} time Seconds.
 * @returns {number} Its index, or −1 before the first.
 */
export function indexAt(spans, time) {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].start <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The sentence and word at a time; in the silence after a sentence still that sentence, but no word.
 *
 * @param {readonly Sentence[]} sentences
 * @param {number} time Seconds.
 * @returns {{ sentence: Sentence | null, word: Word | null }}
 */
export function spokenAt(sentences, time) {
  const sentence = sentences[indexAt(sentences, time)] ?? null;
  const word = sentence === null ? null : (sentence.words[indexAt(sentence.words, time)] ?? null);
  return { sentence, word: word !== null && time <= word.end + 0.05 ? word : null };
}

/**
 * When the words at a place of the text are spoken.
 *
 * @param {readonly Sentence[]} sentences
 * @param {number} place In UTF-16 units.
 * @returns {number | null} Seconds; `null` when that has not been spoken yet.
 */
export function timeOfPlace(sentences, place) {
  const sentence = sentences.find(({ to }) => place < to);
  if (sentence === undefined) return null;
  const word = sentence.words.find(({ to }) => place < to);
  return word === undefined || place < sentence.from ? sentence.start : word.start;
}

/**
 * The start of a sentence near a time.
 *
 * @param {readonly Sentence[]} sentences
 * @param {number} time Seconds.
 * @param {1 | -1} step To the next one, or the previous one; within the first second and a half of a sentence, to the
 * one before that.
 * @returns {number | null} Seconds.
 */
export function sentenceNear(sentences, time, step) {
  const at = indexAt(sentences, time);
  if (step > 0) return sentences[at + 1]?.start ?? null;
  const isEarly = at >= 0 && time - sentences[at].start < 1.5;
  return sentences[Math.max(0, isEarly ? at - 1 : at)]?.start ?? null;
}

/** Seconds by which a player may be before the place that it was sent to. */
const inexact = 0.02;

/**
 * The word before or after the one at a time, also in the sentence beside it; a sentence whose words have no times is one.
 *
 * @param {readonly Sentence[]} sentences
 * @param {number} time Seconds.
 * @param {1 | -1} step To the next one, or the previous one.
 * @returns {{ start: number, from: number, to: number } | null}
 */
export function wordNear(sentences, time, step) {
  const at = indexAt(sentences, time + inexact);
  /** @param {Sentence} one @returns {readonly { start: number, from: number, to: number }[]} */
  const wordsOf = (one) => (one.words.length > 0 ? one.words : [one]);
  const near = sentences.slice(Math.max(0, at - 1), at + 2).flatMap(wordsOf);
  return near[indexAt(near, time + inexact) + step] ?? null;
}

/** From this length on, a pause is shown as silence; in seconds. */
const longSilence = 2;

/**
 * Where nothing is said for a while.
 *
 * @param {readonly { start: number, end: number }[]} sentences In time order.
 * @param {number} duration Seconds.
 * @returns {{ start: number, end: number }[]} Empty without sentences, when nothing is known.
 */
export function silencesOf(sentences, duration) {
  if (sentences.length === 0) return [];
  const starts = [...sentences.map(({ start }) => start), duration];
  let end = 0;
  return starts.flatMap((start, index) => {
    const silence = { start: end, end: start };
    end = Math.max(end, sentences[index]?.end ?? end);
    return silence.end - silence.start >= longSilence ? [silence] : [];
  });
}

/** Within so many seconds after a mark, the previous one is the one before it. */
const near = 1.5;

/**
 * The mark to go to.
 *
 * @param {readonly { seconds: number }[]} marks By time.
 * @param {number} time Seconds.
 * @param {1 | -1} step
 * @returns {number | null} Seconds; `null` without a mark on that side.
 */
export function markNear(marks, time, step) {
  const starts = marks.map(({ seconds }) => ({ start: seconds }));
  const at = step > 0 ? indexAt(starts, time + 0.05) + 1 : indexAt(starts, time - near);
  return starts[at]?.start ?? null;
}

/**
 * Adds sentences spoken since, without duplicates.
 *
 * @param {Sentence[]} sentences In text order; modified.
 * @param {readonly Sentence[]} more In text order.
 */
export function addSentences(sentences, more) {
  for (const sentence of more) {
    const last = sentences[sentences.length - 1];
    if (last === undefined || sentence.from > last.from) {
      sentences.push(sentence);
    } else if (!sentences.some(({ from }) => from === sentence.from)) {
      sentences.splice(sentences.findIndex(({ from }) => from > sentence.from), 0, sentence);
    }
  }
}

/** @typedef {import("../server/library.js").Item} Item */
/** @typedef {import("../server/narrations.js").Narration} Narration */

/**
 * The recording or narration in the player.
 *
 * @typedef {object} Track
 * @property {"recording" | "narration"} kind A narration's sound is still being generated, or has just been completed.
 * @property {string} id The recording's or narration's; they are the same.
 * @property {string} name
 * @property {string} voice Its id; empty when it is not synthesized.
 * @property {string} voiceName As it was when it spoke; empty when it is not synthesized.
 * @property {number} duration Seconds; for a narration, those generated so far.
 * @property {boolean} isWhole Whether it is complete.
 * @property {number} sampleRate Hertz.
 * @property {string | null} entry The queue entry it was taken from.
 */

/**
 * @param {Item} item
 * @param {string | null} entry The queue entry it is taken from.
 * @returns {Track}
 */
export function trackOf({ id, name, narration, duration, sampleRate }, entry) {
  return { kind: "recording", id, name, voice: narration?.voice ?? "", voiceName: narration?.voiceName ?? "", duration, sampleRate, isWhole: true, entry };
}

/**
 * @param {Narration} narration
 * @returns {Track}
 */
export function trackOfNarration({ id, name, voice, voiceName, seconds, sampleRate, state }) {
  return { kind: "narration", id, name, voice, voiceName, duration: seconds, sampleRate, isWhole: state === "finished", entry: null };
}

/**
 * The name of the voice that has spoken: with its language while it is installed, else with the words that it is not.
 *
 * @param {{ voice: string, voiceName: string }} spoken `voiceName`: empty where nobody has.
 */
export function voiceOf({ voice, voiceName }) {
  if (voices.value === null || voiceName === "") return voiceName;
  return voices.value.find(({ id }) => id === voice)?.fullTitle ?? t("voice.missing", { name: voiceName });
}

/**
 * The updates of the player's track.
 *
 * @typedef {object} TrackListener
 * @property {(track: Track) => void} gone It was deleted.
 * @property {() => void} resounded A sentence of the recording was spoken again, so its sound and times have changed.
 * @property {(isUnsure: boolean) => Promise<boolean>} isResounded Whether the times say that, though the length is as it was;
 * `isUnsure`: also where they were not known before.
 * @property {(error: unknown) => void} lost A narration that can no longer be followed has not become a recording.
 */

/** Updates the player's track: names and lengths change, a narration becomes a recording. */
export class TrackUpdates {
  #track;
  #sound;
  #listener;

  /**
   * @param {import("../core/store.js").Cell<Track | null>} track
   * @param {import("./sound.js").Sound} sound
   * @param {TrackListener} listener
   */
  constructor(track, sound, listener) {
    this.#track = track;
    this.#sound = sound;
    this.#listener = listener;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("narration", (narration) => this.#narrationChanged(narration), signal);
    onServer("library", ({ changed, added, deleted }) => this.#libraryChanged([...changed, ...added], deleted), signal);
    onServer("reset", () => this.#othersChanged(), signal);
  }

  /**
   * Plays the finished recording from now on, instead of the stream of its narration.
   *
   * @param {number} at Seconds.
   */
  becomeRecording(at) {
    const track = this.#track.value;
    if (track === null) return;
    this.#track.set({ ...track, kind: "recording" });
    this.#sound.open(at);
  }

  /**
   * Checks whether a narration that can no longer be followed has become a recording.
   *
   * @param {Track} track
   * @param {unknown} error The error to report if it is not.
   */
  async findRecording(track, error) {
    const at = this.#sound.time.value;
    try {
      const item = await loadItem(track.id);
      if (this.#track.value?.id !== track.id) return;
      this.#track.set(trackOf(item, track.entry));
      if (this.#sound.isWanted) this.#sound.open(at);
      else this.#sound.showPhase();
    } catch {
      if (this.#track.value?.id === track.id) this.#listener.lost(error);
    }
  }

  /** @param {Narration} narration */
  #narrationChanged(narration) {
    const track = this.#track.value;
    if (track === null || track.id !== narration.id || track.kind !== "narration") return;
    const isWhole = narration.state === "finished";
    this.#track.set({ ...track, name: narration.name, duration: Math.max(track.duration, narration.seconds), isWhole });
    if (isWhole && !this.#sound.isOpen) this.#track.set({ ...trackOfNarration(narration), kind: "recording" });
  }

  /**
   * @param {string[]} changed
   * @param {string[]} deleted
   * @param {boolean} [isUnsure] Whether it counts as spoken again where its times were not known.
   */
  async #libraryChanged(changed, deleted, isUnsure = false) {
    if (changed.length > 0) this.#sound.forgetLoaded();
    const track = this.#track.value;
    if (track === null) return;
    if (deleted.includes(track.id)) this.#listener.gone(track);
    else if (changed.includes(track.id)) await this.#refresh(track, isUnsure);
  }

  /** A command changes or deletes the recording without an event of its own, or speaks a sentence of it again. */
  async #othersChanged() {
    const track = this.#track.value;
    if (track?.kind !== "recording") return;
    await this.#libraryChanged([track.id], [], this.#sound.isWanted);
    const isHere = this.#track.value?.id === track.id;
    // The next play loads it again.
    if (isHere && track.voiceName !== "" && !this.#sound.isWanted) this.#sound.close();
  }

  /**
   * Adopts the library's name and length; a recording in the library is complete.
   *
   * @param {Track} track
   * @param {boolean} isUnsure
   */
  async #refresh(track, isUnsure) {
    try {
      const { name, duration } = await loadItem(track.id);
      const isResounded = track.kind === "recording" && track.voiceName !== "" && (await this.#listener.isResounded(isUnsure));
      const now = this.#track.value;
      if (now?.id !== track.id) return;
      const kind = this.#sound.isOpen ? now.kind : "recording";
      const isOther = now.kind === "recording" && (isResounded || now.duration !== duration);
      this.#track.set({ ...now, kind, name, duration, isWhole: true });
      if (isOther) this.#listener.resounded();
    } catch (error) {
      // A narration is not a recording yet; after any other error the next event requests it again.
      if (track.kind === "recording" && /** @type {{ status?: number }} */ (error).status === 404) this.#listener.gone(track);
    }
  }
}

/** The text of the track and when each part of it is spoken; grows while a narration runs. */
export class Transcript {
  /** @type {Sentence[]} */
  sentences = [];

  /**
   * @param {string} id Of the recording or narration.
   * @param {{ text: string, paragraphs: readonly import("../server/api.js").Paragraph[] }} words
   * @param {Sentence[]} sentences
   */
  constructor(id, { text, paragraphs }, sentences) {
    this.id = id;
    this.text = text;
    this.paragraphs = paragraphs;
    addSentences(this.sentences, sentences);
  }

  /** @param {Sentence[]} sentences */
  add(sentences) {
    addSentences(this.sentences, sentences);
  }
}

/**
 * Whether the server refused a request, so that it would do so again.
 *
 * @param {unknown} error
 */
function isRefused(error) {
  const { status = 0 } = /** @type {{ status?: number }} */ (error);
  return status >= 400 && status < 500;
}

/**
 * Sends a request once more when the server did not answer, or failed.
 *
 * @template Answer
 * @param {() => Promise<Answer>} send
 * @param {AbortSignal} signal
 */
async function twice(send, signal) {
  try {
    return await send();
  } catch (error) {
    if (signal.aborted || isRefused(error)) throw error;
    return send();
  }
}

/**
 * The sentences of a recording, whose text is readable without them.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<{ sentences: Sentence[], problem: unknown }>} `problem`: why they are missing, or `null`.
 */
export async function loadSentences(id, signal) {
  try {
    const { sentences } = await twice(() => loadItemTimings(id, signal), signal);
    return { sentences, problem: null };
  } catch (problem) {
    return { sentences: [], problem };
  }
}

/**
 * @param {{ kind: "recording" | "narration", id: string }} track
 * @param {AbortSignal} signal
 * @returns {Promise<Transcript>}
 */
async function loadTranscript({ kind, id }, signal) {
  if (kind === "narration") {
    try {
      const [words, timings] = await Promise.all([loadNarrationText(id, signal), loadNarrationTimings(id, signal)]);
      return new Transcript(id, words, timings.sentences);
    } catch (error) {
      // It may have become a recording since its last event.
      if (/** @type {{ status?: number }} */ (error).status !== 404) throw error;
    }
  }
  const [words, timings] = await Promise.all([loadItemText(id, signal), loadItemTimings(id, signal)]);
  return new Transcript(id, words, timings.sentences);
}

/** Milliseconds between two requests for the chapters of a narration: many headings may be spoken in a second. */
const chaptersEvery = 1_000;

/** The chapters of the recording in the player, as in its audiobook; of a narration, also those still to be spoken. */
export class TrackChapters {
  /** @type {Cell<readonly import("../server/library.js").Chapter[]>} */
  state = new Cell(/** @type {readonly import("../server/library.js").Chapter[]} */ ([]));
  #track;
  /** @type {Track | null} Whose chapters they are. */
  #of = null;
  #load = new AbortController();
  /** Whether they could not be loaded. */
  #isMissing = false;
  /** Whether another one has begun since the last request. */
  #isDue = false;
  #isRenewing = false;

  /** @param {Cell<Track | null>} track */
  constructor(track) {
    this.#track = track;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#track.follow((track) => this.#take(track), signal);
    onServer("sentence", ({ narration, sentence }) => {
      if (!this.#isNarration || narration !== this.#of?.id) return;
      const next = this.state.value.find(({ ahead }) => ahead !== undefined);
      if (this.#isMissing || (next?.ahead !== undefined && next.ahead < sentence.to)) this.#renewInTurn();
    }, signal);
    onServer("reset", () => this.#isNarration && this.renew(), signal);
    onServer("library", ({ added, changed }) => this.#of !== null && [...added, ...changed].includes(this.#of.id) && this.renew(), signal);
    signal.addEventListener("abort", () => this.#load.abort());
  }

  get #isNarration() {
    return this.#of?.kind === "narration";
  }

  /** @param {Track | null} track */
  #take(track) {
    const before = this.#of;
    this.#of = track;
    if (track?.id === before?.id && track?.kind === before?.kind) return;
    if (track?.id !== before?.id) this.state.set([]);
    this.#isMissing = false;
    this.renew();
  }

  /** Loads them again, once the server has answered the last request. */
  async #renewInTurn() {
    this.#isDue = true;
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.#isDue) {
      this.#isDue = false;
      await Promise.all([this.renew(), new Promise((resolve) => setTimeout(resolve, chaptersEvery))]);
    }
    this.#isRenewing = false;
  }

  /** Loads them again. */
  async renew() {
    this.#load.abort();
    this.#load = new AbortController();
    const { signal } = this.#load;
    if (this.#of === null) return;
    try {
      const chapters = await (this.#isNarration ? loadNarrationChapters : loadChapters)(this.#of.id, signal);
      if (signal.aborted) return;
      this.#isMissing = false;
      this.state.set(chapters);
    } catch {
      // Playback works without them; the sound reports what is wrong with the recording.
      if (!signal.aborted) this.#isMissing = true;
    }
  }
}

/** The text of the player's track, loaded on demand. */
export class TrackTranscript {
  /** @type {Cell<Transcript | null>} */
  state = new Cell(/** @type {Transcript | null} */ (null));
  #track;
  #failed;
  #recovered;
  /** @type {Pick<Transcript, "id" | "sentences"> | null} The times at the last question for others, where no text is loaded. */
  #seen = null;
  /** @type {unknown} Why the text that was needed is missing, or `null`. */
  #problem = null;
  #load = new AbortController();
  /** @type {Sentence[]} Sentences that arrive while the text is loading; the answer may be older. */
  #early = [];
  #isLoading = false;

  /**
   * @param {Cell<Track | null>} track
   * @param {(error: unknown) => void} failed
   * @param {(error: unknown) => void} recovered Called with that error when the text was loaded after all.
   */
  constructor(track, failed, recovered) {
    this.#track = track;
    this.#failed = failed;
    this.#recovered = recovered;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("sentence", ({ narration, sentence }) => {
      if (this.state.value?.id === narration) this.state.value.add([sentence]);
      else if (this.#isLoading && this.#track.value?.id === narration) this.#early.push(sentence);
    }, signal);
    onServer("library", ({ changed }) => this.#forgetIfOther(changed), signal);
    onServer("reset", () => this.retry(), signal);
  }

  /** Loads the text again, if that failed and was not refused. */
  retry() {
    if (this.#problem !== null && !isRefused(this.#problem)) this.need();
  }

  /**
   * Reloads the text of a recording whose transcript may have changed; a narration's text does not change.
   *
   * @param {string[]} changed The ids of recordings.
   */
  #forgetIfOther(changed) {
    const track = this.#track.value;
    if (track === null || track.voiceName !== "" || !changed.includes(track.id)) return;
    this.renew();
  }

  /** Loads the text and its times again, if they were loaded. */
  renew() {
    if (this.state.value === null || this.state.value.id !== this.#track.value?.id) return;
    this.state.set(null);
    this.need();
  }

  /**
   * @param {boolean} isUnsure The answer where their times were not known.
   * @returns {Promise<boolean>} Whether the words have other times now.
   */
  async isOther(isUnsure) {
    const id = this.#track.value?.id;
    const known = () => this.state.value ?? this.#seen;
    const before = known();
    const isKnown = before?.id === id;
    if (id === undefined || !(isKnown || isUnsure)) return false;
    try {
      const { sentences } = await loadItemTimings(id);
      if (known() !== before) return false;
      this.#seen = { id, sentences };
      return !isKnown || JSON.stringify(sentences) !== JSON.stringify(before?.sentences);
    } catch {
      return false; // the next change asks again
    }
  }

  /** @returns {Promise<Transcript | null>} `null` when it is unavailable. */
  async need() {
    const track = this.#track.value;
    if (track === null) return null;
    if (this.state.value?.id === track.id) return this.state.value;
    this.#load.abort();
    this.#load = new AbortController();
    this.#early = [];
    this.#isLoading = true;
    const { signal } = this.#load;
    try {
      const transcript = await twice(() => loadTranscript(track, signal), signal);
      if (!signal.aborted && this.#track.value?.id === track.id) {
        transcript.add(this.#early);
        this.#report(null);
        this.state.set(transcript);
      }
    } catch (error) {
      if (!signal.aborted) this.#report(error);
    }
    if (!signal.aborted) this.#isLoading = false;
    return this.state.value;
  }

  /** @param {unknown} error Why the text is missing, or `null`. */
  #report(error) {
    const before = this.#problem;
    this.#problem = error;
    if (error !== null) this.#failed(error);
    else if (before !== null) this.#recovered(before);
  }

  /**
   * Clears the text, unless it is the next track's.
   *
   * @param {string | null} id Of the next track.
   * @returns {boolean} Whether a text was cleared, or missing.
   */
  leave(id) {
    this.#load.abort();
    this.#isLoading = false;
    const wasMissing = this.#problem !== null;
    this.#problem = null;
    if (this.state.value === null || this.state.value.id === id) return wasMissing;
    this.state.set(null);
    return true;
  }
}

/** Milliseconds between bookmarks while playing, and the minimum between any two. */
const every = 5_000;
const apart = 300;

/** The statuses that the page reports elsewhere: a silent server, an ended session, a deletion, a lock. */
const reportedElsewhere = [0, 401, 404, 423];

/** From this many failures in a row on, the user hears of them. */
const firstTold = 2;

/** Saves the last playback position on the server, not more often than useful. */
export class Bookmark {
  #last = 0;
  #timer = 0;
  /** How many have failed since the last one that was saved. */
  #failures = 0;
  #unkept;

  /** @param {(error: unknown) => void} [unkept] Called once when positions are not saved, until one is. */
  constructor(unkept = () => {}) {
    this.#unkept = unkept;
  }

  /** Whether one is due during playback. */
  get isDue() {
    return this.#age > every;
  }

  /** Milliseconds since the last one; infinite where the clock was set back since. */
  get #age() {
    const age = Date.now() - this.#last;
    return age < 0 ? Infinity : age;
  }

  /**
   * @param {Track | null} track
   * @param {number} position Seconds.
   * @param {boolean} isLeaving Whether the request must outlive the page.
   * @param {string | null} [list] The query string of the list that it was played from.
   */
  keep(track, position, isLeaving, list = null) {
    if (track === null) return;
    clearTimeout(this.#timer);
    const wait = isLeaving ? 0 : apart - this.#age;
    if (wait <= 0) return this.#send(track, position, isLeaving, list);
    this.#timer = setTimeout(() => isOpen() && this.#send(track, position, false, list), wait);
  }

  /** Drops an unsent position in something that no longer exists. */
  drop() {
    clearTimeout(this.#timer);
  }

  /**
   * @param {Track} track
   * @param {number} position Seconds.
   * @param {boolean} isLeaving
   * @param {string | null} list
   */
  #send(track, position, isLeaving, list) {
    this.#last = Date.now();
    const isPlace = track.kind === "narration" && !track.isWhole;
    const options = { list, keepalive: isLeaving };
    const sent = isPlace ? keepNarrationPlace(track.id, position, options) : keepBookmark(track.id, position, options);
    sent.then(() => (this.#failures = 0), (error) => this.#failed(error));
  }

  /** @param {{ status?: number }} error The next bookmark replaces one that does not arrive. */
  #failed(error) {
    if (reportedElsewhere.includes(error.status ?? 0)) return;
    this.#failures += 1;
    if (this.#failures === firstTold) this.#unkept(error);
  }
}

/**
 * @param {import("./play-queue.js").PlayQueue} queue
 * @returns {{ item: import("../server/library.js").Item, entry: string | null, position: number, list: string | null } | null} Where
 * listening stopped, in seconds; the queue's current recording if there is no bookmark. `entry` is that of the queue,
 * if the recording was played from there; `list` the query string of another list that it was played from.
 */
export function lastPlace(queue) {
  const { bookmark } = queue;
  const entry = queue.entry(queue.current);
  if (bookmark === null) return entry === undefined ? null : { item: entry.item, entry: entry.id, position: 0, list: null };
  const { item, position, list } = bookmark;
  const isQueued = entry?.item.id === item.id && list === null;
  return { item, entry: isQueued ? entry.id : null, position, list };
}
