import { t } from "../../core/i18n.js";
import { languageTitle } from "./language-names.js";
import { qualityWords } from "./state-words.js";

/**
 * What one thing that holds voices back is called.
 *
 * @param {import("./narrowing.js").ActiveNarrowing} narrowing
 */
export function narrowingWords({ kind, value }) {
  if (kind === "quality") return qualityWords(value) ?? value;
  return kind === "language" ? languageTitle(value) : t(`voices.filter.${kind}`);
}
