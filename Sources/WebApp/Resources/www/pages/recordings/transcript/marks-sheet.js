import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showUndo } from "../../../components/toast.js";
import { fill, h } from "../../../core/dom.js";
import { clock } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";

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
  #problem = h("div", {});

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

  #fill() {
    const none = h("li", { class: "muted" }, t("marks.none"));
    fill(this.#list, ...(this.#marks.length === 0 ? [none] : this.#marks.map((mark) => this.#row(mark))));
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
    return h("li", { class: "mark-row" }, play, name, remove);
  }

  async #add() {
    const mark = { seconds: this.#now, label: null };
    if (!(await this.#save([...this.#marks, mark]))) return;
    this.#fill();
    const at = this.#marks.findIndex(({ seconds }) => Math.abs(seconds - mark.seconds) < 0.001);
    this.#list.querySelectorAll("input")[at]?.focus();
  }

  /**
   * Keeps the fields as they are, so that the focus may move on while a name is saved.
   *
   * @param {Mark} mark
   * @param {string} name
   */
  #change(mark, name) {
    mark.label = name === "" ? null : name;
    return this.#save(this.#marks);
  }

  /** @param {Mark} mark */
  async #remove(mark) {
    const before = this.#marks;
    if (!(await this.#save(before.filter((one) => one !== mark)))) return;
    this.#fill();
    showUndo({ text: t("marks.removed"), undo: () => this.#putBack(before), commit: () => {} });
  }

  /** @param {readonly Mark[]} marks */
  async #putBack(marks) {
    if (await this.#save(marks)) this.#fill();
  }

  /**
   * @param {readonly Mark[]} marks
   * @returns {Promise<boolean>} Whether they are kept.
   */
  async #save(marks) {
    fill(this.#problem);
    try {
      const kept = await this.#actions.save(marks);
      // Those that are in the fields stay the ones that the fields change.
      if (marks !== this.#marks) this.#marks = kept.map((mark) => ({ ...mark }));
      return true;
    } catch (error) {
      fill(this.#problem, errorNotice(error));
      return false;
    }
  }
}
