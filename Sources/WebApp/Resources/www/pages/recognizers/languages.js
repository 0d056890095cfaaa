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

/**
 * The order of preference after one recogniser was moved. A service that was only asked when it was chosen stays so, unless it is
 * the one that was moved.
 *
 * @param {readonly Pick<Recognizer, "id" | "engine">[]} recognizers As they are listed.
 * @param {readonly string[]} order The IDs that were put first until now.
 * @param {string} id The one that is moved.
 * @param {number} position Its new place in the list.
 * @returns {string[]} IDs.
 */
export function movedOrder(recognizers, order, id, position) {
  const moved = recognizers.find((one) => one.id === id);
  if (moved === undefined) return [...order];
  const listed = recognizers.filter((one) => one !== moved);
  listed.splice(position, 0, moved);
  return listed.filter((one) => one.engine !== "remote" || one === moved || order.includes(one.id)).map((one) => one.id);
}

/**
 * The recognisers that an order asks, one after another, until one has transcribed the recording. A service is only among the
 * others if a person has put it into the order of preference.
 *
 * @param {string} first The ID of the one that is asked first.
 * @param {readonly Pick<Recognizer, "id" | "engine">[]} recognizers As they are listed.
 * @param {readonly string[]} preferred The IDs that a person has put first.
 * @returns {string[]} IDs.
 */
export function askedFrom(first, recognizers, preferred) {
  const others = recognizers.filter(({ id, engine }) => id !== first && (engine !== "remote" || preferred.includes(id)));
  return [first, ...others.map(({ id }) => id)];
}

/**
 * Whether a recogniser can transcribe a language on this machine.
 *
 * @param {Pick<import("../../server/transcriptions.js").Recognizer, "engine" | "languages">} recognizer
 * @param {string} language A BCP 47 tag; `und` when it is unknown.
 */
export function isFit({ engine, languages }, language) {
  if (engine === "remote") return false;
  const main = (/** @type {string} */ tag) => tag.split("-")[0].toLowerCase();
  return language === "und" || languages.includes("mul") || languages.some((one) => main(one) === main(language));
}

/** @typedef {import("../../server/transcripts.js").SpeakerModelOffer} SpeakerModelOffer */

/**
 * How many bytes models have together, and how many of them are here.
 *
 * @param {readonly Pick<SpeakerModelOffer, "expectedBytes" | "download">[]} offers
 */
export function amounts(offers) {
  let [all, done] = [0, 0];
  for (const { download, expectedBytes } of offers) {
    const size = download.total ?? expectedBytes;
    const isWhole = download.state === "extracting" || download.state === "validating";
    all += size;
    done += isWhole ? size : Math.min(size, download.bytes ?? 0);
  }
  return { all, done };
}

/**
 * Whether a model is being downloaded, or waits for that.
 *
 * @param {Pick<SpeakerModelOffer, "download">} offer
 */
export function isComing({ download }) {
  return !["none", "paused", "failed"].includes(download.state);
}
