import { isKnown, language, locale, number, remembered, t } from "./i18n.js";

/**
 * A time as in players: 0:07, 3:40, 1:02:10.
 *
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Number.isFinite(seconds) ? Math.max(0, Math.floor(seconds)) : 0;
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/**
 * A length in words, rounded: “40 s”, “2 min”, “1 h 5 min”.
 *
 * @param {number} seconds
 */
export function duration(seconds) {
  if (seconds < 60) return t("unit.seconds", { n: Math.max(1, Math.round(seconds)) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return t("unit.minutes", { n: minutes });
  const hours = t("unit.hours", { n: Math.floor(minutes / 60) });
  return minutes % 60 === 0 ? hours : `${hours} ${t("unit.minutes", { n: minutes % 60 })}`;
}

/**
 * A size in decimal megabytes; in kilobytes when it would round to none.
 *
 * @param {number} bytes
 */
export function size(bytes) {
  if (bytes < 95_000) return t("unit.kilobytes", { size: number(Math.max(1, bytes / 1_000)) });
  const megabytes = bytes / 1_000_000;
  const digits = megabytes < 10 ? 1 : 0;
  return t("unit.megabytes", { size: number(megabytes, digits) });
}

/**
 * A date, as short as possible: “today 14:02”, “yesterday 9:15”, “12 May, 9:15”, “12 May 2024, 9:15”.
 *
 * @param {string} iso
 * @param {Date} [now]
 */
export function shortDate(iso, now = new Date()) {
  const date = new Date(iso);
  const days = Math.round((startOfDay(now) - startOfDay(date)) / 86_400_000);
  if (days === 0 || days === 1) return t(days === 0 ? "date.today" : "date.yesterday", { time: times(date) });
  return date.getFullYear() === now.getFullYear() ? datesOfYear(date) : dates(date);
}

/** @param {string} iso */
export function longDate(iso) {
  return longDates(new Date(iso));
}

const timeOfDay = /** @type {const} */ ({ hour: "numeric", minute: "2-digit" });
const times = written(timeOfDay);
const datesOfYear = written({ day: "numeric", month: "short", ...timeOfDay });
const dates = written({ day: "numeric", month: "short", year: "numeric", ...timeOfDay });
const longDates = written({ dateStyle: "long", timeStyle: "short" });

/**
 * Date formats, made once per language and, since people travel, per time zone.
 *
 * @param {Intl.DateTimeFormatOptions} options
 */
function written(options) {
  const formats = remembered((key) => new Intl.DateTimeFormat(key.split(" ")[0], options));
  return (/** @type {Date} */ date) => formats(`${locale()} ${new Date().getTimezoneOffset()}`).format(date);
}

/** @param {Date} date */
function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/**
 * The name of a language in the page's language.
 *
 * The voice's own name covers dialects beyond language, script and region.
 *
 * @param {string} tag BCP 47.
 */
export function languageName(tag) {
  const name = nameAmong(tag, languageNames);
  return name === tag ? name : capitalized(name);
}

/**
 * @param {string} tag BCP 47.
 * @param {(locale: string) => Intl.DisplayNames} names Of languages.
 */
function nameAmong(tag, names) {
  const own = ownLanguageName(tag);
  if (own !== null) return own;
  try {
    const { language: stem, script, region } = new Intl.Locale(tag.replace(namelessScript, ""));
    const known = [stem, script, region].filter(Boolean).join("-");
    const name = names(language.value).of(known);
    return name === undefined || name === known ? capitalized(tag) : named(name.replace(/\d{3}/, (code) => ownRegionName(code) ?? code));
  } catch {
    // Engines have their own tags; such a tag is its own name.
    return tag;
  }
}

/**
 * The person's languages, best first: the browser's, then the page's.
 *
 * @returns {string[]} BCP 47.
 */
export function ownLanguages() {
  return [...(globalThis.navigator?.languages ?? []), language.value];
}

/**
 * A language's name as it stands alone, which in some languages has their word for “language”: “Inglise keel (USA)”.
 *
 * @param {string} name
 */
export function asLanguage(name) {
  return capitalized(named(name));
}

/** @param {string} name A language's, within a text. */
function named(name) {
  const [, main = name, place = ""] = /^(.*?)( \(.*)?$/.exec(name) ?? [];
  return t("languages.named", { name: main }) + place;
}

/** @param {string} name */
function capitalized(name) {
  return name.charAt(0).toLocaleUpperCase(language.value) + name.slice(1);
}

/**
 * The name of a language for which browsers show its code.
 *
 * @param {string} tag BCP 47; subtags after the first count only if the catalogue names the whole tag.
 * @returns {string | null} `null` when browsers name it.
 */
export function ownLanguageName(tag) {
  const key = [tag, tag.split("-")[0]].map((one) => `language.${one}`).find(isKnown);
  return key === undefined ? null : t(key);
}

/**
 * The name of a region for which browsers show its number: Chromium leaves out most names of UN M.49.
 *
 * @param {string} code
 * @returns {string | null} `null` when browsers name it.
 */
export function ownRegionName(code) {
  const key = `region.${code}`;
  return isKnown(key) ? t(key) : null;
}

/** A script that browsers show as a code: Klingon's, or one for private use, which espeak-ng puts after the region. */
const namelessScript = /-(Qa[ab][a-x]|Piqd)\b/;

export const languageNames = remembered((tag) => new Intl.DisplayNames([tag], { type: "language" }));

/**
 * A voice's name in the page's language: that of a built-in voice is its language, which espeak-ng has in English.
 *
 * @param {{ id: string, name: string }} voice
 */
export function nameOfVoice({ id, name }) {
  const tag = /^espeak\/(.+)/.exec(id)?.[1];
  return tag === undefined || language.value === "en" ? name : languageName(tag);
}

/** @typedef {{ id: string, name: string, language?: string, quality: string | null, variant: string | null }} NamedVoice */

/**
 * A voice's name in a list: with its quality too if another voice of its language has the same name.
 *
 * @param {NamedVoice} voice
 * @param {readonly NamedVoice[]} all
 */
export function voiceTitle(voice, all) {
  const { id, name, language, quality, variant } = voice;
  const same = all.filter((other) => other.id !== id && other.name === name && other.language === language);
  if (same.length === 0) return nameOfVoice(voice);
  const isAlike = same.some((other) => other.quality === quality && other.variant === variant);
  return `${name} (${isAlike ? id.replace(/^.*\//, "") : [qualityWords(quality), variant].filter(Boolean).join(", ")})`;
}

const shortLanguageNames = remembered((tag) => new Intl.DisplayNames([tag], { type: "language", languageDisplay: "standard", style: "short" }));

/**
 * A voice's name where it stands alone, “Joe, English (US)”; a built-in voice has the name of its language.
 *
 * @param {{ title: string, language: string, quality: string | null }} voice
 */
export function voiceInFull({ title, language, quality }) {
  return quality === null ? title : `${title}, ${nameAmong(language, shortLanguageNames)}`;
}

/** @param {readonly import("../server/voices.js").Voice[]} all */
export function titled(all) {
  return all.map((voice) => {
    const title = voiceTitle(voice, all);
    return { ...voice, title, fullTitle: voiceInFull({ ...voice, title }) };
  });
}

/** @param {string | null} quality Of a voice. */
export function qualityWords(quality) {
  if (quality === null) return null;
  return isKnown(`voices.quality.${quality}`) ? t(`voices.quality.${quality}`) : quality;
}

/**
 * A speaker's name; the number if the voice has no names.
 *
 * @param {{ speakerNames: string[] | null }} voice
 * @param {number} number From 0.
 */
export function speakerName({ speakerNames }, number) {
  return speakerNames?.[number] ?? String(number);
}

/**
 * A sentence that says how long to wait before the next try.
 *
 * @param {number} seconds
 */
export function waitWords(seconds) {
  const { n, unit } = roundedWait(seconds);
  return t(`lock.wait.${unit}`, { n });
}

/**
 * A sentence that says when the program retries by itself.
 *
 * @param {number} seconds
 */
export function retryWords(seconds) {
  const { n, unit } = roundedWait(seconds);
  return t(`job.retrying.${unit}`, { n });
}

/**
 * A wait in the largest fitting unit; rounded up, so that nobody returns too early.
 *
 * @param {number} seconds
 */
function roundedWait(seconds) {
  if (seconds <= 90) return { n: Math.max(1, Math.ceil(seconds)), unit: "seconds" };
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? { n: minutes, unit: "minutes" } : { n: Math.ceil(minutes / 60), unit: "hours" };
}

/**
 * A notice about a document in the page's language.
 *
 * @param {import("../server/documents.js").Notice} notice
 */
export function noticeWords({ code, message, pages, count, encoding }) {
  const key = `notice.${code}`;
  return isKnown(key) ? t(key, { which: encoding ?? (pages ? pageRanges(pages) : String(count ?? 1)) }) : message;
}

/** The maximum number of page ranges listed. */
const mostRanges = 40;

/**
 * “3–6, 9”; with very many ranges, the first of them and the number of pages.
 *
 * @param {number[]} pages Inclusive.
 */
function pageRanges(pages) {
  /** @type {number[][]} */
  const runs = [];
  for (const page of pages) {
    const last = runs.at(-1);
    if (last?.at(-1) === page - 1) last.push(page);
    else runs.push([page]);
  }
  const words = runs.flatMap((run) => (run.length > 2 ? [`${run[0]}–${run.at(-1)}`] : run.map(String)));
  if (words.length <= mostRanges) return words.join(", ");
  return `${words.slice(0, mostRanges).join(", ")} … (${pages.length})`;
}

/**
 * An error's message: the catalogue's if it knows the code, as English does for errors of the page, else the server's
 * own, in English. In another language, and for a past failure known only by its code, the message for its subject
 * serves: the part of the code before the dot.
 *
 * @param {unknown} error
 * @returns {{ message: string, suggestion: string | null }}
 */
export function wordsFor(error) {
  const problem = /** @type {{ code?: unknown, message?: string, suggestion?: string | null }} */ (error ?? {});
  // A browser's own errors have numeric codes, and messages for developers.
  const code = typeof problem.code === "string" ? problem.code : "";
  if (isKnown(`error.${code}`)) return wordsOf(`error.${code}`);
  const [subject = ""] = code.split(".");
  const ofSubject = isKnown(`error.${subject}`) ? `error.${subject}` : null;
  const isUnderstood = language.value === "en" || ofSubject === null;
  if (code !== "" && problem.message && isUnderstood) return { message: problem.message, suggestion: problem.suggestion ?? null };
  return wordsOf(ofSubject ?? "error.unknown");
}

/**
 * An error in one paragraph: what happened, and what to do about it.
 *
 * @param {unknown} error
 */
export function paragraphFor(error) {
  const { message, suggestion } = wordsFor(error);
  return suggestion === null ? message : `${message} ${suggestion}`;
}

/** @param {string} key */
function wordsOf(key) {
  return { message: t(key), suggestion: isKnown(`${key}.do`) ? t(`${key}.do`) : null };
}

/** @type {Map<string, Highlight | null>} */
const all = new Map();

/**
 * The highlight with a name, which `::highlight(name)` styles; it marks text without elements.
 *
 * @param {string} name
 * @param {number} [priority] The higher one wins where two overlap.
 * @returns {Highlight | null} `null` if the browser has none.
 */
export function highlight(name, priority = 0) {
  let found = all.get(name);
  if (found === undefined) {
    found = "highlights" in CSS && CSS.highlights !== undefined ? new Highlight() : null;
    if (found !== null) {
      found.priority = priority;
      CSS.highlights?.set(name, found);
    }
    all.set(name, found);
  }
  return found;
}

/** Maximum length of a name in Unicode scalars. */
export const longestName = 200;

/** Control characters, line and paragraph separators, and bidirectional controls. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Why something cannot name a recording or document, by the server's rules.
 *
 * @param {string} name
 * @returns {string | null} A message; `null` when it can.
 */
export function nameProblem(name) {
  const trimmed = name.trim();
  if (trimmed === "") return t("name.empty");
  if ([...trimmed].length > longestName) return t("name.long", { n: longestName });
  return forbidden.test(trimmed) ? t("name.control") : null;
}

/**
 * A part of a text, never empty.
 *
 * @typedef {object} MarkedPart
 * @property {string} text
 * @property {boolean} isMarked
 */

/**
 * Splits a text at its marks.
 *
 * @param {string} text
 * @param {readonly { from: number, to: number }[]} marks In UTF-16 units, in text order.
 * @returns {MarkedPart[]} Empty marks are omitted.
 */
export function markedParts(text, marks) {
  /** @type {MarkedPart[]} */
  const parts = [];
  let position = 0;
  for (const { from, to } of marks) {
    const start = Math.max(position, Math.min(from, text.length));
    const end = Math.max(start, Math.min(to, text.length));
    if (start === end) continue;
    if (start > position) parts.push({ text: text.slice(position, start), isMarked: false });
    parts.push({ text: text.slice(start, end), isMarked: true });
    position = end;
  }
  if (position < text.length) parts.push({ text: text.slice(position), isMarked: false });
  return parts;
}
