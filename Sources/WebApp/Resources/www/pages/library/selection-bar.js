import { button } from "../../components/button.js";
import { h, setText } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * @typedef {object} SelectionActions
 * @property {() => void} leave
 * @property {() => void} selectAll
 * @property {(ids: string[]) => void} favorite
 * @property {(ids: string[]) => void} queue
 * @property {(ids: string[]) => void} share
 * @property {(ids: string[]) => void} remove
 */

/** What can be done with several recordings at once; in view while some are being selected. */
export class SelectionBar {
  /** @type {string[]} */
  #ids = [];
  #count = h("p", { class: "selection-count", role: "status" });
  /** @type {HTMLButtonElement[]} */
  #actions;

  /** @param {SelectionActions} actions */
  constructor(actions) {
    this.#actions = /** @type {const} */ ([
      ["library.select.favorite", "heart", actions.favorite],
      ["library.select.queue", "queue", actions.queue],
      ["library.select.share", "share", actions.share],
      ["library.select.delete", "trash", actions.remove],
    ]).map(([key, picture, run]) =>
      button({ label: t(key), icon: picture, look: "quiet", iconOnly: true, onPress: () => run([...this.#ids]) }),
    );
    this.element = h(
      "div",
      { class: "selection-bar", role: "toolbar", "aria-label": t("library.select"), hidden: true },
      button({ label: t("library.select.done"), icon: "close", look: "quiet", iconOnly: true, onPress: actions.leave }),
      this.#count,
      button({ label: t("library.select.all"), look: "quiet", onPress: actions.selectAll }),
      h("span", { class: "selection-space" }),
      ...this.#actions,
    );
  }

  /** @param {string[] | null} ids What is selected; `null` when nothing is being selected. */
  show(ids) {
    this.element.hidden = ids === null;
    this.#ids = ids ?? [];
    setText(this.#count, ids === null ? "" : t("library.selected", { n: ids.length }));
    for (const action of this.#actions) action.disabled = this.#ids.length === 0;
  }
}
