import { request, requestJSON } from "./http.js";

/**
 * A voice with its settings, under a name.
 *
 * @typedef {object} Profile
 * @property {string} id `default` always exists.
 * @property {string} name
 * @property {string} voice
 * @property {string} voiceName Also for a voice that is no longer installed.
 * @property {number} speaker
 * @property {number} speed As a factor of normal.
 * @property {number} pitch As a factor of normal.
 * @property {number} liveliness How much a natural voice varies, as a factor of normal.
 * @property {number} rhythm How much the length of its sounds varies, as a factor of normal.
 */

/** @typedef {Omit<Profile, "id" | "voiceName">} ProfileContent */

/**
 * @typedef {object} Profiles
 * @property {Profile[]} profiles
 * @property {string} chosen
 * @property {boolean} isStandIn Whether the chosen profile's voice is missing and another speaks instead.
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
