import { button } from "../../../components/button.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { highlight } from "../../../core/highlight.js";
import { t } from "../../../core/i18n.js";
import { wordAt } from "./word-marks.js";

/** @typedef {import("../../../server/practice.js").PracticeSegment} PracticeSegment */
/** @typedef {import("../../../server/practice.js").SegmentTiming} SegmentTiming */

/** Pixels that a finger must move sideways to count as a swipe. */
const swipeLength = 56;

/**
 * @typedef {object} SegmentViewActions
 * @property {(step: 1 | -1) => void} step
 * @property {() => void} toggleHard Marks the present segment as hard, or removes the mark.
 */

/**
 * The text being practised: the previous segment, the present one, large and highlighted word by word, and the next.
 */
export class SegmentView {
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
  }

  /** @param {"playing" | "echo" | "paused" | "idle" | "finished"} phase */
  showPhase(phase) {
    setAttribute(this.element, "data-phase", phase);
  }

  #reveal() {
    this.#text.hidden = false;
    this.#show.hidden = true;
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
