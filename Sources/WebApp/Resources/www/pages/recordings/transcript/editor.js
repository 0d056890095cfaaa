import { button, setIcon } from "../../../components/button.js";
import { isBusy, setBusy, toggleSwitch } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { moreButton, openMenu } from "../../../components/sheet.js";
import { showToast, showUndo, whenFree } from "../../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t, times } from "../../../core/i18n.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { isOpen, state } from "../../../core/store.js";
import { player } from "../../../player/player.js";
import { indexAt } from "../../../player/track.js";
import { editTranscript, listTranscripts } from "../../../server/transcriptions.js";
import { ReplaceStrip } from "./head.js";
import {
  accept,
  Drafts,
  keptSpeaker,
  placeAfter,
  placesIn,
  replaceEverywhere,
  shownSpeaker,
  timeOfWord,
  uncertainIn,
  wordAt,
  WritingSign,
} from "./text.js";

/** Seconds to go back. */
const step = 2;
/** Seconds that are heard before and after a single word, which else is cut. */
const margin = 0.08;
/** How much slower or faster. */
const pace = 0.1;

let replays = false;

/**
 * The sound while a transcript is edited: buttons and keys that work while typing.
 *
 * Ctrl+Space or F4 plays and pauses, F2 goes back two seconds, F8 slows down, Shift+F8 speeds up. The editor has more keys.
 */
class EditorSound {
  element;
  #item;
  #play = button({ label: t("do.play"), icon: "play", look: "quiet", onPress: () => this.toggle() });
  #time = h("span", { class: "numbers muted" });
  #rate = h("span", { class: "numbers muted" });
  #where;
  /** Where the sound is paused again, in seconds, while a part of it plays. */
  #end = /** @type {number | null} */ (null);
  /** Whether a segment is entered where the sound is already. */
  #isThere = false;

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
    this.#end = null;
    if (this.isCurrent) player.toggle();
    else player.playItem(this.#item, this.#where());
  }

  back() {
    this.#end = null;
    if (this.isCurrent) player.seek(Math.max(0, player.now() - step));
  }

  /** @param {number} seconds Plays from there, if the person wants to hear each segment that is entered. */
  enter(seconds) {
    if (!replays || this.#isThere) return;
    this.#end = null;
    if (!this.isCurrent) {
      player.playItem(this.#item, seconds);
      return;
    }
    player.seek(seconds);
    if (!player.isPlaying) player.play();
  }

  /** @param {() => void} go Enters the segment that is heard, which then does not play from its beginning. */
  follow(go) {
    this.#isThere = true;
    go();
    this.#isThere = false;
  }

  /**
   * Plays a part of the sound only.
   *
   * @param {{ start: number, end: number }} part In seconds.
   */
  async playPart({ start, end }) {
    const from = Math.max(0, start - margin);
    const to = end + margin;
    this.#end = to;
    if (this.isCurrent) {
      player.seek(from);
      if (!player.isPlaying) player.play();
    } else {
      await player.playItem(this.#item, from);
    }
    this.#pauseAt(to);
  }

  /** @param {number} end Watched at every frame, as the display of the time is too slow for a word. */
  #pauseAt(end) {
    if (this.#end !== end || !this.element.isConnected || !this.isCurrent) return;
    if (player.now() < end) {
      requestAnimationFrame(() => this.#pauseAt(end));
    } else {
      this.#end = null;
      player.pause();
    }
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

  /** Whether the player has the recording. */
  get isCurrent() {
    return player.isCurrent(this.#item);
  }

  /** @param {number} by */
  #pace(by) {
    player.setRate(player.rate.value + by);
  }

  #show() {
    const isOn = this.isCurrent && player.isPlaying;
    setIcon(this.#play, isOn ? "pause" : "play");
    setText(/** @type {Element} */ (this.#play.lastElementChild), t(isOn ? "do.pause" : "do.play"));
    setText(this.#time, clock(this.isCurrent ? player.time.value : 0));
    setText(this.#rate, times(player.rate.value));
  }
}

/** @typedef {import("../../../server/transcriptions.js").Transcript} Transcript */
/** @typedef {import("../../../server/transcriptions.js").EditedSegment} EditedSegment */

/**
 * Unsaved edits. Locking the library drops them; a message says so when it is open again.
 *
 * @type {Drafts<Transcript>}
 */
const drafts = new Drafts();
let isWatched = false;

/** @param {Transcript} transcript */
function draftOf(transcript) {
  if (!isWatched) watch();
  isWatched = true;
  return drafts.of(transcript);
}

function watch() {
  addEventListener("beforeunload", (event) => drafts.wouldLose && event.preventDefault());
  state.watch(() => (isOpen() ? sayDropped() : drafts.drop()), new AbortController().signal);
}

function sayDropped() {
  const n = drafts.takeDropped();
  if (n > 0) whenFree(() => showToast({ icon: "warning", text: t("transcript.edit.dropped", { n }), seconds: 20 }));
}

/** @param {string} id Whether a version has unsaved edits. */
export function hasDraft(id) {
  return drafts.isChanged(id);
}

/**
 * @param {string} item A recording.
 * @param {readonly { id: string }[]} versions All there are of its transcript.
 * @returns {Transcript | null} The base of unsaved edits that is none of them.
 */
export function draftBesides(item, versions) {
  return drafts.besides(item, versions);
}

/**
 * @typedef {object} EditorActions
 * @property {(seconds: number) => void} play
 * @property {(saved: Transcript | null) => void} ended Called with the new version, or without one when nothing was
 * changed.
 * @property {() => void} putBack Called when discarded changes are there again.
 */

/** The keys of the editor, for the list of shortcuts. */
const keys = /** @type {const} */ ([
  { keys: "F4", label: "shortcut.toggle", group: "playing" },
  { keys: "Shift+F4", label: "transcript.edit.word", group: "playing" },
  { keys: "F2", label: "transcript.edit.back", group: "playing" },
  { keys: "Shift+F2", label: "transcript.edit.heard", group: "playing" },
  { keys: "F8", label: "shortcut.slower", group: "playing" },
  { keys: "Shift+F8", label: "shortcut.faster", group: "playing" },
  { keys: "F9", label: "transcript.edit.doubt", group: "everywhere" },
  { keys: "Shift+F9", label: "transcript.edit.accept", group: "everywhere" },
  { keys: "Ctrl+H", label: "transcript.replace", group: "everywhere" },
]);

/** A transcript as fields: each segment can be rewritten, split, joined, deleted and given a speaker. */
export class TranscriptEditor {
  element;
  /** The sound, the next uncertain word, and find and replace; for the view's toolbar. */
  tools;
  #transcript;
  #draft;
  #actions;
  #rows = h("ol", { class: "edited-segments" });
  #problem = h("div", {});
  /** @type {{ segment: EditedSegment, from: number, place: number } | null} What was selected last, up to the cursor. */
  #caret = null;
  #sound;
  /** @type {Element | null} The row of the segment that is heard. */
  #heard = null;
  /** Ends with the editing, which may be before the view. */
  #life = new AbortController();
  #replacing = new ReplaceStrip({
    count: (words) => placesIn(this.#spoken, words).length,
    next: (words) => this.#goTo(placeAfter(placesIn(this.#spoken, words), this.#spoken, this.#caret)),
    replace: (words, others) => this.#replace(words, others),
  });
  #doubts = button({ label: t("transcript.edit.doubt"), icon: "warning", look: "quiet", onPress: () => this.#goToDoubt() });
  #accept = button({ label: t("transcript.edit.accept"), icon: "check", look: "quiet", onPress: () => this.#acceptDoubt() });
  #names = h("datalist", { id: newId("speakers") });
  #done = button({ label: t("transcript.edit.done"), icon: "check", look: "primary", onPress: () => this.#save() });
  #discard = button({ label: t("transcript.edit.discard"), look: "quiet", onPress: () => this.#leave() });

  /**
   * @param {Transcript} transcript
   * @param {EditorActions} actions
   * @param {AbortSignal} signal The life of the view.
   */
  constructor(transcript, actions, signal) {
    this.#transcript = transcript;
    this.#draft = draftOf(transcript);
    this.#actions = actions;
    this.#sound = new EditorSound(transcript.item, () => this.#caret?.segment.start ?? 0);
    this.#sound.start(signal);
    signal.addEventListener("abort", () => this.#life.abort(), { once: true });
    addShortcuts(keys, this.#life.signal);
    for (const cell of [player.time, player.track]) cell.watch(() => this.#showHeard(), this.#life.signal);
    this.#show();
    this.#showDoubts();
    this.element = h(
      "div",
      { class: "transcript-editor" },
      h("p", { class: "muted" }, t("transcript.edit.hint")),
      h("p", { class: "muted small" }, t("transcript.edit.keys")),
      this.#rows,
      this.#names,
      this.#problem,
      h("div", { class: "editor-actions" }, this.#discard, this.#done),
    );
    this.tools = h("div", { class: "editor-tools" }, this.#sound.element, this.#doubts, this.#accept, this.#replacing.element);
    for (const part of [this.element, this.tools]) part.addEventListener("keydown", (event) => this.#anyKey(event));
    const sign = new WritingSign(() => listTranscripts(transcript.item, signal));
    this.element.addEventListener("input", () => sign.give());
  }

  focus() {
    this.#rows.querySelector("textarea")?.focus();
  }

  /** The segments that are edited. */
  get #spoken() {
    return this.#draft.segments.filter(({ kind }) => kind === "speech");
  }

  get #uncertain() {
    const { segments, uncertainBelow } = this.#transcript;
    return uncertainIn(segments, this.#spoken, uncertainBelow);
  }

  /** @param {KeyboardEvent} event */
  #anyKey(event) {
    if (event.isComposing || event.metaKey || event.altKey) return;
    if (event.key === "F9" && event.shiftKey) this.#acceptDoubt();
    else if (event.key === "F9") this.#goToDoubt();
    else if (event.key === "F4" && event.shiftKey) this.#playWord();
    else if (event.key === "F2" && event.shiftKey) this.#goToHeard();
    else if (event.key.toLowerCase() === "h" && event.ctrlKey) this.#replacing.begin(this.#selected());
    else if (!this.#sound.takes(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The words that are selected in a field. */
  #selected() {
    const field = document.activeElement;
    return field instanceof HTMLTextAreaElement ? field.value.slice(field.selectionStart, field.selectionEnd) : "";
  }

  #goToDoubt() {
    this.#goTo(placeAfter(this.#uncertain, this.#spoken, this.#caret));
  }

  /** Where what is selected begins, or was last. */
  get #cursor() {
    const field = document.activeElement;
    const fields = [...this.#rows.querySelectorAll("textarea")];
    const at = field instanceof HTMLTextAreaElement ? fields.indexOf(field) : -1;
    if (at >= 0) return { segment: this.#spoken[at], place: fields[at].selectionStart };
    return this.#caret === null ? null : { segment: this.#caret.segment, place: this.#caret.from };
  }

  #showDoubts() {
    const isCertain = this.#uncertain.length === 0;
    this.#doubts.hidden = isCertain;
    this.#accept.hidden = isCertain;
  }

  /** Accepts the uncertain word at the cursor, and goes to the next one; elsewhere it only goes there. */
  #acceptDoubt() {
    const cursor = this.#cursor;
    const place = this.#uncertain.find(({ segment, from, to }) => segment === cursor?.segment && from <= cursor.place && cursor.place < to);
    if (place === undefined) {
      this.#goToDoubt();
      return;
    }
    const undo = accept(place, this.#draft.segments);
    this.#caret = { segment: place.segment, from: place.to, place: place.to };
    const next = placeAfter(this.#uncertain, this.#spoken, this.#caret);
    // Without another one the cursor stays where it was, and not on a button that is gone.
    this.#goTo(next ?? { ...place, from: place.to });
    this.#showDoubts();
    const putBack = () => {
      undo();
      this.#showDoubts();
      // It may have been joined to another one meanwhile.
      if (this.#spoken.includes(place.segment)) this.#goTo(place);
    };
    showUndo({ text: t("transcript.edit.accepted", { word: place.segment.text.slice(place.from, place.to) }), undo: putBack });
  }

  /** Selects the word that is heard. */
  #goToHeard() {
    if (!this.#sound.isCurrent) return;
    const place = wordAt(this.#transcript.segments, this.#spoken, player.now());
    this.#sound.follow(() => this.#goTo(place));
  }

  /** Marks the segment that is heard, or was last. */
  #showHeard() {
    const at = this.#sound.isCurrent ? Math.max(0, indexAt(this.#spoken, player.time.value)) : -1;
    const row = this.#rows.children[at] ?? null;
    if (row === this.#heard) return;
    if (this.#heard !== null) setAttribute(this.#heard, "aria-current", null);
    if (row !== null) setAttribute(row, "aria-current", "true");
    this.#heard = row;
  }

  /** Plays the single word at the cursor. */
  #playWord() {
    const cursor = this.#cursor;
    if (cursor === null) return;
    const time = timeOfWord(this.#transcript.segments, cursor.segment, cursor.place);
    if (time !== null) this.#sound.playPart(time);
  }

  /** @param {import("./text.js").DraftPlace | null} place Selects it, and continues from there. */
  #goTo(place) {
    if (place === null) return;
    const field = this.#rows.querySelectorAll("textarea")[this.#spoken.indexOf(place.segment)];
    field?.focus();
    field?.setSelectionRange(place.from, place.to);
    this.#caret = { segment: place.segment, from: place.from, place: place.to };
  }

  /**
   * @param {string} words
   * @param {string} others
   */
  #replace(words, others) {
    const { count, undo } = replaceEverywhere(this.#spoken, words, others);
    if (count === 0) return;
    const show = () => {
      this.#show();
      this.#replacing.renew();
    };
    show();
    const putBack = () => {
      undo();
      show();
    };
    showUndo({ text: t("transcript.replace.done", { n: count }), undo: putBack });
  }

  /** @param {{ segment: EditedSegment, place: number }} [caret] */
  #show(caret) {
    const spoken = this.#spoken;
    fill(this.#rows, ...spoken.map((segment) => this.#row(segment)));
    fill(this.#names, ...this.#draft.speakers.map((name) => h("option", { value: shownSpeaker(name) })));
    this.#showHeard();
    if (caret === undefined) return;
    const field = this.#rows.querySelectorAll("textarea")[spoken.indexOf(caret.segment)];
    field?.focus();
    field?.setSelectionRange(caret.place, caret.place);
  }

  /** @param {EditedSegment} segment */
  #row(segment) {
    const time = clock(segment.start);
    const play = h("button", {
      type: "button",
      class: "segment-time numbers",
      "aria-label": t("transcript.play.at", { time }),
      onclick: () => this.#actions.play(segment.start),
    }, time);
    /** @type {HTMLInputElement} */
    const speaker = h("input", {
      class: "field edited-speaker",
      value: shownSpeaker(segment.speaker ?? ""),
      list: this.#names.id,
      maxlength: 80,
      autocomplete: "off",
      placeholder: t("transcript.speaker"),
      "aria-label": t("transcript.edit.speaker", { time }),
      oninput: () => (segment.speaker = keptSpeaker(speaker.value.trim()) || null),
    });
    /** @type {HTMLTextAreaElement} */
    const text = h("textarea", {
      class: "field edited-text",
      rows: Math.max(1, Math.ceil(segment.text.length / 60)),
      dir: "auto",
      spellcheck: "true",
      "aria-label": t("transcript.edit.text", { time }),
      oninput: () => (segment.text = text.value.replace(/\s*\n\s*/g, " ")),
      onfocus: () => this.#sound.enter(segment.start),
      onblur: () => (this.#caret = { segment, from: text.selectionStart, place: text.selectionEnd }),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, segment, text),
    });
    text.value = segment.text;
    const more = moreButton({
      label: t("transcript.edit.more", { time }),
      open: (anchor) => this.#openMenu(segment, text, anchor),
    });
    return h("li", { class: "edited-segment" }, play, speaker, more, text);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {EditedSegment} segment
   * @param {HTMLTextAreaElement} text
   */
  #key(event, segment, text) {
    if (event.isComposing) return;
    const isAtStart = text.selectionStart === 0 && text.selectionEnd === 0;
    const isAtEnd = text.selectionStart === text.value.length;
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey;
    if (isPlain && ((event.key === "ArrowUp" && isAtStart) || (event.key === "ArrowDown" && isAtEnd))) {
      if (this.#goBeside(segment, event.key === "ArrowUp" ? -1 : 1)) event.preventDefault();
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#split(segment, text.selectionStart);
    } else if (event.key === "Backspace" && isAtStart) {
      event.preventDefault();
      this.#join(segment);
    }
  }

  /**
   * Puts the cursor at the end of the segment before, or at the start of the next one.
   *
   * @param {EditedSegment} segment
   * @param {1 | -1} step
   * @returns {boolean} Whether there is one.
   */
  #goBeside(segment, step) {
    const beside = this.#spoken[this.#spoken.indexOf(segment) + step];
    if (beside === undefined) return false;
    const place = step < 0 ? beside.text.length : 0;
    this.#goTo({ segment: beside, from: place, to: place });
    return true;
  }

  /**
   * @param {EditedSegment} segment
   * @param {HTMLTextAreaElement} text
   * @param {Element} anchor
   */
  #openMenu(segment, text, anchor) {
    const place = text.selectionStart;
    const selected = text.value.slice(place, text.selectionEnd).trim();
    const isInside = place > 0 && place < segment.text.length;
    openMenu(
      [
        { label: t("transcript.edit.split"), icon: "split", key: t("key.enter"), isDisabled: !isInside, run: () => this.#split(segment, place) },
        { label: t("transcript.edit.join"), icon: "join", isDisabled: this.#draft.before(segment) === null, run: () => this.#join(segment) },
        { label: t("transcript.replace.this"), icon: "check", key: t("key.replace"), isDisabled: selected === "", run: () => this.#replacing.begin(selected) },
        "separator",
        { label: t("do.delete"), icon: "trash", isDanger: true, run: () => this.#remove(segment) },
      ],
      { label: t("transcript.edit.more", { time: clock(segment.start) }), anchor },
    );
  }

  /**
   * @param {EditedSegment} segment
   * @param {number} place
   */
  #split(segment, place) {
    const second = this.#draft.split(segment, place);
    if (second !== null) this.#show({ segment: second, place: 0 });
  }

  /** @param {EditedSegment} segment */
  #join(segment) {
    const made = this.#draft.join(segment);
    if (made !== null) this.#show({ segment: made.joined, place: made.place });
  }

  /** @param {EditedSegment} segment */
  #remove(segment) {
    const near = this.#draft.before(segment);
    const putBack = this.#draft.remove(segment);
    this.#show(near === null ? undefined : { segment: near, place: near.text.length });
    if (near === null) this.focus();
    const undo = () => {
      putBack();
      this.#show({ segment, place: 0 });
    };
    showUndo({ text: t("transcript.edit.deleted"), undo });
  }

  async #save() {
    if (isBusy(this.#done)) return;
    const segments = this.#draft.segments.filter(({ kind, text }) => kind !== "speech" || text.trim() !== "");
    if (!this.#draft.isChanged) {
      this.#leave();
      return;
    }
    setBusy(this.#done, t("transcript.edit.saving"));
    fill(this.#problem);
    try {
      const { id, item } = this.#transcript;
      const saved = await editTranscript(item, id === item ? null : id, segments);
      drafts.end(this.#transcript.id);
      this.#life.abort();
      this.#actions.ended(saved);
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#done, null);
    }
  }

  #leave() {
    const draft = this.#draft;
    const { id } = this.#transcript;
    drafts.end(id);
    this.#life.abort();
    this.#actions.ended(null);
    if (!draft.isChanged) return;
    const undo = () => {
      if (drafts.isChanged(id)) return t("transcript.edit.again");
      drafts.putBack(id, draft);
      return this.#actions.putBack();
    };
    showUndo({ text: t("transcript.edit.discarded"), undo });
  }
}
