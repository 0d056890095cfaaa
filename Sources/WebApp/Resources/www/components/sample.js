import { button } from "./button.js";
import { setIcon } from "./icon.js";
import { voicesAction } from "./notice.js";
import { showToast } from "./toast.js";
import { t } from "../core/i18n.js";
import { player } from "../player/player.js";
import { sampleAddress } from "../server/voices.js";

/** @typedef {import("../server/voices.js").VoiceSettings & { text?: string }} SampleSettings */

/** The most characters of a sample. */
const longest = 200;

/** Plays one sample at a time, and pauses the player meanwhile. */
class SamplePlayer {
  /** @type {HTMLAudioElement | null} */
  #audio = null;
  /** @type {(isPlaying: boolean) => void} */
  #notify = () => {};

  /**
   * @param {SampleSettings} settings
   * @param {(isPlaying: boolean) => void} notify
   * @param {() => void} failed
   */
  play(settings, notify, failed = sayFailed) {
    this.stop();
    player.pause();
    const audio = new Audio(sampleAddress(settings));
    this.#audio = audio;
    this.#notify = notify;
    const ended = () => this.#audio === audio && this.stop();
    audio.addEventListener("ended", ended);
    audio.addEventListener("error", () => {
      if (this.#audio !== audio) return;
      this.stop();
      failed();
    });
    notify(true);
    // The error event reports a failure to play; a stop is not an error.
    audio.play().catch(() => {});
  }

  stop() {
    const audio = this.#audio;
    this.#audio = null;
    audio?.pause();
    audio?.removeAttribute("src");
    audio?.load();
    this.#notify(false);
    this.#notify = () => {};
  }
}

export const samples = new SamplePlayer();

function sayFailed() {
  const isThere = location.pathname === "/voices";
  showToast({ text: t("sample.failed"), icon: "warning", action: isThere ? undefined : voicesAction() });
}

/**
 * A button that plays a sample with some voice settings; a second press stops it.
 *
 * @param {() => SampleSettings} settings Called on each press.
 * @param {{ label?: string, iconOnly?: boolean, failed?: () => void }} options `failed` reports a failure, instead of a
 *   toast.
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
