import { button, icon } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { followPlayer, ReadingText } from "../../../components/reading-text.js";
import { fill, h, setText } from "../../../core/dom.js";
import { clock, duration } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";
import { indexAt } from "../../../player/track.js";
import { compareTranscripts } from "../../../server/transcripts.js";
import { makerOf, optionRow } from "./sheets.js";
import { lined, partsOf, shownSpeaker, uncertainPlaces } from "./text.js";

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

/** @typedef {import("../../../server/transcripts.js").ComparedPassage} Passage */

/**
 * Passages side by side: the equal parts, and the differences within them.
 *
 * @typedef {{ start: number, passages: Passage[], isSame: boolean }} ComparedRow
 */

/**
 * @param {readonly Passage[]} passages
 * @returns {ComparedRow[]} A row ends where an equal passage was split at the end of a segment.
 */
function rowsOf(passages) {
  /** @type {ComparedRow[]} */
  const rows = [];
  let wasEqual = true;
  for (const passage of passages) {
    const isEqual = passage.kind === "equal";
    if (rows.length === 0 || (isEqual && wasEqual)) {
      rows.push({ start: (passage.first ?? passage.second)?.start ?? 0, passages: [], isSame: true });
    }
    const row = rows[rows.length - 1];
    row.passages.push(passage);
    row.isSame &&= isEqual;
    wasEqual = isEqual;
  }
  return rows;
}

/**
 * A row of two versions, with its differences in words too.
 *
 * @param {ComparedRow} row
 * @param {(seconds: number) => void} play
 */
function comparedRow(row, play) {
  const time = h("button", {
    type: "button",
    class: "segment-time numbers",
    "aria-label": t("transcript.play.at", { time: clock(row.start) }),
    onclick: () => play(row.start),
  }, clock(row.start));
  return h(
    "li",
    { class: row.isSame ? "compared-row same" : "compared-row" },
    time,
    h("p", { class: "compared-side", dir: "auto" }, ...row.passages.flatMap((passage) => sideOf(passage, "first"))),
    h("p", { class: "compared-side", dir: "auto" }, ...row.passages.flatMap((passage) => sideOf(passage, "second"))),
  );
}

/**
 * @param {Passage} passage
 * @param {"first" | "second"} side
 */
function sideOf(passage, side) {
  const said = passage[side];
  if (said === null) return [];
  if (passage.kind === "equal") return [`${said.text} `];
  const tag = side === "first" ? "del" : "ins";
  const words = t(passage.kind === "replaced" ? "compare.replaced" : side === "first" ? "compare.missing" : "compare.added");
  return [h(tag, {}, h("span", { class: "visually-hidden" }, `${words}: `), said.text), " "];
}

/** @typedef {import("../../../server/transcripts.js").TranscriptVersion} TranscriptVersion */
/** @typedef {Pick<TranscriptVersion, "id" | "number" | "recognizer" | "recognizerName" | "base">} ComparedVersion */

/**
 * @typedef {object} ComparisonActions
 * @property {(seconds: number) => void} play
 * @property {() => void} leave
 */

/** Two versions side by side; differences are marked, also in words for screen readers. */
export class ComparisonView {
  element;
  #versions;
  #actions;
  #signal;
  #title = h("h2", { tabindex: "-1" }, t("compare.title"));
  #summary = h("p", { class: "muted", role: "status" });
  #rows = h("ol", { class: "compared-rows" });
  #at = -1;

  /**
   * @param {ComparedVersion} first
   * @param {ComparedVersion} second
   * @param {ComparisonActions} actions
   * @param {AbortSignal} signal
   */
  constructor(first, second, actions, signal) {
    this.#versions = [first, second];
    this.#actions = actions;
    this.#signal = signal;
    const step = (/** @type {1 | -1} */ by) => () => this.#step(by);
    this.element = h(
      "section",
      { class: "comparison" },
      h(
        "div",
        { class: "comparison-head" },
        this.#title,
        h(
          "div",
          { class: "comparison-actions" },
          button({ label: t("compare.previous"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: step(-1) }),
          button({ label: t("compare.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: step(1) }),
          button({ label: t("compare.leave"), icon: "close", onPress: actions.leave }),
        ),
      ),
      this.#summary,
      optionRow("compare.only", false, (isOn) => this.#rows.classList.toggle("only-different", isOn)),
      h("div", { class: "compared-names" }, ...this.#versions.map((one) => h("p", {}, nameOf(one)))),
      this.#rows,
    );
  }

  focus() {
    this.#title.focus();
  }

  async load() {
    try {
      const { missing, added, passages } = await compareTranscripts(this.#versions[0].id, this.#versions[1].id, this.#signal);
      fill(this.#rows, ...rowsOf(passages).map((row) => comparedRow(row, this.#actions.play)));
      const isSame = missing === 0 && added === 0;
      const [first, second] = this.#versions.map(({ number }) => String(number));
      setText(this.#summary, isSame ? t("compare.same") : t("compare.summary", { missing, added, first, second }));
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.load() });
      if (!this.#signal.aborted) fill(this.#rows, h("li", {}, errorNotice(error, again)));
    }
  }

  /** @param {1 | -1} by To the next row with a difference. */
  #step(by) {
    const rows = [...this.#rows.querySelectorAll(".compared-row:not(.same)")];
    if (rows.length === 0) return;
    this.#at = this.#at < 0 && by < 0 ? rows.length - 1 : (this.#at + by + rows.length) % rows.length;
    rows[this.#at].scrollIntoView({ block: "center" });
    /** @type {HTMLElement | null} */ (rows[this.#at].querySelector("button"))?.focus({ preventScroll: true });
  }
}

/** @param {ComparedVersion} version */
function nameOf(version) {
  return `${t("transcript.version", { n: version.number })} · ${makerOf(version)}`;
}
