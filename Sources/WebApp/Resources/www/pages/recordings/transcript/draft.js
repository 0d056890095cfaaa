/**
 * A user's unsaved edit of a transcript: segments that are rewritten, split, joined, deleted or given a speaker. It
 * uses no document.
 */

/** @typedef {import("../../../server/transcripts.js").Segment} Segment */
/** @typedef {import("../../../server/transcripts.js").EditedSegment} EditedSegment */

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

  /** @type {Map<number, Segment>} The recogniser's segments, by start. */
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
