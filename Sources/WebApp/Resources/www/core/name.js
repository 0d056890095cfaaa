import { t } from "./i18n.js";

/** Most Unicode scalars of a name. */
export const longestName = 200;

/** Controls, line and paragraph separators, and what turns the direction of the line around it. */
const forbidden = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202A-\u202E\u2066-\u2069]/u;

/**
 * Why something cannot be the name of a recording or document, as the server has it.
 *
 * @param {string} name
 * @returns {string | null} In words; `null` when it can.
 */
export function nameProblem(name) {
  const trimmed = name.trim();
  if (trimmed === "") return t("name.empty");
  if ([...trimmed].length > longestName) return t("name.long", { n: longestName });
  return forbidden.test(trimmed) ? t("name.control") : null;
}
