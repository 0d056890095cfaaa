/**
 * Corrections of a draft: places of words, replacing them everywhere, and the words that a recogniser was uncertain of.
 * It uses no document.
 */

import { findPlaces } from "./text.js";

/** @typedef {import("../../../server/transcripts.js").Segment} Segment */
/** @typedef {import("../../../server/transcripts.js").EditedSegment} EditedSegment */
/** @typedef {import("./text.js").Place} Place */

/** @typedef {{ segment: EditedSegment, from: number, to: number }} DraftPlace In UTF-16 units of the segment's text. */

const letter = /[\p{L}\p{N}]/u;

/**
 * The places of whole words, ignoring case and accents.
 *
 * @param {string} text
 * @param {string} words
 * @returns {Place[]}
 */
export function wholePlaces(text, words) {
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
 * @returns {{ count: number, undo: () => void }}
 */
export function replaceEverywhere(segments, words, others) {
  const before = segments.map((segment) => ({ segment, text: segment.text }));
  let count = 0;
  for (const segment of segments) {
    const places = wholePlaces(segment.text, words);
    count += places.length;
    for (const { from, to } of [...places].reverse()) segment.text = replaced(segment.text, from, to, others);
  }
  return { count, undo: () => before.forEach(({ segment, text }) => (segment.text = text)) };
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
 * The words that the recogniser was uncertain of and that nobody has changed yet.
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
        if (word.confidence === null || word.confidence >= below || word.end <= segment.start || word.start >= segment.end) return [];
        const at = segment.text.indexOf(text.slice(word.from, word.to), from);
        if (at < 0) return [];
        from = at + word.to - word.from;
        return [{ segment, from: at, to: from }];
      });
    });
  });
}
