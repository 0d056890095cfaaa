import { errorNotice, wayToVoices } from "../components/notice.js";
import { readAlong, ReadingText } from "../components/reading-text.js";
import { Sheet } from "../components/sheet.js";
import { fill, find, h, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { chaptersButton, muteButton, quiet, rateButton, seekBar, sleepButton, transport } from "./controls.js";
import { player } from "./player.js";
import { openQueue } from "./queue-sheet.js";

/** @typedef {import("./track.js").Track} Track */

/** The player over the page: the text to read along, and all controls. */
class PlayerView extends Sheet {
  #reading = new ReadingText();
  #problem = h("div", { class: "player-problem" });

  /** @param {Track} track */
  constructor(track) {
    super({ title: track.name, kind: "full", className: "player-view" });
    const { signal } = this;
    this.build({
      content: [this.#problem, this.#reading],
      headActions: [chaptersButton(signal), quiet(t("queue.title"), "queue", openQueue)],
      actions: [
        seekBar(signal),
        h(
          "div",
          { class: "view-controls" },
          h("div", { class: "view-side" }, rateButton(signal), sleepButton(signal)),
          transport(signal),
          h("div", { class: "view-side" }, muteButton(signal)),
        ),
      ],
    });
    this.element.dataset.shortcuts = "";
  }

  open() {
    super.open();
    const { element, signal } = this;
    const voice = h("span", { class: "bar-voice" });
    const title = find(element, "h2", HTMLElement);
    title.after(voice);
    player.track.follow((track) => {
      if (track === null) {
        this.close();
        return;
      }
      setText(title, track.name);
      setText(voice, track.voiceName);
      player.needTranscript();
    }, signal);
    player.problem.follow((error) => this.#showProblem(error), signal);
    readAlong(this.#reading, signal);
    find(element, ".play-button", HTMLElement).focus();
    return this;
  }

  /** @param {unknown} error */
  #showProblem(error) {
    fill(this.#problem, error === null ? null : errorNotice(error, wayToVoices(error)));
  }
}

/** Opens the player's view, unless it is open or the player is empty. */
export function openPlayerView() {
  const track = player.track.value;
  if (track !== null && document.querySelector("dialog.player-view") === null) new PlayerView(track).open();
}
