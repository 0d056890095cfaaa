import { h, reducedMotion, setText } from "../core/dom.js";
import { highlight } from "../core/format.js";
import { t } from "../core/i18n.js";
import { addShortcuts } from "../core/shortcuts.js";
import { player } from "../player/player.js";
import { spokenAt, timeOfPlace, wordNear } from "../player/track.js";
import { button } from "./button.js";
import { withdraw } from "./sheet.js";
import { showToast } from "./toast.js";

/** @typedef {import("../server/narrations.js").Sentence} Sentence */
/** @typedef {import("../server/api.js").Paragraph} Paragraph */

/**
 * A paragraph element, and the range of its words in the text; heading marks are left out.
 *
 * @typedef {{ element: HTMLElement, from: number, to: number }} Part
 */

/** The highlights, if the browser supports them; elsewhere a `<mark>` surrounds the spoken sentence. */
const sentences = highlight("spoken-sentence");
const words = highlight("spoken-word", 1);
const highlights = sentences === null || words === null ? null : { sentence: sentences, word: words };

/** @returns {Node[]} */
const nothing = () => [];

/**
 * Where in the view the spoken sentence is scrolled to, and between which bounds it may stay; from 0 to 1.
 */
const comfortable = { goal: 0.32, low: 0.08, high: 0.66 };

/**
 * `<echo-reading-text>`: a text that is highlighted as it is spoken. Each paragraph is one element, so long texts stay
 * light.
 *
 * Set a text with `show`, then the time with `setTime`, as often as needed. `sentences` may grow meanwhile.
 *
 * Fires
 * - `text-seek` `{ seconds }`: a click on words with sound;
 * - `text-ahead`: a click on words that have not been spoken yet.
 */
export class ReadingText extends HTMLElement {
  #life = new AbortController();
  /** @type {Part[]} */
  #parts = [];
  /** @type {readonly Sentence[]} */
  #sentences = [];
  /** @type {Sentence | null} */
  #sentence = null;
  /** @type {import("../server/narrations.js").Word | null} */
  #word = null;
  /** @type {{ sentence: Range | null, word: Range | null }} */
  #ranges = { sentence: null, word: null };
  #follows = true;
  /** The text whose elements are shown, and how; empty where something is inserted among them. */
  #shown = "";
  /** @type {Map<string, Range[]>} By highlight name. */
  #marked = new Map();
  #back = h("div", { class: "reading-back", hidden: true }, button({ label: t("reading.follow"), icon: "text", onPress: () => this.follow() }));
  #line = new TopLine(this);
  /** @type {Element | null} */
  #backPlace = null;
  /** The word that was gone to, for screen readers. */
  #said = h("div", { class: "visually-hidden", role: "status" });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.placeBack(this.#backPlace);
    this.#line.start(() => this.#follows && this.#sentence !== null && this.#reveal(true, true), signal);
    this.addEventListener("click", (event) => this.#click(event), { signal });
    for (const name of ["wheel", "touchmove"]) {
      document.addEventListener(name, (event) => this.#scrolledByHand(event), { signal, passive: true });
    }
  }

  disconnectedCallback() {
    this.#life.abort();
    this.#mark(null, null);
    for (const name of this.#marked.keys()) this.markPlaces(name, []);
  }

  /**
   * @param {string} text
   * @param {readonly Paragraph[]} paragraphs Those of the text, as the server finds them.
   * @param {readonly Sentence[]} sentences Not copied.
   * @param {(index: number) => Node[]} [before] What to insert before each paragraph, and after the last one.
   */
  show(text, paragraphs, sentences, before = nothing) {
    this.#mark(null, null);
    this.#sentences = sentences;
    this.#back.hidden = true;
    const places = paragraphs.map(({ from, to, isHeading }) => [from, to, isHeading]);
    const shown = before === nothing ? JSON.stringify([this.isAsWritten, text, places]) : "";
    // A press, a selection and a place outlive that a narration becomes a recording.
    if (shown !== "" && shown === this.#shown) return;
    this.#shown = shown;
    this.#parts = this.isAsWritten ? linesOf(text, paragraphs) : paragraphs.map((paragraph) => partOf(text, paragraph));
    const content = this.#parts.flatMap(({ element }, index) => [...before(index), element]);
    this.replaceChildren(h("div", { class: "reading-words" }, ...content, ...before(paragraphs.length)), this.#said);
    this.placeBack(this.#backPlace);
    this.#line.remember();
  }

  /** Whether it is laid out as in the field it was written in: lines break in the same places. */
  get isAsWritten() {
    return this.classList.contains("as-written");
  }

  set isAsWritten(yes) {
    this.classList.toggle("as-written", yes);
  }

  /**
   * Puts the button that returns to the spoken words into a bar.
   *
   * @param {Element | null} bar `null`: the bar of its sheet, or its own below the text.
   */
  placeBack(bar) {
    this.#backPlace = bar;
    (bar ?? this.closest(".sheet")?.querySelector(".sheet-actions") ?? this).append(this.#back);
  }

  /**
   * Highlights ranges of the text instead of those highlighted under this name before.
   *
   * @param {string} name The highlight's name.
   * @param {readonly { from: number, to: number }[]} places Each within one paragraph.
   * @param {number} [priority]
   */
  markPlaces(name, places, priority = 0) {
    const marked = highlight(name, priority);
    if (marked === null) return;
    for (const range of this.#marked.get(name) ?? []) marked.delete(range);
    const ranges = places.flatMap((place) => this.#rangeOf(place) ?? []);
    this.#marked.set(name, ranges);
    for (const range of ranges) marked.add(range);
  }

  /**
   * Scrolls a place of the text into view, and stops following.
   *
   * @param {{ from: number, to: number }} place
   */
  goTo(place) {
    const range = this.#rangeOf(place);
    if (range === null) return;
    if (this.#sentence !== null) this.#stopFollowing();
    this.#bringIntoView(range, false);
  }

  /**
   * Highlights the sentence and the word spoken at a time.
   *
   * @param {number} seconds
   */
  setTime(seconds) {
    const { sentence, word } = spokenAt(this.#sentences, seconds);
    if (sentence === this.#sentence && word === this.#word) return;
    const isNew = sentence !== this.#sentence;
    this.#mark(sentence, word);
    if (isNew && this.#follows) this.#reveal();
  }

  /**
   * Goes to the word before or after the one at a time, and keeps it in view.
   *
   * @param {number} seconds
   * @param {1 | -1} step To the next one, or the previous one.
   * @param {{ isSaid: boolean }} options Whether a screen reader says it.
   * @returns {number | null} When it is spoken, in seconds; `null` where there is none.
   */
  goToWord(seconds, step, { isSaid }) {
    const word = wordNear(this.#sentences, seconds, step);
    if (word === null) return null;
    setText(this.#said, isSaid ? (this.#rangeOf(word)?.toString() ?? "") : "");
    this.#follows = true;
    this.#back.hidden = true;
    // A browser's time is exact to a microsecond, and just before it another word is spoken.
    return word.start + 0.001;
  }

  /** Scrolls to the spoken sentence and keeps it in view. */
  follow() {
    this.#follows = true;
    withdraw(this.#back, "hidden", true);
    this.#reveal(true);
  }

  /**
   * @param {Sentence | null} sentence
   * @param {import("../server/narrations.js").Word | null} word
   */
  #mark(sentence, word) {
    const isNew = sentence !== this.#sentence;
    this.#sentence = sentence;
    this.#word = word;
    if (highlights === null) {
      if (isNew) this.#wrap(sentence);
      return;
    }
    if (isNew) this.#exchange("sentence", sentence, highlights.sentence);
    this.#exchange("word", word, highlights.word);
  }

  /**
   * @param {"sentence" | "word"} kind
   * @param {{ from: number, to: number } | null} span
   * @param {Highlight} highlight
   */
  #exchange(kind, span, highlight) {
    const before = this.#ranges[kind];
    if (before !== null) highlight.delete(before);
    const range = span === null ? null : this.#rangeOf(span);
    this.#ranges[kind] = range;
    if (range !== null) highlight.add(range);
  }

  /**
   * The DOM range of a place within one paragraph.
   *
   * @param {{ from: number, to: number }} span
   */
  #rangeOf({ from, to }) {
    const part = this.#parts.find((one) => from < one.to && to > one.from);
    const node = part?.element.firstChild;
    if (part === undefined || !(node instanceof Text)) return null;
    const range = document.createRange();
    range.setStart(node, Math.max(0, from - part.from));
    range.setEnd(node, Math.min(node.length, to - part.from));
    return range;
  }

  /** @param {Sentence | null} sentence */
  #wrap(sentence) {
    for (const mark of this.querySelectorAll("mark")) {
      const paragraph = mark.parentElement;
      if (paragraph !== null) paragraph.textContent = paragraph.textContent;
    }
    const range = sentence === null ? null : this.#rangeOf(sentence);
    range?.surroundContents(h("mark"));
  }

  /**
   * @param {boolean} [always] Even when it is in view.
   * @param {boolean} [isAtOnce] Whether to scroll without an animation.
   */
  #reveal(always = false, isAtOnce = false) {
    if (this.#sentence === null) return;
    const range = this.#ranges.sentence ?? this.querySelector("mark");
    if (range) this.#bringIntoView(range, always, isAtOnce);
  }

  /**
   * @param {Range | Element} range
   * @param {boolean} always Even when it is in view.
   * @param {boolean} [isAtOnce] Whether to scroll without an animation.
   */
  #bringIntoView(range, always, isAtOnce = false) {
    const box = range.getBoundingClientRect();
    const { scroller, view } = viewOf(this);
    const at = (box.top - view.top) / view.height;
    const end = (box.bottom - view.top) / view.height;
    if (!always && at >= comfortable.low && end <= comfortable.high) return;
    const by = box.top - view.top - comfortable.goal * view.height;
    scroller.scrollBy({ top: by, behavior: isAtOnce || reducedMotion() ? "auto" : "smooth" });
  }

  /** @param {Event} event */
  #scrolledByHand(event) {
    if (this.#sentence === null || !this.#follows) return;
    if (event.target instanceof Node && !this.#concerns(event.target)) return;
    this.#stopFollowing();
  }

  #stopFollowing() {
    this.#follows = false;
    this.#back.hidden = false;
  }

  /** @param {Node} target */
  #concerns(target) {
    const dialog = this.closest("dialog");
    return dialog === null ? document.querySelector("dialog[open]") === null : dialog.contains(target);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (getSelection()?.isCollapsed === false) return;
    const place = this.#placeAt(event);
    if (place === null) return;
    const seconds = timeOfPlace(this.#sentences, place);
    if (seconds === null) {
      this.dispatchEvent(new CustomEvent("text-ahead", { bubbles: true }));
      return;
    }
    this.#follows = true;
    this.#back.hidden = true;
    this.dispatchEvent(new CustomEvent("text-seek", { detail: { seconds }, bubbles: true }));
  }

  /**
   * The offset in the text under a pointer, in UTF-16 units.
   *
   * @param {MouseEvent} event
   */
  #placeAt({ clientX, clientY }) {
    const caret = caretAt(clientX, clientY);
    if (caret === null) return null;
    const part = this.#parts.find(({ element }) => element.contains(caret.node));
    if (part === undefined) return null;
    let before = caret.offset;
    for (const node of part.element.childNodes) {
      if (node.contains(caret.node)) break;
      before += node.textContent?.length ?? 0;
    }
    return part.from + before;
  }
}

/**
 * The element or window that scrolls a text, and the visible part of the window.
 *
 * @param {Element} element
 * @returns {{ scroller: Element | Window, view: { top: number, height: number } }}
 */
function viewOf(element) {
  const sheet = element.closest(".sheet-content");
  return { scroller: sheet ?? window, view: sheet?.getBoundingClientRect() ?? { top: 0, height: innerHeight } };
}

/** Keeps the top line in place when lines wrap differently, for example after a phone is turned. */
class TopLine {
  #text;
  #width = 0;
  #frame = 0;
  /** @type {{ range: Range, below: number } | null} Its start, and its distance below the top of the view. */
  #line = null;

  /** @param {HTMLElement} text */
  constructor(text) {
    this.#text = text;
  }

  /**
   * @param {() => boolean | void} holdOther Anchors something else instead; `false` when there is nothing else.
   * @param {AbortSignal} signal
   */
  start(holdOther, signal) {
    document.addEventListener("scroll", () => this.remember(), { signal, passive: true, capture: true });
    const watcher = new ResizeObserver(() => {
      const width = this.#text.clientWidth;
      const isWrapped = width !== this.#width && this.#width > 0;
      this.#width = width;
      if (isWrapped && holdOther() === false) this.#hold();
      this.remember();
    });
    watcher.observe(this.#text);
    signal.addEventListener("abort", () => watcher.disconnect(), { once: true });
  }

  /** Finds that line, at most once per frame. */
  remember() {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      // A change of the width moves another line to the top, which counts only after the old one was restored.
      if (this.#text.clientWidth === this.#width) this.#look();
    });
  }

  #look() {
    this.#line = null;
    const { top } = viewOf(this.#text).view;
    const box = this.#text.getBoundingClientRect();
    if (box.top >= top) return; // what is above it moves with the page
    const caret = caretAt(box.left + 1, top + 8);
    if (caret === null || !(caret.node instanceof Text) || !this.#text.contains(caret.node)) return;
    const range = document.createRange();
    range.setStart(caret.node, Math.min(caret.offset, caret.node.length - 1));
    range.setEnd(caret.node, range.startOffset + 1);
    this.#line = { range, below: range.getBoundingClientRect().top - top };
  }

  #hold() {
    if (this.#line === null || !this.#line.range.startContainer.isConnected) return;
    const { scroller, view } = viewOf(this.#text);
    scroller.scrollBy({ top: this.#line.range.getBoundingClientRect().top - view.top - this.#line.below, behavior: "auto" });
  }
}

/**
 * The paragraphs as written: with heading marks, indentation and empty lines.
 *
 * @param {string} text
 * @param {readonly Paragraph[]} paragraphs
 * @returns {Part[]}
 */
function linesOf(text, paragraphs) {
  let end = 0;
  return paragraphs.map(({ from, to, isHeading }, index) => {
    const between = text.slice(end, from);
    const indent = /[^\S\n\r]*$/.exec(between)?.[0].length ?? 0;
    const breaks = between.match(/\r\n|[\n\r]/g)?.length ?? 0;
    const element = h("p", { class: isHeading ? "reading-heading" : null, dir: "auto" }, text.slice(from - indent, to));
    element.style.setProperty("--empty-lines", String(index === 0 ? breaks : breaks - 1));
    end = to;
    return { element, from: from - indent, to };
  });
}

/**
 * @param {string} text
 * @param {Paragraph} paragraph
 * @returns {Part}
 */
function partOf(text, { from, to, isHeading }) {
  const marks = isHeading ? (/^#+\s+/.exec(text.slice(from, to))?.[0].length ?? 0) : 0;
  const element = h("p", { class: isHeading ? "reading-heading" : null, dir: "auto" }, text.slice(from + marks, to));
  return { element, from: from + marks, to };
}

/**
 * @param {number} x
 * @param {number} y
 * @returns {{ node: Node, offset: number } | null}
 */
function caretAt(x, y) {
  const position = document.caretPositionFromPoint?.(x, y);
  if (position) return { node: position.offsetNode, offset: position.offset };
  const range = document.caretRangeFromPoint?.(x, y);
  return range ? { node: range.startContainer, offset: range.startOffset } : null;
}

/**
 * Makes a reading text follow the player, and its clicks seek, until `signal` is aborted.
 *
 * @param {ReadingText} reading
 * @param {AbortSignal} signal
 * @param {object} options
 * @param {string} [options.only] The only recording or narration to follow; default: whatever is in the player.
 * @param {(seconds: number) => void} [options.playFrom] Plays it from there, when the player has something else.
 */
export function readAlong(reading, signal, { only, playFrom } = {}) {
  const isMeant = (/** @type {{ id: string } | null} */ transcript) =>
    transcript !== null && (only === undefined || transcript.id === only);
  player.transcript.follow((transcript) => {
    if (transcript !== null && isMeant(transcript)) reading.show(transcript.text, transcript.paragraphs, transcript.sentences);
  }, signal);
  followPlayer(reading, () => isMeant(player.transcript.value), signal);
  reading.addEventListener("text-seek", (event) => {
    const { seconds } = /** @type {CustomEvent<{ seconds: number }>} */ (event).detail;
    if (only === undefined || player.isCurrent(only)) player.seek(seconds);
    else playFrom?.(seconds);
  }, { signal });
  reading.addEventListener("text-ahead", () => showToast({ text: t("reading.ahead"), seconds: 3 }), { signal });
  if (only === undefined || player.isCurrent(only)) player.needTranscript();
}

/**
 * Highlights what the player speaks, and lets keys go from word to word, until `signal` is aborted.
 *
 * @param {ReadingText} reading
 * @param {() => boolean} isMeant Whether the player has this text.
 * @param {AbortSignal} signal
 */
export function followPlayer(reading, isMeant, signal) {
  let frame = 0;
  const look = () => {
    frame = 0;
    if (isMeant()) reading.setTime(player.now());
    if (player.phase.value === "playing") frame = requestAnimationFrame(look);
  };
  const start = () => {
    if (frame === 0) frame = requestAnimationFrame(look);
  };
  const go = (/** @type {1 | -1} */ step) => () => {
    if (!isMeant()) return;
    // The sound that plays is heard.
    const to = reading.goToWord(player.now(), step, { isSaid: !player.isPlaying });
    if (to !== null) player.seek(to);
  };
  addShortcuts(
    [
      { keys: "{", label: "shortcut.word.previous", group: "playing", run: go(-1) },
      { keys: "}", label: "shortcut.word.next", group: "playing", run: go(1) },
    ],
    signal,
  );
  start();
  for (const cell of [player.transcript, player.phase, player.time]) cell.watch(start, signal);
  signal.addEventListener("abort", () => cancelAnimationFrame(frame), { once: true });
}

customElements.define("echo-reading-text", ReadingText);
