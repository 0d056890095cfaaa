import { address, request, requestJSON } from "./http.js";

/** @typedef {import("./api.js").TranscriptChanges} Changes */

/** @typedef {import("./api.js").TranscriptVersion} TranscriptVersion */

/** @typedef {import("./api.js").FailedRecognizer} FailedRecognizer */

/**
 * A version with all its segments.
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
 * @property {Changes | null} changes
 * @property {boolean} isDraft Whether it was heard while the recording was made.
 * @property {FailedRecognizer | null} insteadOf
 * @property {boolean} isCurrent
 * @property {number} uncertainBelow Words of less confidence are uncertain.
 * @property {Segment[]} segments In time order, without overlaps.
 */

/**
 * @typedef {object} Segment
 * @property {"speech" | "silence" | "notUnderstood"} kind
 * @property {number} start Seconds.
 * @property {number} end
 * @property {string} text Empty without speech.
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
 * @property {boolean} estimated Whether its time is an estimate.
 * @property {number | null} confidence From 0 to 1.
 */

/** @typedef {import("./api.js").TranscriptDifferences} Differences */

/** @typedef {Differences["passages"][number]} ComparedPassage Words that two versions share, or that differ. */

/**
 * @typedef {Pick<Segment, "kind" | "start" | "end" | "text" | "speaker"> & { accepted?: number[] }} EditedSegment `accepted`: when words
 * of the base begin of which the person is sure.
 */
/** @typedef {"txt" | "md" | "docx" | "srt" | "vtt" | "csv" | "json"} TranscriptFormat */

/** @param {string} id */
const transcriptPath = (id) => `/api/transcripts/${encodeURIComponent(id)}`;
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
  return requestJSON(transcriptPath(id), { signal });
}

/** The versions that were made on this page since it was loaded: one sitting. */
const ofSitting = new Set();

/**
 * Saves a user's edit as a version, which becomes the current one. It replaces a base that was made in the same sitting.
 * If the base is gone, since another page has replaced or deleted it, the edit is saved as a text by itself.
 *
 * @param {string} item
 * @param {string | null} base The version that it changes; `null` for a new text.
 * @param {EditedSegment[]} segments
 * @returns {Promise<Transcript>}
 */
export async function editTranscript(item, base, segments) {
  const replacesBase = ofSitting.has(base) || undefined;
  const save = (/** @type {object} */ of) => requestJSON(pathOf(item), { method: "POST", body: { ...of, segments } });
  const made = await save({ base, replacesBase }).catch((problem) => {
    if (base === null || problem.code !== "transcript.not-found") throw problem;
    return save({ base: null });
  });
  ofSitting.add(made.id);
  return made;
}

/**
 * @param {string} id
 * @returns {Promise<TranscriptVersion[]>}
 */
export async function makeTranscriptCurrent(id) {
  return (await requestJSON(`${transcriptPath(id)}/current`, { method: "POST" })).versions;
}

/**
 * Deletes a version for good.
 *
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteTranscript(id, { keepalive = false } = {}) {
  await request(transcriptPath(id), { method: "DELETE", keepalive });
}

/**
 * @param {string} first
 * @param {string} second
 * @param {AbortSignal} [signal]
 * @returns {Promise<Differences>}
 */
export async function compareTranscripts(first, second, signal) {
  return requestJSON(`${transcriptPath(first)}/differences`, { query: { with: second }, signal });
}

/**
 * The download address of a version.
 *
 * @param {string} id
 * @param {TranscriptFormat} format
 * @param {{ times?: boolean, byWord?: boolean }} options
 */
export function transcriptExportAddress(id, format, { times, byWord } = {}) {
  return address(`${transcriptPath(id)}/export`, { format, times, byWord });
}

/**
 * The search for the speakers of a transcript.
 *
 * @typedef {object} SpeakerSearch
 * @property {string} transcript The version whose speakers are searched for.
 * @property {string} item The recording's id.
 * @property {"queued" | "running" | "done" | "failed" | "cancelled"} state
 * @property {number} progress From 0 to 1.
 * @property {string | null} version The version with the speakers' names.
 * @property {number | null} speakers How many there are.
 * @property {import("./voices.js").Failure | null} failure
 */

/**
 * A model that is missing.
 *
 * @typedef {object} SpeakerModelOffer
 * @property {string} entry The name of its download.
 * @property {"segmentation" | "embedding"} kind
 * @property {number} expectedBytes
 * @property {import("./voices.js").DownloadState} download
 */

/**
 * @typedef {object} Speakers
 * @property {boolean} isReady Whether the models are installed.
 * @property {SpeakerModelOffer[]} offers The models that are missing, for download.
 * @property {SpeakerSearch[]} searches Those that are running, queued or failed.
 */

/** @param {string} transcript */
const speakersPath = (transcript) => `/api/transcripts/${encodeURIComponent(transcript)}/speakers`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Speakers>}
 */
export async function loadSpeakers(signal) {
  return requestJSON("/api/speakers", { signal });
}

/**
 * Starts the search for a version's speakers; events report the progress and the end.
 *
 * @param {string} transcript
 * @param {number | null} speakers How many there are; `null` when unknown.
 * @returns {Promise<SpeakerSearch>}
 */
export async function findSpeakers(transcript, speakers) {
  return requestJSON(speakersPath(transcript), { method: "POST", body: { speakers } });
}

/**
 * Stops a search, or dismisses a failed one.
 *
 * @param {string} transcript
 */
export async function cancelSpeakers(transcript) {
  await request(speakersPath(transcript), { method: "DELETE" });
}
