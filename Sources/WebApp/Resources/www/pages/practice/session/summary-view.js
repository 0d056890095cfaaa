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

/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */

/**
 * Whether deleting a session loses nothing, according to the server now; `false` when it does not answer.
 *
 * @param {string} id
 * @param {object} server
 * @param {(id: string) => Promise<{ takes: readonly unknown[] }>} server.listTakes
 * @param {(id: string) => Promise<Pick<PracticeSession, "summary">>} server.loadSession
 */
export async function isUnpractised(id, { listTakes, loadSession }) {
  try {
    const [{ takes }, { summary }] = await Promise.all([listTakes(id), loadSession(id)]);
    return takes.length === 0 && (summary === null || (summary.segments === 0 && summary.takes === 0));
  } catch {
    return false;
  }
}

/**
 * Deletes a session once its view has been left, since the view's pending requests would no longer find it.
 *
 * @param {string} id
 * @param {AbortSignal} left Aborted when the view is left, which ends its requests.
 * @param {(id: string) => Promise<void>} remove
 */
export async function deleteOnceLeft(id, left, remove) {
  if (!left.aborted) await new Promise((resolve) => left.addEventListener("abort", resolve, { once: true }));
  await remove(id).catch(() => {}); // it stays in the list
}

const namespace = "http://www.w3.org/2000/svg";

/** The drawing's size in units, and how many sessions it shows. */
const width = 300;
const height = 48;
const maximumDrawn = 30;

/**
 * The scores of sessions, oldest first.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {number[]} From 0 to 1; sessions without a score are omitted.
 */
export function scoresOver(sessions) {
  const known = sessions.flatMap(({ created, summary }) => (summary?.score == null ? [] : [{ created, score: summary.score }]));
  known.sort((one, other) => one.created.localeCompare(other.created));
  return known.map(({ score }) => score).slice(-maximumDrawn);
}

/**
 * The scores over time; nothing for fewer than three, which show no trend.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {HTMLElement | null}
 */
export function scoreLine(sessions) {
  const scores = scoresOver(sessions);
  const [first, last] = [scores[0], scores[scores.length - 1]];
  if (scores.length < 3 || first === undefined || last === undefined) return null;
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 -4 ${width} ${height + 8}`);
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(namespace, "polyline");
  line.setAttribute("points", scores.map((score, index) => `${((index * width) / (scores.length - 1)).toFixed(1)},${((1 - score) * height).toFixed(1)}`).join(" "));
  picture.append(line);
  const words = t("practice.over-time", { n: scores.length, first: percent(first), last: percent(last) });
  return h("figure", { class: "score-line" }, picture, h("figcaption", { class: "muted small" }, words));
}
