import { request, requestJSON } from "./http.js";

/**
 * A voice with its settings, under a name.
 *
 * @typedef {object} Profile
 * @property {string} id `default` is always there.
 * @property {string} name
 * @property {string} voice
 * @property {string} voiceName Also of a voice that is not installed any more.
 * @property {number} speaker
 * @property {number} speed Times normal speed.
 * @property {number} pitch Times normal pitch.
 * @property {number} liveliness How much a natural voice varies, times normal.
 * @property {number} rhythm How much its sounds' length varies, times normal.
 */

/** @typedef {Omit<Profile, "id" | "voiceName">} ProfileContent */

/**
 * @typedef {object} Profiles
 * @property {Profile[]} profiles
 * @property {string} chosen
 * @property {boolean} isStandIn Whether the chosen one's voice is missing and another speaks for it.
 */

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
 * @param {string} id
 * @param {ProfileContent} content
 * @returns {Promise<Profile>}
 */
export async function changeProfile(id, content) {
  return requestJSON(path(id), { method: "PUT", body: content });
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
  await request("/api/profiles/chosen", { method: "PUT", body: { id } });
}
