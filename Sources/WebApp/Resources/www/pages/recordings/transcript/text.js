/**
 * A transcript as one text, like the recording's own: a line for each segment with speech.
 */

/** @typedef {import("../../../server/transcripts.js").Segment} Segment */
/** @typedef {import("../../../server/narrations.js").Sentence} Sentence */

/** @typedef {{ from: number, to: number }} Place In UTF-16 units of the whole text. */

/**
 * @param {readonly Segment[]} segments
 * @returns {{ text: string, sentences: Sentence[] }} A sentence per line.
 */
export function lined(segments) {
  /** @type {Sentence[]} */
  const sentences = [];
  let text = "";
  for (const segment of segments) {
    if (segment.text === "") continue;
    if (sentences.length > 0) text += "\n";
    const from = text.length;
    text += segment.text;
    const words = segment.words.map((word) => ({
      start: word.start,
      end: word.end,
      from: from + word.from,
      to: from + word.to,
      exact: !word.estimated,
    }));
    sentences.push({ start: segment.start, end: segment.end, from, to: text.length, words });
  }
  return { text, sentences };
}

/** A pause of this length begins a paragraph, as in exported transcripts; in seconds. */
export const longPause = 2;

/** From this length on, a paragraph ends with the next sentence; in UTF-16 units. */
const longParagraph = 800;

/**
 * A piece of the transcript as it is read.
 *
 * @typedef {object} Part
 * @property {{ first: number, last: number }} [paragraph] The indices of its segments, inclusive.
 * @property {Segment} [gap] Without words.
 * @property {import("../../../server/recordings.js").Mark} [mark]
 */

/**
 * The pieces of a transcript in reading order: paragraphs of what one speaker says without a long pause, what has no
 * words, and marks, each before the segment in which it lies.
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
      const isSeen = segment.kind === "notUnderstood" || segment.end - segment.start >= longPause;
      if (segment.kind !== "speech" && isSeen) parts.push({ gap: segment });
    } else if (paragraph !== undefined && goesOn(segments, paragraph, segment)) {
      paragraph.last = index;
    } else {
      parts.push({ paragraph: { first: index, last: index } });
    }
  });
  return [...parts, ...marks.slice(reached).map((mark) => ({ mark }))];
}

/**
 * @param {readonly Segment[]} segments
 * @param {{ first: number, last: number }} paragraph
 * @param {Segment} next
 */
function goesOn(segments, { first, last }, next) {
  const before = segments[last];
  if (before.speaker !== next.speaker) return false;
  const end = before.words[before.words.length - 1]?.end ?? before.end;
  if ((next.words[0]?.start ?? next.start) - end >= longPause) return false;
  const length = segments.slice(first, last + 1).reduce((sum, { text }) => sum + text.length, 0);
  return length < longParagraph || !/[.!?…。！？]["'”’»)]*$/.test(before.text);
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
 * The words of which the recogniser was uncertain.
 *
 * @param {readonly Segment[]} segments
 * @param {number} below The confidence limit.
 * @returns {Place[]} In text order.
 */
export function uncertainPlaces(segments, below) {
  /** @type {Place[]} */
  const places = [];
  let from = 0;
  for (const { text, words } of segments) {
    if (text === "") continue;
    for (const word of words) {
      if (word.confidence !== null && word.confidence < below) places.push({ from: from + word.from, to: from + word.to });
    }
    from += text.length + 1;
  }
  return places;
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
