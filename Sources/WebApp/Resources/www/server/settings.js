import { inTurn, problemOf, report, request, requestJSON, ServerProblem } from "./http.js";
import { fileAddress } from "./library.js";

/** @typedef {import("./api.js").Setting} Setting */
/** @typedef {import("./api.js").VaultReport} VaultReport */
/** @typedef {import("./api.js").VaultCheckLine} VaultCheckLine */

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
  return inTurn(path(name), () => requestJSON(path(name), { method: "PUT", body: { value }, keepalive: true }));
}

/**
 * Resets a setting to its default.
 *
 * @param {string} name
 * @returns {Promise<Setting>}
 */
export async function resetSetting(name) {
  return inTurn(path(name), () => requestJSON(path(name), { method: "DELETE" }));
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
 * @param {string} base The dictionary that it was made from.
 * @returns {Promise<string>} As stored.
 * @throws {import("./http.js").ServerProblem} Its message names the faulty line; `settings.changed` when there is another
 *   dictionary than `base`.
 */
export async function changeDictionary(text, base) {
  return (await requestJSON("/api/dictionary", { method: "PUT", body: { text, base } })).text;
}

/** @typedef {import("./api.js").Storage} Storage */

/** @type {(keyof import("./api.js").LibraryBytes)[]} The kinds of what a library holds, in the order they are shown. */
export const libraryKinds = ["recordings", "importedFiles", "narrations", "documents", "takes", "unfinished", "speechCache", "database"];

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<Storage>}
 */
export async function loadStorage(signal) {
  return requestJSON("/api/storage", { signal });
}

/** Clears the cached speech. */
export async function clearSpeech() {
  await request("/api/storage/speech", { method: "DELETE" });
}

/** Deletes the files that recordings were imported from; the recordings stay. */
export async function deleteImportedFiles() {
  await request("/api/storage/files", { method: "DELETE" });
}

/**
 * Deletes the file that a recording was imported from; the recording stays.
 *
 * @param {string} id
 */
export async function deleteImportedFile(id) {
  await request(fileAddress(id), { method: "DELETE" });
}

/** @typedef {import("./api.js").OutboundRecord} OutboundRecord */

/** @typedef {import("./api.js").OutboundRecords} OutboundRecords */

/**
 * @param {number} limit How many at most.
 * @param {AbortSignal} [signal]
 * @returns {Promise<OutboundRecords>}
 */
export async function loadConnections(limit, signal) {
  return requestJSON("/api/outbound/records", { query: { limit }, signal });
}

/** @typedef {import("./api.js").APIKey} APIKey */

/**
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./api.js").APIKeys>}
 */
export async function loadKeys(signal) {
  return requestJSON("/api/keys", { signal });
}

/**
 * Makes a key for a program.
 *
 * @param {string} name
 * @returns {Promise<import("./api.js").CreatedAPIKey>} With the key itself, which no other answer has.
 */
export async function createKey(name) {
  return requestJSON("/api/keys", { method: "POST", body: { name } });
}

/** @param {string} name Of a key; whoever has it is refused from then on. */
export async function revokeKey(name) {
  await request("/api/keys", { method: "DELETE", query: { name } });
}

/** @typedef {import("./http.js").AppState} AppState */

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

/** @returns {Promise<AppState>} Once it is recorded that the person has seen that the library is an older copy. */
export async function noteOlderSeen() {
  return requestJSON("/api/older/seen", { method: "POST" });
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

/**
 * Looks through the library for damage.
 *
 * @param {object} options
 * @param {boolean} options.readsData Whether every byte is read.
 * @param {boolean} options.repairs Whether what can be repaired is.
 * @param {(percent: number) => void} onProgress
 * @param {AbortSignal} signal Ends the check.
 * @returns {Promise<VaultReport>}
 * @throws {ServerProblem} Or the signal's reason when aborted.
 */
export async function checkLibrary({ readsData, repairs }, onProgress, signal) {
  const response = await request("/api/vault/check", { method: "POST", body: { readData: readsData, repair: repairs }, signal });
  try {
    for await (const line of linesOf(response)) {
      const { percent, report: found, failure } = /** @type {VaultCheckLine} */ (JSON.parse(line));
      if (percent !== undefined) onProgress(percent);
      if (found !== undefined) return found;
      if (failure !== undefined) throw report(problemOf(failure.code === "vault.locked" ? 423 : 500, failure, null));
    }
  } catch (error) {
    if (signal.aborted || error instanceof ServerProblem) throw error;
  }
  throw new ServerProblem({ code: "server.unreachable", message: "EchoText does not answer." }, 0);
}

/**
 * The complete lines of an answer, as they come.
 *
 * @param {Response} response
 */
async function* linesOf(response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
