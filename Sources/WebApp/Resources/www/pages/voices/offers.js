import { languageTitle, otherLanguageNames, regionName, stemOf } from "./language-names.js";

/** @typedef {import("../../server/voices.js").Voice} Voice */
/** @typedef {import("../../server/voice-catalogue.js").CatalogueVoice} CatalogueVoice */
/** @typedef {import("../../server/voice-catalogue.js").Catalogue} Catalogue */

/** @typedef {Voice["engine"]} Engine */

/**
 * How it stands with a voice for the person who looks at it.
 *
 * - `absent`: it can be downloaded;
 * - `waiting`, `downloading`, `extracting`, `validating`: it comes;
 * - `paused`, `failed`: it came in part, or did not come;
 * - `ready`: it can speak; `active`: it does;
 * - `broken`: it is here and cannot speak.
 *
 * @typedef {"absent" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed" | "ready" | "active" | "broken"} Phase
 */

/**
 * A voice of either engine, as the page shows it.
 *
 * @typedef {object} Offer
 * @property {string} id Of the voice.
 * @property {Engine} engine
 * @property {string} title Its name as a person writes it.
 * @property {string} stem Its language alone.
 * @property {string | null} region
 * @property {number | null} bytes On the disk when it is here, else of what is downloaded.
 * @property {boolean} isGuess Whether `bytes` is about right.
 * @property {Phase} phase
 * @property {CatalogueVoice} voice
 * @property {string} description What a search looks through, in small letters.
 */

/** @param {Offer} offer Whether it can be heard now. */
export function canSpeak({ voice, engine, phase }) {
  return engine === "espeak-ng" || (voice.installed !== null && phase !== "broken");
}

/**
 * @param {CatalogueVoice} voice
 * @param {string} active The id of the voice that speaks.
 * @returns {Offer}
 */
export function offerOf(voice, active) {
  const { installed, archiveBytes, expectedBytes } = voice;
  return offer(voice, "sherpa-onnx", {
    title: titleOf(voice),
    bytes: installed?.bytes ?? archiveBytes ?? expectedBytes,
    isGuess: installed === null && archiveBytes === null,
    phase: phaseOf(voice, active),
  });
}

/**
 * A voice of the engine that is built in.
 *
 * @param {Voice} voice
 * @param {string} active The id of the voice that speaks.
 * @returns {Offer}
 */
export function builtInOffer({ id, name, language, speakers, sampleRate }, active) {
  /** @type {CatalogueVoice} */
  const voice = {
    entry: null,
    voice: id,
    name,
    language,
    quality: null,
    variant: null,
    speakers,
    sampleRate,
    archiveBytes: null,
    expectedBytes: null,
    hasChecksum: false,
    download: { state: "downloaded", bytes: null, total: null, rate: null, secondsLeft: null, failure: null },
    installed: null,
    isFavorite: false,
    lastUsed: null,
    speed: null,
    problem: null,
  };
  return offer(voice, "espeak-ng", { title: name, bytes: null, isGuess: false, phase: id === active ? "active" : "ready" });
}

/**
 * @param {CatalogueVoice} voice
 * @param {Engine} engine
 * @param {Pick<Offer, "title" | "bytes" | "isGuess" | "phase">} shown
 * @returns {Offer}
 */
function offer(voice, engine, shown) {
  const stem = stemOf(voice.language);
  const region = regionName(voice.language);
  const names = [shown.title, voice.voice, languageTitle(stem), region ?? "", voice.language, otherLanguageNames(stem), voice.quality ?? ""];
  return { id: voice.voice, engine, stem, region, voice, description: names.join(" ").toLocaleLowerCase(), ...shown };
}

/**
 * @param {CatalogueVoice} voice
 * @param {string} active
 * @returns {Phase}
 */
function phaseOf({ voice, download: { state }, installed, problem }, active) {
  if (state !== "notDownloaded" && state !== "downloaded" && state !== "active") return state;
  if (problem !== null) return "broken";
  if (installed === null) return "absent";
  return state === "active" || voice === active ? "active" : "ready";
}

/**
 * A voice's name as a person writes it: “southern_english_female” is “Southern English female”. Of one that was added by its
 * file's name, `en_US-amy-low`, the middle counts.
 *
 * @param {{ name: string }} voice
 */
export function titleOf({ name }) {
  const own = /^[a-z]{2,3}_[A-Z]{2}-(.+)-[^-]+$/.exec(name)?.[1] ?? name;
  const words = own.replace(/_+/g, " ").trim().replace(/\benglish\b/g, "English");
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}
