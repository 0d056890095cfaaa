import { fill, h, setAttribute } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** With more segments than this, a bar is shown. */
export const maximumDots = 60;

/**
 * The position among the segments.
 *
 * @param {{ known: number, isComplete: boolean }} segments
 * @returns {"dots" | "bar"}
 */
export function progressKind({ known, isComplete }) {
  return isComplete && known <= maximumDots ? "dots" : "bar";
}

/**
 * The segment at a fraction of the width.
 *
 * @param {number} part From 0 to 1.
 * @param {number} count
 */
export function segmentAt(part, count) {
  return Math.max(1, Math.min(count, Math.floor(part * count) + 1));
}

/** The position of the present segment in the text: a dot per segment, or a bar. A press goes there. */
export class ProgressDots {
  #dots = h("div", { class: "progress-dots" });
  #count = 0;
  #kind = "";
  element = h("div", { class: "practice-progress", role: "progressbar", "aria-label": t("practice.progress"), "aria-valuemin": "1" }, this.#dots);

  /** @param {{ goTo: (segment: number) => void }} actions */
  constructor({ goTo }) {
    this.element.addEventListener("click", (event) => {
      const box = this.#dots.getBoundingClientRect();
      if (box.width > 0 && this.#count > 0) goTo(segmentAt((event.clientX - box.left) / box.width, this.#count));
    });
  }

  /**
   * @param {number} present
   * @param {{ known: number, isComplete: boolean }} segments
   * @param {(number: number) => boolean} isHard
   */
  show(present, segments, isHard) {
    const kind = progressKind(segments);
    if (kind !== this.#kind || segments.known !== this.#count) this.#build(kind, segments.known);
    const text = t(segments.isComplete ? "practice.place" : "practice.place.open", { at: present, n: segments.known });
    setAttribute(this.element, "aria-valuenow", String(present));
    setAttribute(this.element, "aria-valuemax", String(Math.max(present, segments.known)));
    setAttribute(this.element, "aria-valuetext", text);
    if (kind === "bar") {
      this.#dots.style.setProperty("--part", String(segments.known === 0 ? 0 : present / segments.known));
      return;
    }
    [...this.#dots.children].forEach((dot, index) => {
      setAttribute(dot, "class", index + 1 === present ? "dot now" : index + 1 < present ? "dot past" : "dot");
      setAttribute(dot, "data-hard", isHard(index + 1));
    });
  }

  /**
   * @param {"dots" | "bar"} kind
   * @param {number} count
   */
  #build(kind, count) {
    this.#kind = kind;
    this.#count = count;
    setAttribute(this.#dots, "data-kind", kind);
    fill(this.#dots, ...(kind === "bar" ? [] : Array.from({ length: count }, () => h("span", { class: "dot" }))));
  }
}
