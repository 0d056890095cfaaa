import { isKnown, language, t } from "./i18n.js";

/**
 * An error in words: those of the catalogue where it knows the code, else the server's own, which are English. In another
 * language, and for a past failure of which only the code is known, the words for its subject serve: the part of the code
 * before the dot.
 *
 * @param {unknown} error
 * @returns {{ message: string, suggestion: string | null }}
 */
export function wordsFor(error) {
  const problem = /** @type {{ code?: unknown, message?: string, suggestion?: string | null }} */ (error ?? {});
  // A browser's own errors have numbers for codes, and words for developers.
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
