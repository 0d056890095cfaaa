import en from "./locales/en.js";
import { Cell } from "./store.js";

/**
 * A message: one text, or one for each plural form of the language, chosen by `n`.
 *
 * `{name}` stands for a value.
 *
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }} Message
 */

/** @typedef {Record<string, Message>} Catalogue */

/**
 * The languages, and how to load each catalogue. To add one, write its catalogue and name it here.
 *
 * @type {Readonly<Record<string, () => Promise<{ default: Catalogue }>>>}
 */
export const languages = Object.freeze({
  en: async () => ({ default: en }),
  et: () => import("./locales/et.js"),
});

/** @type {Map<string, Catalogue>} The loaded catalogues. */
const catalogues = new Map([["en", /** @type {Catalogue} */ (en)]]);

/** The tag of the current language. */
export const language = new Cell("en");

/** The tag for dates: the user's variant of the current language, such as en-GB, else the language alone. */
export function locale() {
  const own = globalThis.navigator?.languages?.find((tag) => tag.toLowerCase().split("-")[0] === language.value);
  return own ?? language.value;
}

/**
 * The language to use.
 *
 * @param {string} wanted A tag, or `system`.
 * @param {readonly string[]} preferred The user's languages, best first.
 * @returns {string} One that has a catalogue.
 */
export function chosenLanguage(wanted, preferred) {
  if (wanted in languages) return wanted;
  for (const tag of preferred) {
    const stem = tag.toLowerCase().split("-")[0];
    if (stem in languages) return stem;
  }
  return "en";
}

/**
 * Sets the current language.
 *
 * @param {string} tag One that has a catalogue.
 */
export async function showLanguage(tag) {
  if (!catalogues.has(tag)) catalogues.set(tag, (await languages[tag]()).default);
  language.set(tag);
  if ("document" in globalThis) document.documentElement.lang = tag;
}

/**
 * A message in the current language, or in English if its catalogue lacks it.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values] Numbers are formatted for the language; `n` chooses the plural
 * form.
 */
export function t(key, values = {}) {
  return say(key, values, language.value);
}

/** @param {string} key */
export function isKnown(key) {
  return t(key) !== key;
}

/**
 * @param {string} key
 * @param {Record<string, string | number>} values
 * @param {string} tag
 */
export function say(key, values, tag) {
  const own = catalogues.get(tag)?.[key];
  const message = own ?? en[/** @type {keyof typeof en} */ (key)];
  if (message === undefined) return key;
  const spoken = own === undefined ? "en" : tag;
  const text = typeof message === "string" ? message : pluralForm(message, Number(values.n ?? 0), spoken);
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? numbers(`${spoken} 2`).format(value) : value;
  });
}

/**
 * @param {Exclude<Message, string>} message
 * @param {number} count
 * @param {string} tag
 */
function pluralForm(message, count, tag) {
  return message[plurals(tag).select(count)] ?? message.other;
}

const plurals = remembered((tag) => new Intl.PluralRules(tag));
const numbers = remembered((key) => {
  const [tag, digits] = key.split(" ");
  return new Intl.NumberFormat(tag, { maximumFractionDigits: Number(digits) });
});

/**
 * A number in the current language.
 *
 * The first format takes a browser some 15 ms, so none is made before a page is painted.
 *
 * @param {number} value
 * @param {number} [digits] Decimals, at most.
 */
export function number(value, digits = 0) {
  return numbers(`${language.value} ${digits}`).format(value);
}

/**
 * A factor: 1×, 1.25×.
 *
 * @param {number} value
 */
export function times(value) {
  return `${number(value, 2)}×`;
}

/**
 * A profile's name: the default one is translated until the user renames it.
 *
 * @param {{ id: string, name: string }} profile
 */
export function profileName({ id, name }) {
  return id === "default" && (name === "" || name === "Default") ? t("profiles.default") : name;
}

/**
 * Caches slow objects, such as the formats of `Intl`, by tag.
 *
 * @template Made
 * @param {(tag: string) => Made} make
 */
export function remembered(make) {
  /** @type {Map<string, Made>} */
  const all = new Map();
  return (/** @type {string} */ tag) => {
    let made = all.get(tag);
    if (made === undefined) all.set(tag, (made = make(tag)));
    return made;
  };
}
