import { paragraphsOf, titleOf } from "../core/text.js";

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

/**
 * @typedef {object} Chapter
 * @property {string} title
 * @property {number} start Seconds.
 */

/**
 * The spoken headings of a text, for a narration, which has no chapters yet.
 *
 * @param {string} text
 * @param {readonly Sentence[]} sentences
 * @param {string} name The title of the text before the first heading.
 * @returns {Chapter[]} Empty when the text has no headings.
 */
export function chaptersOf(text, sentences, name) {
  /** @type {Chapter[]} */
  const chapters = [];
  let at = 0;
  for (const paragraph of paragraphsOf(text)) {
    if (!paragraph.isHeading) continue;
    while (at < sentences.length && sentences[at].to <= paragraph.from) at += 1;
    const title = titleOf(text, paragraph);
    if (at >= sentences.length || title === "") continue;
    const start = at === 0 ? 0 : sentences[at].start;
    if (start <= (chapters[chapters.length - 1]?.start ?? -1)) continue;
    if (chapters.length === 0 && at > 0) chapters.push({ title: name, start: 0 });
    chapters.push({ title, start });
  }
  return chapters;
}
