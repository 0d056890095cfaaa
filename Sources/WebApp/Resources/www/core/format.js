import { isKnown, language, locale, number, remembered, t } from "./i18n.js";

/**
 * A time as it stands on a player: 0:07, 3:40, 1:02:10.
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
 * A length in words, rounded as one would say it: “40 s”, “2 min”, “1 h 5 min”.
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
 * A wait in words for a countdown, exact to the second: “1 min 5 s”.
 *
 * @param {number} seconds
 */
export function countdown(seconds) {
  const whole = Math.max(0, Math.ceil(seconds));
  const minutes = Math.floor(whole / 60);
  if (minutes === 0) return t("unit.seconds", { n: whole });
  const rest = whole % 60;
  const said = minutes < 60 ? t("unit.minutes", { n: minutes }) : duration(whole);
  return rest === 0 || minutes >= 60 ? said : `${said} ${t("unit.seconds", { n: rest })}`;
}

/**
 * A size in megabytes, as files are counted; in kilobytes what is so small that it would be none.
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
 * A date, as short as it is still unique: “today 14:02”, “yesterday 9:15”, “12 May”, “12 May 2024”.
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

const times = written({ hour: "numeric", minute: "2-digit" });
const datesOfYear = written({ day: "numeric", month: "short" });
const dates = written({ day: "numeric", month: "short", year: "numeric" });
const longDates = written({ dateStyle: "long", timeStyle: "short" });

/**
 * How dates are written, made once for each language and, as a person may travel, each zone of time.
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
 * The name of a language in the language that is shown.
 *
 * Dialects that engines have beyond language, script and region are named by the voice's own name.
 *
 * @param {string} tag BCP 47.
 */
export function languageName(tag) {
  try {
    const { language: stem, script, region } = new Intl.Locale(tag);
    const known = [stem, script, region].filter(Boolean).join("-");
    const name = languageNames(language.value).of(known) ?? tag;
    return name.charAt(0).toLocaleUpperCase(language.value) + name.slice(1);
  } catch {
    // Engines have tags of their own; such a one stands for itself.
    return tag;
  }
}

export const languageNames = remembered((tag) => new Intl.DisplayNames([tag], { type: "language" }));

/**
 * How long until the next try, in the largest unit that says it well; rounded up, so that nobody comes back too early.
 *
 * @param {number} seconds
 */
export function waitWords(seconds) {
  if (seconds <= 90) return t("lock.wait.seconds", { n: Math.max(1, Math.ceil(seconds)) });
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? t("lock.wait.minutes", { n: minutes }) : t("lock.wait.hours", { n: Math.ceil(minutes / 60) });
}

/**
 * A notice about a document in the language of the page. The server writes it in English, with the pages or the count
 * that it is about.
 *
 * @param {import("../server/documents.js").Notice} notice
 */
export function noticeWords({ code, message }) {
  const key = `notice.${code}`;
  if (!isKnown(key)) return message;
  const numbers = message.match(/\d+/g);
  const which = code === "document.guessed-encoding" ? (/ as (.+)\.$/.exec(message)?.[1] ?? "?") : (numbers ?? ["1"]).join(", ");
  return t(key, { which });
}
