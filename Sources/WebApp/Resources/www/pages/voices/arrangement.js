import { language, t } from "../../core/i18n.js";
import { languageTitle, stemOf } from "./language-names.js";

/** @typedef {import("./offers.js").Offer} Offer */

/** The orders within a language, the default first; the names are the catalogue's. */
export const voiceOrders = /** @type {const} */ (["name", "small", "large", "quality"]);

/** @typedef {(typeof voiceOrders)[number]} VoiceOrder */

/** @typedef {{ stem: string, title: string, offers: Offer[] }} Group The voices of one language; favourites have an empty stem. */

/** From best to worst; others come after. */
export const qualities = /** @type {const} */ (["high", "medium", "low", "x_low"]);

/**
 * The matching voices: favourites, then the others by language. The user's own languages come first, then those with an
 * installed voice, then the rest by name. When ordered by name, installed voices come first in each language.
 *
 * @param {readonly Offer[]} offers
 * @param {object} wanted
 * @param {VoiceOrder} wanted.order
 * @param {Narrowing} wanted.narrowing
 * @param {string} wanted.words The search words; a voice must contain all of them.
 * @param {readonly string[]} wanted.preferred The user's languages, best first.
 * @returns {Group[]}
 */
export function arrange(offers, { order, narrowing, words, preferred }) {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Offer[]} */
  const favorites = [];
  /** @type {Map<string, Offer[]>} */
  const byStem = new Map();
  for (const offer of offers) {
    if (!passes(offer, narrowing) || !wanted.every((word) => offer.description.includes(word))) continue;
    const others = byStem.get(offer.stem);
    if (offer.voice.isFavorite) favorites.push(offer);
    else if (others === undefined) byStem.set(offer.stem, [offer]);
    else others.push(offer);
  }
  const { compare } = new Intl.Collator(language.value, { numeric: true });
  const own = preferred.map(stemOf);
  const rank = (/** @type {Group} */ { stem, offers }) => {
    if (own.includes(stem)) return own.indexOf(stem);
    return own.length + (offers.some(isInstalled) ? 0 : 1);
  };
  const sorted = (/** @type {Offer[]} */ all) => all.sort(comparison(order, compare));
  const groups = [...byStem]
    .map(([stem, all]) => ({ stem, title: languageTitle(stem), offers: sorted(all) }))
    .sort((one, other) => rank(one) - rank(other) || compare(one.title, other.title));
  return favorites.length === 0 ? groups : [{ stem: "", title: t("voices.group.favorites"), offers: sorted(favorites) }, ...groups];
}

/** @param {Offer} offer */
function isInstalled({ voice }) {
  return voice.installed !== null;
}

/** @typedef {Group | Offer} Line A row of the list: a language, or a voice of it. */

/**
 * @param {readonly Group[]} groups
 * @returns {Line[]}
 */
export function linesOf(groups) {
  return groups.flatMap((group) => [group, ...group.offers]);
}

/**
 * @param {Line} line
 * @returns {line is Group}
 */
export function isGroup(line) {
  return "offers" in line;
}

/**
 * @param {VoiceOrder} order
 * @param {(one: string, other: string) => number} compare
 * @returns {(one: Offer, other: Offer) => number}
 */
function comparison(order, compare) {
  const byName = (/** @type {Offer} */ one, /** @type {Offer} */ other) =>
    compare(one.title, other.title) || rankOf(one) - rankOf(other) || compare(one.id, other.id);
  if (order === "quality") return (one, other) => rankOf(one) - rankOf(other) || byName(one, other);
  if (order === "name") return (one, other) => Number(isInstalled(other)) - Number(isInstalled(one)) || byName(one, other);
  const sign = order === "small" ? 1 : -1;
  return (one, other) => {
    if (one.bytes === null || other.bytes === null) return Number(one.bytes === null) - Number(other.bytes === null) || byName(one, other);
    return sign * (one.bytes - other.bytes) || byName(one, other);
  };
}

/** @param {Offer} offer */
function rankOf({ voice: { quality } }) {
  const rank = qualities.findIndex((one) => one === quality);
  return rank < 0 ? qualities.length : rank;
}

/**
 * The filters of the list of voices.
 *
 * @typedef {object} Narrowing
 * @property {boolean} installed
 * @property {boolean} favorite
 * @property {readonly string[]} qualities Any of these; all when empty.
 * @property {string | null} language Without a region.
 */

/** @type {Readonly<Narrowing>} */
export const everything = Object.freeze({ installed: false, favorite: false, qualities: [], language: null });

/**
 * @param {Offer} offer
 * @param {Narrowing} narrowing
 */
function passes({ voice, stem }, { installed, favorite, qualities, language }) {
  if (installed && voice.installed === null) return false;
  if (favorite && !voice.isFavorite) return false;
  if (qualities.length > 0 && !qualities.includes(voice.quality ?? "")) return false;
  return language === null || language === stem;
}

/**
 * An active filter, and the filters without it.
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
