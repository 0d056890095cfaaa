import { request, requestJSON } from "./http.js";

/** @typedef {import("./voice-catalogue.js").Failure} Failure */

/**
 * @typedef {"queued" | "running" | "waiting-for-network" | "waiting-for-consent" | "retrying" | "failed" | "cancelled" | "done" | "gone"} TranscriptionState
 */

/**
 * A transcription that is running, waiting, failed or cancelled.
 *
 * @typedef {object} Transcription
 * @property {string} id
 * @property {string} item The recording's id.
 * @property {string} name The recording's.
 * @property {string} created ISO 8601.
 * @property {TranscriptionState} state
 * @property {string} recognizer The current one.
 * @property {string[]} recognizers In the order in which they are tried.
 * @property {string | null} language
 * @property {number} from The part to transcribe, in seconds.
 * @property {number} to
 * @property {number} position The end of what is transcribed, in seconds.
 * @property {number | null} place Among those that wait for the same recogniser, from 1.
 * @property {number} tries
 * @property {string | null} retryAt ISO 8601.
 * @property {Failure | null} failure
 * @property {import("./transcription-services.js").Sending | null} sending What it waits to send to a service.
 * @property {string | null} transcript The version that it has become.
 */

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

/**
 * @typedef {object} Recognizer
 * @property {string} id
 * @property {string} name
 * @property {"sherpaOnnx" | "pocketSphinx" | "remote"} engine
 * @property {string[]} languages BCP 47; `mul` alone for many.
 * @property {string[]} hears BCP 47; empty where they are not known.
 * @property {number | null} pace The seconds that it is expected to need for a second of speech; `null` where that is not known.
 * @property {boolean} isPaceMeasured Whether that was measured with it on this machine; else it is an estimate.
 * @property {"words" | "tokens" | "segments" | "none"} timing
 * @property {boolean} takesLanguage
 * @property {boolean} takesHotwords
 * @property {boolean} takesPrompt
 * @property {number | null} size Bytes.
 * @property {boolean} isDefault
 */

/** @param {string} id */
const path = (id) => `/api/transcriptions/${encodeURIComponent(id)}`;

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
 * @returns {Promise<Transcription[]>} Oldest first.
 */
export async function listTranscriptions(signal) {
  return (await requestJSON("/api/transcriptions", { signal })).jobs;
}

/**
 * What a transcription that is not done has heard so far.
 *
 * @param {string} id
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./transcripts.js").Segment[]>}
 */
export async function loadHeardSegments(id, signal) {
  return (await requestJSON(`${path(id)}/segments`, { signal })).segments;
}

/**
 * @param {string} id
 * @returns {Promise<Transcription>}
 */
export async function retryTranscription(id) {
  return requestJSON(`${path(id)}/retry`, { method: "POST" });
}

/**
 * @param {string} id
 * @returns {Promise<Transcription>}
 */
export async function cancelTranscription(id) {
  return requestJSON(`${path(id)}/cancel`, { method: "POST" });
}

/**
 * Allows it to send sound.
 *
 * @param {string} id
 * @param {Transcription["sending"]} sending What the person has seen; nothing is allowed where it is another one by now.
 * @returns {Promise<Transcription>}
 */
export async function allowTranscription(id, sending) {
  return requestJSON(`${path(id)}/allow`, { method: "POST", body: sending ?? {} });
}

/** @param {string} id */
export async function discardTranscription(id) {
  await request(path(id), { method: "DELETE" });
}

/**
 * @typedef {object} Recognizers
 * @property {Recognizer[]} recognizers In the order in which they are tried.
 * @property {string[]} order The IDs that the person has put first.
 * @property {RecognizerOffer[]} offers
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Recognizers>}
 */
export async function loadRecognizers(signal) {
  return requestJSON("/api/recognizers", { signal });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Recognizer[]>} In the order in which they are tried.
 */
export async function listRecognizers(signal) {
  return (await loadRecognizers(signal)).recognizers;
}

/**
 * Deletes an installed recogniser; transcripts that it made stay.
 *
 * @param {string} id
 */
export async function deleteRecognizer(id) {
  await request(`/api/recognizers/${id.split("/").map(encodeURIComponent).join("/")}`, { method: "DELETE" });
}

/**
 * A recogniser of the catalogue.
 *
 * @typedef {object} RecognizerOffer
 * @property {string} entry The name of its download.
 * @property {string} name
 * @property {string[]} languages
 * @property {string[]} hears BCP 47; empty where they are not known.
 * @property {number | null} pace The seconds that it is expected to need for a second of speech; `null` where that is not known.
 * @property {boolean} isPaceMeasured Whether that was measured with it on this machine; else it is an estimate.
 * @property {"quick" | "balanced" | "best" | null} reason Why it is recommended.
 * @property {number | null} archiveBytes
 * @property {number} expectedBytes
 * @property {import("./voice-catalogue.js").DownloadState} download
 */

/**
 * Recognisers that can be downloaded, the recommended ones first.
 *
 * @param {string} language The recording's, a BCP 47 tag; `und` when unknown.
 * @param {AbortSignal} [signal]
 * @returns {Promise<RecognizerOffer[]>}
 */
export async function listRecognizerOffers(language, signal) {
  const query = { language: language === "und" ? undefined : language };
  return (await requestJSON("/api/recognizers", { query, signal })).offers;
}
