import { button, icon } from "../../components/button.js";
import { readAlong, ReadingText } from "../../components/reading-text.js";
import { attempt } from "../../components/toast.js";
import { fill, h, loadStyle, newId, setAttribute, setText } from "../../core/dom.js";
import { duration, longestName, nameProblem } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { openStopMenu } from "../list/item-actions.js";
import { session } from "./session.js";
import { speaking } from "./speaking.js";

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
 * Shows the text as it is read, instead of the field, with the row for the stage. An existing text view stays, with its
 * position and the focus.
 *
 * @param {Narration} narration
 * @param {ReadingPlaces} places
 * @param {AbortSignal} signal
 * @returns {RunningRow | null} The row that follows the narration while it is running.
 */
export function showReading(narration, { body, row, startOver, announce }, signal) {
  const present = body.firstElementChild;
  const reading = present instanceof ReadingText ? present : new ReadingText();
  if (reading !== present) {
    fill(body, reading);
    reading.isAsWritten = true;
    reading.show(session.text, speaking.paragraphs, []);
  }
  readAlong(reading, signal, { only: narration.id, playFrom });
  const { kind } = session.stage.value;
  const running = kind === "speaking" ? new RunningRow(narration, announce, signal) : null;
  if (kind === "saved") fill(row, savedRow(startOver, signal));
  else fill(row, running?.element);
  reading.placeBack(kind === "unfinished" ? null : row);
  if (!document.activeElement?.closest(".narrations-left")) running?.focus();
  if (kind === "saved") announce(row.querySelector(".saved-name")?.textContent ?? "");
  return running;
}

/**
 * Plays this narration or recording, instead of what is in the player.
 *
 * @param {number} [from] Seconds. Default: where listening to a narration stopped, or the start of a recording.
 */
function playFrom(from) {
  return attempt(async () => {
    const { kind, narration } = session.stage.value;
    if (narration === null) return;
    if (kind === "saved") await player.playItem(narration.id, from);
    else if (from === undefined) await player.resumeNarration(narration);
    else player.playNarration(narration, from);
    player.needTranscript();
  });
}

/**
 * A button that plays this text; visible while something else is in the player.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 */
function playButton(id, signal) {
  const play = button({ label: t("do.play"), icon: "play", onPress: () => playFrom() });
  player.track.follow((track) => {
    const hadFocus = document.activeElement === play;
    play.hidden = track === null || track.id === id;
    const row = play.closest("[role=group]");
    if (hadFocus && play.hidden && row instanceof HTMLElement) row.focus({ preventScroll: true });
  }, signal);
  return play;
}

/** The row under the text while it is spoken: stop button and progress. The player has the other controls. */
export class RunningRow {
  element;
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
   * @param {(words: string) => void} announce Called at most once per tenth.
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
      opens: true,
      onPress: () => {
        const seconds = session.stage.value.narration?.seconds ?? 0;
        openStopMenu({ seconds, anchor: stop, stop: (keepsPart) => speaking.stop(keepsPart), later: () => speaking.leave() });
      },
    });
    const place = h("div", { class: "progress-place" }, this.#bar, this.#words);
    const label = t("strip.speaking", { name: narration.name });
    this.element = h("div", { class: "running", role: "group", "aria-label": label, tabindex: "-1" }, stop, place, playButton(narration.id, signal));
  }

  /** Focuses the row rather than its buttons, so that the space bar pauses and plays. */
  focus() {
    this.element.focus({ preventScroll: true });
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
  const exporting = button({ label: t("do.export"), icon: "export", opens: true, onPress: exportRecording });
  const said = h("p", { class: "saved-name", dir: "auto" });
  const rename = button({ label: t("do.rename"), icon: "edit", onPress: () => openNameField(said, rename) });
  const undo = button({ label: t("do.undo"), icon: "undo", look: "quiet", onPress: () => speaking.undo() });
  const edit = button({ label: t("speak.edit"), look: "quiet", className: "wordy", onPress: () => session.write() });
  const another = button({ label: t("speak.new"), look: "primary", className: "wordy", onPress: startOver });
  const { id = "" } = session.stage.value.narration ?? {};
  session.stage.follow(({ narration, isPart }) => {
    if (narration !== null) setText(said, t(isPart ? "speak.saved.part" : "speak.saved", { name: narration.name }));
  }, signal);
  return h(
    "div",
    // The focus is on the whole row, so that the space bar pauses and plays.
    { class: "saved", role: "group", "aria-label": t("speak.saved.actions"), tabindex: "-1", "data-first": "" },
    h("div", { class: "saved-head" }, icon("check"), said),
    h(
      "div",
      { class: "saved-actions" },
      h("div", { class: "saved-tools" }, playButton(id, signal), rename, exporting, undo),
      h("div", { class: "saved-next" }, edit, another),
    ),
  );
}

/**
 * Replaces the recording's name with a field that edits it.
 *
 * @param {HTMLElement} said
 * @param {HTMLElement} opener Gets the focus back afterwards.
 */
function openNameField(said, opener) {
  const { narration } = session.stage.value;
  if (narration === null || !said.isConnected) return;
  const why = h("p", { class: "field-error", role: "alert", id: newId("name") });
  const field = h("input", {
    class: "field",
    value: narration.name,
    "aria-label": t("speak.name"),
    "aria-describedby": why.id,
    autocomplete: "off",
    maxlength: String(longestName),
  });
  const place = h("div", { class: "saved-naming" }, field, why);
  let hasEnded = false;
  const end = (/** @type {boolean} */ isKept) => {
    if (hasEnded) return;
    const problem = isKept ? nameProblem(field.value) : null;
    if (problem !== null) {
      setText(why, problem);
      field.setAttribute("aria-invalid", "true");
      return;
    }
    hasEnded = true;
    const name = field.value.trim();
    place.replaceWith(said);
    if (isKept) speaking.rename(name);
    opener.focus();
  };
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    event.preventDefault(); // otherwise the same key would press the button that gets the focus
    end(event.key === "Enter");
  });
  field.addEventListener("blur", () => end(true));
  said.replaceWith(place);
  field.focus();
  field.select();
}

async function exportRecording() {
  const { narration } = session.stage.value;
  if (narration === null) return;
  await attempt(async () => {
    const styles = ["sheet", "fields", "lists", "library"].map((name) => loadStyle(`/styles/${name}.css`));
    const [{ ExportSheet }] = await Promise.all([import("../library/export-sheet.js"), ...styles]);
    new ExportSheet([narration.id]).open();
  });
}
