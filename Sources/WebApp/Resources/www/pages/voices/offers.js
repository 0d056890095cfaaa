import { profiles } from "../../core/store.js";
import { languageTitle, otherLanguageNames, regionName, stemOf } from "./language-names.js";

/** @typedef {import("../../server/voice-catalogue.js").VoiceListing} VoiceListing */

/**
 * The state of a voice for the user.
 *
 * - `absent`: it can be downloaded;
 * - `waiting`, `downloading`, `extracting`, `validating`: it is being installed;
 * - `paused`, `failed`: it was installed in part, or not at all;
 * - `ready`: it can speak; `active`: it is in use;
 * - `broken`: it is installed and cannot speak.
 *
 * @typedef {"absent" | "waiting" | "downloading" | "extracting" | "validating" | "paused" | "failed" | "ready" | "active" | "broken"} Phase
 */

/**
 * A voice of either engine, as the page shows it.
 *
 * @typedef {object} Offer
 * @property {string} id Of the voice.
 * @property {VoiceListing["engine"]} engine
 * @property {string} title Its name.
 * @property {string} stem Its language without a region.
 * @property {string | null} region
 * @property {number | null} bytes On disk when it is installed, else of the download.
 * @property {boolean} isGuess Whether `bytes` is an estimate.
 * @property {Phase} phase
 * @property {VoiceListing} voice
 * @property {string} description The text for the search, in lower case.
 */

/** @param {Offer} offer Whether it can be used now. */
export function canSpeak({ voice }) {
  return voice.availability === "ready";
}

/**
 * @param {VoiceListing} voice
 * @returns {Offer}
 */
export function offerOf(voice) {
  const { id, engine, installed, archiveBytes, expectedBytes } = voice;
  const title = voice.name;
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
 * The speaker of a voice in the chosen profile; the first when the profile has another voice.
 *
 * @param {Offer} offer
 */
export function chosenSpeaker({ id }) {
  const profile = profiles.value?.profiles.find((one) => one.id === profiles.value?.chosen);
  return profile?.voice === id ? profile.speaker : 0;
}
