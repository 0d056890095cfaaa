import { player } from "../../player/player.js";
import { lastPlace } from "../../player/track.js";
import { loadSelection, loadStructure, narrateDocument } from "../../server/documents.js";
import { listItems } from "../../server/library.js";
import { listNarrations, loadBatch } from "../../server/narrations.js";
import { readRanges } from "./choice/choice.js";

/** @typedef {import("../../server/api.js").DocumentLink} DocumentLink */
/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/documents.js").Selection} Selection */
/** @typedef {import("../../server/documents.js").Span} Span */
/** @typedef {Pick<import("../../server/documents.js").Structure, "length" | "pages" | "chapters">} Structure */

/**
 * Whether it is of all of a document, whatever was struck out in it; what is before the chapters is a part.
 *
 * @param {DocumentLink} link
 */
export function isWhole({ part, selection }) {
  return part === undefined && selection?.pages === undefined && selection?.chapters === undefined;
}

/**
 * The parts of a document that play one after the other, larger ones before smaller ones that overlap with them.
 *
 * @template {{ link: DocumentLink }} Part
 * @param {readonly Part[]} spoken Of equal ones the first counts.
 * @param {Structure} structure
 * @returns {Part[]} In the order of the text.
 */
export function partsInOrder(spoken, structure) {
  const parts = spoken
    .filter(({ link }) => !isWhole(link))
    .map((part) => ({ part, spans: spansOf(part.link.selection ?? {}, structure) }))
    .sort((one, other) => lengthOf(other.spans) - lengthOf(one.spans));
  /** @type {typeof parts} */
  const taken = [];
  for (const one of parts) {
    if (one.spans.length > 0 && !taken.some(({ spans }) => overlap(spans, one.spans))) taken.push(one);
  }
  return taken.sort((one, other) => one.spans[0].from - other.spans[0].from).map(({ part }) => part);
}

/**
 * @param {readonly { link: DocumentLink }[]} parts Without overlaps.
 * @param {Structure} structure
 * @returns {number} The share of the document's text in them, from 0 to 1.
 */
export function shareOf(parts, structure) {
  const covered = parts.reduce((sum, { link }) => sum + lengthOf(spansOf(link.selection ?? {}, structure)), 0);
  return structure.length === 0 ? 0 : covered / structure.length;
}

/**
 * The selection to read when too little of a document is recorded: the last choice, or all of it when that is among the
 * recordings.
 *
 * @param {Selection} last
 * @param {readonly { link: DocumentLink }[]} spoken
 * @returns {Selection}
 */
export function selectionToRead(last, spoken) {
  const isSpoken = spoken.some(({ link: { selection } }) => selection?.pages === last.pages && selection?.chapters === last.chapters);
  return isSpoken ? { ...last, pages: undefined, chapters: undefined } : last;
}

/**
 * Where to continue in a series: where listening stopped, or at its start when that was elsewhere or all was heard.
 *
 * @param {readonly string[]} ids Of recordings, in order.
 * @param {{ id: string, seconds: number } | null} last Where listening stopped; at the start of a recording that was
 * heard to its end.
 * @returns {{ at: number, from: number }} The place in the series, and seconds.
 */
export function placeToGoOn(ids, last) {
  const at = last === null ? -1 : ids.indexOf(last.id);
  if (last === null || at < 0 || (at === ids.length - 1 && last.seconds === 0)) return { at: 0, from: 0 };
  return { at, from: last.seconds };
}

/**
 * @param {Selection} selection Of pages, of chapters, or of what is before these.
 * @param {Structure} structure
 * @returns {Span[]} In order, without overlaps or empty ones; none of what is not in the document.
 */
function spansOf({ pages, chapters, leftOut }, structure) {
  if (pages === undefined && chapters === undefined && leftOut !== undefined) return spansWithout(leftOut, structure.length);
  const [text, all] = pages === undefined ? [chapters ?? "", structure.chapters] : [pages, structure.pages];
  /** @type {Span[]} */
  const spans = [];
  for (const number of readRanges(text, all.length) ?? []) {
    const { from, to } = all[number - 1];
    const last = spans[spans.length - 1];
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else if (to > from) spans.push({ from, to });
  }
  return spans;
}

/**
 * @param {readonly [number, number][]} leftOut
 * @param {number} length Of the whole text.
 * @returns {Span[]} All the others, in order.
 */
function spansWithout(leftOut, length) {
  /** @type {Span[]} */
  const spans = [];
  let from = 0;
  for (const [start, end] of [...leftOut].sort((one, other) => one[0] - other[0])) {
    if (start > from) spans.push({ from, to: start });
    from = Math.max(from, end);
  }
  if (length > from) spans.push({ from, to: length });
  return spans;
}

/** @param {readonly Span[]} spans */
function lengthOf(spans) {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

/**
 * @param {readonly Span[]} some
 * @param {readonly Span[]} others
 */
function overlap(some, others) {
  return some.some((one) => others.some((other) => one.from < other.to && other.from < one.to));
}

/**
 * A recording of a document, or a narration that will be one.
 *
 * @typedef {object} Spoken
 * @property {string} id
 * @property {DocumentLink} link
 * @property {Item | null} item `null` while it is being spoken.
 * @property {Narration | null} narration `null` once it is a recording.
 */

/** The share of a document's text from which on recordings of parts of it are played instead of reading all of it. */
const enough = 0.5;

/** The most recordings that the server gives at once. */
const mostItems = 500;

/**
 * Plays a document from where listening to it stopped: its last recording as a whole, else its recorded parts in the
 * order of the text. When these are few, and no others are on their way, it is read aloud.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 */
export async function playDocument(id, signal) {
  const running = (await listNarrations(signal)).filter(({ state }) => state === "speaking" || state === "waiting");
  const narrations = running.flatMap((one) => spokenOf(id, one.document, { id: one.id, item: null, narration: one }));
  const recordings = await recordingsOf(id, signal);
  const whole = [...narrations, ...recordings].find(({ link }) => isWhole(link));
  if (whole !== undefined) return play([whole], id, null);
  const spoken = [...recordings, ...narrations];
  if (spoken.length === 0) return player.playNarration(await narrateDocument(id));
  const structure = await loadStructure(id, signal);
  const parts = partsInOrder(spoken, structure);
  const stands = parts.length > 0 && (shareOf(parts, structure) >= enough || (await isInBatch(id, signal)));
  if (stands) return play(parts, id, structure);
  return player.playNarration(await narrateDocument(id, selectionToRead(await loadSelection(id, signal), spoken)));
}

/**
 * Whether more of a document is going to be read.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function isInBatch(id, signal) {
  const { entries } = await loadBatch(signal);
  return entries.some(({ document, state }) => document === id && (state === "waiting" || state === "begun"));
}

/**
 * @param {readonly Spoken[]} parts Not empty.
 * @param {string} id The document's.
 * @param {Structure | null} structure `null` for a single one.
 */
async function play(parts, id, structure) {
  await player.queue.known();
  const { track } = player;
  const last = lastPlace(player.queue);
  const bookmark = last === null ? null : { id: last.item.id, seconds: last.position };
  const present = track.value === null ? bookmark : { id: track.value.id, seconds: player.time.value };
  const isPresent = parts.some((part) => part.id === present?.id);
  const { at, from } = placeToGoOn(parts.map((part) => part.id), isPresent ? present : bookmark);
  const { item, narration } = parts[at];
  if (narration !== null) return player.isCurrent(narration.id) ? player.play() : player.resumeNarration(narration);
  if (item === null) return;
  // A recording that is in the player continues where it is.
  const start = player.isCurrent(item.id) ? 0 : from;
  if (structure === null) return player.playItem(item.id, start);
  const before = parts.slice(0, at).filter((part) => part.item !== null).length;
  player.playListed(partsList(id, structure), { item, at: before }, start);
}

/**
 * The recorded parts of a document as a list to play, which grows while others are being spoken.
 *
 * @param {string} id
 * @param {Structure} structure
 * @returns {import("../../player/play-queue.js").PlayList} With a query that has nearly the same order, for after a reload.
 */
function partsList(id, structure) {
  return {
    query: { document: id, order: "date", ascending: true },
    load: async ({ offset, limit }, signal) => {
      const items = partsInOrder(await recordingsOf(id, signal), structure).flatMap(({ item }) => item ?? []);
      return { items: items.slice(offset, offset + limit), total: items.length };
    },
  };
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<Spoken[]>} Newest first.
 */
async function recordingsOf(id, signal) {
  /** @type {Item[]} */
  const all = [];
  let isMore = true;
  while (isMore) {
    const { items, total } = await listItems({ document: id, order: "date", offset: all.length, limit: mostItems }, signal);
    all.push(...items);
    isMore = items.length > 0 && all.length < total;
  }
  return all.flatMap((item) => spokenOf(id, item.narration?.document, { id: item.id, item, narration: null }));
}

/**
 * @param {string} id The document's.
 * @param {DocumentLink | null | undefined} link
 * @param {Omit<Spoken, "link">} spoken
 * @returns {Spoken[]} Nothing for what is of another document.
 */
function spokenOf(id, link, spoken) {
  return link?.id === id ? [{ ...spoken, link }] : [];
}
