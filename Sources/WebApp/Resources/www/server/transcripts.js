import { address, request, requestJSON } from "./http.js";

/**
 * A version of a transcript as lists show it.
 *
 * @typedef {object} TranscriptVersion
 * @property {string} id
 * @property {string} item The recording's id.
 * @property {number} number From 1, in the order in which they were made.
 * @property {string} created ISO 8601.
 * @property {string | null} recognizer `null` for what a person changed.
 * @property {string | null} recognizerName
 * @property {string | null} base The version that it changes.
 * @property {{ start: number, end: number } | null} range The part that was recognised anew, in seconds.
 * @property {string} language A BCP 47 tag; `und` when it is not known.
 * @property {number} words
 * @property {number | null} speakers How many speakers were found in the base, if that is what made this version of it.
 * @property {boolean} isCurrent
 */

/**
 * A version with all that was said.
 *
 * @typedef {object} Transcript
 * @property {string} id
 * @property {string} item
 * @property {number} number
 * @property {string} created
 * @property {string | null} recognizer
 * @property {string | null} recognizerName
 * @property {string | null} base
 * @property {string} language
 * @property {number | null} speakers
 * @property {boolean} isCurrent
 * @property {number} uncertainBelow Words of less confidence are uncertain.
 * @property {Segment[]} segments In order of time, not overlapping.
 */

/**
 * @typedef {object} Segment
 * @property {"speech" | "silence" | "notUnderstood"} kind
 * @property {number} start Seconds.
 * @property {number} end
 * @property {string} text Empty when nothing is said.
 * @property {SpokenWord[]} words
 * @property {"words" | "tokens" | "segments" | "none"} timing
 * @property {string | null} speaker
 * @property {"repeated" | "cutShort" | "edited" | null} remark
 */

/**
 * @typedef {object} SpokenWord
 * @property {number} start Seconds.
 * @property {number} end
 * @property {number} from In UTF-16 units of the segment's text.
 * @property {number} to
 * @property {boolean} estimated Whether its time is a guess.
 * @property {number | null} confidence From 0 to 1.
 */

/** @typedef {{ text: string, start: number, end: number }} Said */

/**
 * Words that two versions have in common, or that differ.
 *
 * @typedef {object} ComparedPassage
 * @property {"equal" | "replaced" | "missing" | "added"} kind
 * @property {Said | null} first
 * @property {Said | null} second
 */

/**
 * @typedef {object} Differences
 * @property {string} first
 * @property {string} second
 * @property {number} missing Words that only the first version has.
 * @property {number} added Words that only the second version has.
 * @property {ComparedPassage[]} passages
 */

/** @typedef {Pick<Segment, "kind" | "start" | "end" | "text" | "speaker">} EditedSegment */
/** @typedef {"txt" | "md" | "docx" | "srt" | "vtt" | "csv" | "json"} TranscriptFormat */

/** @param {string} id */
const path = (id) => `/api/transcripts/${encodeURIComponent(id)}`;
/** @param {string} item */
const pathOf = (item) => `/api/library/${encodeURIComponent(item)}/transcripts`;

/**
 * @param {string} item
 * @param {AbortSignal} [signal]
 * @returns {Promise<TranscriptVersion[]>} Newest first.
 */
export async function listTranscripts(item, signal) {
  return (await requestJSON(pathOf(item), { signal })).versions;
}

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Transcript>}
 */
export async function loadTranscript(id, signal) {
  return requestJSON(path(id), { signal });
}

/**
 * Makes a version of what a person changed, which is the current one.
 *
 * @param {string} item
 * @param {string | null} base The version that it changes; `null` for what is written anew.
 * @param {EditedSegment[]} segments
 * @returns {Promise<Transcript>}
 */
export async function editTranscript(item, base, segments) {
  return requestJSON(pathOf(item), { method: "POST", body: { base, segments } });
}

/**
 * @param {string} id
 * @returns {Promise<TranscriptVersion[]>}
 */
export async function makeTranscriptCurrent(id) {
  return (await requestJSON(`${path(id)}/current`, { method: "POST" })).versions;
}

/**
 * Deletes a version for good.
 *
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteTranscript(id, { keepalive = false } = {}) {
  await request(path(id), { method: "DELETE", keepalive });
}

/**
 * @param {string} first
 * @param {string} second
 * @param {AbortSignal} [signal]
 * @returns {Promise<Differences>}
 */
export async function compareTranscripts(first, second, signal) {
  return requestJSON(`${path(first)}/differences`, { query: { with: second }, signal });
}

/**
 * Where a version can be downloaded.
 *
 * @param {string} id
 * @param {TranscriptFormat} format
 * @param {{ times?: boolean, byWord?: boolean }} options
 */
export function transcriptExportAddress(id, format, { times, byWord } = {}) {
  return address(`${path(id)}/export`, { format, times, byWord });
}
