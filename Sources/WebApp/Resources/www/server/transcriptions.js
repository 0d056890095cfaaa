import { request, requestJSON } from "./http.js";

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

/** @typedef {import("./api.js").RecognizerOffer} RecognizerOffer */

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

/** @typedef {import("./api.js").Sending} Sending */

/** @typedef {import("./api.js").TranscriptionService} TranscriptionService */

/**
 * @typedef {object} TranscriptionServices
 * @property {TranscriptionService[]} services By name.
 */

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

/**
 * The state of a narration's check.
 *
 * @typedef {object} SpeechCheckProgress
 * @property {string} item The narration's id.
 * @property {"none" | "queued" | "running" | "done" | "failed"} state
 * @property {string | null} recognizer
 * @property {string | null} recognizerName
 * @property {number} progress From 0 to 1.
 * @property {number} heard Sentences checked so far.
 * @property {number} sentences Sentences in the narration.
 * @property {number} found Sentences with findings.
 * @property {import("./voices.js").Failure | null} failure
 */

/** @typedef {SpeechCheckProgress & { findings: Finding[] }} SpeechCheck */

/** @typedef {import("./api.js").SpeechFinding} Finding */

/**
 * A sentence that was spoken again.
 *
 * @typedef {object} SpokenSentence
 * @property {import("./library.js").Item} item The updated recording.
 * @property {number} number
 * @property {number} start Seconds.
 * @property {number} end
 * @property {SpeechCheck} check
 */

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
 * The first fault of a service that can be told without the server.
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
