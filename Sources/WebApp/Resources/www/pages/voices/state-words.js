import { duration, qualityWords, size, wordsFor } from "../../core/format.js";
import { isKnown, number, t } from "../../core/i18n.js";

/** @typedef {import("./offers.js").Offer} Offer */
/** @typedef {import("../../server/voices.js").DownloadState} DownloadState */
/** @typedef {import("../../server/voices.js").Failure} Failure */

/**
 * @param {DownloadState} download
 * @returns {number | null} The downloaded fraction, from 0 to 1.
 */
export function partOf({ bytes, total }) {
  return bytes === null || total === null || total <= 0 ? null : Math.min(1, bytes / total);
}

/**
 * The description of a voice that is being downloaded, is downloaded in part, or failed; nothing for others.
 *
 * @param {Offer} offer
 * @returns {string[]}
 */
export function stateWords({ phase, voice }) {
  if (phase === "downloading") return progressWords(voice.download);
  if (phase === "waiting" || phase === "extracting" || phase === "validating") return [t(`voices.state.${phase}`)];
  if (phase === "paused") return [t("voices.state.paused", { amount: amount(voice.download) })];
  const failure = failureOf({ phase, voice });
  return failure === null ? [] : [wordsFor(failure).message];
}

/**
 * Why it cannot be installed or used.
 *
 * @param {Pick<Offer, "phase" | "voice">} offer
 * @returns {Failure | null}
 */
export function failureOf({ phase, voice }) {
  if (phase === "failed") return voice.download.failure;
  return phase === "broken" ? voice.problem : null;
}

/**
 * “12 of 63 MB”, “2.1 MB/s”, “20 s left”, as far as known.
 *
 * @param {DownloadState} download
 * @returns {string[]}
 */
function progressWords(download) {
  const { rate, secondsLeft } = download;
  const words = [amount(download)];
  if (rate !== null && rate > 0) words.push(t("voices.rate", { size: size(rate) }));
  if (secondsLeft !== null) words.push(t("voices.left", { time: duration(secondsLeft) }));
  return words;
}

/** @param {DownloadState} download */
function amount({ bytes, total }) {
  if (total === null) return size(bytes ?? 0);
  return t("voices.amount", { done: number((bytes ?? 0) / 1_000_000, total < 10_000_000 ? 1 : 0), all: size(total) });
}

/**
 * A voice's name where it may be ambiguous.
 *
 * @param {Offer} offer
 */
export function fullName({ title, voice: { quality, variant } }) {
  return [title, qualityWords(quality), variant].filter(Boolean).join(", ");
}

/**
 * The size of a voice, or an estimate.
 *
 * @param {Offer} offer
 */
export function sizeWords({ bytes, isGuess }) {
  if (bytes === null) return null;
  return isGuess ? t("voices.about", { size: size(bytes) }) : size(bytes);
}

/**
 * How fast this machine speaks with it.
 *
 * @param {Offer} offer
 */
export function speedWords({ voice: { speed } }) {
  return speed === null ? null : t("voices.speed", { times: number(speed, speed < 10 ? 1 : 0) });
}

/**
 * The announcement of a voice's new state: each tenth of a download, and its end.
 *
 * @param {Offer} before
 * @param {Offer} after
 * @returns {{ text: string, isUrgent: boolean } | null} `null` when there is nothing to announce.
 */
export function announcement(before, after) {
  const { title: name, phase } = after;
  if (phase === "downloading") {
    const tenth = tenthOf(after);
    const isNew = before.phase !== "downloading" || tenth !== tenthOf(before);
    return isNew && tenth !== null ? { text: t("voices.said.downloading", { name, n: tenth * 10 }), isUrgent: false } : null;
  }
  if (before.phase === phase) return null;
  if (before.phase === "active" && phase === "ready") return null; // another voice was chosen
  const failure = failureOf(after);
  if (failure !== null) return { text: t("voices.said.failed", { name, reason: wordsFor(failure).message }), isUrgent: true };
  return isKnown(`voices.said.${phase}`) ? { text: t(`voices.said.${phase}`, { name }), isUrgent: false } : null;
}

/** @param {Offer} offer */
function tenthOf({ voice }) {
  const part = partOf(voice.download);
  return part === null ? null : Math.floor(part * 10);
}

/**
 * The main action for a voice, on its button:
 *
 * - `download`, `resume`, `again`: downloads it;
 * - `cancel`: stops the download;
 * - `choose`: starts using it;
 * - `retry`: tries a quarantined voice again;
 * - `settings`: opens the settings of connections;
 * - `space`: shows the installed voices, the largest first;
 * - `remove`: deletes it.
 *
 * @typedef {"download" | "resume" | "again" | "cancel" | "choose" | "retry" | "settings" | "space" | "remove"} Step
 */

/**
 * The action in a voice's row.
 *
 * @param {Offer} offer
 * @returns {Step | null} `null` for the voice in use.
 */
export function mainStep(offer) {
  switch (offer.phase) {
    case "absent":
      return "download";
    case "paused":
      return "resume";
    case "ready":
      return "choose";
    case "active":
      return null;
    case "failed":
    case "broken":
      return remedy(offer);
    default:
      return "cancel";
  }
}

/**
 * The action that resolves a failure.
 *
 * @param {Offer} offer
 * @returns {Step}
 */
function remedy(offer) {
  const { code = "" } = failureOf(offer) ?? {};
  if (/^(outbound|catalogue)\./.test(code)) return "settings";
  if (code.endsWith(".no-space")) return "space";
  if (code === "voice.set-aside") return "retry";
  return offer.voice.entry === null ? "remove" : "again";
}
