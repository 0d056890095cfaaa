import { offerOf } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";

/**
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").VoiceListing} VoiceListing
 * @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").DownloadState} DownloadState
 */

/**
 * @param {DownloadState["state"]} state
 * @param {Partial<DownloadState>} more
 * @returns {DownloadState}
 */
export const download = (state, more = {}) => ({ state, bytes: null, total: null, rate: null, secondsLeft: null, failure: null, ...more });

export const installed = { bytes: 63_000_000, folder: "folder", licence: null, url: null, installedAt: null };

/** The fields of a voice that can speak. */
export const ready = { availability: /** @type {const} */ ("ready"), installed };

/**
 * The fields of an installed voice that cannot speak.
 *
 * @param {string} code
 */
export const faulty = (code) => ({ availability: /** @type {const} */ ("faulty"), installed, problem: failure(code) });

/**
 * @param {string} id For example `en_US-lessac-medium`.
 * @param {Partial<VoiceListing>} more
 * @returns {VoiceListing}
 */
export function voice(id, more = {}) {
  const [language = "", model = "", quality = ""] = id.split("-");
  return {
    id: `piper/${id}`,
    name: model.charAt(0).toUpperCase() + model.slice(1),
    language: language.replace("_", "-"),
    engine: "sherpa-onnx",
    isBuiltIn: false,
    entry: `vits-piper-${id}`,
    quality,
    variant: null,
    speakers: 1,
    speakerNames: null,
    sampleRate: 22_050,
    archiveBytes: null,
    expectedBytes: 65_000_000,
    hasChecksum: false,
    availability: "absent",
    problem: null,
    download: download("none"),
    installed: null,
    isFavorite: false,
    lastUsed: null,
    speed: null,
    isSelected: false,
    ...more,
  };
}

/**
 * @param {string} id
 * @param {Partial<VoiceListing>} more
 */
export const offer = (id, more = {}) => offerOf(voice(id, more));

/**
 * A built-in voice.
 *
 * @param {string} id
 * @param {Partial<VoiceListing>} more
 * @returns {VoiceListing}
 */
export const builtIn = (id, more = {}) => ({
  ...voice(id, { id, name: "Estonian", language: "et", engine: "espeak-ng", isBuiltIn: true, entry: null }),
  quality: null,
  expectedBytes: null,
  availability: "ready",
  ...more,
});

/** @param {string} code */
export const failure = (code) => ({ code, message: `It says ${code}.`, suggestion: null });
