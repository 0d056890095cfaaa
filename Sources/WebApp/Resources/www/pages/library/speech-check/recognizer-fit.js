/**
 * Whether a recogniser can transcribe a language on this machine.
 *
 * @param {Pick<import("../../../server/transcriptions.js").Recognizer, "engine" | "languages">} recognizer
 * @param {string} language A BCP 47 tag; `und` when it is unknown.
 */
export function isFit({ engine, languages }, language) {
  if (engine === "remote") return false;
  const main = (/** @type {string} */ tag) => tag.split("-")[0].toLowerCase();
  return language === "und" || languages.includes("mul") || languages.some((one) => main(one) === main(language));
}
