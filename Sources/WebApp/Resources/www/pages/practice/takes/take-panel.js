import { attempt } from "../../../components/toast.js";
import { fill, h } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { percent } from "../session/summary-view.js";
import { TakeCard } from "./take-card.js";
import { stateWords } from "./take-words.js";

/** @typedef {import("./take-list.js").TakeEntry} TakeEntry */

/** How many earlier takes are listed. */
const maximumListed = 30;

/**
 * @typedef {object} TakePanelActions
 * @property {(segment: number) => string} textOf
 * @property {() => Promise<void>} rest Pauses practice, since something else is going to play.
 * @property {(segment: number, isHard: boolean) => Promise<void>} markHard
 * @property {(segment: number) => boolean} isHard
 */

/** The user's takes: the last one with its words, and the earlier ones. */
export class TakePanel {
  #connection;
  #actions;
  #place = h("div", { class: "take-place" });
  #earlier = h("ol", { class: "take-list" });
  #more = h("details", { class: "take-earlier" }, h("summary", {}, t("practice.takes.earlier")), this.#earlier);
  element = h("section", { class: "take-panel", "aria-label": t("practice.takes"), hidden: true }, h("h2", {}, t("practice.takes")), this.#place, this.#more);
  /** @type {TakeCard | null} */
  #card = null;
  /** @type {number | null} The key of the selected take; the newest when `null`. */
  #chosen = null;
  #newest = 0;
  /** The earlier takes on screen: drawn again, they would lose the focus and a press that has begun. */
  #listed = "";
  /** @type {Map<number, HTMLElement>} Their rows, by key. */
  #rows = new Map();

  /**
   * @param {import("../session/session-connection.js").SessionConnection} connection
   * @param {TakePanelActions} actions
   */
  constructor(connection, actions) {
    this.#connection = connection;
    this.#actions = actions;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#connection.takes.takes.follow((takes) => this.#show(takes), signal);
    this.#connection.playback.playing.watch((name) => this.#card?.showPlaying(name), signal);
  }

  /** Shows what is known of segments now. */
  refresh() {
    this.#show(this.#connection.takes.takes.value);
  }

  /** @param {readonly TakeEntry[]} takes */
  #show(takes) {
    const [newest] = takes;
    this.element.hidden = newest === undefined;
    if (newest === undefined) return;
    if (newest.key > this.#newest) this.#chosen = null;
    this.#newest = Math.max(this.#newest, newest.key);
    const shown = takes.find(({ key }) => key === this.#chosen) ?? newest;
    if (this.#card?.key !== shown.key) {
      this.#card = new TakeCard(shown, this.#connection, { ...this.#actions, remove: () => this.#remove(shown) });
      fill(this.#place, this.#card.element);
    }
    this.#card.show();
    const others = takes.filter((take) => take !== shown).slice(0, maximumListed);
    this.#more.hidden = others.length === 0;
    const rows = others.map((take) => ({ take, ...this.#wordsOf(take) }));
    const listed = JSON.stringify(rows.map(({ take, words, facts }) => [take.key, words, facts]));
    if (listed === this.#listed) return;
    this.#listed = listed;
    const held = rows.findIndex(({ take }) => this.#rows.get(take.key)?.contains(document.activeElement));
    this.#rows = new Map(rows.map((row) => [row.take.key, this.#row(row)]));
    fill(this.#earlier, ...this.#rows.values());
    if (held >= 0) this.#earlier.querySelectorAll("button")[held]?.focus({ preventScroll: true });
  }

  /** @param {TakeEntry} take */
  #wordsOf(take) {
    const words = take.text || this.#actions.textOf(take.segment) || t("practice.segment", { n: take.segment });
    const how = take.mark === null ? stateWords(take) : percent(take.mark);
    return { words, facts: [clock(take.seconds), how].filter(Boolean).join(" · ") };
  }

  /** @param {{ take: TakeEntry, words: string, facts: string }} row */
  #row({ take, words, facts }) {
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", class: "take-row", onclick: () => this.#choose(take) },
        h("span", { class: "take-row-words", dir: "auto" }, words),
        h("span", { class: "muted small numbers" }, facts),
      ),
    );
  }

  /** @param {TakeEntry} take */
  #choose(take) {
    this.#chosen = take.key;
    if (take.state === "stored") this.#connection.takes.finish(take);
    this.refresh();
    this.#place.querySelector("button")?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {TakeEntry} take */
  async #remove(take) {
    await attempt(() => this.#connection.takes.remove(take));
  }
}
