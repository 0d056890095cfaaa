import { h, reducedMotion } from "../../../core/dom.js";
import { Heights, levelHeadings, TextMarks, TextParts, TextSection } from "./text-parts.js";

/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
/** @typedef {import("./text-parts.js").Cut} Cut */

/**
 * The source of the text.
 *
 * @typedef {object} TextSource
 * @property {readonly Span[]} spans The visible text: in order, without overlaps.
 * @property {(span: Span, signal: AbortSignal) => Promise<TextPart>} load
 * @property {(part: TextPart) => Cut[]} cuts The ranges of a part that look different from the text around them; in
 * order.
 * @property {(error: unknown) => void} failed
 */

/** How much text is rendered beyond each end of the view, in view heights. */
const spare = 0.75;

/** Where in the view a target is scrolled to; 0 is its top. */
const goal = 0.28;

/**
 * `<echo-document-text>`: the text of a document of any length: only text near the view is in the page or in memory.
 *
 * Fires
 * - `text-place` `{ unit }`: a click on words;
 * - `text-cut` `{ key }`: a press on a cut or on text put back;
 * - `text-moved`: other words are at the top of the view.
 */
export class DocumentText extends HTMLElement {
  #life = new AbortController();
  /** @type {TextSource | null} */
  #source = null;
  #parts = new TextParts([], () => Promise.reject(), () => {});
  #heights = new Heights([]);
  /** @type {Map<number, TextSection>} */
  #sections = new Map();
  #marks = new TextMarks();
  #frame = 0;
  #width = 0;
  /** @type {number | null} The place at the top of the view after the last scroll. */
  #topUnit = null;
  #above = h("div", { class: "text-space" });
  #place = h("div", { class: "text-place" });
  #below = h("div", { class: "text-space" });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    if (this.#place.parentNode !== this) this.replaceChildren(this.#above, this.#place, this.#below);
    const plan = () => this.#plan();
    document.addEventListener("scroll", plan, { signal, passive: true, capture: true });
    const watcher = new ResizeObserver(() => this.#resized());
    watcher.observe(this);
    signal.addEventListener("abort", () => watcher.disconnect());
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.#plan();
  }

  disconnectedCallback() {
    this.#life.abort();
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    this.#parts.close();
    this.#marks.showAll([]);
  }

  /** @param {TextSource} source */
  show(source) {
    this.#source = source;
    this.#parts.close();
    this.#parts = new TextParts(source.spans, source.load, source.failed);
    this.#heights = new Heights(this.#parts.chunks.map(({ from, to }) => to - from), this.#heights.guess);
    this.#clear();
    this.#layOut();
  }

  /** Renders the present cuts. */
  refresh() {
    for (const [index, section] of this.#sections) {
      const part = this.#parts.part(index);
      if (part === undefined) continue;
      const fresh = this.#make(index, part);
      section.element.replaceWith(fresh.element);
      this.#sections.set(index, fresh);
    }
    this.#layOut();
    this.#marks.showAll(this.#sections.values());
  }

  /**
   * Highlights ranges under a name, instead of its previous ones.
   *
   * @param {string} name
   * @param {readonly Span[]} spans In order, none overlapping.
   * @param {number} [priority]
   */
  mark(name, spans, priority = 0) {
    this.#marks.set(name, spans, priority, this.#sections.values());
  }

  /**
   * Scrolls to a place.
   *
   * @param {Span} span
   * @param {{ smooth?: boolean, onlyIfAway?: boolean }} options `onlyIfAway`: does not scroll if it is well in view.
   * @returns {Promise<boolean>} Whether it is in view now.
   */
  async goTo(span, { smooth = false, onlyIfAway = false } = {}) {
    const near = this.#parts.around(span.from);
    await Promise.all(near.map((index) => this.#need(index)));
    if (!this.isConnected) return false;
    const index = near.find((one) => this.#parts.ends(one).from <= span.from) ?? near[0] ?? 0;
    if (!this.#sections.has(index)) this.#scrollBy(this.#heights.top(index) - this.#offset());
    this.#layOut();
    const range = this.#sections.get(index)?.ranges({ from: span.from, to: Math.max(span.to, span.from + 1) })[0];
    const view = this.#view();
    const box = (range ?? this.#sections.get(index)?.element)?.getBoundingClientRect();
    if (box === undefined) return false;
    const isSeen = box.top >= view.top + 0.06 * view.height && box.bottom <= view.top + 0.7 * view.height;
    if (!(onlyIfAway && isSeen)) this.#scrollBy(box.top - view.top - goal * view.height, smooth);
    this.#layOut();
    return true;
  }

  /** The place at the top of the view. */
  get unit() {
    const line = this.#topLine;
    for (const [, section] of [...this.#sections].sort(([one], [other]) => one - other)) {
      if (section.element.getBoundingClientRect().bottom > line) return section.unitAt(line);
    }
    return this.#parts.chunks[this.#heights.at(Math.max(0, this.#offset()))]?.from ?? 0;
  }

  /** The line of the window, in pixels, that counts as the top of the view. */
  get #topLine() {
    const { top, height } = this.#view();
    return top + Math.min(goal, 0.12) * height;
  }

  #plan() {
    if (this.#frame !== 0 || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#layOut();
      // A change of the width moves other words to the top; they count only after the old ones were restored.
      if (this.clientWidth === this.#width) this.#topUnit = this.unit;
      this.dispatchEvent(new CustomEvent("text-moved"));
    });
  }

  #resized() {
    const width = this.clientWidth;
    if (Math.abs(width - this.#width) < 2) return;
    this.#width = width;
    this.#heights.forget();
    if (this.#topUnit !== null && this.#offset() > 0) this.#holdAtTop(this.#topUnit);
    this.#plan();
  }

  /**
   * Scrolls a place to the top of the view, where {@link unit} is measured.
   *
   * @param {number} unit
   */
  #holdAtTop(unit) {
    for (const section of this.#sections.values()) {
      const [range] = section.ranges({ from: unit, to: unit + 1 });
      if (range !== undefined) this.#scrollBy(range.getBoundingClientRect().top - this.#topLine);
    }
  }

  #clear() {
    this.#sections.clear();
    this.#place.replaceChildren();
  }

  /** The part of the window that shows the text. */
  #view() {
    const scroller = this.closest(".sheet-content");
    if (scroller === null) return { top: 0, height: innerHeight };
    const { top, height } = scroller.getBoundingClientRect();
    return { top, height };
  }

  /** The distance from the text's top to the view's top, in pixels. */
  #offset() {
    return this.#view().top - this.getBoundingClientRect().top;
  }

  /**
   * @param {number} pixels
   * @param {boolean} [smooth]
   */
  #scrollBy(pixels, smooth = false) {
    const behavior = smooth && !reducedMotion() ? "smooth" : "auto";
    (this.closest(".sheet-content") ?? window).scrollBy({ top: pixels, behavior });
  }

  #layOut() {
    if (!this.isConnected || this.#parts.chunks.length === 0) return;
    const { top, height } = this.#view();
    const offset = this.#offset();
    const first = this.#heights.at(offset - spare * height);
    const last = this.#heights.at(offset + (1 + spare) * height);
    const anchor = [...this.#sections.values()].find(({ element }) => element.getBoundingClientRect().bottom > top);
    const before = anchor?.element.getBoundingClientRect().top ?? 0;
    this.#exchange(first, last);
    levelHeadings(this.#place);
    this.#measure();
    if (anchor?.element.isConnected) {
      const moved = anchor.element.getBoundingClientRect().top - before;
      if (Math.abs(moved) >= 1) this.#scrollBy(moved);
    }
  }

  /**
   * Renders these chunks and removes all others.
   *
   * @param {number} first
   * @param {number} last
   */
  #exchange(first, last) {
    for (const [index, section] of this.#sections) {
      if (index >= first && index <= last) continue;
      section.element.remove();
      this.#sections.delete(index);
    }
    let isChanged = false;
    for (let index = first; index <= last; index += 1) {
      if (this.#sections.has(index)) continue;
      const part = this.#parts.part(index);
      if (part === undefined) {
        this.#need(index);
        continue;
      }
      const section = this.#make(index, part);
      const next = [...this.#sections].filter(([other]) => other > index).sort(([one], [other]) => one - other)[0];
      this.#place.insertBefore(section.element, next?.[1].element ?? null);
      this.#sections.set(index, section);
      isChanged = true;
    }
    if (isChanged) this.#marks.showAll(this.#sections.values());
  }

  #measure() {
    for (const [index, { element }] of this.#sections) this.#heights.measure(index, element.getBoundingClientRect().height);
    const shown = [...this.#sections.keys()].sort((one, other) => one - other);
    const first = shown[0] ?? this.#heights.at(Math.max(0, this.#offset()));
    const end = shown.length === 0 ? first : shown[shown.length - 1] + 1;
    this.#above.style.setProperty("height", `${this.#heights.top(first)}px`);
    this.#below.style.setProperty("height", `${this.#heights.total - this.#heights.top(end)}px`);
  }

  /** @param {number} index */
  async #need(index) {
    const parts = this.#parts;
    const wasThere = parts.part(index) !== undefined;
    const part = await parts.need(index, (one) => this.#sections.has(one));
    if (part !== null && !wasThere && parts === this.#parts) this.#plan();
  }

  /**
   * @param {number} index
   * @param {TextPart} part
   */
  #make(index, part) {
    return new TextSection(part, this.#parts.ends(index), this.#source?.cuts(part) ?? []);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { target } = event;
    const cut = target instanceof Element ? target.closest("[data-cut]") : null;
    if (cut instanceof HTMLElement && !cut.classList.contains("aside")) {
      this.dispatchEvent(new CustomEvent("text-cut", { detail: { key: cut.dataset.cut } }));
      return;
    }
    if (getSelection()?.isCollapsed === false) return;
    const caret = document.caretRangeFromPoint?.(event.clientX, event.clientY);
    const position = document.caretPositionFromPoint?.(event.clientX, event.clientY);
    const node = position?.offsetNode ?? caret?.startContainer;
    if (node === undefined) return;
    const unit = this.unitOf(node, position?.offset ?? caret?.startOffset ?? 0);
    if (unit !== null) this.dispatchEvent(new CustomEvent("text-place", { detail: { unit } }));
  }

  /**
   * The place of the document at a caret.
   *
   * @param {Node} node
   * @param {number} offset
   */
  unitOf(node, offset) {
    for (const section of this.#sections.values()) {
      const unit = section.unit(node, offset);
      if (unit !== null) return unit;
    }
    return null;
  }
}

customElements.define("echo-document-text", DocumentText);
