/** @typedef {import("../../../server/voices.js").Voice} Voice */

/**
 * The voices for a language, always including the present one. Favourites and installed voices come first, and in both
 * groups those of exactly the language's variant.
 *
 * @template {Voice} Speaking
 * @param {readonly Speaking[]} voices
 * @param {string} language A BCP 47 tag.
 * @param {string} present The id of the present voice.
 * @returns {Speaking[]}
 */
export function voicesFor(voices, language, present) {
  const wanted = language.toLowerCase();
  const stem = wanted.split("-")[0];
  const own = voices.filter((voice) => voice.id === present || voice.language.toLowerCase().split("-")[0] === stem);
  const isLiked = (/** @type {Voice} */ { isFavorite, engine }) => isFavorite || engine === "sherpa-onnx";
  const rank = (/** @type {Voice} */ voice) => (isLiked(voice) ? 0 : 2) + (voice.language.toLowerCase() === wanted ? 0 : 1);
  return own.sort((one, other) => rank(one) - rank(other));
}
