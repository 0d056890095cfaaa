import { button } from "../../../components/button.js";
import { fill, h } from "../../../core/dom.js";
import { duration } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";

/** @typedef {import("../../../server/practice.js").PracticeSummary} PracticeSummary */

/**
 * The facts of a summary in words; unknown ones are omitted.
 *
 * @param {PracticeSummary} summary
 * @returns {{ key: string, words: string }[]} `key`: the catalogue's.
 */
export function summaryFacts({ segments, takes, score, pace, seconds }) {
  return [
    { key: "practice.summary.time", words: duration(seconds) },
    { key: "practice.summary.segments", words: number(segments) },
    ...(takes === 0 ? [] : [{ key: "practice.summary.takes", words: number(takes) }]),
    ...(score === null ? [] : [{ key: "practice.summary.score", words: percent(score) }]),
    ...(pace === null ? [] : [{ key: "practice.summary.pace", words: number(pace) }]),
  ];
}

/** @param {number} part From 0 to 1. */
export const percent = (part) => t("practice.percent", { n: Math.round(100 * part) });

/**
 * @typedef {object} SummaryActions
 * @property {() => void} again
 * @property {(segment: number) => void} goTo
 * @property {(segment: number) => string} textOf The words of a segment; empty while unknown.
 */

/** The results of a session, in neutral words. */
export class SummaryView {
  #actions;
  /** @type {PracticeSummary | null} */
  #summary = null;
  /** The facts on screen. */
  #shown = "";
  #title = h("h2", { id: "practice-summary-title", tabindex: "-1" }, t("practice.summary"));
  #facts = h("dl", { class: "summary-facts" });
  #marked = h("ul", {});
  element;

  /** @param {SummaryActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const again = button({ label: t("practice.anew"), icon: "play", look: "primary", onPress: actions.again });
    this.element = h(
      "section",
      { class: "practice-summary", "aria-labelledby": this.#title.id },
      this.#title,
      this.#facts,
      this.#marked,
      h("div", { class: "summary-actions" }, again, h("a", { class: "button", href: "/practice" }, t("practice.done"))),
    );
  }

  /** @param {PracticeSummary} summary */
  show(summary) {
    this.#summary = summary;
    this.refresh();
  }

  /** Shows what is known now; what is already shown, and the focus, stay. */
  refresh() {
    if (this.#summary === null) return;
    const { best, worst } = this.#summary;
    const marked = [best, worst?.number === best?.number ? null : worst].map((one) => one && { ...one, text: this.#actions.textOf(one.number) });
    const shown = JSON.stringify([this.#summary, marked]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    fill(this.#facts, ...summaryFacts(this.#summary).map(({ key, words }) => h("div", {}, h("dt", { class: "muted small" }, t(key)), h("dd", { class: "numbers" }, words))));
    const held = [...this.#marked.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    const [first, last] = marked;
    fill(this.#marked, first && this.#row("practice.summary.best", first), last && this.#row("practice.summary.worst", last));
    if (held >= 0) (this.#marked.querySelectorAll("button")[held] ?? this.#title).focus({ preventScroll: true });
  }

  /**
   * @param {string} key
   * @param {{ number: number, score: number, text: string }} result
   */
  #row(key, { number: place, score, text }) {
    return h(
      "li",
      { class: "summary-segment" },
      h("div", {}, h("p", { class: "muted small" }, `${t(key)} · ${percent(score)}`), h("p", { dir: "auto" }, text === "" ? t("practice.segment", { n: place }) : text)),
      button({ label: t("practice.summary.go"), onPress: () => this.#actions.goTo(place) }),
    );
  }
}
