/**
 * A transcript as the page shows, searches and edits it; the server finds its text, lines and paragraphs.
 */

import { t } from "../../../core/i18n.js";
import { indexAt } from "../../../player/track.js";

/** @typedef {import("../../../server/transcriptions.js").Segment} Segment */
/** @typedef {import("../../../server/narrations.js").Sentence} Sentence */

/** @typedef {{ from: number, to: number }} Place In UTF-16 units of the whole text. */

/**
 * The lines of a transcript with their times.
 *
 * @param {readonly Segment[]} segments
 * @returns {Sentence[]} One for each segment with words.
 */
export function linesOf(segments) {
  return segments.filter(({ text }) => text !== "").map(({ start, end, text, words, offset = 0 }) => {
    const placed = words.map((word) => ({ ...word, from: offset + word.from, to: offset + word.to }));
    return { start, end, from: offset, to: offset + text.length, words: placed };
  });
}

/** Silence of this length is shown; in seconds. */
const longSilence = 2;

/**
 * A piece of the transcript as it is read.
 *
 * @typedef {object} Part
 * @property {{ first: number, last: number }} [paragraph] The indices of its segments, inclusive.
 * @property {Segment} [gap] Without words.
 * @property {import("../../../server/recordings.js").Mark} [mark]
 */

/**
 * The pieces of a transcript in reading order: its paragraphs, what has no words, and marks, each before the segment that
 * it is in; a gap or mark that is shown divides a paragraph.
 *
 * @param {readonly Segment[]} segments
 * @param {readonly import("../../../server/recordings.js").Mark[]} [marks] By time.
 * @returns {Part[]}
 */
export function partsOf(segments, marks = []) {
  /** @type {Part[]} */
  const parts = [];
  let reached = 0;
  segments.forEach((segment, index) => {
    for (; reached < marks.length && marks[reached].seconds < segment.end; reached += 1) parts.push({ mark: marks[reached] });
    const { paragraph } = parts[parts.length - 1] ?? {};
    if (segment.text === "") {
      const isSeen = segment.kind === "notUnderstood" || segment.end - segment.start >= longSilence;
      if (segment.kind !== "speech" && isSeen) parts.push({ gap: segment });
    } else if (paragraph !== undefined && !segment.beginsParagraph) {
      paragraph.last = index;
    } else {
      parts.push({ paragraph: { first: index, last: index } });
    }
  });
  return [...parts, ...marks.slice(reached).map((mark) => ({ mark }))];
}

/**
 * The words of each paragraph.
 *
 * @param {readonly Segment[]} segments
 * @param {((speaker: string) => string) | null} [nameOf] Puts the speaker before each paragraph.
 * @returns {string[]}
 */
export function paragraphTexts(segments, nameOf = null) {
  return partsOf(segments).flatMap(({ paragraph }) => {
    if (paragraph === undefined) return [];
    const said = segments.slice(paragraph.first, paragraph.last + 1).map(({ text }) => text);
    const { speaker } = segments[paragraph.first];
    const name = nameOf === null || speaker === null ? "" : `${nameOf(speaker)}: `;
    return [name + said.filter((text) => text !== "").join(" ")];
  });
}

/**
 * The words of which the recognizer was uncertain.
 *
 * @param {readonly Segment[]} segments
 * @param {number} below The confidence limit.
 * @returns {Place[]} In text order.
 */
export function uncertainPlaces(segments, below) {
  const words = linesOf(segments).flatMap((line) => line.words);
  return words.filter(({ confidence }) => confidence !== undefined && confidence < below);
}

/**
 * Every match of the words, ignoring case and accents, without overlaps.
 *
 * @param {string} text
 * @param {string} words
 * @returns {Place[]}
 */
export function findPlaces(text, words) {
  const wanted = fold(words.trim()).text;
  if (wanted === "") return [];
  const { text: folded, starts } = fold(text);
  /** @type {Place[]} */
  const places = [];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
    places.push({ from: starts[at], to: starts[at + wanted.length] });
  }
  return places;
}

/**
 * Text without case and accents, and the origin of each of its units.
 *
 * @param {string} text
 */
function fold(text) {
  let folded = "";
  /** @type {number[]} */
  const starts = [];
  let place = 0;
  for (const character of text) {
    // There are several apostrophe characters.
    const plain = character.replace(/[’ʼ]/, "'").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
    for (let index = 0; index < plain.length; index += 1) starts.push(place);
    folded += plain.replace(/\s/, " ");
    place += character.length;
  }
  starts.push(place);
  return { text: folded, starts };
}

/**
 * A user's unsaved edit of a transcript: segments that are rewritten, split, joined, deleted or given a speaker. It
 * uses no document.
 */

/** @typedef {import("../../../server/transcriptions.js").EditedSegment} EditedSegment */

/** The minimum length of a part after a split, in seconds. */
const shortest = 0.02;

export class Draft {
  /** @type {EditedSegment[]} */
  segments;
  #was;

  /** @param {readonly Segment[]} segments */
  constructor(segments) {
    this.segments = segments.map(({ kind, start, end, text, speaker }) => ({ kind, start, end, text, speaker }));
    this.#was = JSON.stringify(this.segments);
    this.#words = new Map(segments.map((segment) => [segment.start, segment]));
  }

  /** @type {Map<number, Segment>} The recognizer's segments, by start. */
  #words;

  get isChanged() {
    return JSON.stringify(this.segments) !== this.#was;
  }

  /**
   * Splits a segment at a place in its text; the time comes from the original words.
   *
   * @param {EditedSegment} segment
   * @param {number} place In its text.
   * @returns {EditedSegment | null} The second part; `null` when there is nothing to split.
   */
  split(segment, place) {
    const before = segment.text.slice(0, place).trim();
    const after = segment.text.slice(place).trim();
    if (before === "" || after === "" || segment.end - segment.start < shortest) return null;
    const at = this.#timeAt(segment, place);
    const second = { ...segment, start: at, text: after };
    segment.end = at;
    segment.text = before;
    this.segments.splice(this.segments.indexOf(segment) + 1, 0, second);
    return second;
  }

  /**
   * Joins a segment of speech to the previous one.
   *
   * @param {EditedSegment} segment
   * @returns {{ joined: EditedSegment, place: number } | null} The place in the joined text where it starts.
   */
  join(segment) {
    const before = this.before(segment);
    if (before === null) return null;
    const place = before.text === "" ? 0 : before.text.length + 1;
    before.text = [before.text, segment.text].filter((text) => text !== "").join(" ");
    before.end = segment.end;
    const accepted = [...(before.accepted ?? []), ...(segment.accepted ?? [])];
    if (accepted.length > 0) before.accepted = accepted;
    const at = this.segments.indexOf(before);
    this.segments.splice(at + 1, this.segments.indexOf(segment) - at); // silence between them is removed too
    return { joined: before, place };
  }

  /** @param {EditedSegment} segment */
  before(segment) {
    const earlier = this.segments.slice(0, this.segments.indexOf(segment));
    return earlier.reverse().find(({ kind }) => kind === "speech") ?? null;
  }

  /**
   * @param {EditedSegment} segment
   * @returns {() => void} Restores it.
   */
  remove(segment) {
    const at = this.segments.indexOf(segment);
    this.segments.splice(at, 1);
    return () => {
      const place = this.segments.findIndex(({ start }) => start >= segment.end);
      this.segments.splice(place < 0 ? this.segments.length : place, 0, segment);
    };
  }

  /** All speaker names, without duplicates. */
  get speakers() {
    return speakersIn(this.segments);
  }

  /**
   * @param {EditedSegment} segment
   * @param {number} place
   */
  #timeAt({ start, end, text }, place) {
    const heard = this.#words.get(start);
    const next = heard?.text === text ? heard.words.find(({ to }) => to > place) : undefined;
    const share = start + ((end - start) * place) / text.length;
    const at = next?.start ?? share;
    return Math.min(Math.max(at, start + shortest / 2), end - shortest / 2);
  }
}

/**
 * @param {readonly { speaker: string | null }[]} segments
 * @returns {string[]}
 */
export function speakersIn(segments) {
  return [...new Set(segments.flatMap(({ speaker }) => (speaker === null || speaker === "" ? [] : [speaker])))];
}

/**
 * Renames a speaker.
 *
 * @param {readonly Segment[]} segments
 * @param {{ first: number, last: number }} stretch The selected segments, all of one speaker.
 * @param {string} name Empty for none.
 * @param {boolean} isEverywhere Whether all segments with the same name, or all without one, are renamed too.
 * @returns {EditedSegment[]}
 */
export function renamed(segments, { first, last }, name, isEverywhere) {
  const was = segments[first]?.speaker ?? null;
  return segments.map(({ kind, start, end, text, speaker }, at) => {
    const isMeant = kind === "speech" && ((first <= at && at <= last) || (isEverywhere && speaker === was));
    return { kind, start, end, text, speaker: isMeant ? name || null : speaker };
  });
}

/**
 * Corrections of a draft: places of words, replacing them everywhere, and the words that a recognizer was uncertain of.
 * It uses no document.
 */

/**
 * @typedef {object} DraftPlace
 * @property {EditedSegment} segment
 * @property {number} from In UTF-16 units of the segment's text.
 * @property {number} to
 * @property {number} [start] When the word begins, in seconds.
 */

const letter = /[\p{L}\p{N}]/u;

/**
 * The places of whole words, ignoring case and accents.
 *
 * @param {string} text
 * @param {string} words
 * @returns {Place[]}
 */
function wholePlaces(text, words) {
  const wanted = words.trim();
  const isOpenBefore = letter.test([...wanted][0] ?? "");
  const isOpenAfter = letter.test([...wanted].pop() ?? "");
  return findPlaces(text, wanted).filter(({ from, to }) => {
    const before = [...text.slice(0, from)].pop() ?? "";
    const after = [...text.slice(to)][0] ?? "";
    return !(isOpenBefore && letter.test(before)) && !(isOpenAfter && letter.test(after));
  });
}

/**
 * @param {readonly EditedSegment[]} segments
 * @param {string} words
 * @returns {DraftPlace[]} In order.
 */
export function placesIn(segments, words) {
  return segments.flatMap((segment) => wholePlaces(segment.text, words).map((place) => ({ segment, ...place })));
}

/**
 * Replaces words everywhere.
 *
 * @param {readonly EditedSegment[]} segments Their texts are changed.
 * @param {string} words
 * @param {string} others What they become.
 * @returns {{ count: number, undo: () => void }} `undo` leaves texts that were changed again.
 */
export function replaceEverywhere(segments, words, others) {
  const before = segments.map((segment) => ({ segment, text: segment.text }));
  let count = 0;
  for (const segment of segments) {
    const places = wholePlaces(segment.text, words);
    count += places.length;
    for (const { from, to } of [...places].reverse()) segment.text = replaced(segment.text, from, to, others);
  }
  const after = segments.map(({ text }) => text);
  return { count, undo: () => before.forEach(({ segment, text }, at) => segment.text === after[at] && (segment.text = text)) };
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} to
 * @param {string} others
 */
function replaced(text, from, to, others) {
  return (text.slice(0, from) + others.trim() + text.slice(to)).replace(/ {2,}/g, " ").trim();
}

/**
 * The place after another one, and from the end on the first.
 *
 * @param {readonly DraftPlace[]} places In order.
 * @param {readonly EditedSegment[]} segments
 * @param {{ segment: EditedSegment, place: number } | null} caret
 * @returns {DraftPlace | null}
 */
export function placeAfter(places, segments, caret) {
  if (caret === null) return places[0] ?? null;
  const at = segments.indexOf(caret.segment);
  const next = places.find(({ segment, from }) => {
    const index = segments.indexOf(segment);
    return index > at || (index === at && from >= caret.place);
  });
  return next ?? places[0] ?? null;
}

/**
 * The words that the recognizer was uncertain of and that nobody has changed or accepted yet.
 *
 * @param {readonly Segment[]} heard
 * @param {readonly EditedSegment[]} segments
 * @param {number} below Words of less confidence are uncertain.
 * @returns {DraftPlace[]} In order.
 */
export function uncertainIn(heard, segments, below) {
  return segments.flatMap((segment) => {
    let from = 0;
    return heard.flatMap(({ start, end, text, words }) => {
      if (start >= segment.end || end <= segment.start) return [];
      return words.flatMap((word) => {
        if (word.confidence === undefined || word.confidence >= below || word.end <= segment.start || word.start >= segment.end) return [];
        const at = segment.text.indexOf(text.slice(word.from, word.to), from);
        if (at < 0) return [];
        from = at + word.to - word.from;
        return segment.accepted?.includes(word.start) ? [] : [{ segment, from: at, to: from, start: word.start }];
      });
    });
  });
}

/**
 * Accepts an uncertain word.
 *
 * @param {DraftPlace} place The word.
 * @param {readonly EditedSegment[]} segments The draft's, where the word is in another one once that was divided or joined.
 * @returns {() => void} Makes it uncertain again.
 */
export function accept({ segment, start }, segments = [segment]) {
  if (start === undefined) return () => {};
  segment.accepted = [...(segment.accepted ?? []), start];
  return () => {
    for (const part of segments.filter(({ accepted }) => accepted?.includes(start))) {
      const left = (part.accepted ?? []).filter((one) => one !== start);
      if (left.length > 0) part.accepted = left;
      else delete part.accepted;
    }
  };
}

/**
 * When the word at a place of a draft is heard: as its recognizer heard it, or, for a changed word, between those beside it.
 *
 * @param {readonly Segment[]} heard
 * @param {EditedSegment} segment
 * @param {number} place In its text; between words, the one before.
 * @returns {{ start: number, end: number } | null} Seconds; `null` where there is no word.
 */
export function timeOfWord(heard, segment, place) {
  const words = timedWords(heard, segment);
  const { time = null } = words.find((_, index) => place < (words[index + 1]?.from ?? segment.text.length + 1)) ?? {};
  return time;
}

/**
 * The word of a draft that is heard at a time: the last one that has begun. Of changed words, whose times are not known apart,
 * it is the first.
 *
 * @param {readonly Segment[]} heard
 * @param {readonly EditedSegment[]} segments Those that are shown, by time.
 * @param {number} seconds
 * @returns {DraftPlace | null} `null` without segments.
 */
export function wordAt(heard, segments, seconds) {
  const segment = segments[Math.max(0, indexAt(segments, seconds))];
  if (segment === undefined) return null;
  const words = timedWords(heard, segment);
  let found = words[0] ?? { from: 0, to: 0 };
  let reached = -Infinity;
  for (const word of words) {
    const { start } = word.time ?? { start: Infinity };
    if (start <= seconds && start > reached) [found, reached] = [word, start];
  }
  return { segment, from: found.from, to: found.to };
}

/**
 * The words of a segment of a draft, and when each is heard; changed ones have the time between those beside them together.
 *
 * @param {readonly Segment[]} heard
 * @param {EditedSegment} segment
 * @returns {{ from: number, to: number, time: { start: number, end: number } | null }[]}
 */
function timedWords(heard, segment) {
  const shown = [...segment.text.matchAll(/\S+/g)];
  const words = heard.flatMap(({ start, end, text, words: all }) => {
    if (start >= segment.end || end <= segment.start) return [];
    const inside = all.filter((word) => word.end > segment.start && word.start < segment.end);
    return inside.map((word) => ({ start: word.start, end: word.end, text: text.slice(word.from, word.to) }));
  });
  const pairs = commonWords(words.map(({ text }) => text), shown.map(([word]) => word));
  const exact = shown.map((_, at) => words[pairs.get(at) ?? -1] ?? null);
  let { start, end } = segment;
  const starts = exact.map((word) => {
    const before = start;
    start = word?.end ?? start;
    return before;
  });
  const ends = exact.map(() => end);
  for (let at = exact.length - 1; at >= 0; at -= 1) {
    ends[at] = end;
    end = exact[at]?.start ?? end;
  }
  return shown.map(({ index = 0, 0: word }, at) => {
    const { start, end } = exact[at] ?? { start: starts[at], end: ends[at] };
    return { from: index, to: index + word.length, time: exact[at] !== null || end > start ? { start, end } : null };
  });
}

/**
 * The longest list of words that two texts have in the same order.
 *
 * @param {readonly string[]} ones
 * @param {readonly string[]} others
 * @returns {Map<number, number>} The place in `ones` of a place in `others`.
 */
function commonWords(ones, others) {
  const width = others.length + 1;
  const lengths = new Uint32Array((ones.length + 1) * width);
  for (let one = ones.length - 1; one >= 0; one -= 1) {
    for (let other = others.length - 1; other >= 0; other -= 1) {
      const here = one * width + other;
      if (ones[one] === others[other]) lengths[here] = lengths[here + width + 1] + 1;
      else lengths[here] = Math.max(lengths[here + width], lengths[here + 1]);
    }
  }
  const places = new Map();
  for (let one = 0, other = 0; one < ones.length && other < others.length; ) {
    const here = one * width + other;
    if (ones[one] === others[other]) places.set(other++, one++);
    else if (lengths[here + width] >= lengths[here + 1]) one += 1;
    else other += 1;
  }
  return places;
}

/** The largest number that {@link shownSpeaker} parses. */
const most = 999;

/**
 * The displayed name of a speaker: detected ones are stored as “Speaker 1” and so on in every language.
 *
 * @param {string} name
 */
export function shownSpeaker(name) {
  const number = /^Speaker (\d{1,3})$/.exec(name)?.[1];
  return number === undefined ? name : t("transcript.speaker.number", { n: Number(number) });
}

/**
 * The name to store for a field that may still have the displayed name.
 *
 * @param {string} shown
 */
export function keptSpeaker(shown) {
  for (let n = 1; n <= most; n++) if (t("transcript.speaker.number", { n }) === shown) return `Speaker ${n}`;
  return shown;
}

/**
 * Parses a time as users write it: “90”, “1:30”, “1:02:10.5”.
 *
 * @param {string} text
 * @returns {number | null} Seconds; `null` when it is not a time.
 */
export function secondsIn(text) {
  const parts = /^(?:(?:(\d{1,3}):)?(\d{1,2}):)?(\d{1,6}(?:[.,]\d+)?)$/.exec(text.trim());
  if (parts === null) return null;
  const [, hours = "0", minutes = "0", seconds = "0"] = parts;
  return Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds.replace(",", "."));
}

/**
 * Unsaved edits by the version's id; in memory only.
 *
 * @template {{ id: string, item?: string, segments: readonly Segment[] }} Version
 */
export class Drafts {
  /** @type {Map<string, Draft>} */
  #all = new Map();
  /** @type {Map<string, Version>} The versions that they change, which may be gone meanwhile. */
  #bases = new Map();
  /** How many changed ones were dropped, which no message has said. */
  #dropped = 0;

  /**
   * @param {Version} version
   * @returns {Draft} The one that was begun, or a new one.
   */
  of(version) {
    const draft = this.#all.get(version.id) ?? new Draft(version.segments);
    this.#all.set(version.id, draft);
    this.#bases.set(version.id, version);
    return draft;
  }

  /**
   * @param {string} item
   * @param {readonly { id: string }[]} versions All there are of the recording.
   * @returns {Version | null} Another one of it that has unsaved edits.
   */
  besides(item, versions) {
    const isThere = new Set(versions.map(({ id }) => id));
    const all = [...this.#bases.values()];
    return all.find((one) => one.item === item && !isThere.has(one.id) && this.isChanged(one.id)) ?? null;
  }

  /** @param {string} id Whether a version has unsaved edits. */
  isChanged(id) {
    return this.#all.get(id)?.isChanged ?? false;
  }

  /** Whether leaving the page would lose an edit. */
  get wouldLose() {
    return this.#changed > 0;
  }

  /**
   * @param {string} id
   * @param {Draft} draft
   */
  putBack(id, draft) {
    this.#all.set(id, draft);
  }

  /** @param {string} id */
  end(id) {
    this.#all.delete(id);
  }

  /** Drops all; called when the library closes. */
  drop() {
    this.#dropped += this.#changed;
    this.#all.clear();
    this.#bases.clear();
  }

  /**
   * @returns {number} How many transcripts have lost edits since this was last asked.
   */
  takeDropped() {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  get #changed() {
    return [...this.#all.values()].filter(({ isChanged }) => isChanged).length;
  }
}

/** Reports to the server now and then that somebody writes, so that it does not take the library for unused. */
export class WritingSign {
  #send;
  #now;
  #last = -Infinity;

  /**
   * @param {() => Promise<unknown>} send
   * @param {() => number} now Milliseconds.
   */
  constructor(send, now = () => performance.now()) {
    this.#send = send;
    this.#now = now;
  }

  /** Somebody has written something. */
  give() {
    const now = this.#now();
    if (now - this.#last < signEvery) return;
    this.#last = now;
    this.#send().catch(() => (this.#last = -Infinity)); // the next letter tries again
  }
}

/** Milliseconds between two signs; the library may lock itself after an unused minute. */
const signEvery = 20_000;
