import { offerOf } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";

/**
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voice-catalogue.js").CatalogueVoice} CatalogueVoice
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voice-catalogue.js").DownloadState} DownloadState
 */

/**
 * @param {DownloadState["state"]} state
 * @param {Partial<DownloadState>} more
 * @returns {DownloadState}
 */
export const download = (state, more = {}) => ({ state, bytes: null, total: null, rate: null, secondsLeft: null, failure: null, ...more });

export const installed = { bytes: 63_000_000, folder: "folder", licence: null, url: null, installedAt: null };

/**
 * @param {string} id Such as `en_US-lessac-medium`.
 * @param {Partial<CatalogueVoice>} more
 * @returns {CatalogueVoice}
 */
export function voice(id, more = {}) {
  const [language = "", name = "", quality = ""] = id.split("-");
  return {
    entry: `vits-piper-${id}`,
    voice: `piper/${id}`,
    name,
    language: language.replace("_", "-"),
    quality,
    variant: null,
    speakers: 1,
    sampleRate: 22_050,
    archiveBytes: null,
    expectedBytes: 65_000_000,
    hasChecksum: false,
    download: download("notDownloaded"),
    installed: null,
    isFavorite: false,
    lastUsed: null,
    speed: null,
    problem: null,
    ...more,
  };
}

/**
 * @param {string} id
 * @param {Partial<CatalogueVoice>} more
 */
export const offer = (id, more = {}) => offerOf(voice(id, more), "espeak/en-US");

/** @param {string} code */
export const failure = (code) => ({ code, message: `It says ${code}.`, suggestion: null });
