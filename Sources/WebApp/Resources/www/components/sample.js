import { button } from "./button.js";
import { setIcon } from "./icon.js";
import { voicesAction } from "./notice.js";
import { showToast } from "./toast.js";
import { paragraphFor } from "../core/error-words.js";
import { t } from "../core/i18n.js";
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
      await hear(await loadSample(settings, signal), signal);
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
async function hear(sound, signal) {
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

/** @param {unknown} error */
function failureWords(error) {
  // The words of a browser's error are for developers.
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
    if (iconOnly) element.setAttribute("aria-label", words);
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
