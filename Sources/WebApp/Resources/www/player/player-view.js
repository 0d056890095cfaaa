import { readAlong, ReadingText } from "../components/reading-text.js";
import { openSheet } from "../components/sheet.js";
import { errorNotice, wayToVoices } from "../components/notice.js";
import { fill, find, h, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { chaptersButton, muteButton, quiet, rateButton, seekBar, sleepButton, transport } from "./controls.js";
import { player } from "./player.js";
import { openQueue } from "./queue-sheet.js";

/** Opens the player over the page: the text read along, and every control. */
export function openPlayerView() {
  if (player.track.value === null || document.querySelector("dialog.player-view") !== null) return;
  const life = new AbortController();
  const { signal } = life;
  const reading = new ReadingText();
  const problem = h("div", { class: "player-problem" });
  const sheet = openSheet({
    title: player.track.value.name,
    kind: "full",
    className: "player-view",
    content: [problem, reading],
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
    onClose: () => life.abort(),
  });
  sheet.element.dataset.shortcuts = "";
  const voice = h("span", { class: "bar-voice" });
  const title = find(sheet.element, "h2", HTMLElement);
  title.after(voice);
  player.track.follow((track) => {
    if (track === null) {
      sheet.close();
      return;
    }
    setText(title, track.name);
    setText(voice, track.voiceName);
    player.needTranscript();
  }, signal);
  player.problem.follow((error) => fill(problem, error === null ? null : errorNotice(error, wayToVoices(error))), signal);
  readAlong(reading, signal);
  find(sheet.element, ".play-button", HTMLElement).focus();
}
