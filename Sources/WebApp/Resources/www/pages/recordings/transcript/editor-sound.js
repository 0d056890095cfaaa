import { button } from "../../../components/button.js";
import { setIcon } from "../../../components/icon.js";
import { toggleSwitch } from "../../../components/field.js";
import { h, setText } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t, times } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";

/** Seconds to go back. */
const step = 2;
/** How much slower or faster. */
const pace = 0.1;

let replays = false;

/**
 * The sound while a transcript is edited: buttons and keys that work while typing.
 *
 * Ctrl+Space or F4 plays and pauses, F2 goes back two seconds, F8 slows down, Shift+F8 speeds up.
 */
export class EditorSound {
  element;
  #item;
  #play = button({ label: t("do.play"), icon: "play", look: "quiet", onPress: () => this.toggle() });
  #time = h("span", { class: "numbers muted" });
  #rate = h("span", { class: "numbers muted" });
  #where;

  /**
   * @param {string} item The recording's id.
   * @param {() => number} where Where to begin when something else is in the player, in seconds.
   */
  constructor(item, where) {
    this.#item = item;
    this.#where = where;
    const label = t("transcript.edit.replay");
    this.element = h(
      "div",
      { class: "editor-sound" },
      this.#play,
      button({ label: t("transcript.edit.back"), icon: "previous", look: "quiet", onPress: () => this.back() }),
      button({ label: t("shortcut.slower"), icon: "minus", look: "quiet", iconOnly: true, onPress: () => this.#pace(-pace) }),
      this.#rate,
      button({ label: t("shortcut.faster"), icon: "plus", look: "quiet", iconOnly: true, onPress: () => this.#pace(pace) }),
      this.#time,
      h("span", { class: "editor-replay" }, h("span", { class: "small" }, label), toggleSwitch({ label, isOn: replays, onChange: (isOn) => (replays = isOn) })),
    );
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    for (const cell of [player.phase, player.track, player.time, player.rate]) cell.follow(() => this.#show(), signal);
  }

  toggle() {
    if (this.#isCurrent) player.toggle();
    else player.playItem(this.#item, this.#where());
  }

  back() {
    if (this.#isCurrent) player.seek(Math.max(0, player.now() - step));
  }

  /** @param {number} seconds Plays from there, if the person wants to hear each segment that is entered. */
  enter(seconds) {
    if (!replays) return;
    if (!this.#isCurrent) {
      player.playItem(this.#item, seconds);
      return;
    }
    player.seek(seconds);
    if (!player.isPlaying) player.play();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} Whether it was for the sound.
   */
  takes(event) {
    const { key, ctrlKey, shiftKey } = event;
    if (key === "F4" || (key === " " && ctrlKey)) this.toggle();
    else if (key === "F2") this.back();
    else if (key === "F8") this.#pace(shiftKey ? pace : -pace);
    else return false;
    return true;
  }

  get #isCurrent() {
    return player.isCurrent(this.#item);
  }

  /** @param {number} by */
  #pace(by) {
    player.setRate(player.rate.value + by);
  }

  #show() {
    const isOn = this.#isCurrent && player.isPlaying;
    setIcon(this.#play, isOn ? "pause" : "play");
    setText(/** @type {Element} */ (this.#play.lastElementChild), t(isOn ? "do.pause" : "do.play"));
    setText(this.#time, clock(this.#isCurrent ? player.time.value : 0));
    setText(this.#rate, times(player.rate.value));
  }
}
