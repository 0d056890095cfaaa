import { request, requestJSON, trust } from "./http.js";

/** @typedef {import("./api.js").Vault} VaultStatus */

/**
 * @typedef {object} AppState
 * @property {VaultStatus} vault
 * @property {string} version
 * @property {number} wordLimit
 * @property {[number, number]} speedRange As a factor of normal.
 * @property {[number, number]} pitchRange As a factor of normal.
 * @property {[number, number]} chanceRange For liveliness and rhythm.
 */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<AppState>}
 */
export async function loadState(signal) {
  // It decides the next view.
  trust.isDoubted ||= trust.proofKey !== "";
  const { proofKey, ...state } = await requestJSON("/api/state", { signal });
  trust.proofKey ||= proofKey ?? "";
  return state;
}

/** @returns {Promise<string[]>} The addresses of all modules except the languages. */
export async function loadModuleNames() {
  return requestJSON("/modules.json", {});
}

/**
 * @param {string} passcode
 * @param {AbortSignal} [signal]
 * @returns {Promise<AppState>}
 * @throws {import("./http.js").ServerProblem} `vault.wrong-passcode`, or `vault.locked-out` with `retryAfter`.
 */
export async function unlock(passcode, signal) {
  trust.isDoubted = true; // while locked there are no events, whose end would show that the server has ended
  return requestJSON("/api/unlock", { method: "POST", body: { passcode }, signal });
}

/**
 * Unlocks the library with its recovery code.
 *
 * @param {string} code Case, spaces and hyphens do not matter.
 * @param {string} [newPasscode] Replaces the forgotten one; without it the library has none afterwards.
 * @returns {Promise<AppState>}
 */
export async function recover(code, newPasscode) {
  trust.isDoubted = true;
  return requestJSON("/api/recover", { method: "POST", body: { code, newPasscode } });
}

/** @returns {Promise<AppState>} */
export async function lock() {
  return requestJSON("/api/lock", { method: "POST" });
}

/** Ends the sessions of all browsers, including this one. */
export async function endAllSessions() {
  await request("/api/sessions/end", { method: "POST" });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} Plain text without private content.
 */
export async function loadDiagnostics(signal) {
  return (await requestJSON("/api/diagnostics", { signal })).text;
}
