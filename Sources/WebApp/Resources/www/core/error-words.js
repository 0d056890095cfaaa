import { isKnown, language, t } from "./i18n.js";

/**
 * An error's message: the catalogue's if it knows the code, else the server's own, in English. In another language, and
 * for a past failure known only by its code, the message for its subject serves: the part of the code before the dot.
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
