import { paragraphFor, wordsFor } from "../../../core/error-words.js";
import { clock, retryWords, size } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";

/** @typedef {import("../../../server/transcriptions.js").Transcription} Transcription */

/**
 * The state of an unfinished transcription in words.
 *
 * @param {Pick<Transcription, "state" | "position" | "to" | "retryAt" | "failure" | "sending">} job
 * @param {number} share The transcribed fraction, from 0 to 1.
 * @param {number} [now] Milliseconds since 1970.
 */
export function jobWords({ state, position, to, retryAt, failure, sending }, share, now = Date.now()) {
  if (state === "failed") return paragraphFor(failure);
  if (state === "waiting-for-consent" && sending !== null) {
    const words = t("job.consent", { host: sending.host, size: size(sending.bytes), time: clock(sending.seconds) });
    return [words, sending.sendsWords && t("job.consent.words"), sending.isReadable && t("consent.readable")].filter(Boolean).join(" ");
  }
  if (state === "retrying" && retryAt !== null) {
    const again = retryWords((Date.parse(retryAt) - now) / 1_000);
    return failure === null ? again : `${wordsFor(failure).message} ${again}`;
  }
  if (state === "running") return t("job.running", { time: clock(position), all: clock(to), percent: number(share * 100) });
  return t(`job.${state}`);
}
