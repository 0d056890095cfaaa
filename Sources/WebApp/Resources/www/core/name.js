import { t } from "./i18n.js";

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
