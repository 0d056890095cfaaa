import { languageName } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";

/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/** Offered where nobody knows what a recogniser hears: a service, or a multilingual one that does not say. */
const commonLanguages = ["en", "et", "de", "es", "fr", "it", "pt", "nl", "fi", "sv", "lv", "lt", "pl", "ru", "uk", "zh", "ja", "ko"];

/**
 * The languages that a list of spoken ones offers: “Detect automatically”, then by name.
 *
 * @param {readonly string[]} hears BCP 47; empty where it is not known.
 * @param {readonly string[]} [own] Further ones, such as the recording's.
 * @returns {{ value: string, label: string }[]}
 */
export function languageChoices(hears, own = []) {
  const known = [...new Set([...own, ...(hears.length > 0 ? hears : commonLanguages)])].filter((tag) => tag !== "" && tag !== "und");
  const named = known.map((tag) => ({ value: tag, label: languageName(tag) }));
  named.sort((one, other) => one.label.localeCompare(other.label, language.value));
  return [{ value: "", label: t("order.language.auto") }, ...named];
}

/**
 * All languages that one of the recognisers hears.
 *
 * @param {readonly Pick<Recognizer, "hears">[]} recognizers
 */
export function heardByAny(recognizers) {
  return [...new Set(recognizers.flatMap(({ hears }) => hears.map(stem)))];
}

/**
 * What a recogniser hears, in words.
 *
 * @param {Pick<Recognizer, "hears" | "languages">} recognizer
 * @param {string} [wanted] A language to name if it is among many.
 */
export function languageWords({ hears, languages }, wanted = "und") {
  const known = hears.length > 0 ? hears : languages.filter((tag) => tag !== "mul");
  if (known.length === 0) return t("recognizer.languages.several");
  if (known.length <= 3) return known.map(languageName).join(", ");
  const count = t("recognizer.languages", { n: known.length });
  return known.includes(stem(wanted)) ? t("recognizer.languages.with", { count, name: languageName(stem(wanted)) }) : count;
}

/** @param {string} tag */
function stem(tag) {
  return tag.split("-")[0] ?? tag;
}
