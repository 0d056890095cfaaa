import { request, requestJSON } from "./http.js";

/**
 * @typedef {object} Setting
 * @property {string} name Dotted, “playback.step”.
 * @property {string} summary English.
 * @property {string} allowed English.
 * @property {string} standard The default.
 * @property {string} value Always text: “15”, “on”, “dark”.
 * @property {"number" | "integer" | "switch" | "choice" | "text"} kind
 * @property {[number, number] | null} range
 * @property {string | null} unit
 * @property {string[] | null} choices
 */

/** @param {string} name */
const path = (name) => `/api/settings/${encodeURIComponent(name)}`;

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Setting[]>}
 */
export async function loadSettings(signal) {
  return requestJSON("/api/settings", { signal });
}

/**
 * Changes a setting, even when the page is left at once.
 *
 * @param {string} name
 * @param {string} value
 * @returns {Promise<Setting>}
 */
export async function changeSetting(name, value) {
  return requestJSON(path(name), { method: "PUT", body: { value }, keepalive: true });
}

/**
 * Resets a setting to its default.
 *
 * @param {string} name
 * @returns {Promise<Setting>}
 */
export async function resetSetting(name) {
  return requestJSON(path(name), { method: "DELETE" });
}

export async function resetSettings() {
  await request("/api/settings", { method: "DELETE" });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} One entry per line, `word = replacement` or `word = /ipa/`.
 */
export async function loadDictionary(signal) {
  return (await requestJSON("/api/dictionary", { signal })).text;
}

/**
 * @param {string} text
 * @returns {Promise<string>} As stored.
 * @throws {import("./http.js").ServerProblem} Its message names the faulty line.
 */
export async function changeDictionary(text) {
  return (await requestJSON("/api/dictionary", { method: "PUT", body: { text } })).text;
}
