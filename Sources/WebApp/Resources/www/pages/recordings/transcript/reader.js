import { button, icon } from "../../../components/button.js";
import { errorNotice, notice } from "../../../components/notice.js";
import { followPlayer, ReadingText } from "../../../components/reading-text.js";
import { withdraw } from "../../../components/sheet.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { clock, duration, wordsFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";
import { indexAt } from "../../../player/track.js";
import { NewestState, onServer } from "../../../server/events.js";
import {
  cancelSpeakers,
  compareTranscripts,
  forgetInstead,
  loadHeardSegments,
  loadSpeakers,
} from "../../../server/transcriptions.js";
import { JobStrip } from "../jobs-sheet.js";
import { isGoing, isStopped, transcriptionJobs } from "../transcription-jobs.js";
import { makerOf, optionRow } from "./head.js";
import { linesOf, paragraphTexts, partsOf, shownSpeaker, uncertainPlaces } from "./text.js";

/** @typedef {import("../../../server/transcriptions.js").Segment} Segment */
/** @typedef {import("../../../server/transcriptions.js").Transcript} Transcript */
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
    const { text, segments, uncertainBelow, language } = transcript;
    const lines = linesOf(segments);
    this.text = text;
    this.uncertain = uncertainPlaces(segments, uncertainBelow);
    const { paragraphs, before } = this.#laidOut(segments, lines, marks);
    this.element.lang = language === "und" ? "" : language;
    this.element.show(text, paragraphs, lines, (index) => before[index] ?? []);
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
   * @param {readonly { from: number, to: number }[]} lines One for each segment with words.
   * @param {readonly Mark[]} marks
   */
  #laidOut(segments, lines, marks) {
    /** @type {Node[][]} */
    const before = [[]];
    /** @type {import("../../../server/api.js").Paragraph[]} */
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
      paragraphs.push({ from: lines[done].from, to: lines[done + spoken.length - 1].to, isHeading: false });
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
    const label = speaker === null ? t("transcript.speaker.name", { time: clock(start) }) : t("transcript.speaker.change", { name: shownSpeaker(speaker) });
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
    // A change of speaker is a heading, by which a screen reader jumps; where none is named, the time of each paragraph is.
    const heading = { role: "heading", "aria-level": "2" };
    const time = this.#time(start);
    if (speaker === null) return h("div", { class: "segment-head" }, h("div", heading, time), name, ...said);
    return h("div", { class: "segment-head", ...(isOther ? heading : {}) }, time, name, ...said);
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
    const lines = linesOf(this.#transcript?.segments ?? []);
    const line = lines[Math.max(0, indexAt(lines, seconds))];
    if (line !== undefined) this.element.goTo(line);
  }

  /** The transcript on screen. */
  get transcript() {
    return this.#transcript;
  }
}

/** @typedef {import("../../../server/transcriptions.js").ComparedPassage} Passage */

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

/** @typedef {import("../../../server/transcriptions.js").TranscriptVersion} TranscriptVersion */
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
      const words = (/** @type {number} */ n) => t("unit.words", { n });
      setText(this.#summary, isSame ? t("compare.same") : t("compare.summary", { missing: words(missing), added: words(added), first, second }));
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

/** @typedef {import("../../../server/transcriptions.js").Transcription} Transcription */

/** The unfinished transcriptions of a recording, each with its strip. */
export class TranscriptJobs {
  #item;
  #place;
  #signal;
  /** @type {Map<string, JobStrip>} */
  #strips = new Map();
  /** @type {Map<string, Transcription>} Those that have a strip, by their ids. */
  #jobs = new Map();
  /** @type {Segment[]} */
  #heard = [];
  /** The text so far, which grows, and where it ends if nothing is running. */
  text = h("div", { class: "transcript-live" });
  #changed;

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {() => void} changed Called when {@link isGoing} or {@link hasText} has changed.
   * @param {AbortSignal} signal
   */
  constructor(item, place, changed, signal) {
    this.#changed = changed;
    this.#item = item;
    this.#place = place;
    this.#signal = signal;
  }

  start() {
    onServer("heard", ({ item, segments }) => {
      const text = segments.map((segment) => segment.text).filter((one) => one !== "").join(" ");
      if (item !== this.#item || text === "") return;
      this.#grow(segments);
      for (const strip of this.#strips.values()) strip.showText(text);
    }, this.#signal);
    // The text may have grown meanwhile.
    onServer("reset", () => this.#strips.forEach((_, id) => this.#loadHeard(id)), this.#signal);
    transcriptionJobs.all.follow((jobs) => this.#follow(jobs.filter(({ item }) => item === this.#item)), this.#signal);
  }

  /** Whether the recording is being transcribed, or waits for that. */
  get isGoing() {
    return [...this.#jobs.values()].some(isGoing);
  }

  /** Whether an unfinished transcription has heard something. */
  get hasText() {
    return this.#strips.size > 0 && this.#heard.length > 0;
  }

  /** @param {readonly Segment[]} segments */
  #grow(segments) {
    const known = new Set(this.#heard.map(({ start }) => start));
    const others = segments.filter(({ start }) => !known.has(start));
    this.#heard = [...this.#heard, ...others].sort((one, other) => one.start - other.start);
    this.#show();
    this.#changed();
  }

  #show() {
    const ends = this.isGoing ? [] : [...this.#jobs.values()].filter(isStopped).map(({ position }) => position);
    const mark = ends.length === 0 ? null : t("transcript.stopped", { time: clock(Math.max(...ends)) });
    fill(
      this.text,
      ...paragraphTexts(this.#heard).map((words) => h("p", { dir: "auto" }, words)),
      mark === null ? null : h("p", { class: "transcript-stopped muted small" }, mark),
    );
  }

  /** @param {string} id Of a transcription. */
  async #loadHeard(id) {
    try {
      const segments = await loadHeardSegments(id, this.#signal);
      if (this.#strips.has(id)) this.#grow(segments);
    } catch {
      // Text from now on is shown.
    }
  }

  /** @param {readonly Transcription[]} jobs Those of the recording. */
  #follow(jobs) {
    for (const id of this.#jobs.keys()) if (jobs.every((job) => job.id !== id)) this.#leave(id);
    for (const job of jobs) if (this.#jobs.get(job.id) !== job) this.#take(job);
  }

  /** @param {string} id Of a transcription that is done, or was discarded. */
  #leave(id) {
    const strip = this.#strips.get(id);
    this.#jobs.delete(id);
    this.#strips.delete(id);
    const hadFocus = strip?.element.contains(document.activeElement);
    strip?.element.remove();
    const title = document.querySelector("main h1");
    if (hadFocus && title instanceof HTMLElement) title.focus({ preventScroll: true });
    if (this.#strips.size === 0) this.#heard = [];
    this.#changed();
  }

  /** @param {Transcription} job */
  #take(job) {
    const before = this.#jobs.get(job.id);
    this.#jobs.set(job.id, job);
    const strip = this.#strips.get(job.id);
    if (strip !== undefined) {
      strip.update(job);
      if (before === undefined || isGoing(before) === isGoing(job)) return;
      this.#show();
      this.#changed();
    } else {
      const made = new JobStrip(job);
      this.#strips.set(job.id, made);
      this.#place.append(made.element);
      this.#changed();
      this.#loadHeard(job.id);
    }
  }
}

/**
 * Says that another recognizer made a version than the one that was asked first, and why, until a person has dismissed
 * that.
 *
 * @param {HTMLElement} place
 * @param {Pick<import("../../../server/transcriptions.js").Transcript, "id" | "insteadOf">} transcript Without an id, nothing is said.
 */
export function sayIfInstead(place, { id, insteadOf }) {
  const said = insteadOf ? id : "";
  if ((place.dataset.version ?? "") === said) return;
  place.dataset.version = said;
  if (!insteadOf) {
    for (const warning of place.children) withdraw(/** @type {HTMLElement} */ (warning), "hidden", true);
    fill(place);
    return;
  }
  const isOfService = insteadOf.recognizer.startsWith("remote/");
  const change = isOfService ? h("a", { class: "button", href: "/settings/transcription" }, t("job.service")) : null;
  const dismiss = async () => {
    if ((await attempt(() => forgetInstead(id))) && warning.isConnected) sayIfInstead(place, { id, insteadOf: null });
  };
  const close = button({ label: t("do.dismiss"), look: "quiet", onPress: dismiss });
  const { message, suggestion } = wordsFor(insteadOf);
  const warning = notice({ kind: "warning", text: t("job.done.instead", { why: message }), detail: suggestion, actions: [change, close] });
  fill(place, warning);
}

/** @typedef {import("../../../server/transcriptions.js").SpeakerSearch} SpeakerSearch */

/**
 * @typedef {object} SpeakerSearchActions
 * @property {() => void} ready Called when it is known whether speakers can be detected.
 * @property {(found: SpeakerSearch) => void} found
 */

/** The speaker searches of a recording's transcripts, each with its strip, and whether they are available. */
export class SpeakerSearches {
  /** Whether the models are installed; `null` while unknown. */
  isReady = /** @type {boolean | null} */ (null);
  /** @type {import("../../../server/transcriptions.js").SpeakerModelOffer[]} The models that are missing, for download. */
  offers = [];
  #item;
  #place;
  #actions;
  #signal;
  #newest = new NewestState();
  /** @type {Map<string, SpeakerStrip>} By the transcript's id. */
  #strips = new Map();

  /**
   * @param {string} item The recording's id.
   * @param {HTMLElement} place
   * @param {SpeakerSearchActions} actions
   * @param {AbortSignal} signal
   */
  constructor(item, place, actions, signal) {
    this.#item = item;
    this.#place = place;
    this.#actions = actions;
    this.#signal = signal;
  }

  /** Whether the speakers can be searched for, perhaps after a download. */
  get canFind() {
    return this.isReady === true || this.offers.length > 0;
  }

  start() {
    onServer("speakers", (search, event) => this.#newest.takesEvent(event) && this.#take(search), this.#signal);
    onServer("voices", () => this.#load(), this.#signal);
    onServer("reset", () => this.#load(), this.#signal);
    this.#load();
  }

  /** @returns {Promise<void>} */
  async #load() {
    try {
      const speakers = await loadSpeakers(this.#signal);
      // An event about one search has come before, and says nothing of the others.
      if (!this.#newest.takesAnswer(speakers)) return this.#load();
      this.isReady = speakers.isReady;
      this.offers = speakers.offers;
      const present = new Set(speakers.searches.map(({ transcript }) => transcript));
      for (const [transcript, strip] of this.#strips) {
        if (present.has(transcript)) continue;
        this.#strips.delete(transcript);
        strip.leave();
      }
      for (const search of speakers.searches) this.#take(search);
      this.#actions.ready();
    } catch {
      // The page shows the error of the recording itself; without an answer nothing is offered.
    }
  }

  /** @param {SpeakerSearch} search */
  #take(search) {
    if (search.item !== this.#item) return;
    const strip = this.#strips.get(search.transcript);
    if (search.state === "done" || search.state === "cancelled") {
      this.#strips.delete(search.transcript);
      strip?.leave();
      if (search.state === "done") this.#actions.found(search);
    } else if (strip !== undefined) {
      strip.update(search);
    } else {
      const made = new SpeakerStrip(search);
      this.#strips.set(search.transcript, made);
      this.#place.append(made.element);
    }
  }
}

/** A search: its progress or why it has failed, and what can be done. */
class SpeakerStrip {
  element;
  #transcript;
  #words = h("p", { class: "job-words" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #stop;
  #forget;
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speakers.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #shownState = "";

  /** @param {SpeakerSearch} search */
  constructor(search) {
    this.#transcript = search.transcript;
    const act = () => attempt(() => cancelSpeakers(this.#transcript));
    this.#stop = button({ label: t("job.cancel"), look: "quiet", onPress: act });
    this.#forget = button({ label: t("job.discard"), look: "quiet", onPress: act });
    const actions = h("div", { class: "job-actions" }, this.#stop, this.#forget);
    this.element = h("div", { class: "job-strip" }, h("div", { class: "job-main" }, this.#words, this.#bar), actions, this.#status);
    this.update(search);
  }

  /** Removes itself; the title gets the focus. */
  leave() {
    withdraw(this.element, "hidden", true);
    this.element.remove();
  }

  /** @param {SpeakerSearch} search */
  update({ state, progress, failure }) {
    const hasFailed = state === "failed";
    this.#bar.hidden = hasFailed;
    this.#forget.hidden = !hasFailed;
    withdraw(this.#stop, "hidden", hasFailed, this.#forget);
    this.#bar.style.setProperty("--part", String(progress));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(progress * 100)));
    this.element.classList.toggle("failed", hasFailed);
    const words = hasFailed ? failureWords(failure) : t(`speakers.${state}`, { percent: number(progress * 100) });
    fill(this.#words, hasFailed ? icon("error") : null, words);
    if (state !== this.#shownState) setText(this.#status, words);
    this.#shownState = state;
  }
}

/** @param {SpeakerSearch["failure"]} failure */
function failureWords(failure) {
  const { message, suggestion } = wordsFor(failure);
  return suggestion === null ? message : `${message} ${suggestion}`;
}
