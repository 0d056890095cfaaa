import { request, requestJSON } from "./http.js";
import { sendFile } from "./send-file.js";

/** @typedef {{ code: string, message: string, suggestion: string | null }} Failure In English; the page has its own words for most codes. */

/**
 * - `none`: nothing of it is on its way or kept;
 * - `waiting` for its turn: two come at once;
 * - `downloading`, then `extracting` and `validating`;
 * - `paused`: stopped, and what has come is kept;
 * - `failed`.
 *
 * @typedef {"none" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed"} DownloadStateName
 */

/**
 * How it stands with a download; what is not known is `null`.
 *
 * @typedef {object} DownloadState
 * @property {DownloadStateName} state
 * @property {number | null} bytes
 * @property {number | null} total Bytes.
 * @property {number | null} rate Bytes per second.
 * @property {number | null} secondsLeft
 * @property {Failure | null} failure When it failed.
 */

/** @typedef {DownloadState & { entry: string }} Download */

/**
 * @typedef {object} Installed
 * @property {number} bytes On the disk.
 * @property {string} folder Its name.
 * @property {{ name: string, isCommercial: boolean | null } | null} licence `isCommercial`: whether it may be used to earn
 *   money.
 * @property {string | null} url Where it came from.
 * @property {string | null} installedAt ISO 8601.
 */

/**
 * A voice that is built in, installed or in the catalogue.
 *
 * @typedef {object} VoiceListing
 * @property {string} id
 * @property {string} name
 * @property {string} language A BCP 47 tag.
 * @property {import("./voices.js").Voice["engine"]} engine
 * @property {boolean} isBuiltIn
 * @property {string | null} entry What a download is called; `null` for a voice that is built in or that the person has added.
 * @property {string | null} quality `x_low`, `low`, `medium`, `high`, or a maker's own word.
 * @property {"int8" | "fp16" | null} variant How its numbers are kept; `null` for the usual way.
 * @property {number | null} speakers
 * @property {string[] | null} speakerNames Theirs, in their order; `null` where the voice has none.
 * @property {number | null} sampleRate Hertz.
 * @property {number | null} archiveBytes What is downloaded, when that is known.
 * @property {number | null} expectedBytes The same, or a guess.
 * @property {boolean} hasChecksum Whether there is anything that a download could be compared with.
 * @property {"ready" | "faulty" | "absent"} availability `faulty`: it is here, and cannot speak or is not as it was installed.
 * @property {Failure | null} problem Why it is faulty.
 * @property {DownloadState} download
 * @property {Installed | null} installed `null` for a voice that is built in or absent.
 * @property {boolean} isFavorite
 * @property {string | null} lastUsed ISO 8601.
 * @property {number | null} speed Seconds of speech that this machine makes in one.
 * @property {boolean} isSelected Whether it speaks when none is named.
 */

/** @typedef {{ voice: string, name: string, entry: string | null, failure: Failure }} Loss A voice whose files are gone or damaged. */

/**
 * @typedef {object} VoiceListings
 * @property {VoiceListing[]} voices
 * @property {string | null} refreshedAt When the catalogue was refreshed, ISO 8601.
 * @property {boolean} isOffline Whether nothing may be asked of another machine.
 * @property {"sherpaOnnx" | "mirror" | "folder"} source
 * @property {Loss[]} losses
 */

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
 * Has the server ask for new voices and their sizes.
 *
 * @param {AbortSignal} [signal]
 * @returns {Promise<VoiceListings>}
 */
export async function refreshCatalogue(signal) {
  return requestJSON(`${home}/catalogue/refresh`, { method: "POST", signal });
}

/**
 * Begins or resumes a download; the event `voice` reports it.
 *
 * @param {string} entry
 * @returns {Promise<Download>}
 */
export async function startDownload(entry) {
  return requestJSON(`${home}/downloads`, { method: "POST", body: { entry } });
}

/**
 * Stops a download; what has come is kept.
 *
 * @param {string} entry
 */
export async function stopDownload(entry) {
  await request(`${download(entry)}/cancel`, { method: "POST" });
}

/**
 * Stops a download and throws away what has come of it, or forgets that it failed.
 *
 * @param {string} entry
 */
export async function discardDownload(entry) {
  await request(download(entry), { method: "DELETE" });
}

/**
 * Has a voice speak in the chosen profile from now on.
 *
 * @param {string} voice
 * @param {number} [speaker] One of its speakers, from 0; the first when absent.
 * @returns {Promise<import("./profiles.js").Profile>} The profile that was changed.
 */
export async function chooseVoice(voice, speaker) {
  return requestJSON(`${home}/chosen`, { method: "PUT", body: { voice, speaker } });
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
 * @param {{ progressed?: (part: number) => void, signal?: AbortSignal }} options `progressed`: how much has been sent, from
 *   0 to 1.
 * @param {() => XMLHttpRequest} [makeRequest]
 * @returns {Promise<VoiceListing>}
 * @throws {import("./http.js").ServerProblem} Or the signal's reason when it was aborted.
 */
export function addVoiceFile(file, { progressed, signal }, makeRequest) {
  return sendFile(`${home}/uploads`, file, { query: { name: file.name }, progressed, signal }, makeRequest);
}

/**
 * Deletes the files of a voice; what it has spoken stays.
 *
 * @param {string} voice
 */
export async function deleteVoice(voice) {
  await request(`${home}/installed/${encodeURIComponent(voice.replace(/^piper\//, ""))}`, { method: "DELETE" });
}

/**
 * Lets a voice speak again that was set aside.
 *
 * @param {string} voice
 */
export async function retryVoice(voice) {
  await request(`${home}/retry`, { method: "POST", body: { voice } });
}

/** Dismisses the losses: voices that are gone or damaged. */
export async function dismissLosses() {
  await request(`${home}/losses/dismiss`, { method: "POST" });
}
