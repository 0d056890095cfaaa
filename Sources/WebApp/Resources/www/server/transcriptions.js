import { address, request, requestJSON } from "./http.js";

/** @typedef {import("./voices.js").Failure} Failure */

/** @typedef {import("./api.js").Transcription} Transcription */

/**
 * @typedef {object} TranscriptionOrder
 * @property {string[]} [recognizers] Default: those in the settings.
 * @property {string} [language] BCP 47.
 * @property {string[]} [hotwords]
 * @property {string} [prompt]
 * @property {number} [from] Seconds.
 * @property {number} [to]
 * @property {string} [base] The version into which the part is inserted.
 * @property {boolean} [skipsSilence]
 */

/** @typedef {import("./api.js").Recognizer} Recognizer */

/** @param {string} id */
const transcriptionPath = (id) => `/api/transcriptions/${encodeURIComponent(id)}`;

/**
 * @param {string} item
 * @param {TranscriptionOrder} order
 * @returns {Promise<Transcription>}
 */
export async function startTranscription(item, order) {
  return requestJSON(`/api/library/${encodeURIComponent(item)}/transcriptions`, { method: "POST", body: order });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<{ jobs: Transcription[] }>} Oldest first.
 */
export async function listTranscriptions(signal) {
  return requestJSON("/api/transcriptions", { signal });
}

/**
 * The segments of a transcription that is not done.
 *
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<Segment[]>}
 */
export async function loadHeardSegments(id, signal) {
  return (await requestJSON(`${transcriptionPath(id)}/segments`, { signal })).segments;
}

/**
 * @param {string} id
 * @returns {Promise<Transcription>}
 */
export async function retryTranscription(id) {
  return requestJSON(`${transcriptionPath(id)}/retry`, { method: "POST" });
}

/**
 * @param {string} id
 * @returns {Promise<Transcription>}
 */
export async function cancelTranscription(id) {
  return requestJSON(`${transcriptionPath(id)}/cancel`, { method: "POST" });
}

/**
 * Allows it to send sound.
 *
 * @param {string} id
 * @param {Transcription["sending"]} sending What the person has seen; nothing is allowed where it is another one by now.
 * @returns {Promise<Transcription>}
 */
export async function allowTranscription(id, sending) {
  return requestJSON(`${transcriptionPath(id)}/allow`, { method: "POST", body: sending ?? {} });
}

/** @param {string} id */
export async function discardTranscription(id) {
  await request(transcriptionPath(id), { method: "DELETE" });
}

/** @typedef {import("./api.js").Recognizers} Recognizers */

/**
 * @param {AbortSignal} [signal]
 * @param {string} [language] A BCP 47 tag, `und` when unknown: the recognizers that suit it come first.
 * @returns {Promise<Recognizers>}
 */
export async function loadRecognizers(signal, language) {
  return requestJSON("/api/recognizers", { query: { language }, signal });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Recognizer[]>} In the order in which they are tried.
 */
export async function listRecognizers(signal) {
  return (await loadRecognizers(signal)).recognizers;
}

/**
 * Deletes an installed recognizer; transcripts that it made stay.
 *
 * @param {string} id
 */
export async function deleteRecognizer(id) {
  await request(`/api/recognizers/${id.split("/").map(encodeURIComponent).join("/")}`, { method: "DELETE" });
}

/** @typedef {import("./api.js").RecognizerOffer} RecognizerOffer */

/**
 * Recognizers that can be downloaded, the recommended ones first.
 *
 * @param {string} language The recording's, a BCP 47 tag; `und` when unknown.
 * @param {AbortSignal} [signal]
 * @returns {Promise<RecognizerOffer[]>}
 */
export async function listRecognizerOffers(language, signal) {
  return (await loadRecognizers(signal, language)).offers;
}

/** @typedef {import("./api.js").Sending} Sending */

/** @typedef {import("./api.js").TranscriptionService} TranscriptionService */

/** @typedef {import("./api.js").TranscriptionServices} TranscriptionServices */

/**
 * @typedef {object} ServiceContent
 * @property {string} address
 * @property {boolean} allowsPlain
 * @property {string} model
 * @property {string | null} language
 * @property {string | null} prompt
 * @property {string} [key] Empty for none; when absent, the present one stays as long as the server does.
 */

/** @typedef {import("./api.js").ServiceTrial} ServiceTrial */

/** @param {string} name */
const servicePath = (name) => `/api/transcription-services/${encodeURIComponent(name)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<TranscriptionServices>}
 */
export async function loadServices(signal) {
  return requestJSON("/api/transcription-services", { signal });
}

/**
 * @param {string} name
 * @param {ServiceContent} content
 * @returns {Promise<TranscriptionService>}
 */
export async function saveService(name, content) {
  return requestJSON(servicePath(name), { method: "PUT", body: content });
}

/** @param {string} name */
export async function deleteService(name) {
  await request(servicePath(name), { method: "DELETE" });
}

/**
 * Sends test sound to the service, with the user's consent.
 *
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<ServiceTrial>}
 */
export async function tryService(name, signal) {
  return requestJSON(`${servicePath(name)}/try`, { method: "POST", signal });
}

/** @typedef {import("./api.js").SpeechCheck} SpeechCheck */
/** @typedef {Omit<SpeechCheck, "findings">} SpeechCheckProgress */
/** @typedef {import("./api.js").SpeechFinding} Finding */
/** @typedef {import("./api.js").SpokenSentence} SpokenSentence */

/** @param {string} id The narration's. */
const checkPath = (id) => `/api/library/${encodeURIComponent(id)}/speech-check`;

/**
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<SpeechCheck>}
 */
export async function loadSpeechCheck(id, signal) {
  return requestJSON(checkPath(id), { signal });
}

/**
 * @param {string} id
 * @param {string} [recognizer] Default: the first that supports the language.
 * @returns {Promise<SpeechCheck>}
 */
export async function startSpeechCheck(id, recognizer) {
  return requestJSON(checkPath(id), { method: "POST", body: { recognizer } });
}

/**
 * Stops a check, or deletes its findings.
 *
 * @param {string} id
 */
export async function forgetSpeechCheck(id) {
  await request(checkPath(id), { method: "DELETE" });
}

/**
 * Speaks a sentence again, replacing its earlier version.
 *
 * @param {string} id
 * @param {number} number Its number, from 1.
 * @returns {Promise<SpokenSentence>}
 */
export async function speakSentence(id, number) {
  return requestJSON(`/api/library/${encodeURIComponent(id)}/sentences/${number}/speak`, { method: "POST" });
}

/**
 * The first fault of a service that shows without the server.
 *
 * @param {string} name
 * @param {Pick<ServiceContent, "address" | "model">} content
 * @returns {string | null} The error's code; `null` when nothing is missing.
 */
export function firstWrong(name, { address, model }) {
  if (!/^[a-z0-9-]{1,40}$/.test(name)) return "service.bad-name";
  if (!/^https?:\/\/./iu.test(address)) return "service.bad-address";
  return model === "" ? "service.bad-model" : null;
}

/** @typedef {import("./api.js").TranscriptChanges} Changes */

/** @typedef {import("./api.js").TranscriptVersion} TranscriptVersion */

/** @typedef {import("./api.js").FailedRecognizer} FailedRecognizer */

/** @typedef {import("./api.js").Transcript} Transcript */

/** @typedef {import("./api.js").TranscriptSegment} Segment */

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
 * Forgets in whose place a version was made.
 *
 * @param {string} id
 */
export async function forgetInstead(id) {
  await request(`${transcriptPath(id)}/instead-of/dismiss`, { method: "POST" });
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
 * The download addresses of a version, by its format and how it is written.
 *
 * @param {string} id
 */
export function textAddress(id) {
  return (/** @type {TranscriptFormat} */ format, /** @type {{ times?: boolean, byWord?: boolean }} */ writing) =>
    address(`${transcriptPath(id)}/export`, { format, ...writing });
}

/** @typedef {import("./api.js").SpeakerSearch} SpeakerSearch */

/** @typedef {import("./api.js").SpeakerModelOffer} SpeakerModelOffer */

/** @typedef {import("./api.js").Speakers} Speakers */

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
