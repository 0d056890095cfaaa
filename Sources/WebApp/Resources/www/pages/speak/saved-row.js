import { button } from "../../components/button.js";
import { icon, setIcon } from "../../components/icon.js";
import { h, loadStyle, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { isPlayingOwn, togglePlaying } from "./own-sound.js";
import { session } from "./session.js";
import { speaking } from "./speaking.js";

/**
 * What stands under the text once it is a recording.
 *
 * @param {() => void} startOver
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function savedRow(startOver, signal) {
  const play = button({ label: t("do.play"), icon: "play", onPress: togglePlaying });
  play.dataset.first = "";
  const exporting = button({ label: t("do.export"), icon: "export", opens: true, onPress: exportRecording });
  const said = h("p", { class: "saved-name", dir: "auto" });
  const rename = button({ label: t("do.rename"), icon: "edit", onPress: () => openNameField(said, rename) });
  const undo = button({ label: t("do.undo"), icon: "undo", look: "quiet", onPress: () => speaking.undo() });
  const edit = button({ label: t("speak.edit"), look: "quiet", className: "wordy", onPress: () => session.write() });
  const another = button({ label: t("speak.new"), look: "primary", className: "wordy", onPress: startOver });
  session.stage.follow(({ narration, isPart }) => {
    if (narration !== null) setText(said, t(isPart ? "speak.saved.part" : "speak.saved", { name: narration.name }));
  }, signal);
  player.phase.follow(() => {
    const isOn = isPlayingOwn();
    setIcon(play, isOn ? "pause" : "play");
    setText(/** @type {Element} */ (play.lastElementChild), t(isOn ? "do.pause" : "do.play"));
  }, signal);
  return h(
    "div",
    { class: "saved" },
    h("div", { class: "saved-head" }, icon("check"), said),
    h(
      "div",
      { class: "saved-actions" },
      h("div", { class: "saved-tools" }, rename, play, exporting, undo),
      h("div", { class: "saved-next" }, edit, another),
    ),
  );
}

/**
 * A field for the recording's name takes the place of the words that show it.
 *
 * @param {HTMLElement} said
 * @param {HTMLElement} opener Has the focus again afterwards.
 */
function openNameField(said, opener) {
  const { narration } = session.stage.value;
  if (narration === null || !said.isConnected) return;
  const field = h("input", { class: "field", value: narration.name, "aria-label": t("speak.name"), autocomplete: "off" });
  let hasEnded = false;
  const end = (/** @type {boolean} */ isKept) => {
    if (hasEnded) return;
    hasEnded = true;
    const name = field.value.trim();
    field.replaceWith(said);
    if (isKept) speaking.rename(name);
    opener.focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault(); // or the button that gets the focus would be pressed by the same key
    end(event.key === "Enter");
  });
  field.addEventListener("blur", () => end(true));
  said.replaceWith(field);
  field.focus();
  field.select();
}

async function exportRecording() {
  const { narration } = session.stage.value;
  if (narration === null) return;
  const [{ openExportSheet }] = await Promise.all([import("../library/export-sheet.js"), loadStyle("/styles/library.css")]);
  openExportSheet([narration.id]);
}
