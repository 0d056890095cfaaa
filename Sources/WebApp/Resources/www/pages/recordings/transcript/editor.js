import { button } from "../../../components/button.js";
import { isBusy, setBusy } from "../../../components/field.js";
import { moreButton, openMenu } from "../../../components/menu.js";
import { errorNotice } from "../../../components/notice.js";
import { showUndo } from "../../../components/toast.js";
import { fill, h, newId } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { isOpen, state } from "../../../core/store.js";
import { Draft } from "./draft.js";
import { keptSpeaker, shownSpeaker } from "./speaker-names.js";
import { editTranscript } from "../../../server/transcripts.js";

/** @typedef {import("../../../server/transcripts.js").Transcript} Transcript */
/** @typedef {import("../../../server/transcripts.js").EditedSegment} EditedSegment */

/**
 * Unsaved edits, by the version's id; in memory only. Locking the library drops them.
 *
 * @type {Map<string, Draft>}
 */
const drafts = new Map();
let isWatched = false;

/** @param {Transcript} transcript */
function draftOf(transcript) {
  if (!isWatched) state.watch(() => isOpen() || drafts.clear(), new AbortController().signal);
  isWatched = true;
  const draft = drafts.get(transcript.id) ?? new Draft(transcript.segments);
  drafts.set(transcript.id, draft);
  return draft;
}

/** @param {string} id Whether a version has unsaved edits. */
export function hasDraft(id) {
  return drafts.get(id)?.isChanged ?? false;
}

/**
 * @typedef {object} EditorActions
 * @property {(seconds: number) => void} play
 * @property {(saved: Transcript | null) => void} ended Called with the new version, or without one when nothing was
 * changed.
 */

/** A transcript as fields: each segment can be rewritten, split, joined, deleted and given a speaker. */
export class TranscriptEditor {
  element;
  #transcript;
  #draft;
  #actions;
  #rows = h("ol", { class: "edited-segments" });
  #problem = h("div", {});
  #names = h("datalist", { id: newId("speakers") });
  #done = button({ label: t("transcript.edit.done"), icon: "check", look: "primary", onPress: () => this.#save() });
  #discard = button({ label: t("transcript.edit.discard"), look: "quiet", onPress: () => this.#leave() });

  /**
   * @param {Transcript} transcript
   * @param {EditorActions} actions
   */
  constructor(transcript, actions) {
    this.#transcript = transcript;
    this.#draft = draftOf(transcript);
    this.#actions = actions;
    this.#show();
    this.element = h(
      "div",
      { class: "transcript-editor" },
      h("p", { class: "muted" }, t("transcript.edit.hint")),
      this.#rows,
      this.#names,
      this.#problem,
      h("div", { class: "editor-actions" }, this.#discard, this.#done),
    );
  }

  focus() {
    this.#rows.querySelector("textarea")?.focus();
  }

  /** @param {{ segment: EditedSegment, place: number }} [caret] */
  #show(caret) {
    const spoken = this.#draft.segments.filter(({ kind }) => kind === "speech");
    fill(this.#rows, ...spoken.map((segment) => this.#row(segment)));
    fill(this.#names, ...this.#draft.speakers.map((name) => h("option", { value: shownSpeaker(name) })));
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
      onchange: () => (segment.speaker = keptSpeaker(speaker.value.trim()) || null),
    });
    /** @type {HTMLTextAreaElement} */
    const text = h("textarea", {
      class: "field edited-text",
      rows: Math.max(1, Math.ceil(segment.text.length / 60)),
      dir: "auto",
      spellcheck: "true",
      "aria-label": t("transcript.edit.text", { time }),
      oninput: () => (segment.text = text.value.replace(/\s*\n\s*/g, " ")),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event, segment, text),
    });
    text.value = segment.text;
    const more = moreButton({
      label: t("transcript.edit.more", { time }),
      open: (anchor) => this.#openMenu(segment, text.selectionStart, anchor),
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
    if (event.key === "Enter") {
      event.preventDefault();
      this.#split(segment, text.selectionStart);
    } else if (event.key === "Backspace" && isAtStart) {
      event.preventDefault();
      this.#join(segment);
    }
  }

  /**
   * @param {EditedSegment} segment
   * @param {number} place
   * @param {Element} anchor
   */
  #openMenu(segment, place, anchor) {
    const isInside = place > 0 && place < segment.text.length;
    openMenu(
      [
        { label: t("transcript.edit.split"), icon: "split", hint: t("key.enter"), isDisabled: !isInside, run: () => this.#split(segment, place) },
        { label: t("transcript.edit.join"), icon: "join", isDisabled: this.#draft.before(segment) === null, run: () => this.#join(segment) },
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
    showUndo({ text: t("transcript.edit.deleted"), undo, commit: () => {} });
  }

  async #save() {
    if (isBusy(this.#done)) return;
    const segments = this.#draft.segments.filter(({ kind, text }) => kind === "silence" || text.trim() !== "");
    if (!this.#draft.isChanged) {
      this.#leave();
      return;
    }
    setBusy(this.#done, t("transcript.edit.saving"));
    fill(this.#problem);
    try {
      const { id, item } = this.#transcript;
      const saved = await editTranscript(item, id === item ? null : id, segments);
      drafts.delete(this.#transcript.id);
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
    drafts.delete(id);
    this.#actions.ended(null);
    if (!draft.isChanged) return;
    showUndo({ text: t("transcript.edit.discarded"), undo: () => drafts.set(id, draft), commit: () => {} });
  }
}
