import { button, icon, setIcon } from "../../../components/button.js";
import { slider } from "../../../components/field.js";
import { withdraw } from "../../../components/sheet.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, reducedMotion, setAttribute, setText } from "../../../core/dom.js";
import { highlight } from "../../../core/format.js";
import { t, times } from "../../../core/i18n.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { part } from "../../recordings/microphone.js";
import { ProgressDots, rateOf, speedOf } from "./driver.js";
import { pulseTime, wordAt } from "./segments.js";

/**
 * @typedef {object} ControlActions
 * @property {() => void} toggle
 * @property {(step: 1 | -1) => void} step
 * @property {() => void} again
 * @property {() => void} openSegments
 * @property {(rate: number) => void} setRate
 */

/** The playback buttons: back, play or pause, forward, again, all segments; and the speed. */
class PlaybackControls {
  toggle;
  #speed;
  element;

  /** @param {ControlActions} actions */
  constructor({ toggle, step, again, openSegments, setRate }) {
    const quiet = /** @type {const} */ ({ look: "quiet", iconOnly: true });
    this.toggle = button({ label: t("practice.begin"), icon: "play", iconOnly: true, className: "practice-toggle", look: "primary", onPress: toggle });
    // “Done speaking” gives its focus to this button, which a key that is still held does not press.
    this.toggle.addEventListener("keydown", (event) => event.repeat && event.key === "Enter" && event.preventDefault());
    this.#speed = slider({
      label: t("practice.speed"),
      min: 0.5,
      max: 1.5,
      step: 0.05,
      value: 1,
      format: times,
      onChange: (speed) => setRate(rateOf(speed)),
    });
    this.element = h(
      "div",
      { class: "practice-controls" },
      h(
        "div",
        { class: "practice-buttons", role: "group", "aria-label": t("practice.controls") },
        button({ label: t("practice.segments"), icon: "text", opens: true, ...quiet, onPress: openSegments }),
        button({ label: t("practice.previous"), icon: "previous", iconOnly: true, className: "practice-step", onPress: () => step(-1) }),
        this.toggle,
        button({ label: t("practice.next"), icon: "next", iconOnly: true, className: "practice-step", onPress: () => step(1) }),
        button({ label: t("practice.again"), icon: "again", ...quiet, onPress: again }),
      ),
      this.#speed,
    );
  }

  /**
   * @param {object} shown
   * @param {boolean} shown.isRunning
   * @param {"begin" | "continue" | "restart"} shown.way What a press does while nothing runs.
   * @param {number} shown.rate
   */
  show({ isRunning, way, rate }) {
    setIcon(this.toggle, isRunning ? "pause" : "play");
    const label = t(isRunning ? "practice.pause" : `practice.${way}`);
    setAttribute(this.toggle, "aria-label", label);
    setAttribute(this.toggle, "title", label);
    const isShown = Math.abs(this.#speed.value - speedOf(rate)) < 0.01; // as exactly as it is written
    if (!isShown && !this.#speed.contains(document.activeElement)) this.#speed.value = speedOf(rate);
  }

  focus() {
    this.toggle.focus({ preventScroll: true });
  }
}

const namespace = "http://www.w3.org/2000/svg";

/** The number of steps in which the ring fills with reduced motion. */
const steps = 8;

/**
 * The state of the ring.
 *
 * @typedef {object} RingState
 * @property {"idle" | "playing" | "echo" | "paused" | "finished"} phase
 * @property {boolean} records Whether echoes are recorded.
 * @property {boolean} isRecording
 * @property {boolean} isUntilSilence
 * @property {HTMLElement} heir Gets the focus of what a turn alone has.
 */

/** The ring that fills while a user repeats, around a dot that is red while recording. */
class EchoRing {
  #filled = circle("ring-filled");
  #level = h("span", { class: "ring-level", "aria-hidden": "true" });
  #dot;
  #words = h("p", { class: "ring-words" });
  #detail = h("p", { class: "ring-detail muted small numbers", "aria-hidden": "true" });
  #done;
  #status = h("p", { class: "visually-hidden", role: "status" });
  #said = "";
  element;

  /** @param {{ toggleRecording: () => void, finish: () => void }} actions `finish` ends the turn. */
  constructor({ toggleRecording, finish }) {
    const picture = document.createElementNS(namespace, "svg");
    picture.setAttribute("viewBox", "0 0 100 100");
    picture.setAttribute("class", "ring-picture");
    picture.setAttribute("aria-hidden", "true");
    picture.append(circle("ring-line"), this.#filled);
    this.#dot = h("button", { type: "button", class: "ring-dot", onclick: toggleRecording }, this.#level, icon("microphone"));
    this.#done = button({ label: t("practice.turn.done"), onPress: finish });
    const words = h("div", {}, this.#words, h("div", { class: "ring-turn" }, this.#done, this.#detail));
    this.element = h("div", { class: "echo-ring" }, h("div", { class: "ring" }, picture, this.#dot), words, this.#status);
  }

  /** @param {RingState} state */
  show({ phase, records, isRecording, isUntilSilence, heir }) {
    setAttribute(this.element, "data-phase", phase);
    setAttribute(this.element, "data-recording", isRecording);
    setAttribute(this.element, "data-waits", phase === "echo" && isUntilSilence);
    setAttribute(this.#dot, "aria-pressed", String(records));
    const label = t(records ? "practice.record.off" : "practice.record.on");
    setAttribute(this.#dot, "aria-label", t("practice.record"));
    setAttribute(this.#dot, "title", label);
    const words = t(isRecording ? "practice.phase.recording" : `practice.phase.${phase}`);
    setText(this.#words, words);
    withdraw(this.#done, "hidden", phase !== "echo", heir);
    this.#say(phase, words);
  }

  /**
   * @param {number} filled From 0 to 1.
   * @param {number | null} remaining Seconds; `null` for none.
   */
  fill(filled, remaining) {
    const shown = reducedMotion() ? Math.floor(filled * steps) / steps : filled;
    this.#filled.style.setProperty("--part", shown.toFixed(3));
    setText(this.#detail, remaining === null ? "" : t("practice.seconds", { n: Math.ceil(remaining) }));
  }

  /** @param {number} rms From 0 to 1. */
  showLevel(rms) {
    this.#level.style.setProperty("--level", part(rms).toFixed(2));
  }

  /**
   * Announces what the user should do, unless the voice itself makes it clear.
   *
   * @param {string} phase
   * @param {string} words
   */
  #say(phase, words) {
    if (phase === this.#said) return;
    this.#said = phase;
    setText(this.#status, phase === "playing" || phase === "idle" ? "" : words);
  }
}

/** @param {string} className */
function circle(className) {
  const element = document.createElementNS(namespace, "circle");
  for (const [name, value] of Object.entries({ cx: "50", cy: "50", r: "46", pathLength: "1", class: className })) {
    element.setAttribute(name, value);
  }
  return element;
}

/** @typedef {import("../../../server/practice.js").PracticeSegment} PracticeSegment */
/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/** Pixels that a finger must move sideways to count as a swipe. */
const swipeLength = 56;

/** Pixels that must be visible of a segment's beginning. */
const leastVisible = 64;

/** The share of the room that is above a word after scrolling to it. */
const shareAbove = 0.25;

/** The share of the view that is above the controls at least, unless the person has scrolled on to the takes. */
const leastRoom = 0.2;

/**
 * @typedef {object} SegmentViewActions
 * @property {(step: 1 | -1) => void} step
 * @property {() => void} toggleHard Marks the present segment as hard, or removes the mark.
 * @property {() => number} room How much of the view is above the controls, in pixels.
 */

/**
 * The text being practiced: the previous segment, the present one, large and highlighted word by word, and the next.
 */
class SegmentView {
  #actions;
  #previous = h("button", { type: "button", class: "practice-neighbour", dir: "auto" });
  #next = h("button", { type: "button", class: "practice-neighbour", dir: "auto" });
  #text = h("p", { class: "practice-text", dir: "auto" });
  #hard = h(
    "button",
    { type: "button", class: "practice-mark", title: t("practice.hard.mark"), onclick: () => this.#actions.toggleHard() },
    h("span", { class: "practice-hard small" }, t("practice.hard")),
  );
  #show = button({ label: t("practice.text.show"), icon: "eye", look: "quiet", onPress: () => this.#reveal() });
  #current = h("div", { class: "practice-current" }, this.#text, this.#show, this.#hard);
  element = h("section", { class: "practice-stage", "aria-label": t("practice.stage") }, this.#previous, this.#current, this.#next);
  /** @type {Range | null} */
  #marked = null;
  #word = "";
  #number = 0;
  #isHidden = false;
  #phase = "idle";
  /** Whether the view follows the words: until the next phase it does not once the person has scrolled. */
  #follows = true;
  /** Where a finger touched down. */
  #touch = /** @type {{ x: number, y: number } | null} */ (null);

  /** @param {SegmentViewActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#previous.addEventListener("click", () => this.#actions.step(-1), { signal });
    this.#next.addEventListener("click", () => this.#actions.step(1), { signal });
    this.element.addEventListener("pointerdown", (event) => this.#pressed(event), { signal });
    this.element.addEventListener("pointerup", (event) => this.#released(event), { signal });
    this.element.addEventListener("pointercancel", () => (this.#touch = null), { signal });
    for (const name of ["wheel", "touchmove"]) {
      document.addEventListener(name, ({ target }) => this.#scrolledByHand(target), { signal, passive: true });
    }
    signal.addEventListener("abort", () => this.mark(null, 0), { once: true });
  }

  /**
   * @param {object} shown
   * @param {number} shown.number
   * @param {(number: number) => PracticeSegment | null} shown.at
   * @param {string} shown.language
   * @param {boolean} shown.isHidden Whether the text is hidden until requested.
   * @param {number} [shown.last] The number of the last segment, if known.
   */
  show({ number, at, language, isHidden, last = Infinity }) {
    const segment = at(number);
    const isNew = number !== this.#number;
    const isMoved = isNew && this.#number !== 0;
    if (isNew || isHidden !== this.#isHidden) this.#text.hidden = isHidden;
    this.#number = number;
    this.#isHidden = isHidden;
    this.#show.hidden = !this.#text.hidden;
    if (this.#text.textContent !== (segment?.text ?? "")) {
      this.mark(null, 0);
      setText(this.#text, segment?.text ?? "");
    }
    setAttribute(this.#current, "data-heading", segment?.isHeading ?? false);
    setAttribute(this.#current, "lang", language);
    this.#hard.hidden = segment === null;
    setAttribute(this.#hard, "aria-pressed", String(segment?.isHard ?? false));
    showNeighbour(this.#previous, number > 1 ? at(number - 1) : null, "practice.previous.text", isHidden);
    showNeighbour(this.#next, number < last ? at(number + 1) : null, "practice.next.text", isHidden);
    for (const one of [this.#previous, this.#next]) setAttribute(one, "lang", language);
    if (isMoved) this.#showBeginning();
  }

  /**
   * Highlights the word spoken at a time, or none.
   *
   * @param {SegmentTiming | null} timing
   * @param {number} seconds
   */
  mark(timing, seconds) {
    const place = wordAt(timing, seconds);
    const word = place === null ? "" : `${place.from}-${place.to}`;
    if (word === this.#word) return;
    this.#word = word;
    const marks = highlight("spoken-word", 1);
    if (this.#marked !== null) marks?.delete(this.#marked);
    this.#marked = null;
    const node = this.#text.firstChild;
    if (place === null || marks === null || !(node instanceof Text) || place.to > node.length) return;
    const range = document.createRange();
    range.setStart(node, place.from);
    range.setEnd(node, place.to);
    this.#marked = range;
    marks.add(range);
    if (this.#follows) this.#follow(range);
  }

  /** @param {"playing" | "echo" | "paused" | "idle" | "finished"} phase */
  showPhase(phase) {
    setAttribute(this.element, "data-phase", phase);
    const before = this.#phase;
    this.#phase = phase;
    if (phase !== before) this.#follows = true;
    // The person says all of it, from its beginning.
    if (phase === "echo" && before === "playing") this.#showBeginning();
  }

  /** Scrolls to the beginning of the segment, unless it is in view. */
  #showBeginning() {
    this.#follows = true;
    if (this.element.hidden) return;
    const { top } = this.#current.getBoundingClientRect();
    if (top < 0 || top > this.#actions.room() - leastVisible) this.#scroll(this.element.getBoundingClientRect().top);
  }

  /**
   * Scrolls to a word, unless it is in view.
   *
   * @param {Range} word
   */
  #follow(word) {
    const { top, bottom } = word.getBoundingClientRect();
    const room = this.#actions.room();
    if (top < 0 || bottom > room) this.#scroll(top - shareAbove * room);
  }

  /** @param {number} pixels */
  #scroll(pixels) {
    if (this.#actions.room() < leastRoom * innerHeight) return;
    scrollBy({ top: pixels, behavior: reducedMotion() ? "auto" : "smooth" });
  }

  /** @param {EventTarget | null} target */
  #scrolledByHand(target) {
    if (target instanceof Element && target.closest("dialog, .practice-dock") === null) this.#follows = false;
  }

  #reveal() {
    this.#text.hidden = false;
    withdraw(this.#show, "hidden", true, this.#hard);
  }

  /** @param {PointerEvent} event */
  #pressed({ pointerType, clientX: x, clientY: y }) {
    this.#touch = pointerType === "mouse" ? null : { x, y };
  }

  /** @param {PointerEvent} event */
  #released({ clientX, clientY }) {
    const touch = this.#touch;
    this.#touch = null;
    if (touch === null) return;
    const [across, down] = [clientX - touch.x, clientY - touch.y];
    if (Math.abs(across) < swipeLength || Math.abs(across) < 2 * Math.abs(down)) return;
    this.#actions.step(across < 0 ? 1 : -1);
  }
}

/**
 * @param {HTMLButtonElement} element
 * @param {PracticeSegment | null} segment
 * @param {string} key The catalogue's key for what a press does.
 * @param {boolean} isHidden Whether its words are not shown.
 */
function showNeighbour(element, segment, key, isHidden) {
  setAttribute(element, "data-none", segment === null);
  element.disabled = segment === null;
  const words = segment === null ? "" : isHidden ? "…" : segment.text;
  if (element.textContent === words) return;
  if (segment === null) fill(element);
  else fill(element, h("span", { class: "visually-hidden" }, `${t(key)}: `), h("span", { class: "practice-neighbour-words" }, words));
}

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
  #segment = new SegmentView({
    step: (step) => this.#connection.step(step),
    toggleHard: () => this.#toggleHard(),
    room: () => Math.min(innerHeight, this.#dock.getBoundingClientRect().top),
  });
  #ring = new EchoRing({
    toggleRecording: () => this.#actions.change({ records: !this.#connection.settings.records }),
    finish: () => this.#connection.echo.finish(),
  });
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
      heir: this.#controls.toggle,
    });
    this.#dots.show(position.segment, segments, (number) => this.#isHard(number));
    const isFresh = session.phase === "idle" && position.segment === 1;
    this.#controls.show({
      isRunning: driver.isRunning,
      way: session.phase === "finished" ? "restart" : isFresh ? "begin" : "continue",
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
    const { SegmentsSheet } = await import("./sheets.js");
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
        { keys: "d", label: "practice.turn.done", group, run: (event) => event.repeat || this.#connection.echo.finish() },
        { keys: "r", label: "practice.again", group, run: () => this.#connection.again() },
        { keys: "h", label: "practice.hard.mark", group, run: (event) => event.repeat || this.#toggleHard() },
        { keys: "Escape", label: "practice.back", group, run: () => this.#actions.leave() },
      ],
      signal,
    );
  }
}
