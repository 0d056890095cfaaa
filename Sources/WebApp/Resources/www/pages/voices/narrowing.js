/** @typedef {import("./offers.js").Offer} Offer */

/**
 * What the list of voices is narrowed to.
 *
 * @typedef {object} Narrowing
 * @property {boolean} installed
 * @property {boolean} favorite
 * @property {readonly string[]} qualities Any of these; all when empty.
 * @property {string | null} language One alone, without its regions.
 */

/** @type {Readonly<Narrowing>} */
export const everything = Object.freeze({ installed: false, favorite: false, qualities: [], language: null });

/**
 * @param {Offer} offer
 * @param {Narrowing} narrowing
 */
export function passes({ voice, stem }, { installed, favorite, qualities, language }) {
  if (installed && voice.installed === null) return false;
  if (favorite && !voice.isFavorite) return false;
  if (qualities.length > 0 && !qualities.includes(voice.quality ?? "")) return false;
  return language === null || language === stem;
}

/**
 * One thing that holds voices back, and the rest without it.
 *
 * @typedef {object} ActiveNarrowing
 * @property {"installed" | "favorite" | "quality" | "language"} kind
 * @property {string} value The quality or the language; else empty.
 * @property {Narrowing} without
 */

/**
 * @param {Narrowing} narrowing
 * @returns {ActiveNarrowing[]}
 */
export function activeNarrowings(narrowing) {
  /** @type {ActiveNarrowing[]} */
  const active = [];
  if (narrowing.installed) active.push({ kind: "installed", value: "", without: { ...narrowing, installed: false } });
  if (narrowing.favorite) active.push({ kind: "favorite", value: "", without: { ...narrowing, favorite: false } });
  for (const quality of narrowing.qualities) {
    const qualities = narrowing.qualities.filter((one) => one !== quality);
    active.push({ kind: "quality", value: quality, without: { ...narrowing, qualities } });
  }
  if (narrowing.language !== null) active.push({ kind: "language", value: narrowing.language, without: { ...narrowing, language: null } });
  return active;
}
