import { t } from "../../../core/i18n.js";

/** The greatest number that {@link shownSpeaker} reads. */
const most = 999;

/**
 * What a speaker is called on the page: those that were found are kept as “Speaker 1” and so on in every language.
 *
 * @param {string} name
 */
export function shownSpeaker(name) {
  const number = /^Speaker (\d{1,3})$/.exec(name)?.[1];
  return number === undefined ? name : t("transcript.speaker.number", { n: Number(number) });
}

/**
 * What is kept of a name that a person may have left as it was shown.
 *
 * @param {string} shown
 */
export function keptSpeaker(shown) {
  for (let n = 1; n <= most; n++) if (t("transcript.speaker.number", { n }) === shown) return `Speaker ${n}`;
  return shown;
}
