import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast, showUndo } from "../../../components/toast.js";
import { fill, h } from "../../../core/dom.js";
import { clock, paragraphFor } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { isOpen } from "../../../core/store.js";

/** @typedef {import("../../../server/recordings.js").Mark} Mark */

/**
 * @typedef {object} MarkActions
 * @property {(seconds: number) => void} play
 * @property {(marks: readonly Mark[]) => Promise<readonly Mark[]>} save Replaces them; returns them as they are kept.
 */

/** The most characters of a mark's name. */
const longest = 200;

/** The marks of a recording: each is played, named and removed, and the place that is heard is marked. */
export class MarksSheet extends Sheet {
  /** @type {readonly Mark[]} Copies, which the fields change. */
  #marks;
  #now;
  #actions;
  #list = h("ul", { class: "marks" });
  /** @type {{ mark: Mark, element: HTMLElement, name: HTMLInputElement }[]} The rows in the list, by time. */
  #rows = [];
  #none = h("li", { class: "muted" }, t("marks.none"));
  #problem = h("div", {});
  /** The last request; the next one waits for it, so that older marks never replace newer ones. */
  #sending = Promise.resolve(true);

  /**
   * @param {readonly Mark[]} marks By time.
   * @param {number} now The place that can be marked, in seconds.
   * @param {MarkActions} actions
   */
  constructor(marks, now, actions) {
    super({ title: t("marks.title"), kind: "side", className: "marks-sheet" });
    this.#marks = marks.map((mark) => ({ ...mark }));
    this.#now = now;
    this.#actions = actions;
    const add = button({ label: t("marks.add", { time: clock(now) }), icon: "flag", onPress: () => this.#add() });
    this.build({ content: [this.#problem, this.#list], actions: [add] });
    this.#fill();
  }

  /** Shows the rows of the marks; those that are there stay, with the names being typed. */
  #fill() {
    const before = this.#rows;
    this.#rows = this.#marks.map((mark) => before.find((row) => isAt(row.mark, mark)) ?? this.#row(mark));
    for (const row of before) if (!this.#rows.includes(row)) row.element.remove();
    this.#none.remove();
    this.#rows.forEach(({ element }, place) => {
      const there = this.#list.children[place] ?? null;
      if (there !== element) this.#list.insertBefore(element, there);
    });
    if (this.#rows.length === 0) this.#list.append(this.#none);
  }

  /** @param {Mark} mark */
  #row(mark) {
    const time = clock(mark.seconds);
    const play = h("button", {
      type: "button",
      class: "segment-time numbers",
      "aria-label": t("transcript.play.at", { time }),
      onclick: () => this.#actions.play(mark.seconds),
    }, time);
    /** @type {HTMLInputElement} */
    const name = h("input", {
      class: "field mark-name",
      value: mark.label ?? "",
      maxlength: longest,
      autocomplete: "off",
      placeholder: t("marks.mark"),
      "aria-label": t("marks.name.at", { time }),
      onchange: () => this.#change(mark, name.value.trim()),
    });
    const remove = button({ label: t("marks.remove", { time }), icon: "trash", look: "quiet", iconOnly: true, onPress: () => this.#remove(mark) });
    return { mark, element: h("li", { class: "mark-row" }, play, name, remove), name };
  }

  async #add() {
    const mark = { seconds: this.#now, label: null };
    if (!(await this.#save((marks) => [...marks, mark]))) return;
    this.#fill();
    const isNaming = this.#rows.some(({ name }) => name === document.activeElement);
    if (!isNaming) this.#rows.find((row) => isAt(row.mark, mark))?.name.focus();
  }

  /**
   * Keeps the fields as they are, so that the focus may move on while a name is saved.
   *
   * @param {Mark} mark
   * @param {string} name
   */
  #change(mark, name) {
    mark.label = name === "" ? null : name;
    return this.#save((marks) => {
      const one = marks[placeOf(mark, marks)];
      if (one !== undefined) one.label = mark.label;
      return marks;
    });
  }

  /** @param {Mark} mark */
  async #remove(mark) {
    if (!(await this.#save((marks) => marks.filter((_, place) => place !== placeOf(mark, marks))))) return;
    this.#fill();
    showUndo({ text: t("marks.removed"), undo: () => this.#putBack(mark), commit: () => {} });
  }

  /** @param {Mark} mark */
  async #putBack(mark) {
    if (await this.#save((marks) => [...marks, mark])) this.#fill();
  }

  /**
   * @param {(marks: readonly Mark[]) => readonly Mark[]} change
   * @returns {Promise<boolean>} Whether the marks are kept.
   */
  #save(change) {
    return (this.#sending = this.#sending.then(() => this.#saveNow(change(this.#marks))));
  }

  /** @param {readonly Mark[]} marks */
  async #saveNow(marks) {
    fill(this.#problem);
    try {
      const kept = await this.#actions.save(marks);
      // Those that are in the fields stay the ones that the fields change.
      if (marks !== this.#marks) this.#marks = kept.map((mark) => ({ ...mark }));
      return true;
    } catch (error) {
      fill(this.#problem, errorNotice(error));
      if (this.signal.aborted && isOpen()) showToast({ icon: "error", text: paragraphFor(error) });
      return false;
    }
  }
}

/**
 * @param {Mark} mark
 * @param {readonly Mark[]} marks Perhaps copies of those that it was among.
 */
function placeOf(mark, marks) {
  const place = marks.indexOf(mark);
  return place >= 0 ? place : marks.findIndex((one) => isAt(one, mark));
}

/**
 * @param {Mark} one
 * @param {Mark} other
 */
function isAt(one, other) {
  return Math.abs(one.seconds - other.seconds) < 0.001;
}
