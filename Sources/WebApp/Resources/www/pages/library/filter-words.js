import { language, number, t, times } from "../../core/i18n.js";
import { startOfDay } from "./filters.js";

/**
 * What an active filter is called.
 *
 * @param {import("./filters.js").ActiveFilter} filter
 */
export function filterWords({ kind, value }) {
  if (kind === "favorite" || kind === "document") return t(`filters.${kind}`);
  if (kind === "voice") return String(value);
  const [from = null, to = null] = Array.isArray(value) ? value : [];
  const range = rangeWords(said(kind, from), said(kind, to));
  return kind === "created" ? range : t(`filters.chip.${kind}`, { range });
}

/**
 * @param {"speed" | "pitch" | "length" | "created"} kind
 * @param {string | number | null} end
 */
function said(kind, end) {
  if (end === null) return null;
  if (kind === "created") {
    return new Intl.DateTimeFormat(language.value, { dateStyle: "medium" }).format(startOfDay(String(end), 0));
  }
  return kind === "length" ? number(Number(end), 1) : times(Number(end));
}

/**
 * @param {string | null} from
 * @param {string | null} to
 */
function rangeWords(from, to) {
  if (from !== null && from === to) return t("filters.range.same", { from });
  if (from !== null && to !== null) return t("filters.range.both", { from, to });
  return from !== null ? t("filters.range.from", { from }) : t("filters.range.to", { to: to ?? "" });
}
