import { button } from "../../components/button.js";
import { h, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * What can be done with everything that is selected.
 *
 * @typedef {object} SelectionAction
 * @property {string} label
 * @property {import("../../components/icon.js").IconName} icon
 * @property {(ids: string[]) => void} run
 */

/** What can be done with several rows at once; in view while some are being selected. */
export class SelectionBar {
  /** @type {string[]} */
  #ids = [];
  #count = h("p", { class: "selection-count", role: "status" });
  /** @type {HTMLButtonElement[]} */
  #actions;

  /**
   * @param {object} parts
   * @param {() => void} parts.leave
   * @param {() => void} parts.selectAll
   * @param {readonly SelectionAction[]} parts.actions
   */
  constructor({ leave, selectAll, actions }) {
    this.#actions = actions.map(({ label, icon, run }) =>
      button({ label, icon, look: "quiet", iconOnly: true, onPress: () => run([...this.#ids]) }),
    );
    this.element = h(
      "div",
      { class: "selection-bar", role: "toolbar", "aria-label": t("select.title"), hidden: true },
      button({ label: t("do.done"), icon: "close", look: "quiet", iconOnly: true, onPress: leave }),
      this.#count,
      button({ label: t("select.all"), look: "quiet", onPress: selectAll }),
      h("span", { class: "selection-space" }),
      ...this.#actions,
    );
  }

  /** @param {string[] | null} ids What is selected; `null` when nothing is being selected. */
  show(ids) {
    this.element.hidden = ids === null;
    this.#ids = ids ?? [];
    setText(this.#count, ids === null ? "" : t("select.count", { n: ids.length }));
    for (const action of this.#actions) action.disabled = this.#ids.length === 0;
  }
}
