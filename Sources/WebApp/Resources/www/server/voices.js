import { address, inTurn, request, requestJSON } from "./http.js";
import { sendFile } from "./send-file.js";

/** @typedef {import("./api.js").Voice} Voice */

/**
 * How to speak; defaults come from the chosen profile.
 *
 * @typedef {Partial<Omit<ProfileContent, "name">>} VoiceSettings
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Voice[]>} Favorites first, then installed ones, then built-in ones.
 */
export async function listVoices(signal) {
  return requestJSON("/api/voices", { signal });
}

/**
 * Loads a short WAV of a voice.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has at most 200 characters.
 * @param {AbortSignal} [signal]
 * @returns {Promise<Blob>}
 */
export async function loadSample(settings, signal) {
  return (await request(sampleAddress(settings), { signal })).blob();
}

/**
 * The address of a short WAV of a voice.
 *
 * @param {VoiceSettings & { text?: string }} settings `text` has at most 200 characters.
 */
export function sampleAddress({ voice, speaker, speed, pitch, liveliness, rhythm, text }) {
  return address("/api/voices/sample", { voice, speaker, speed, pitch, liveliness, rhythm, text });
}

/** @typedef {import("./api.js").Profile} Profile */

/** @typedef {Omit<Profile, "id" | "voiceName" | "speakerName">} ProfileContent */

/** @typedef {import("./api.js").Profiles} Profiles */

/** @param {string} id */
const path = (id) => `/api/profiles/${encodeURIComponent(id)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Profiles>}
 */
export async function loadProfiles(signal) {
  return requestJSON("/api/profiles", { signal });
}

/**
 * @param {ProfileContent} content
 * @returns {Promise<Profile>}
 */
export async function createProfile(content) {
  return requestJSON("/api/profiles", { method: "POST", body: content });
}

/**
 * Changes a profile, even when the page is left at once.
 *
 * @param {string} id
 * @param {Partial<ProfileContent>} content What changes; the rest stays as it is on the server.
 * @returns {Promise<Profile>}
 */
export async function changeProfile(id, content) {
  return inTurn(path(id), () => requestJSON(path(id), { method: "PUT", body: content, keepalive: true }));
}

/**
 * @param {string} id
 * @param {{ keepalive?: boolean }} options
 */
export async function deleteProfile(id, { keepalive = false } = {}) {
  await request(path(id), { method: "DELETE", keepalive });
}

/** @param {string} id */
export async function chooseProfile(id) {
  await inTurn("/api/profiles/chosen", () => request("/api/profiles/chosen", { method: "PUT", body: { id } }));
}

/** @typedef {import("./api.js").Failure} Failure */

/** @typedef {import("./api.js").DownloadState} DownloadState */

/** @typedef {import("./api.js").Download} Download */

/** @typedef {import("./api.js").InstalledVoice} Installed */

/** @typedef {import("./api.js").VoiceListing} VoiceListing */

/** @typedef {import("./api.js").VoiceListings} VoiceListings */

/** @typedef {VoiceListings["losses"][number]} Loss A voice whose files are missing or damaged. */

const home = "/api/voices";

/** @param {string} entry */
const download = (entry) => `${home}/downloads/${encodeURIComponent(entry)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<VoiceListings>}
 */
export async function loadVoiceListings(signal) {
  return requestJSON(`${home}/listings`, { signal });
}

/**
 * Refreshes the catalogue of voices and their sizes.
 *
 * @param {AbortSignal} [signal]
 * @returns {Promise<VoiceListings>}
 */
export async function refreshCatalogue(signal) {
  return requestJSON(`${home}/catalogue/refresh`, { method: "POST", signal });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Download[]>} Those since the server was started.
 */
export async function listDownloads(signal) {
  return requestJSON(`${home}/downloads`, { signal });
}

/**
 * Starts or resumes a download; the event `voice` reports it.
 *
 * @param {string} entry
 * @returns {Promise<Download>}
 */
export async function startDownload(entry) {
  return requestJSON(`${home}/downloads`, { method: "POST", body: { entry } });
}

/**
 * Stops a download; the partial download stays.
 *
 * @param {string} entry
 */
export async function stopDownload(entry) {
  await request(`${download(entry)}/cancel`, { method: "POST" });
}

/**
 * Stops a download and deletes the partial one, or dismisses its failure.
 *
 * @param {string} entry
 */
export async function discardDownload(entry) {
  await request(download(entry), { method: "DELETE" });
}

/**
 * Makes the chosen profile use a voice.
 *
 * @param {string} voice
 * @param {number} [speaker] One of its speakers, from 0; default: the first.
 * @returns {Promise<Profile>} The changed profile.
 */
export async function chooseVoice(voice, speaker) {
  return inTurn(`${home}/chosen`, () => requestJSON(`${home}/chosen`, { method: "PUT", body: { voice, speaker } }));
}

/**
 * @param {string} voice
 * @param {boolean} isFavorite
 */
export async function markFavoriteVoice(voice, isFavorite) {
  await request(`${home}/favorites`, { method: "PUT", body: { voice, isFavorite } });
}

/**
 * Adds a voice from an archive; the answer comes when it has been unpacked and has spoken a word.
 *
 * @param {File} file A `.tar.bz2`.
 * @param {{ progressed?: (part: number) => void, signal?: AbortSignal }} options `progressed`: receives the uploaded
 * fraction, from
 *   0 to 1.
 * @param {() => XMLHttpRequest} [makeRequest]
 * @returns {Promise<VoiceListing>}
 * @throws {import("./http.js").ServerProblem} Or the signal's reason when aborted.
 */
export function addVoiceFile(file, { progressed, signal }, makeRequest) {
  return sendFile(`${home}/uploads`, file, { query: { name: file.name }, progressed, signal }, makeRequest);
}

/**
 * Deletes the files of a voice; its recordings stay.
 *
 * @param {string} voice
 */
export async function deleteVoice(voice) {
  await request(`${home}/installed/${encodeURIComponent(voice.replace(/^piper\//, ""))}`, { method: "DELETE" });
}

/**
 * Enables a disabled voice.
 *
 * @param {string} voice
 */
export async function retryVoice(voice) {
  await request(`${home}/retry`, { method: "POST", body: { voice } });
}

/** Dismisses the notices of missing or damaged voices. */
export async function dismissLosses() {
  await request(`${home}/losses/dismiss`, { method: "POST" });
}
