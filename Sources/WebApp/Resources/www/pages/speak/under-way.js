import { duration, voiceInFull } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { loadRecognizers, loadSpeakers } from "../../server/transcriptions.js";
import { loadVoiceListings } from "../../server/voices.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */
/** @typedef {import("../../server/voices.js").Download} Download */
/** @typedef {import("../documents/import-queue.js").Import} Import */
/** @typedef {import("../recordings/sound-import-queue.js").SoundImport} SoundImport */

/**
 * Something that continues by itself, or waits for an answer.
 *
 * @typedef {object} UnderWay
 * @property {string} id
 * @property {string} name
 * @property {string | null} address Where it is shown; `null` for a narration, which is shown on the page that made it.
 * @property {string} words How far it is, or what it waits for.
 */

/**
 * @param {readonly Narration[]} narrations Oldest first; those that were stopped or have failed are listed elsewhere.
 * @returns {UnderWay[]}
 */
export function narrationsUnderWay(narrations) {
  const waiting = narrations.filter(({ state }) => state === "waiting");
  return narrations
    .filter(({ state }) => state === "speaking" || state === "waiting")
    .map((one) => ({
      id: `narration ${one.id}`,
      name: one.name,
      address: one.document === null ? null : `/documents/${encodeURIComponent(one.document.id)}`,
      words: one.state === "waiting" ? placeIn(waiting, one) : spokenWords(one),
    }));
}

/** @param {Narration} narration */
function spokenWords({ characters, position, secondsLeft }) {
  const words = t("left.part", { n: characters === 0 ? 0 : Math.floor((100 * position) / characters) });
  return secondsLeft === null ? words : `${words} · ${t("speak.left", { time: duration(secondsLeft) })}`;
}

/**
 * @template One
 * @param {readonly One[]} waiting
 * @param {One} one
 */
function placeIn(waiting, one) {
  return t("jobs.queued", { n: waiting.indexOf(one) + 1 });
}

/**
 * @param {readonly Import[]} imports Those that are done are documents.
 * @returns {UnderWay[]}
 */
export function importsUnderWay(imports) {
  const waiting = imports.filter(({ state }) => state === "waiting");
  return imports
    .filter(({ state }) => state !== "done")
    .map((one) => ({ id: `import ${one.id}`, name: one.file.name, address: "/documents", words: importWords(one, waiting) }));
}

/**
 * @param {Import} one
 * @param {readonly Import[]} waiting
 */
function importWords(one, waiting) {
  if (one.state === "waiting") return placeIn(waiting, one);
  if (one.state === "sending") return t("import.sending", { n: number(one.part * 100) });
  if (one.state === "refused") return t("import.refused", { n: 1 });
  return t(one.state === "asking" ? "jobs.waiting-for-consent" : "import.reading");
}

/**
 * @param {readonly SoundImport[]} sounds Those that are done are recordings, but for a twin, about which is asked.
 * @returns {UnderWay[]}
 */
export function soundsUnderWay(sounds) {
  const waiting = sounds.filter(({ state }) => state === "waiting");
  return sounds
    .filter(({ state, twin }) => state !== "done" || twin !== null)
    .map((one) => ({ id: `sound ${one.id}`, name: one.file.name, address: "/recordings", words: soundWords(one, waiting) }));
}

/**
 * @param {SoundImport} one
 * @param {readonly SoundImport[]} waiting
 */
function soundWords(one, waiting) {
  const n = number(one.part * 100);
  if (one.state === "waiting") return placeIn(waiting, one);
  if (one.state === "sending") return t("import.sending", { n });
  if (one.state === "joining") return t("recordings.rest.joining", { n });
  if (one.state === "refused") return t("import.refused", { n: 1 });
  return t(one.state === "reading" ? "recordings.importing" : "jobs.waiting-for-consent");
}

/** @typedef {{ name: string, address: string }} Downloaded What a download brings, and where it is listed. */

/**
 * @param {readonly Pick<Download, "entry" | "state" | "bytes" | "total">[]} downloads
 * @param {ReadonlyMap<string, Downloaded>} known By their entries.
 * @returns {UnderWay[]}
 */
export function downloadsUnderWay(downloads, known) {
  return downloads.filter(isComing).map((one) => {
    const { name, address } = known.get(one.entry) ?? { name: one.entry, address: "/voices" };
    return { id: `download ${one.entry}`, name, address, words: downloadWords(one) };
  });
}

/**
 * Whether something is being downloaded, or waits for that.
 *
 * @param {Pick<Download, "state">} download
 */
export function isComing({ state }) {
  return !["none", "paused", "failed"].includes(state);
}

/** @param {Pick<Download, "state" | "bytes" | "total">} download */
function downloadWords({ state, bytes, total }) {
  if (state === "waiting") return t("voices.state.waiting");
  if (state === "extracting") return t("voices.state.extracting");
  if (state !== "downloading" || bytes === null || total === null || total <= 0) return t("order.coming");
  return t("door.downloading", { n: Math.floor(Math.min(1, bytes / total) * 100) });
}

/**
 * Finds what downloads bring, by their entries.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<Map<string, Downloaded>>}
 */
export async function loadDownloaded(signal) {
  const [{ offers }, speakers, { voices }] = await Promise.all([loadRecognizers(signal), loadSpeakers(signal), loadVoiceListings(signal)]);
  const heard = offers.map(({ entry, name }) => ({ entry, name, address: "/recordings/recognizers" }));
  const forSpeakers = speakers.offers.map(({ entry }) => ({ entry, name: t("speakers.find"), address: "/recordings" }));
  const spoken = voices.map((voice) => ({ entry: voice.entry ?? "", name: voiceInFull({ ...voice, title: voice.name }), address: "/voices" }));
  return new Map([...spoken, ...heard, ...forSpeakers].map(({ entry, ...one }) => [entry, one]));
}
