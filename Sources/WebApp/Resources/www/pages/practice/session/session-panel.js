import { attempt } from "../../../components/toast.js";
import { fill, h, setAttribute } from "../../../core/dom.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { PlaybackControls } from "./playback-controls.js";
import { EchoRing } from "./echo-ring.js";
import { ProgressDots } from "./progress-dots.js";
import { pulseTime } from "./signals.js";
import { SegmentView } from "./segment-view.js";

/** @typedef {import("../../../server/practice.js").PracticeSettings} PracticeSettings */

/**
 * @typedef {object} PanelActions
 * @property {(change: Partial<PracticeSettings>) => Promise<void>} change
 * @property {() => void} leave
 * @property {(segment: number, isHard: boolean) => Promise<void>} markHard
 */

/** The view and the controls of a practice session. */
export class SessionPanel {
  #connection;
  #actions;
  #segment = new SegmentView({ step: (step) => this.#connection.step(step), toggleHard: () => this.#toggleHard() });
  #ring = new EchoRing({ toggleRecording: () => this.#actions.change({ records: !this.#connection.settings.records }) });
  #dots = new ProgressDots({ goTo: (segment) => this.#connection.goTo(segment) });
  #controls = new PlaybackControls({
    toggle: () => this.#connection.toggle(),
    step: (step) => this.#connection.step(step),
    again: () => this.#connection.again(),
    openSegments: () => this.#openSegments(),
    setRate: (rate) => this.#actions.change({ rate }),
  });
  #summary = h("div", { class: "practice-summary-place", hidden: true });
  #dock = h("div", { class: "practice-dock" }, this.#ring.element, this.#dots.element, this.#controls.element);
  element = h("div", { class: "practice-panel" }, this.#summary, this.#segment.element, this.#dock);
  #frame = 0;
  #pulse = 0;

  /**
   * @param {import("./session-connection.js").SessionConnection} connection
   * @param {PanelActions} actions
   */
  constructor(connection, actions) {
    this.#connection = connection;
    this.#actions = actions;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#segment.start(signal);
    const { driver, echo, level } = this.#connection;
    for (const cell of [driver.session, driver.isBegun, echo.isRecording]) cell.watch(() => this.refresh(), signal);
    for (const cell of [driver.sounding, driver.echoing]) cell.watch(() => this.#look(), signal);
    level.watch((rms) => this.#ring.showLevel(rms), signal);
    signal.addEventListener("abort", () => this.#rest(), { once: true });
    this.#addShortcuts(signal);
    this.refresh();
  }

  /** Shows the present state of the session. */
  refresh() {
    const { session, driver, echo, texts } = this.#connection;
    const { position, settings, language } = session;
    const segments = texts.countWith(session.segments);
    const phase = driver.isBegun.value || session.phase === "finished" ? session.phase : "idle";
    this.#segment.show({
      number: position.segment,
      at: (number) => texts.at(number),
      language,
      isHidden: settings.hidesText,
      last: segments.isComplete ? segments.known : Infinity,
    });
    this.#segment.showPhase(phase);
    this.#ring.show({
      phase,
      records: settings.records,
      isRecording: echo.isRecording.value,
      isUntilSilence: echo.isUntilSilence,
    });
    this.#dots.show(position.segment, segments, (number) => this.#isHard(number));
    const isFresh = session.phase === "idle" && position.segment === 1;
    this.#controls.show({
      isRunning: driver.isRunning,
      way: session.phase === "finished" ? "anew" : isFresh ? "begin" : "continue",
      rate: settings.rate,
    });
    if (phase !== "finished") this.#hideSummary();
    this.#look();
  }

  /** @param {HTMLElement} summary It gets the focus when it appears, and keeps it while it stays. */
  showSummary(summary) {
    if (!this.#summary.hidden && this.#summary.contains(summary)) return;
    fill(this.#summary, summary);
    this.#summary.hidden = false;
    this.#segment.element.hidden = this.#dock.hidden = true;
    const title = summary.querySelector("h2");
    if (title instanceof HTMLElement) title.focus({ preventScroll: true });
  }

  #hideSummary() {
    if (this.#summary.hidden) return;
    this.#summary.hidden = true;
    this.#segment.element.hidden = this.#dock.hidden = false;
    this.#controls.focus();
  }

  /** @param {string} kind The kind of visual signal. */
  pulse(kind) {
    clearTimeout(this.#pulse);
    setAttribute(this.element, "data-pulse", kind);
    this.#pulse = setTimeout(() => setAttribute(this.element, "data-pulse", null), pulseTime);
  }

  /** @param {number} number Unknown segments are not requested only to be marked. */
  #isHard(number) {
    return this.#connection.texts.known(number)?.isHard ?? false;
  }

  #toggleHard() {
    const { position } = this.#connection.session;
    const segment = this.#connection.texts.known(position.segment);
    if (segment !== null) attempt(() => this.#actions.markHard(segment.number, !segment.isHard));
  }

  /** Moves the highlight and the ring while something moves. */
  #look() {
    cancelAnimationFrame(this.#frame);
    const { driver, echo } = this.#connection;
    const sounding = driver.sounding.value;
    this.#segment.mark(sounding?.timing ?? null, sounding === null ? 0 : this.#connection.time);
    const { clock, isUntilSilence } = echo;
    const isTimed = driver.echoing.value !== null && !isUntilSilence;
    this.#ring.fill(isTimed ? clock.part : 0, isTimed ? clock.remaining : null);
    const moves = (sounding !== null && !sounding.isHeld) || clock.isRunning;
    if (moves) this.#frame = requestAnimationFrame(() => this.#look());
  }

  #rest() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#pulse);
  }

  async #openSegments() {
    const { SegmentsSheet } = await import("./segments-sheet.js");
    new SegmentsSheet(() => this.#connection.session, this.#connection.texts, (segment) => this.#connection.goTo(segment)).open();
  }

  /** @param {1 | -1} step */
  #stepParagraph(step) {
    const { texts, session } = this.#connection;
    const segment = texts.paragraphFrom(session.position.segment, step);
    if (segment !== null) this.#connection.goTo(segment);
  }

  /** @param {AbortSignal} signal */
  #addShortcuts(signal) {
    const group = /** @type {const} */ ("playing");
    addShortcuts(
      [
        { keys: "Space", label: "shortcut.practice.toggle", group, run: (event) => event.repeat || this.#connection.toggle() },
        { keys: "ArrowLeft", label: "practice.previous", group, run: () => this.#connection.step(-1) },
        { keys: "ArrowRight", label: "practice.next", group, run: () => this.#connection.step(1) },
        { keys: "Shift+ArrowLeft", label: "shortcut.practice.paragraph.previous", group, run: () => this.#stepParagraph(-1) },
        { keys: "Shift+ArrowRight", label: "shortcut.practice.paragraph.next", group, run: () => this.#stepParagraph(1) },
        { keys: "r", label: "practice.again", group, run: () => this.#connection.again() },
        { keys: "h", label: "practice.hard.mark", group, run: (event) => event.repeat || this.#toggleHard() },
        { keys: "Escape", label: "practice.back", group, run: () => this.#actions.leave() },
      ],
      signal,
    );
  }
}
