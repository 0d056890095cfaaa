import { button } from "../../components/button.js";
import { setIcon } from "../../components/icon.js";
import { h, setAttribute, setText } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { muteButton } from "../../player/controls.js";
import { player } from "../../player/player.js";
import { isPlayingOwn, togglePlaying } from "./own-sound.js";
import { speaking } from "./speaking.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** What stands under the text while it is being spoken: stop, pause, mute, and how far it is. */
export class RunningRow {
  element;
  #play = button({ look: "quiet", iconOnly: true, label: t("do.pause"), icon: "pause", className: "play-pause", onPress: togglePlaying });
  #bar = h(
    "div",
    {
      class: "progress",
      role: "progressbar",
      "aria-label": t("speak.progress"),
      "aria-valuemin": "0",
      "aria-valuemax": "100",
    },
    h("div", { class: "progress-part" }),
  );
  #words = h("p", { class: "progress-words numbers" });
  #announce;
  #announcedTenth;

  /**
   * @param {Narration} narration
   * @param {(words: string) => void} announce Called at each tenth, never more often.
   * @param {AbortSignal} signal
   */
  constructor(narration, announce, signal) {
    this.#announce = announce;
    this.#announcedTenth = tenthOf(narration);
    const stop = button({
      look: "quiet",
      iconOnly: true,
      label: t("speak.stop"),
      icon: "stop",
      className: "stop-button",
      onPress: () => speaking.stop(),
    });
    const place = h("div", { class: "progress-place" }, this.#bar, this.#words);
    this.element = h("div", { class: "running" }, stop, this.#play, muteButton(signal), place);
    player.phase.follow(() => this.#showPlaying(), signal);
    player.track.watch(() => this.#showPlaying(), signal);
  }

  focus() {
    this.#play.focus({ preventScroll: true });
  }

  /** @param {Narration} narration */
  update(narration) {
    const part = progressOf(narration);
    const words = progressWords(narration);
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    setText(this.#words, words);
    setAttribute(this.#bar, "aria-valuetext", words);
    const tenth = tenthOf(narration);
    if (tenth <= this.#announcedTenth || tenth >= 10) return;
    this.#announcedTenth = tenth;
    this.#announce(`${t("speak.percent", { n: tenth * 10 })}, ${words}`);
  }

  #showPlaying() {
    const isOn = isPlayingOwn();
    setAttribute(this.#play, "aria-label", t(isOn ? "do.pause" : "do.play"));
    this.#play.title = t(isOn ? "do.pause" : "do.play");
    setIcon(this.#play, isOn ? "pause" : "play");
  }
}

/** @param {Narration} narration */
function progressOf({ characters, position }) {
  return characters === 0 ? 0 : Math.min(1, position / characters);
}

/** @param {Narration} narration */
function tenthOf(narration) {
  return Math.floor(progressOf(narration) * 10);
}

/** @param {Narration} narration */
function progressWords({ state: phase, sentence, sentences, secondsLeft, position }) {
  if (phase === "waiting") return t("speak.waiting");
  if (position === 0 && sentence === 0) return t("speak.starting");
  const count =
    sentences === null
      ? t("speak.sentence", { n: sentence })
      : t("speak.sentence.of", { n: sentence, all: number(Math.max(sentence, sentences)) });
  return secondsLeft === null ? count : `${count} · ${t("speak.left", { time: duration(secondsLeft) })}`;
}
