import { t } from "../../core/i18n.js";

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
