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

/**
 * Proposes a recovery code, valid once it is typed back by {@link setPasscode} or {@link renewRecoveryCode}.
 *
 * @param {string} [passcode] Needed when there is one.
 * @returns {Promise<string>} Shown once.
 */
export async function proposeRecoveryCode(passcode) {
  return (await requestJSON("/api/recovery-code/propose", { method: "POST", body: { passcode } })).code;
}

/** The sessions of all browsers, including this one. */
export async function endAllSessions() {
  await request("/api/sessions/end", { method: "POST" });
}

/**
 * Sets the first passcode.
 *
 * @param {string} passcode
 * @param {string} recoveryCode The proposed one as typed back.
 * @returns {Promise<AppState>}
 */
export async function setPasscode(passcode, recoveryCode) {
  return requestJSON("/api/passcode", { method: "PUT", body: { new: passcode, recoveryCode } });
}

/**
 * @param {string} current
 * @param {string} passcode The new one.
 * @returns {Promise<AppState>}
 */
export async function changePasscode(current, passcode) {
  return requestJSON("/api/passcode", { method: "PUT", body: { current, new: passcode } });
}

/**
 * @param {string} current
 * @returns {Promise<AppState>}
 */
export async function removePasscode(current) {
  return requestJSON("/api/passcode/remove", { method: "POST", body: { current } });
}

/**
 * @param {string} code The proposed one as typed back; the old one opens nothing afterwards.
 * @param {string} [passcode] Needed when there is one.
 * @returns {Promise<AppState>}
 */
export async function renewRecoveryCode(code, passcode) {
  return requestJSON("/api/recovery-code", { method: "PUT", body: { code, passcode } });
}

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} Plain text without anything private.
 */
export async function loadDiagnostics(signal) {
  return (await requestJSON("/api/diagnostics", { signal })).text;
}

/**
 * Erases everything that EchoText stores, for good.
 *
 * @param {string} [passcode] Needed when there is one.
 */
export async function eraseEverything(passcode) {
  await request("/api/erase", { method: "POST", body: { confirm: "erase everything", passcode } });
}
