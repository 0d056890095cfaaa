import { t } from "../../../core/i18n.js";

/** The largest number that {@link shownSpeaker} parses. */
const most = 999;

/**
 * The displayed name of a speaker: detected ones are stored as “Speaker 1” and so on in every language.
 *
 * @param {string} name
 */
export function shownSpeaker(name) {
  const number = /^Speaker (\d{1,3})$/.exec(name)?.[1];
  return number === undefined ? name : t("transcript.speaker.number", { n: Number(number) });
}

/**
 * The name to store for a field that may still have the displayed name.
 *
 * @param {string} shown
 */
export function keptSpeaker(shown) {
  for (let n = 1; n <= most; n++) if (t("transcript.speaker.number", { n }) === shown) return `Speaker ${n}`;
  return shown;
}
