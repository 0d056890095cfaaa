import { request, requestJSON, trust } from "./http.js";

/**
 * @typedef {"uninitialised" | "locked" | "unlocked" | "lockedOut" | "recoveryNeeded" | "readOnly" | "migrating"} VaultStateName
 */

/**
 * @typedef {object} VaultStatus
 * @property {VaultStateName} state
 * @property {"device" | "shortPasscode" | "password" | null} protection What opens it beside the recovery code.
 * @property {boolean} hasRecoveryCode
 * @property {boolean} usesSecurityChip
 * @property {number | null} retryAfter Seconds until another passcode is tried.
 * @property {string | null} folder The path of the library's folder.
 * @property {string | null} deviceFolder The path of the folder with this machine's secret.
 */

/**
 * @typedef {object} AppState
 * @property {VaultStatus} vault
 * @property {string} version
 * @property {number} wordLimit
 * @property {[number, number]} speedRange Times normal speed.
 * @property {[number, number]} pitchRange Times normal pitch.
 * @property {[number, number]} chanceRange Of liveliness and rhythm.
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

/** @returns {Promise<string[]>} The addresses of all modules but the languages. */
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
  trust.isDoubted = true; // no events come while it is locked, by whose end it would be known that the server has ended
  return requestJSON("/api/unlock", { method: "POST", body: { passcode }, signal });
}

/**
 * Opens the library by its recovery code.
 *
 * @param {string} code Capitals, spaces and hyphens do not matter.
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

/** The sessions of all browsers, including this one. */
export async function endAllSessions() {
  await request("/api/sessions/end", { method: "POST" });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} Plain text without anything private.
 */
export async function loadDiagnostics(signal) {
  return (await requestJSON("/api/diagnostics", { signal })).text;
}
