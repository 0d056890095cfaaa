import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { focusTitle, Sheet } from "../../../components/sheet.js";
import { showToast, showUndo } from "../../../components/toast.js";
import { fill, h } from "../../../core/dom.js";
import { clock, paragraphFor } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { isOpen } from "../../../core/store.js";

/** @typedef {import("../../../server/recordings.js").Mark} Mark */

/**
 * @typedef {object} MarkActions
 * @property {(seconds: number) => void} play
 * @property {(change: MarkChange) => Promise<readonly Mark[]>} change Changes those that are kept now, and returns them.
 */

/**
 * @callback MarkChange May be called several times.
 * @param {readonly Mark[]} marks
 * @returns {readonly Mark[]}
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
   * Names that are not saved yet, by their marks; what was refused is saved with the next change.
   *
   * @type {Map<Mark, MarkChange>}
   */
  #unsaved = new Map();

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
    this.#rows = this.#marks.map((mark) => before.find((row) => row.mark === mark) ?? this.#row(mark));
    for (const row of before) if (!this.#rows.includes(row)) row.element.remove();
    for (const { mark, name } of this.#rows) {
      if (name !== document.activeElement && !this.#unsaved.has(mark)) name.value = mark.label ?? "";
    }
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
    // More of them than are shown: it was added before, and only the answer was lost.
    const added = (/** @type {readonly Mark[]} */ marks) => (countAt(marks, mark) > countAt(this.#marks, mark) ? marks : [...marks, mark]);
    if (!(await this.#save(added))) return;
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
    const label = name === "" ? null : name;
    mark.label = label;
    this.#unsaved.set(mark, (marks) => {
      const at = this.#placeIn(marks, mark);
      // A mark that was named here stays, though another page has removed it meanwhile.
      return at < 0 ? [...marks, { ...mark, label }] : marks.map((one, place) => (place === at ? { ...one, label } : one));
    });
    return this.#save();
  }

  /** @param {Mark} mark */
  async #remove(mark) {
    const removed = (/** @type {readonly Mark[]} */ marks) => {
      const at = this.#placeIn(marks, mark);
      return marks.filter((_, place) => place !== at);
    };
    const place = this.#marks.indexOf(mark);
    if (!(await this.#save(removed))) return;
    const hadFocus = this.#list.contains(document.activeElement);
    this.#fill();
    if (hadFocus && !this.#list.contains(document.activeElement)) this.#focusRow(place);
    showUndo({ text: t("marks.removed"), undo: () => this.#putBack(mark) });
  }

  /** @param {number} place The row in its place gets the focus; without any, the title. */
  #focusRow(place) {
    const row = this.#rows[Math.min(place, this.#rows.length - 1)];
    if (row === undefined) focusTitle();
    else [...row.element.querySelectorAll("button")].at(-1)?.focus({ preventScroll: true });
  }

  /** @param {Mark} mark */
  async #putBack(mark) {
    if (await this.#save((marks) => [...marks, { ...mark }])) this.#fill();
  }

  /**
   * Saves the names that are unsaved, and another change.
   *
   * @param {MarkChange} [change]
   * @returns {Promise<boolean>} Whether the marks are kept.
   */
  #save(change = (marks) => marks) {
    return (this.#sending = this.#sending.then(() => this.#saveNow(change)));
  }

  /** @param {MarkChange} change */
  async #saveNow(change) {
    fill(this.#problem);
    try {
      /** @type {[Mark, MarkChange][]} */
      let named = [];
      const kept = await this.#actions.change((present) => {
        named = [...this.#unsaved];
        return change(named.reduce((marks, [, name]) => name(marks), present));
      });
      for (const [mark, name] of named) if (this.#unsaved.get(mark) === name) this.#unsaved.delete(mark);
      this.#take(kept);
      return true;
    } catch (error) {
      fill(this.#problem, errorNotice(error));
      if (this.signal.aborted && isOpen()) showToast({ icon: "error", text: paragraphFor(error) });
      return false;
    }
  }

  /** @param {readonly Mark[]} kept Those that are in the fields stay the ones that the fields change. */
  #take(kept) {
    const shown = [...this.#marks];
    this.#marks = kept.map((mark) => {
      const same = shown.find((one) => isAt(one, mark));
      if (same === undefined) return { ...mark };
      shown.splice(shown.indexOf(same), 1);
      if (!this.#unsaved.has(same)) same.label = mark.label;
      return same;
    });
  }

  /**
   * @param {readonly Mark[]} marks As they are kept.
   * @param {Mark} mark One that is shown; of several at one place, the same in their order.
   */
  #placeIn(marks, mark) {
    const nth = Math.max(0, this.#marks.filter((one) => isAt(one, mark)).indexOf(mark));
    const places = [...marks.keys()].filter((place) => isAt(/** @type {Mark} */ (marks[place]), mark));
    return places[nth] ?? places[0] ?? -1;
  }
}

/**
 * @param {readonly Mark[]} marks
 * @param {Mark} mark
 */
function countAt(marks, mark) {
  return marks.filter((one) => isAt(one, mark)).length;
}

/**
 * @param {Mark} one
 * @param {Mark} other
 */
function isAt(one, other) {
  return Math.abs(one.seconds - other.seconds) < 0.001;
}
