/** @typedef {import("../../server/transcription-services.js").ServiceContent} ServiceContent */

/**
 * The first fault of a service that can be told without the server.
 *
 * @param {string} name
 * @param {Pick<ServiceContent, "address" | "model">} content
 * @returns {string | null} The error's code; `null` when nothing is missing.
 */
export function firstWrong(name, { address, model }) {
  if (!/^[a-z0-9-]{1,40}$/.test(name)) return "service.bad-name";
  if (!/^https?:\/\/./iu.test(address)) return "service.bad-address";
  return model === "" ? "service.bad-model" : null;
}
