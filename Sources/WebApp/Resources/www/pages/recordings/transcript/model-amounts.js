/** @typedef {import("../../../server/speakers.js").SpeakerModelOffer} SpeakerModelOffer */

/**
 * How many bytes models have together, and how many of them are here.
 *
 * @param {readonly Pick<SpeakerModelOffer, "expectedBytes" | "download">[]} offers
 */
export function amounts(offers) {
  let [all, done] = [0, 0];
  for (const { download, expectedBytes } of offers) {
    const size = download.total ?? expectedBytes;
    const isWhole = download.state === "extracting" || download.state === "validating";
    all += size;
    done += isWhole ? size : Math.min(size, download.bytes ?? 0);
  }
  return { all, done };
}

/**
 * Whether a model is being downloaded, or waits for that.
 *
 * @param {Pick<SpeakerModelOffer, "download">} offer
 */
export function isComing({ download }) {
  return !["none", "paused", "failed"].includes(download.state);
}
