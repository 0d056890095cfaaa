import { button } from "../../../components/button.js";
import { Sheet } from "../../../components/sheet.js";
import { fill, h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** How many segments are listed at a time; a book has thousands. */
const step = 100;

/** All segments, with a button to go to each; hard ones are marked. */
export class SegmentsSheet extends Sheet {
  #session;
  #texts;
  #goTo;
  #list = h("ol", { class: "segment-list" });
  #first;
  #last;
  #before = button({ label: t("practice.segments.before"), look: "quiet", onPress: () => this.#widen(-1) });
  #after = button({ label: t("practice.segments.after"), look: "quiet", onPress: () => this.#widen(1) });

  /**
   * @param {() => import("../../../server/practice.js").PracticeSession} session
   * @param {import("./segment-texts.js").SegmentTexts} texts
   * @param {(segment: number) => void} goTo
   */
  constructor(session, texts, goTo) {
    super({ title: t("practice.segments"), kind: "side", className: "segments-sheet" });
    this.#session = session;
    this.#texts = texts;
    this.#goTo = goTo;
    const { segment } = session().position;
    this.#first = Math.max(1, segment - step / 2);
    this.#last = this.#first + step - 1;
    this.build({ content: [this.#before, this.#list, this.#after] });
  }

  open() {
    super.open();
    this.#load(true);
    return this;
  }

  /** @param {1 | -1} side */
  #widen(side) {
    if (side < 0) this.#first = Math.max(1, this.#first - step);
    else this.#last += step;
    this.#load(false);
  }

  /** @param {boolean} isFirst Whether to scroll to the present segment. */
  async #load(isFirst) {
    const windows = [];
    for (let number = this.#first; number <= this.#last; number += 50) windows.push(this.#texts.need(number));
    await Promise.allSettled(windows);
    if (this.signal.aborted) return;
    const present = this.#session().position.segment;
    const rows = [];
    for (let number = this.#first; number <= this.#last; number += 1) {
      const segment = this.#texts.at(number);
      if (segment !== null) rows.push(this.#row(segment, number === present));
    }
    fill(this.#list, ...rows);
    this.#before.hidden = this.#first === 1;
    const { known, isComplete } = this.#texts.countWith(this.#session().segments);
    this.#after.hidden = isComplete ? this.#last >= known : rows.length < this.#last - this.#first + 1;
    const current = this.#list.querySelector("[aria-current]");
    if (!isFirst || !(current instanceof HTMLElement)) return;
    current.scrollIntoView({ block: "center" });
    current.focus({ preventScroll: true });
  }

  /**
   * @param {import("../../../server/practice.js").PracticeSegment} segment
   * @param {boolean} isPresent
   */
  #row({ number, text, isHeading, isHard }, isPresent) {
    const onclick = () => {
      this.close();
      this.#goTo(number);
    };
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: isHeading ? "segment-entry heading" : "segment-entry", "aria-current": isPresent ? "true" : null, onclick },
        h("span", { class: "segment-number muted small numbers" }, String(number)),
        h("span", { dir: "auto" }, text),
        isHard ? h("span", { class: "practice-hard small" }, t("practice.hard")) : null,
      ),
    );
  }
}
