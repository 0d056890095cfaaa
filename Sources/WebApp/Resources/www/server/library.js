import { address, request, requestJSON, ServerProblem } from "./http.js";

/** @typedef {import("./api.js").Recording} Item */

/** @typedef {import("./api.js").Origin} Origin */

/** @typedef {import("./api.js").Place} Place */

/**
 * A query of the library; absent fields match everything. Ranges are inclusive.
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
 * @property {string} [document] The id of the source document.
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
 * @property {number} [limit] At most 500.
 */

/**
 * `chapters` is a zip with a file per chapter, `epub` a book of text and sound.
 *
 * @typedef {SoundFormat | WordFormat | "m4b" | "chapters" | "epub"} ExportFormat
 * @typedef {"txt" | "md" | "docx" | "srt" | "vtt" | "csv" | "json"} WordFormat
 * @typedef {"wav" | "flac" | "mp3" | "opus" | "ogg" | "m4a"} SoundFormat
 */

/** @type {readonly SoundFormat[]} The best known first. */
export const soundFormats = ["mp3", "m4a", "flac", "wav", "opus", "ogg"];

/**
 * The file of one recording.
 *
 * @typedef {object} WantedFile
 * @property {ExportFormat} format
 * @property {SoundFormat} [sound] The format of the chapters; default: MP3.
 * @property {boolean} [times] Whether paragraphs say when they begin.
 * @property {boolean} [byWord] Whether a table has a row for each word.
 */

/**
 * Files of recordings in one download.
 *
 * @typedef {object} WantedFiles
 * @property {string[]} ids In the order of joining.
 * @property {ExportFormat} format
 * @property {WordFormat[]} [beside] The texts and times to add to each sound.
 * @property {SoundFormat} [sound] The format of the chapters in a zip.
 * @property {boolean} [times] Whether paragraphs say when they begin.
 * @property {boolean} [byWord] Whether a table has a row for each word.
 * @property {{ title?: string, author?: string }} [joined] Joins them into one file with this title and author.
 */

/** @typedef {import("./api.js").Chapter} Chapter */

/** @param {string} id */
const path = (id) => `/api/library/${encodeURIComponent(id)}`;

/**
 * @param {LibraryQuery} [query]
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ items: Item[], total: number, unreadable: number }>} A window of the matches, their total number,
 * and how many more the library cannot read.
 */
export async function listItems(query = {}, signal) {
  return requestJSON("/api/library", { query: { ...query }, signal });
}

/**
 * A list from one of its places on, as the query string that {@link listIn} parses.
 *
 * @param {LibraryQuery} query
 * @param {number} offset
 */
export function queryString(query, offset) {
  return address("", { ...query, limit: undefined, offset }).slice(1);
}

/**
 * @param {string} text A {@link queryString}.
 * @returns {{ query: LibraryQuery, offset: number }}
 */
export function listIn(text) {
  const all = new URLSearchParams(text);
  const offset = Number(all.get("offset") ?? 0);
  all.delete("offset");
  return { query: Object.fromEntries([...new Set(all.keys())].map((name) => [name, all.getAll(name)])), offset };
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Pick<import("./voices.js").Voice, "id" | "name" | "quality" | "variant">[]>} The voices of the
 * recordings.
 */
export async function listLibraryVoices(signal) {
  return requestJSON("/api/library/voices", { signal });
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
 * @returns {Promise<import("./api.js").ItemText>}
 */
export async function loadItemText(id, signal) {
  return requestJSON(`${path(id)}/text`, { signal });
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
 * The chapters of the recording's audiobook.
 *
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Chapter[]>}
 */
export async function loadChapters(id, signal) {
  return requestJSON(`${path(id)}/chapters`, { signal });
}

/**
 * The address of an item's WAV, for an `<audio>`.
 *
 * @param {string} id
 * @param {number} [revision] Changes the address, so that the browser's cache is not used; the server ignores it.
 */
export function soundAddress(id, revision = 0) {
  return address(`${path(id)}/sound`, { revision: revision === 0 ? undefined : revision });
}

/**
 * Finds out why a recording's sound cannot be loaded: a browser that plays it does not say.
 *
 * @param {string} id
 * @param {number} from The position that was being read, in bytes.
 * @returns {Promise<ServerProblem | null>} `null` when it can be read to its end, where the status is 416, or was
 *   interrupted for no reason of its own.
 */
export async function soundProblem(id, from) {
  const start = await readSound(id, "bytes=0-0");
  if (start.problem !== null) return start.problem;
  for (let position = from; ; ) {
    const { problem, bytes, isWhole } = await readSound(id, `bytes=${position}-`);
    if (problem !== null) return problem.status === 416 ? null : problem;
    if (isWhole || bytes === 0) return null;
    position += bytes;
  }
}

/**
 * @param {string} id
 * @param {string} range For a `Range` header.
 * @returns {Promise<{ problem: ServerProblem | null, bytes: number, isWhole: boolean }>} The number of bytes received,
 * and whether those were all.
 */
async function readSound(id, range) {
  let bytes = 0;
  try {
    const response = await request(`${path(id)}/sound`, { headers: { Range: range } });
    const reader = response.body?.getReader();
    for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
      bytes += piece.value.length;
    }
    return { problem: null, bytes, isWhole: true };
  } catch (error) {
    return { problem: error instanceof ServerProblem ? error : null, bytes, isWhole: false };
  }
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
 * Deletes the matches that the library cannot read, all or none, for good.
 *
 * @param {LibraryQuery} query Of any order and part.
 */
export async function deleteUnreadable(query) {
  const all = { order: undefined, ascending: undefined, offset: undefined, limit: undefined };
  await request("/api/library/unreadable", { method: "DELETE", query: { ...query, ...all } });
}

/**
 * The download address of an item in a format.
 *
 * @param {string} id
 * @param {WantedFile} wanted
 */
export function exportAddress(id, wanted) {
  return address(`${path(id)}/export`, { ...wanted });
}

/**
 * The download address of the file that an item was imported from, as it came.
 *
 * @param {string} id
 */
export function fileAddress(id) {
  return `${path(id)}/file`;
}

/**
 * Checks that an address can be downloaded, without downloading it: a failed download shows no message.
 *
 * @param {string} where
 * @param {AbortSignal} [signal]
 * @throws {import("./http.js").ServerProblem}
 */
export async function checkDownload(where, signal) {
  const response = await request(where, { signal });
  // It may have been interrupted by now, which the download itself will report.
  await response.body?.cancel().catch(() => {});
}

/**
 * A download as a file in memory, for APIs that need files.
 *
 * @param {string} where
 * @param {string} standIn The name of a file that has none.
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ name: string, blob: Blob }>}
 */
export async function loadDownload(where, standIn, signal) {
  return attachmentIn(await request(where, { signal }), standIn);
}

/**
 * Prepares a download of several items.
 *
 * @param {WantedFiles} wanted
 * @returns {Promise<string>} The id of the order.
 */
export async function prepareExport(wanted) {
  return (await requestJSON("/api/exports", { method: "POST", body: wanted })).id;
}

/**
 * Prepares a zip of the files that items were imported from, as they came.
 *
 * @param {string[]} files The ids of the items; those without a file are left out.
 * @returns {Promise<string>} The id of the order.
 */
export async function prepareFiles(files) {
  return (await requestJSON("/api/exports", { method: "POST", body: { files } })).id;
}

/**
 * Sets the cover of an audiobook order.
 *
 * @param {string} order
 * @param {Blob} cover A JPEG or PNG image.
 * @param {AbortSignal} [signal]
 */
export async function giveCover(order, cover, signal) {
  await request(`${orderAddress(order)}/cover`, { method: "PUT", bytes: await cover.arrayBuffer(), signal });
}

/**
 * Prepares a zip of everything.
 *
 * @param {ExportFormat} format
 * @param {string} [passcode] Required if one is set.
 * @returns {Promise<string>} The id of the order.
 */
export async function prepareExportOfAll(format, passcode) {
  return (await requestJSON("/api/export-all", { method: "POST", body: { format, passcode } })).id;
}

/**
 * Orders the file of one recording, if that has to be made: then it is made once, its progress is reported, and it can be stopped.
 *
 * @param {string} id
 * @param {WantedFile} wanted
 * @returns {Promise<string | null>} The id of the order; `null` if the file is there already.
 */
export async function prepareMade(id, { format, sound }) {
  const isMade = format !== "wav" && [...soundFormats, "m4b", "epub", "chapters"].includes(format);
  return isMade ? prepareExport({ ids: [id], format, sound, joined: {} }) : null;
}

/**
 * Stops making an ordered file.
 *
 * @param {string} id Of the order.
 */
export async function stopExport(id) {
  await request(orderAddress(id), { method: "DELETE" });
}

/** @param {string} id Of an order; its address serves one download. */
export function orderAddress(id) {
  return `/api/exports/${encodeURIComponent(id)}`;
}

/**
 * The file in a response that is an attachment.
 *
 * @param {Response} response
 * @param {string} standIn The name if the response has none.
 * @returns {Promise<{ name: string, blob: Blob }>}
 */
export async function attachmentIn(response, standIn) {
  const disposition = response.headers.get("Content-Disposition") ?? "";
  return { name: fileName(disposition) ?? standIn, blob: await response.blob() };
}

/** @param {string} disposition For example `attachment; filename="x.wav"; filename*=UTF-8''%C3%A4.wav`. */
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

/**
 * How loud a recording is, from its beginning to its end.
 *
 * @param {string} item The recording's id.
 * @param {AbortSignal} [signal]
 * @returns {Promise<number[]>} For up to 512 equal parts the square root of the largest amplitude; 255 is full scale.
 */
export async function loadPeaks(item, signal) {
  return requestJSON(`/api/library/${encodeURIComponent(item)}/waveform`, { signal });
}

/** Maximum number of concurrent requests; a browser opens six connections per server, for all tabs together. */
const few = 3;

/**
 * Runs work on many things, a few at a time.
 *
 * @template Thing
 * @template Result
 * @param {readonly Thing[]} things
 * @param {(thing: Thing) => Promise<Result>} work
 * @returns {Promise<Result[]>} In the order of the things; rejected with the first failure, after which no more work
 * starts.
 */
export async function eachOf(things, work) {
  /** @type {Result[]} */
  const results = new Array(things.length);
  let next = 0;
  let hasFailed = false;
  const takeNext = async () => {
    while (next < things.length && !hasFailed) {
      const at = next++;
      try {
        results[at] = await work(things[at]);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: few }, takeNext));
  return results;
}

/** @typedef {import("./api.js").Entry} QueueEntry */

/** @typedef {import("./api.js").Bookmark} Bookmark */

/** @typedef {import("./api.js").Playback} Playback */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Playback>}
 */
export async function loadPlayback(signal) {
  return requestJSON("/api/playback", { signal });
}

/** The maximum number of ids in a request that outlives the page: browsers allow 64 KiB. */
export const mostThatOutlive = 1_000;

/**
 * Adds recordings to the end of the queue. Like all changes of the queue, the request outlives the page.
 *
 * @param {string[]} items Their ids.
 * @returns {Promise<Playback>}
 */
export async function addToQueue(items) {
  const keepalive = items.length <= mostThatOutlive;
  return requestJSON("/api/playback/entries", { method: "POST", body: { items }, keepalive });
}

/**
 * @param {string[]} ids Of entries.
 * @returns {Promise<Playback>}
 */
export async function removeFromQueue(ids) {
  const keepalive = ids.length <= mostThatOutlive;
  return requestJSON("/api/playback/entries/remove", { method: "POST", body: { ids }, keepalive });
}

/**
 * @param {string} id Of an entry.
 * @param {number} position Its position after the move, from 0.
 * @returns {Promise<Playback>}
 */
export async function moveInQueue(id, position) {
  return requestJSON("/api/playback/entries/move", { method: "POST", body: { id, position }, keepalive: true });
}

/**
 * @param {string | null} id Of an entry.
 * @returns {Promise<Playback>}
 */
export async function setCurrent(id) {
  return requestJSON("/api/playback/current", { method: "PUT", body: { id }, keepalive: true });
}

/** @returns {Promise<Playback>} */
export async function clearQueue() {
  return requestJSON("/api/playback/clear", { method: "POST", keepalive: true });
}

/**
 * @param {string} item
 * @param {number} position Seconds.
 * @param {{ list?: string | null, keepalive?: boolean }} options `list`: as in a {@link Bookmark}.
 */
export async function keepBookmark(item, position, { list = null, keepalive = false } = {}) {
  const body = { item, position, list: list ?? undefined };
  await request("/api/playback/bookmark", { method: "PUT", body, keepalive });
}

/** Deletes the bookmark. */
export async function removeBookmark() {
  await request("/api/playback/bookmark", { method: "DELETE" });
}

/** @typedef {import("./api.js").HistoryEntry} HistoryEntry */

/** @typedef {import("./api.js").History} History */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<History>}
 */
export async function loadHistory(signal) {
  return requestJSON("/api/history", { signal });
}

/**
 * @param {number} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteHistoryEntry(id, { keepalive = false } = {}) {
  await request(`/api/history/${id}`, { method: "DELETE", keepalive });
}

export async function clearHistory() {
  await request("/api/history", { method: "DELETE" });
}
