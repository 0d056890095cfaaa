import { clock } from "../../core/format.js";
import { isKnown, t } from "../../core/i18n.js";

/** @typedef {import("../../server/vault-check.js").VaultReport} VaultReport */

/**
 * What was found, in a sentence.
 *
 * @param {VaultReport} report
 */
export function summaryOf({ isSound, findings }) {
  const faults = findings.filter(({ kind }) => kind === "fault").length;
  return isSound ? t("vaultCheck.sound") : t("vaultCheck.found", { n: faults });
}

/**
 * A line of the report in the person's language; in English when it is new to the page.
 *
 * @param {VaultReport["findings"][number]} finding
 */
export function findingWords({ code, message, name = "", count = 0, seconds = 0, duration = 0 }) {
  const key = `vaultCheck.finding.${code}`;
  return isKnown(key) ? t(key, { name, n: count, lost: clock(seconds), whole: clock(duration) }) : message;
}
