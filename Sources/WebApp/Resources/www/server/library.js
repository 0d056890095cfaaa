import { address, request, requestJSON } from "./http.js";

/**
 * A recording in the library.
 *
 * @typedef {object} Item
 * @property {string} id
 * @property {string} name
 * @property {string} created ISO 8601.
 * @property {number} duration Seconds.
 * @property {number} size Bytes.
 * @property {number} sampleRate Hertz.
 * @property {string} language A BCP 47 tag; `und` when it is not known.
 * @property {number} words
 * @property {boolean} isFavorite
 * @property {Origin} origin
 * @property {boolean} isTranscribed Whether it has a transcript; a narration's text needs none.
 * @property {ItemNarration | null} narration How a voice spoke it; `null` for other origins.
 * @property {Place | null} place Where the words that were searched for are said.
 */

/** @typedef {"narrated" | "recorded" | "imported"} Origin Where a recording comes from. */

/**
 * @typedef {object} ItemNarration
 * @property {string} voice
 * @property {string} voiceName
 * @property {number} speaker
 * @property {string} engine
 * @property {number} speed
 * @property {number} pitch
 * @property {import("./narrations.js").Source | null} document
 */

/**
 * @typedef {object} Place
 * @property {number} seconds
 * @property {string} excerpt
 * @property {number} from Where the found words begin in the excerpt, in UTF-16 units.
 * @property {number} to
 */

/**
 * What is wanted of the library; what is absent does not matter. Ranges include both their ends.
 *
 * @typedef {object} LibraryQuery
 * @property {string} [words]
 * @property {"anywhere" | "name" | "text"} [in]
 * @property {"date" | "length" | "name" | "size"} [order]
 * @property {boolean} [ascending]
 * @property {boolean} [favorite]
 * @property {Origin[]} [origin] Any of these.
 * @property {boolean} [hasDocument]
 * @property {boolean} [transcribed]
 * @property {string} [document] The id of the one they were made of.
 * @property {string[]} [voice] Any of these.
 * @property {number} [speedFrom]
 * @property {number} [speedTo]
 * @property {number} [pitchFrom]
 * @property {number} [pitchTo]
 * @property {number} [lengthFrom] Seconds.
 * @property {number} [lengthTo] Seconds.
 * @property {string} [createdFrom] ISO 8601.
 * @property {string} [createdTo] ISO 8601.
 * @property {number} [offset]
 * @property {number} [limit] 500 at most.
 */

/**
 * `chapters` is a zip with a file for each chapter, `epub` a book of text and sound.
 *
 * @typedef {"wav" | "flac" | "mp3" | "opus" | "ogg" | "m4b" | "chapters" | "epub" | "txt" | "srt" | "vtt" | "json"} ExportFormat
 */

/** @param {string} id */
const path = (id) => `/api/library/${encodeURIComponent(id)}`;

/**
 * @param {LibraryQuery} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ items: Item[], total: number }>} A window of what matches, and how many match.
 */
export async function listItems(query = {}, signal) {
  return requestJSON("/api/library", { query: { ...query }, signal });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ id: string, name: string }[]>} Those that recordings were made with.
 */
export async function listLibraryVoices(signal) {
  return requestJSON("/api/library/voices", { signal });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Origin[]>} Those that there are recordings of.
 */
export async function listOrigins(signal) {
  return requestJSON("/api/library/origins", { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Item>}
 */
export async function loadItem(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function loadItemText(id, signal) {
  return (await requestJSON(`${path(id)}/text`, { signal })).text;
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./narrations.js").Timings>}
 */
export async function loadItemTimings(id, signal) {
  return requestJSON(`${path(id)}/timings`, { signal });
}

/**
 * Where an item's WAV is, for an `<audio>`.
 *
 * @param {string} id
 * @param {number} [revision] Makes another address, under which a browser has nothing loaded; the server does not mind it.
 */
export function soundAddress(id, revision = 0) {
  return address(`${path(id)}/sound`, { revision: revision === 0 ? undefined : revision });
}

/**
 * @param {string} id
 * @param {{ name?: string, isFavorite?: boolean }} change
 * @returns {Promise<Item>}
 */
export async function changeItem(id, change) {
  return requestJSON(path(id), { method: "PATCH", body: change });
}

/**
 * @param {string[]} ids
 * @param {boolean} isFavorite
 */
export async function markFavorites(ids, isFavorite) {
  await request("/api/library/favorite", { method: "POST", body: { ids, isFavorite } });
}

/**
 * Deletes all or none, for good.
 *
 * @param {string[]} ids
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteItems(ids, { keepalive = false } = {}) {
  await request("/api/library/delete", { method: "POST", body: { ids }, keepalive });
}

/**
 * Where an item can be downloaded in a format.
 *
 * @param {string} id
 * @param {ExportFormat} format
 */
export function exportAddress(id, format) {
  return address(`${path(id)}/export`, { format });
}

/**
 * Asks whether an export can be made, without taking it: a download that fails has no words.
 *
 * @param {string} id
 * @param {ExportFormat} format
 * @param {AbortSignal} [signal]
 * @throws {import("./http.js").ServerProblem}
 */
export async function checkExport(id, format, signal) {
  const response = await request(`${path(id)}/export`, { query: { format }, signal });
  await response.body?.cancel();
}

/**
 * An item as a file in memory, for what takes files.
 *
 * @param {string} id
 * @param {ExportFormat} format
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ name: string, blob: Blob }>}
 */
export async function exportItem(id, format, signal) {
  return attachmentIn(await request(`${path(id)}/export`, { query: { format }, signal }), `${id}.${format}`);
}

/**
 * Prepares several items as one zip.
 *
 * @param {string[]} ids
 * @param {ExportFormat} format
 * @returns {Promise<string>} Where it can be downloaded.
 */
export async function prepareExport(ids, format) {
  const { id } = await requestJSON("/api/exports", { method: "POST", body: { ids, format } });
  return `/api/exports/${encodeURIComponent(id)}`;
}

/**
 * Prepares everything as one zip.
 *
 * @param {ExportFormat} format
 * @param {string} [passcode] Needed when there is one.
 * @returns {Promise<string>} Where it can be downloaded.
 */
export async function prepareExportOfAll(format, passcode) {
  const { id } = await requestJSON("/api/export-all", { method: "POST", body: { format, passcode } });
  return `/api/exports/${encodeURIComponent(id)}`;
}

/**
 * The file in an answer that is an attachment.
 *
 * @param {Response} response
 * @param {string} standIn The name when the answer has none.
 * @returns {Promise<{ name: string, blob: Blob }>}
 */
export async function attachmentIn(response, standIn) {
  const disposition = response.headers.get("Content-Disposition") ?? "";
  return { name: fileName(disposition) ?? standIn, blob: await response.blob() };
}

/** @param {string} disposition Such as `attachment; filename="x.wav"; filename*=UTF-8''%C3%A4.wav`. */
function fileName(disposition) {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) {
    try {
      return decodeURIComponent(extended.trim());
    } catch {
      // Badly escaped: the plain name is used.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? null;
}
