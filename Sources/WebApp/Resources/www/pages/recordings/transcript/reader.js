import { button } from "../../../components/button.js";
import { icon } from "../../../components/icon.js";
import { followPlayer, ReadingText } from "../../../components/reading-text.js";
import { h } from "../../../core/dom.js";
import { clock, duration } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { shownSpeaker } from "./speaker-names.js";
import { lined, partsOf, uncertainPlaces } from "./text.js";
import { player } from "../../../player/player.js";
import { indexAt } from "../../../player/timeline.js";

/** @typedef {import("../../../server/transcripts.js").Segment} Segment */
/** @typedef {import("../../../server/transcripts.js").Transcript} Transcript */
/** @typedef {import("../../../server/recordings.js").Mark} Mark */
/** @typedef {import("./text.js").Place} Place */
/** @typedef {{ first: number, last: number }} Stretch The indices of the first and the last segment. */

/**
 * @typedef {object} ReaderActions
 * @property {(seconds: number) => void} play
 * @property {(segment: Segment) => void} transcribe Requests the transcription of what was skipped as silence or not understood.
 * @property {(stretch: Stretch, anchor: Element) => void} nameSpeaker
 * @property {() => void} nameMarks
 */

/** A transcript to read along: its speakers, times and remarks; a click plays from a word. */
export class TranscriptReader {
  element = new ReadingText();
  #actions;
  /** @type {Transcript | null} */
  #transcript = null;
  /** @type {readonly Place[]} */
  uncertain = [];
  text = "";

  /**
   * @param {string} item The recording's id.
   * @param {ReaderActions} actions
   * @param {AbortSignal} signal
   */
  constructor(item, actions, signal) {
    this.#actions = actions;
    this.element.classList.add("transcript-text");
    this.element.addEventListener("text-seek", (event) => {
      actions.play(/** @type {CustomEvent<{ seconds: number }>} */ (event).detail.seconds);
    }, { signal });
    followPlayer(this.element, () => player.isCurrent(item) && this.element.isConnected, signal);
  }

  /**
   * @param {Transcript} transcript
   * @param {readonly Mark[]} [marks] By time.
   */
  show(transcript, marks = []) {
    this.#transcript = transcript;
    const { segments, uncertainBelow, language } = transcript;
    const { text, sentences } = lined(segments);
    this.text = text;
    this.uncertain = uncertainPlaces(segments, uncertainBelow);
    const { paragraphs, before } = this.#laidOut(segments, sentences, marks);
    this.element.lang = language === "und" ? "" : language;
    this.element.show(text, sentences, {
      paragraphs,
      before: (index) => before[index] ?? [],
    });
    this.mark();
  }

  /** Highlights the uncertain words; call it again after insertion into the page, since removal drops highlights. */
  mark() {
    this.element.markPlaces("uncertain-word", this.uncertain);
  }

  /**
   * @param {readonly Place[]} places
   * @param {Place | null} current
   */
  showFound(places, current) {
    this.element.markPlaces("found", places, 2);
    this.element.markPlaces("found-now", current === null ? [] : [current], 3);
    if (current !== null) this.element.goTo(current);
  }

  /**
   * The paragraphs of the text, and what to insert before each of them, and after the last.
   *
   * @param {readonly Segment[]} segments
   * @param {readonly { from: number, to: number }[]} sentences One for each segment with words.
   * @param {readonly Mark[]} marks
   */
  #laidOut(segments, sentences, marks) {
    /** @type {Node[][]} */
    const before = [[]];
    /** @type {import("../../../core/text.js").Paragraph[]} */
    const paragraphs = [];
    /** @type {string | null} */
    let speaker = null;
    let done = 0;
    for (const { paragraph, gap, mark } of partsOf(segments, marks)) {
      const head = before[before.length - 1];
      if (mark !== undefined) head.push(this.#mark(mark));
      if (gap !== undefined) head.push(this.#gap(gap));
      if (paragraph === undefined) continue;
      const spoken = segments.slice(paragraph.first, paragraph.last + 1).filter(({ text }) => text !== "");
      head.push(this.#head(spoken, paragraph, spoken[0].speaker !== speaker));
      speaker = spoken[0].speaker;
      paragraphs.push({ from: sentences[done].from, to: sentences[done + spoken.length - 1].to, isHeading: false });
      done += spoken.length;
      before.push([]);
    }
    return { paragraphs, before };
  }

  /**
   * @param {readonly Segment[]} spoken The paragraph's segments with words.
   * @param {Stretch} stretch
   * @param {boolean} isOther Whether the previous speaker was another.
   */
  #head(spoken, stretch, isOther) {
    const { start, speaker } = spoken[0];
    const label = speaker === null ? t("transcript.speaker.name") : t("transcript.speaker.change", { name: shownSpeaker(speaker) });
    const name = h(
      "button",
      {
        type: "button",
        class: speaker === null ? "segment-speaker none" : isOther ? "segment-speaker" : "segment-speaker again",
        "aria-label": label,
        title: label,
        "aria-haspopup": "dialog",
        onclick: (/** @type {MouseEvent} */ event) => this.#actions.nameSpeaker(stretch, /** @type {Element} */ (event.currentTarget)),
      },
      speaker === null ? t("transcript.speaker.none") : shownSpeaker(speaker),
    );
    const remarks = [...new Set(spoken.flatMap(({ remark }) => remark ?? []))];
    const said = remarks.map((remark) => h("span", { class: "segment-remark" }, t(`transcript.remark.${remark}`)));
    // A change of speaker is a heading, by which a screen reader jumps.
    const heading = isOther && speaker !== null ? { role: "heading", "aria-level": "2" } : {};
    return h("div", { class: "segment-head", ...heading }, this.#time(start), name, ...said);
  }

  /** @param {number} seconds */
  #time(seconds) {
    const time = clock(seconds);
    const label = t("transcript.play.at", { time });
    return h("button", { type: "button", class: "segment-time numbers", "aria-label": label, onclick: () => this.#actions.play(seconds) }, time);
  }

  /** @param {Mark} mark */
  #mark({ seconds, label }) {
    const name = h(
      "button",
      {
        type: "button",
        class: label === null ? "segment-speaker none" : "segment-speaker",
        "aria-haspopup": "dialog",
        onclick: () => this.#actions.nameMarks(),
      },
      icon("flag"),
      label ?? t("marks.mark"),
    );
    return h("div", { class: "segment-head segment-mark" }, this.#time(seconds), name);
  }

  /** @param {Segment} segment Without words. */
  #gap(segment) {
    const length = duration(segment.end - segment.start);
    const place = { time: clock(segment.start), length };
    const isSilence = segment.kind === "silence";
    const ask = button({
      label: isSilence ? t("transcript.silence.transcribe") : t("transcript.notUnderstood.again"),
      look: "quiet",
      onPress: () => this.#actions.transcribe(segment),
    });
    ask.setAttribute("aria-label", isSilence ? t("transcript.silence.label", place) : t("transcript.notUnderstood.label", place));
    const words = isSilence ? t("transcript.silence", { length }) : t("transcript.notUnderstood", { length });
    return h("div", { class: "segment-silence" }, h("span", { class: "segment-time numbers" }, place.time), words, ask);
  }

  /** @param {number} seconds Scrolls to the words spoken at this time. */
  goToTime(seconds) {
    const { sentences } = lined(this.#transcript?.segments ?? []);
    const sentence = sentences[Math.max(0, indexAt(sentences, seconds))];
    if (sentence !== undefined) this.element.goTo(sentence);
  }

  /** The transcript on screen. */
  get transcript() {
    return this.#transcript;
  }
}
