import { languageNames, ownLanguageName } from "../../core/format.js";
import { language, remembered } from "../../core/i18n.js";

/** @typedef {Intl.DisplayNames} Names */

const regions = remembered((tag) => new Intl.DisplayNames([tag], { type: "region" }));

/**
 * A language without its regions and dialects, by which voices are grouped.
 *
 * @param {string} tag BCP 47.
 * @returns {string} Its first subtag; the tag itself when it is not valid.
 */
export function stemOf(tag) {
  return /^[a-z]{2,8}(?=-|$)/i.exec(tag)?.[0].toLowerCase() ?? tag;
}

/**
 * @param {string} stem A language without a region.
 * @returns {string} Its name in the page's language, capitalized.
 */
export function languageTitle(stem) {
  const own = ownLanguageName(stem);
  if (own !== null) return own;
  const tag = language.value;
  const name = named(languageNames(tag), stem) ?? stem;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/**
 * The name of a language in English and in itself, for searches by those names.
 *
 * @param {string} stem
 */
export function otherLanguageNames(stem) {
  return [named(languageNames("en"), stem), named(languageNames(stem), stem)].filter(Boolean).join(" ");
}

/**
 * @param {string} tag BCP 47.
 * @returns {string | null} Where this variant is spoken, in the page's language.
 */
export function regionName(tag) {
  const region = /^[a-z]+(?:-[a-z]{4})?-([a-z]{2}|\d{3})(?=-|$)/i.exec(tag)?.[1];
  return region === undefined ? null : named(regions(language.value), region.toUpperCase());
}

/**
 * @param {Names} names
 * @param {string} code
 */
function named(names, code) {
  try {
    const name = names.of(code);
    return name === undefined || name === code ? null : name;
  } catch {
    return null; // an engine's own tag
  }
}
