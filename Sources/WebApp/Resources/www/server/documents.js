import { request, requestJSON } from "./http.js";
import { sendFile } from "./send-file.js";

/** @typedef {"pdf" | "epub" | "text" | "markdown" | "srt" | "vtt"} DocumentKind */

/**
 * The role of a range that is not spoken unless the user includes it.
 *
 * @typedef {"header" | "footer" | "pageNumber" | "footnote" | "footnoteReference" | "nonLinear"} Role
 */

/** @typedef {import("./api.js").Document} Document */

/**
 * A query of documents; an absent field matches all.
 *
 * @typedef {object} DocumentQuery
 * @property {string} [words]
 * @property {"anywhere" | "name" | "text"} [in]
 * @property {"date" | "length" | "name"} [order]
 * @property {boolean} [ascending]
 * @property {DocumentKind[]} [kind] Any of these.
 * @property {number} [pagesFrom]
 * @property {number} [pagesTo] Inclusive.
 * @property {string} [addedFrom] ISO 8601.
 * @property {string} [addedTo] ISO 8601; exclusive.
 * @property {string} [language] A BCP 47 tag; one without a region matches all of its regions.
 * @property {number} [offset]
 * @property {number} [limit] At most 500.
 */

/** @typedef {import("./api.js").Notice} Notice */

/**
 * The selected part of a document: pages, chapters, or everything if neither is given.
 *
 * @typedef {object} Selection
 * @property {string} [pages] For example `3-7,9`.
 * @property {string} [chapters] By their number in the table of contents, for example `1,4-5`.
 * @property {Role[]} [spokenRoles] Roles that are spoken although they are omitted by default.
 * @property {number[]} [putBack] Single marks to speak.
 * @property {[number, number][]} [leftOut] Ranges that the user struck out.
 */

/** @typedef {{ from: number, to: number }} Span A range of text, `to` exclusive. */

/** @typedef {Span & { number: number, label: string | null }} DocumentPage */

/** @typedef {Span & { number: number, title: string, level: number }} Chapter */

/** @typedef {import("./api.js").Structure} Structure */

/**
 * @typedef {Span & { kind: "heading" | "listItem" | "tableRow" | "caption" | "altText" | "quotation" | "code", level: number }} Block
 */

/** @typedef {Span & { index: number, role: Role }} Mark */

/** @typedef {Span & { length: number, text: string, blocks: Block[], marks: Mark[] }} TextPart A range of the text. */

/** @typedef {import("./api.js").Spoken} Preview The size and the text of a selection. */

/** @typedef {Preview["pieces"][number]} Piece A range that is spoken; `spoken` is its start in the spoken text. */

/** @typedef {Preview["omissions"][number]} Omission `mark` is `null` if the user struck it out. */

/** @param {string} id */
const path = (id) => `/api/documents/${encodeURIComponent(id)}`;

/**
 * @param {DocumentQuery} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ items: Document[], total: number, unreadable: number }>} A window of the matches, and their total
 *   number.
 */
export async function listDocuments(query = {}, signal) {
  const { documents: items, ...counts } = await requestJSON("/api/documents", { query: { ...query }, signal });
  return { items, ...counts };
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string[]>} The documents' own languages, as BCP 47 tags without a region.
 */
export async function listDocumentLanguages(signal) {
  return requestJSON("/api/documents/languages", { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Document>}
 */
export async function loadDocument(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * @param {string} id
 * @param {string} name
 * @returns {Promise<Document>}
 */
export async function renameDocument(id, name) {
  return requestJSON(path(id), { method: "PATCH", body: { name } });
}

/**
 * Deletes all or none, for good; their recordings stay.
 *
 * @param {string[]} ids
 */
export async function deleteDocuments(ids) {
  await request("/api/documents/delete", { method: "POST", body: { ids } });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Structure>}
 */
export async function loadStructure(id, signal) {
  return requestJSON(`${path(id)}/structure`, { signal });
}

/**
 * A range of the text, of at most 250,000 units; the answer says which.
 *
 * @param {string} id
 * @param {Span} span
 * @param {AbortSignal} [signal]
 * @returns {Promise<TextPart>}
 */
export async function loadDocumentText(id, { from, to }, signal) {
  return requestJSON(`${path(id)}/text`, { query: { from, to }, signal });
}

/**
 * The matches of words in the text, in order.
 *
 * @param {string} id
 * @param {string} words
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ places: (Span & { page: number })[], isCut: boolean }>} `isCut`: there are more.
 */
export async function findPlaces(id, words, signal) {
  return requestJSON(`${path(id)}/places`, { query: { words, limit: 5_000 }, signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Selection>} The last selection.
 */
export async function loadSelection(id, signal) {
  return requestJSON(`${path(id)}/selection`, { signal });
}

/**
 * @param {string} id
 * @param {Selection} selection
 * @returns {Promise<Selection>}
 */
export async function keepSelection(id, selection) {
  return requestJSON(`${path(id)}/selection`, { method: "PUT", body: selection });
}

/**
 * @param {string} id
 * @param {Selection} selection
 * @param {AbortSignal} [signal]
 * @returns {Promise<Preview>}
 */
export async function previewSelection(id, selection, signal) {
  return requestJSON(`${path(id)}/preview`, { method: "POST", body: { selection }, signal });
}

/**
 * How documents are spoken, and the names of the recordings; defaults come from the chosen profile and from the
 * documents. With `keepTimes`, the captions of subtitles begin at their own times.
 *
 * @typedef {import("./voices.js").VoiceSettings & { name?: string, keepTimes?: boolean }} SpokenSettings
 */

/**
 * Narrates a document as one recording.
 *
 * @param {string} id
 * @param {Selection} [selection] Default: the last selection.
 * @param {SpokenSettings} [settings]
 * @returns {Promise<import("./narrations.js").Narration>}
 */
export async function narrateDocument(id, selection, settings = {}) {
  return requestJSON(`${path(id)}/narrations`, { method: "POST", body: { selection, ...settings } });
}

/** @param {string} id */
export function thumbnailAddress(id) {
  return `${path(id)}/thumbnail`;
}

/**
 * The download address of the original file.
 *
 * @param {string} id
 */
export function originalAddress(id) {
  return `${path(id)}/original`;
}

/**
 * Prepares a zip of the original files of documents.
 *
 * @param {string[]} documents Their ids.
 * @returns {Promise<string>} The id of the order.
 */
export async function prepareOriginals(documents) {
  return (await requestJSON("/api/exports", { method: "POST", body: { documents } })).id;
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob>} The file as imported.
 */
export async function loadOriginal(id, signal) {
  return (await request(`${path(id)}/original`, { signal })).blob();
}

/**
 * A picture of a page.
 *
 * @param {string} id
 * @param {{ page: number, width: number, password: string | null }} wanted `width` in pixels.
 * @param {AbortSignal} signal
 * @returns {Promise<Blob>}
 */
export async function loadPicture(id, { page, width, password }, signal) {
  const headers = password === null ? undefined : { "X-Document-Password": encodeURIComponent(password) };
  return (await request(`${path(id)}/picture`, { query: { page, width }, headers, signal })).blob();
}

/**
 * @typedef {object} ImportOptions
 * @property {string | null} [password] Of a protected document.
 * @property {boolean} [keepTwin] Whether to add a second copy of a file that is already there; otherwise that is an
 * error.
 * @property {boolean} [reuseTwin] Whether to return the existing document instead.
 * @property {(part: number) => void} [progressed] Receives the uploaded fraction, from 0 to 1.
 * @property {AbortSignal} [signal] Cancels it. A file that the server has completely may be imported nevertheless.
 */

/** @typedef {import("./api.js").Import} Imported */

/**
 * Imports a file as a document. The server works on one at a time.
 *
 * @param {File} file
 * @param {ImportOptions} options
 * @param {() => XMLHttpRequest} [makeRequest]
 * @returns {Promise<Imported>}
 * @throws {import("./http.js").ServerProblem} Or the signal's reason when aborted.
 */
export function importDocument(file, { password = null, keepTwin = false, reuseTwin = false, progressed, signal } = {}, makeRequest) {
  /** @type {Record<string, string>} */
  const headers = password === null ? {} : { "X-Document-Password": encodeURIComponent(password) };
  const query = { name: file.name, twin: keepTwin ? "keep" : reuseTwin ? "reuse" : undefined };
  return sendFile("/api/documents", file, { query, headers, progressed, signal }, makeRequest);
}

/**
 * The number of the page that contains a place of the text, from 1.
 *
 * @param {readonly Span[]} pages In order, without gaps.
 * @param {number} unit
 */
export function pageAt(pages, unit) {
  let low = 0;
  let high = Math.max(0, pages.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pages[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/**
 * The innermost chapter that contains a place of the text.
 *
 * @param {readonly Chapter[]} chapters In order of their starts.
 * @param {number} unit
 * @returns {Chapter | null} `null` before the first chapter, and between two.
 */
export function chapterAt(chapters, unit) {
  /** @type {Chapter | null} */
  let found = null;
  for (const chapter of chapters) {
    if (chapter.from > unit) break;
    if (chapter.to > unit) found = chapter;
  }
  return found;
}

/**
 * The chapters that are spoken when some are chosen: those and the chapters within them.
 *
 * @param {readonly Chapter[]} chapters
 * @param {ReadonlySet<number>} chosen By number.
 * @returns {Set<number>}
 */
export function withInner(chapters, chosen) {
  /** @type {Set<number>} */
  const all = new Set();
  /** @type {number | null} The level of the enclosing chosen chapter. */
  let within = null;
  for (const { number, level } of chapters) {
    if (within !== null && level <= within) within = null;
    if (within === null && chosen.has(number)) within = level;
    if (within !== null) all.add(number);
  }
  return all;
}

/**
 * The ranges of a document that a range of spoken text covers; several when text within it is omitted.
 *
 * @param {readonly Piece[]} pieces In order.
 * @param {Span} spoken In the spoken text.
 * @returns {Span[]} In order, none empty.
 */
export function placesOf(pieces, { from, to }) {
  /** @type {Span[]} */
  const places = [];
  for (let index = Math.max(0, lastFrom(pieces, from)); index < pieces.length; index += 1) {
    const piece = pieces[index];
    if (piece.spoken >= to) break;
    const begin = piece.from + Math.max(0, from - piece.spoken);
    const end = Math.min(piece.to, piece.from + to - piece.spoken);
    if (end > begin) places.push({ from: begin, to: end });
  }
  return places;
}

/**
 * Maps a place of a document to the spoken text: the nearest spoken unit at or after it.
 *
 * @param {readonly Piece[]} pieces In order.
 * @param {number} unit In the document's text.
 * @returns {number | null} `null` when nothing after it is spoken.
 */
export function spokenUnit(pieces, unit) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].to > unit) high = middle;
    else low = middle + 1;
  }
  const piece = pieces[low];
  return piece === undefined ? null : piece.spoken + Math.max(0, unit - piece.from);
}

/**
 * @param {readonly Piece[]} pieces
 * @param {number} unit In the spoken text.
 * @returns {number} The index of the last piece that starts at or before it; −1 when there is none.
 */
function lastFrom(pieces, unit) {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pieces[middle].spoken > unit) high = middle;
    else low = middle + 1;
  }
  return low - 1;
}
