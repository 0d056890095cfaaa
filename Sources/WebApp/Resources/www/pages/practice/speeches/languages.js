/** @typedef {{ language: string }} Speaker */

/**
 * The languages for a speech: those of the voices, and its present one.
 *
 * @param {readonly Speaker[]} voices
 * @param {string} present
 * @returns {string[]} BCP 47 tags, without duplicates.
 */
export function languageChoices(voices, present) {
  return [...new Set([present, ...voices.map((voice) => voice.language)])];
}

/**
 * The likely language of a new speech: the first of the user's languages that a voice speaks.
 *
 * @param {readonly Speaker[]} voices
 * @param {readonly string[]} preferred Best first.
 */
export function likelyLanguage(voices, preferred) {
  const spoken = voices.map((voice) => voice.language);
  for (const wanted of preferred) {
    const exact = spoken.find((tag) => tag.toLowerCase() === wanted.toLowerCase());
    const near = spoken.find((tag) => tag.toLowerCase().split("-")[0] === wanted.toLowerCase().split("-")[0]);
    const found = exact ?? near;
    if (found !== undefined) return found;
  }
  return preferred[0] ?? "en";
}
