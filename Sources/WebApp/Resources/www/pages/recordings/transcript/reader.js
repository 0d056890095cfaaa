import { button } from "../../../components/button.js";
import { followPlayer, ReadingText } from "../../../components/reading-text.js";
import { h } from "../../../core/dom.js";
import { clock, duration } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { shownSpeaker } from "./speaker-names.js";
import { lined, uncertainPlaces } from "./text.js";
import { player } from "../../../player/player.js";
import { indexAt } from "../../../player/timeline.js";

/** @typedef {import("../../../server/transcripts.js").Segment} Segment */
/** @typedef {import("../../../server/transcripts.js").Transcript} Transcript */
/** @typedef {import("./text.js").Place} Place */

/**
 * @typedef {object} ReaderActions
 * @property {(seconds: number) => void} play
 * @property {(segment: Segment) => void} transcribe Requests the transcription of what was skipped as silence.
 * @property {(index: number, anchor: Element) => void} nameSpeaker
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

  /** @param {Transcript} transcript */
  show(transcript) {
    this.#transcript = transcript;
    const { segments, uncertainBelow, language } = transcript;
    const { text, sentences } = lined(segments);
    this.text = text;
    this.uncertain = uncertainPlaces(segments, uncertainBelow);
    const before = this.#headsOf(segments);
    this.element.lang = language === "und" ? "" : language;
    this.element.show(text, sentences, {
      paragraphs: sentences.map(({ from, to }) => ({ from, to, isHeading: false })),
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
   * What to insert before each paragraph, and after the last.
   *
   * @param {readonly Segment[]} segments
   * @returns {Node[][]}
   */
  #headsOf(segments) {
    /** @type {Node[][]} */
    const heads = [[]];
    /** @type {string | null} */
    let speaker = null;
    segments.forEach((segment, index) => {
      const head = heads[heads.length - 1];
      if (segment.text === "") {
        if (segment.kind === "silence") head.push(this.#silence(segment));
        return;
      }
      head.push(this.#head(segment, index, segment.speaker !== speaker));
      speaker = segment.speaker;
      heads.push([]);
    });
    return heads;
  }

  /**
   * @param {Segment} segment
   * @param {number} index
   * @param {boolean} isOther Whether the previous speaker was another.
   */
  #head({ start, speaker, remark }, index, isOther) {
    const time = h(
      "button",
      {
        type: "button",
        class: "segment-time numbers",
        "aria-label": t("transcript.play.at", { time: clock(start) }),
        onclick: () => this.#actions.play(start),
      },
      clock(start),
    );
    const label = speaker === null ? t("transcript.speaker.name") : t("transcript.speaker.change", { name: shownSpeaker(speaker) });
    const name = h(
      "button",
      {
        type: "button",
        class: speaker === null ? "segment-speaker none" : isOther ? "segment-speaker" : "segment-speaker again",
        "aria-label": label,
        title: label,
        "aria-haspopup": "dialog",
        onclick: (/** @type {MouseEvent} */ event) => this.#actions.nameSpeaker(index, /** @type {Element} */ (event.currentTarget)),
      },
      speaker === null ? t("transcript.speaker.none") : shownSpeaker(speaker),
    );
    const said = remark === null ? null : h("span", { class: "segment-remark" }, t(`transcript.remark.${remark}`));
    return h("div", { class: "segment-head" }, time, name, said);
  }

  /** @param {Segment} segment */
  #silence(segment) {
    const length = duration(segment.end - segment.start);
    const ask = button({
      label: t("transcript.silence.transcribe"),
      look: "quiet",
      onPress: () => this.#actions.transcribe(segment),
    });
    ask.setAttribute("aria-label", t("transcript.silence.label", { time: clock(segment.start), length }));
    const words = t("transcript.silence", { length });
    return h("div", { class: "segment-silence" }, h("span", { class: "segment-time numbers" }, clock(segment.start)), words, ask);
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
