import { button, setIcon } from "../components/button.js";
import { selectField } from "../components/field.js";
import { voicesAction } from "../components/notice.js";
import { showToast } from "../components/toast.js";
import { languageName, ownLanguages, paragraphFor, speakerName } from "../core/format.js";
import { language, t } from "../core/i18n.js";
import { profiles, voices } from "../core/store.js";
import { player } from "../player/player.js";
import { ServerProblem } from "../server/http.js";
import { loadSample } from "../server/voices.js";

/** @typedef {import("../server/voices.js").VoiceSettings & { text?: string }} SampleSettings */

/** The most characters of a sample. */
const longest = 200;

/** Plays one sample at a time, and pauses the player meanwhile. */
class SamplePlayer {
  #life = new AbortController();
  /** @type {(isPlaying: boolean) => void} */
  #notify = () => {};

  /**
   * @param {SampleSettings} settings
   * @param {(isPlaying: boolean) => void} notify
   * @param {(words: string) => void} failed Called with the reason.
   */
  async play(settings, notify, failed = sayFailed) {
    this.stop();
    player.pause();
    this.#life = new AbortController();
    this.#notify = notify;
    notify(true);
    const { signal } = this.#life;
    try {
      await playSound(await loadSample(settings, signal), signal);
    } catch (error) {
      if (!signal.aborted) failed(failureWords(error));
    }
    if (!signal.aborted) this.stop();
  }

  stop() {
    this.#life.abort();
    this.#notify(false);
    this.#notify = () => {};
  }
}

/**
 * Plays a sound to its end.
 *
 * @param {Blob} sound
 * @param {AbortSignal} signal Stops it.
 * @throws The browser's error when it cannot play it.
 */
async function playSound(sound, signal) {
  if (signal.aborted) return;
  const address = URL.createObjectURL(sound);
  const audio = new Audio(address);
  try {
    await new Promise((resolve, reject) => {
      signal.addEventListener("abort", resolve, { once: true });
      audio.addEventListener("ended", resolve);
      audio.addEventListener("error", () => reject(audio.error));
      audio.play().catch(reject);
    });
  } finally {
    audio.pause();
    audio.removeAttribute("src");
    audio.load();
    URL.revokeObjectURL(address);
  }
}

/**
 * Leaves out the words of a browser's own error, which are for developers.
 *
 * @param {unknown} error
 */
function failureWords(error) {
  return error instanceof ServerProblem ? `${t("sample.failed")} ${paragraphFor(error)}` : t("sample.failed");
}

export const samples = new SamplePlayer();

/** @param {string} words */
function sayFailed(words) {
  const isThere = location.pathname === "/voices";
  showToast({ text: words, icon: "warning", action: isThere ? undefined : voicesAction() });
}

/**
 * A button that plays a sample with some voice settings; a second press stops it.
 *
 * @param {() => SampleSettings} settings Called on each press.
 * @param {{ label?: string, iconOnly?: boolean, failed?: (words: string) => void }} options `failed` reports a failure,
 *   instead of a toast.
 */
export function sampleButton(settings, { label = t("sample.play"), iconOnly = false, failed } = {}) {
  let isPlaying = false;
  const element = button({ label, icon: "play", iconOnly, look: iconOnly ? "quiet" : "plain", className: "sample-button", onPress: press });
  const show = (/** @type {boolean} */ now) => {
    isPlaying = now;
    setIcon(element, now ? "stop" : "play");
    const words = now ? t("sample.stop") : label;
    if (iconOnly) for (const attribute of ["aria-label", "title"]) element.setAttribute(attribute, words);
    else /** @type {Element} */ (element.lastElementChild).textContent = words;
  };
  function press() {
    if (isPlaying) samples.stop();
    else play();
  }
  function play() {
    samples.play(settings(), show, failed);
  }
  return { element, play };
}

/**
 * The start of a text for a sample; `undefined` without text, so that the server chooses.
 *
 * @param {string} text
 */
export function sampleText(text) {
  const trimmed = text.trim().slice(0, longest * 2).replace(/\s+/g, " ");
  if (trimmed === "") return undefined;
  if (trimmed.length <= longest) return trimmed;
  const cut = trimmed.slice(0, longest);
  const end = Math.max(cut.lastIndexOf(". "), cut.lastIndexOf("? "), cut.lastIndexOf("! "));
  return end > 40 ? cut.slice(0, end + 1) : cut.slice(0, Math.max(cut.lastIndexOf(" "), longest / 2));
}

/** @typedef {import("../core/store.js").TitledVoice} Voice */

/** @typedef {{ title: string, isMixed: boolean, voices: Voice[] }} VoiceGroup `isMixed`: in several languages. */

/**
 * Voices as every choice of voice lists them: favorites, installed voices, then the others by language. The person's own
 * languages come first, then the rest in the alphabetical order of the page's language.
 *
 * @param {readonly Voice[]} all
 * @param {readonly string[]} own The person's languages, best first.
 * @returns {VoiceGroup[]} No group is empty.
 */
export function groupVoices(all, own = ownLanguages()) {
  const favorites = all.filter(({ isFavorite }) => isFavorite);
  const installed = all.filter(({ isFavorite, engine }) => !isFavorite && engine === "sherpa-onnx");
  const stem = (/** @type {string} */ tag) => tag.split("-")[0] ?? tag;
  const first = [...new Set(own.map(stem))].map(languageName);
  const rank = (/** @type {string} */ title) => (first.includes(title) ? first.indexOf(title) : first.length);
  /** @type {Map<string, Voice[]>} */
  const byLanguage = new Map();
  for (const voice of all) {
    if (voice.isFavorite || voice.engine === "sherpa-onnx") continue;
    const title = languageName(stem(voice.language));
    byLanguage.set(title, [...(byLanguage.get(title) ?? []), voice]);
  }
  const sorted = [...byLanguage].sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other, language.value));
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
    options: voices.map((voice) => ({ value: voice.id, label: isMixed ? inMixedGroup(voice) : voice.title })),
  }));
  return [...missing, ...groups];
}

/** @param {import("../core/store.js").TitledVoice} voice Among voices of other languages. */
function inMixedGroup(voice) {
  const language = languageBeside(voice, voice.fullTitle);
  return language === null ? voice.fullTitle : `${voice.fullTitle} – ${language}`;
}

/**
 * The language to say beside a voice's name; `null` where the name says it, as that of each built-in voice does.
 *
 * @param {{ engine: string, title: string, language: string }} voice
 * @param {string} shown Its name as it is shown.
 */
export function languageBeside({ engine, title, language }, shown) {
  const named = languageName(language);
  return engine === "espeak-ng" || shown !== title || title === named ? null : named;
}

/** @param {string} voice The id of a voice that is missing or not loaded yet; a profile may have its name. */
function missingTitle(voice) {
  const name = profiles.value?.profiles.find((profile) => profile.voice === voice)?.voiceName;
  if (voices.value === null) return name ?? "…";
  return name === undefined ? t("profiles.missing") : t("voice.missing", { name });
}

/**
 * @typedef {{ speakers: number | null, speakerNames: string[] | null }} Speaking What is known of a voice's speakers.
 */

/**
 * A choice among a voice's speakers.
 *
 * @param {Speaking} voice
 * @param {{ value: number, onChange: (speaker: number) => void }} options
 */
export function speakerField(voice, { value, onChange }) {
  const options = Array.from({ length: voice.speakers ?? 1 }, (_, number) => ({
    value: String(number),
    label: speakerName(voice, number),
  }));
  return selectField({
    label: t("profiles.speaker"),
    groups: [{ options }],
    value: String(value),
    onChange: (chosen) => onChange(Number(chosen)),
  });
}
