import { request, requestJSON } from "./http.js";

/** @typedef {import("./state.js").AppState} AppState */

/**
 * Proposes a recovery code, which becomes valid once it is typed back in {@link setPasscode} or {@link
 * renewRecoveryCode}.
 *
 * @param {string} [passcode] Required if one is set.
 * @returns {Promise<string>} Shown only once.
 */
export async function proposeRecoveryCode(passcode) {
  return (await requestJSON("/api/recovery-code/propose", { method: "POST", body: { passcode } })).code;
}

/**
 * @returns {Promise<boolean>} Whether to remind of the missing recovery code; `true` until the reminder's setting is
 * turned off.
 */
export async function isRecoveryReminderDue() {
  return (await requestJSON("/api/recovery-reminder", {})).isDue;
}

/** @returns {Promise<string>} The id of the order to download the encrypted library. */
export async function prepareBackup() {
  return (await requestJSON("/api/backup", { method: "POST" })).id;
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
 * @param {string} code The proposed one as typed back; the old one is then invalid.
 * @param {string} [passcode] Required if one is set.
 * @returns {Promise<AppState>}
 */
export async function renewRecoveryCode(code, passcode) {
  return requestJSON("/api/recovery-code", { method: "PUT", body: { code, passcode } });
}

/**
 * Erases everything that EchoText stores, for good.
 *
 * @param {string} [passcode] Required if one is set.
 */
export async function eraseEverything(passcode) {
  await request("/api/erase", { method: "POST", body: { confirm: "erase everything", passcode } });
}
