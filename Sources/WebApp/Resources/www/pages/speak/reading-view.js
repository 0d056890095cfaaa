import { button } from "../../components/button.js";
import { icon, setIcon } from "../../components/icon.js";
import { readAlong, ReadingText } from "../../components/reading-text.js";
import { fill, h, loadStyle, setAttribute, setText } from "../../core/dom.js";
import { duration } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { session } from "./session.js";
import { isPlayingOwn, speaking, togglePlaying } from "./speaking.js";
import { muteButton } from "../../player/controls.js";
import { player } from "../../player/player.js";

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/**
 * The parts of the page that the view fills.
 *
 * @typedef {object} ReadingPlaces
 * @property {HTMLElement} body For the text.
 * @property {HTMLElement} row For the row under it.
 * @property {() => void} startOver
 * @property {(words: string) => void} announce
 */

/**
 * Shows the text as it is read, in the place of the field, with the row that belongs to the stage. A text that was
 * there before stays, with its place and the focus.
 *
 * @param {Narration} narration
 * @param {ReadingPlaces} places
 * @param {AbortSignal} signal
 * @returns {RunningRow | null} The row that follows the narration while it is being spoken.
 */
export function showReading(narration, { body, row, startOver, announce }, signal) {
  const present = body.firstElementChild;
  const reading = present instanceof ReadingText ? present : new ReadingText();
  if (reading !== present) {
    fill(body, reading);
    reading.show(session.text, []);
  }
  readAlong(reading, signal, narration.id);
  const { kind } = session.stage.value;
  if (kind === "speaking") {
    const running = new RunningRow(narration, announce, signal);
    fill(row, running.element);
    running.focus();
    return running;
  }
  if (kind === "saved") {
    fill(row, savedRow(startOver, signal));
    announce(row.querySelector(".saved-name")?.textContent ?? "");
  } else {
    fill(row);
  }
  return null;
}

/** The row under the text while it is being spoken: stop, pause, mute and progress. */
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

/**
 * The row under the text when it has become a recording.
 *
 * @param {() => void} startOver
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
function savedRow(startOver, signal) {
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
 * Replaces the recording's name by a field in which it is changed.
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
    event.preventDefault(); // otherwise the same key would press the button that gets the focus
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
  const [{ ExportSheet }] = await Promise.all([import("../library/export-sheet.js"), loadStyle("/styles/library.css")]);
  new ExportSheet([narration.id]).open();
}
