import { languageTitle, otherLanguageNames, regionName, stemOf } from "./language-names.js";

/** @typedef {import("../../server/voice-catalogue.js").VoiceListing} VoiceListing */

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
 * @property {VoiceListing["engine"]} engine
 * @property {string} title Its name as a person writes it.
 * @property {string} stem Its language alone.
 * @property {string | null} region
 * @property {number | null} bytes On the disk when it is here, else of what is downloaded.
 * @property {boolean} isGuess Whether `bytes` is about right.
 * @property {Phase} phase
 * @property {VoiceListing} voice
 * @property {string} description What a search looks through, in small letters.
 */

/** @param {Offer} offer Whether it can be heard now. */
export function canSpeak({ voice }) {
  return voice.availability === "ready";
}

/**
 * @param {VoiceListing} voice
 * @returns {Offer}
 */
export function offerOf(voice) {
  const { id, engine, installed, archiveBytes, expectedBytes } = voice;
  const title = voice.isBuiltIn ? voice.name : titleOf(voice);
  const stem = stemOf(voice.language);
  const region = regionName(voice.language);
  const names = [title, id, languageTitle(stem), region ?? "", voice.language, otherLanguageNames(stem), voice.quality ?? ""];
  return {
    id,
    engine,
    title,
    stem,
    region,
    bytes: installed?.bytes ?? archiveBytes ?? expectedBytes,
    isGuess: installed === null && archiveBytes === null,
    phase: phaseOf(voice),
    voice,
    description: names.join(" ").toLocaleLowerCase(),
  };
}

/**
 * @param {VoiceListing} voice
 * @returns {Phase}
 */
function phaseOf({ availability, isSelected, download: { state } }) {
  const isStill = state === "none" || state === "paused" || state === "failed";
  if (!isStill) return state;
  if (availability === "ready") return isSelected ? "active" : "ready";
  if (state !== "none") return state;
  return availability === "faulty" ? "broken" : "absent";
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
