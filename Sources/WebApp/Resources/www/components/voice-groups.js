import { languageName } from "../core/format.js";
import { t } from "../core/i18n.js";
import { profiles, voices } from "../core/store.js";

/** @typedef {import("../core/store.js").TitledVoice} Voice */

/** @typedef {{ title: string, isMixed: boolean, voices: Voice[] }} VoiceGroup `isMixed`: in several languages. */

/**
 * Voices as every choice of voice lists them: favourites, installed voices, then the others by language, in the
 * alphabetical order of the page's language.
 *
 * @param {readonly Voice[]} all
 * @returns {VoiceGroup[]} No group is empty.
 */
export function groupVoices(all) {
  const favorites = all.filter(({ isFavorite }) => isFavorite);
  const installed = all.filter(({ isFavorite, engine }) => !isFavorite && engine === "sherpa-onnx");
  /** @type {Map<string, Voice[]>} */
  const byLanguage = new Map();
  for (const voice of all) {
    if (voice.isFavorite || voice.engine === "sherpa-onnx") continue;
    const title = languageName(voice.language.split("-")[0] ?? voice.language);
    byLanguage.set(title, [...(byLanguage.get(title) ?? []), voice]);
  }
  const sorted = [...byLanguage].sort(([one], [other]) => one.localeCompare(other));
  return [
    { title: t("voices.group.favorites"), isMixed: true, voices: favorites },
    { title: t("voices.group.installed"), isMixed: true, voices: installed },
    ...sorted.map(([title, voices]) => ({ title, isMixed: false, voices })),
  ].filter(({ voices }) => voices.length > 0);
}

/**
 * The voices for a drop-down list.
 *
 * @param {string} chosen Stays in the list even when missing.
 */
export function voiceGroups(chosen) {
  const all = voices.value ?? [];
  const missing = all.some(({ id }) => id === chosen) ? [] : [{ options: [{ value: chosen, label: missingTitle(chosen) }] }];
  const groups = groupVoices(all).map(({ title, isMixed, voices }) => ({
    label: title,
    options: voices.map(({ id, title, language }) => ({ value: id, label: isMixed ? `${title} – ${languageName(language)}` : title })),
  }));
  return [...missing, ...groups];
}

/** @param {string} voice The id of a voice that is missing or not loaded yet; a profile may have its name. */
function missingTitle(voice) {
  const name = profiles.value?.profiles.find((profile) => profile.voice === voice)?.voiceName;
  if (voices.value === null) return name ?? "…";
  return name === undefined ? t("profiles.missing") : t("voice.missing", { name });
}
