import { errorNotice } from "../../components/notice.js";
import { openSheet } from "../../components/sheet.js";
import { fill, h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * @typedef {object} Step
 * @property {string} [title]
 * @property {(Node | null)[]} content
 * @property {HTMLElement[]} actions
 * @property {HTMLElement} [focus] What has the focus first.
 */

/**
 * A sheet that leads through some steps.
 *
 * @param {string} title
 * @param {{ count?: number, onClose?: () => void }} options `count`: how many steps there are, when it is said.
 */
export function openStepSheet(title, { count = 0, onClose } = {}) {
  const place = h("form", { class: "form steps", novalidate: true, onsubmit: (/** @type {Event} */ event) => event.preventDefault() });
  const problem = h("div", { class: "sheet-problem" });
  const sheet = openSheet({ title, content: [place], className: "step-sheet", onClose });
  return {
    close: () => sheet.close(),
    /**
     * @param {Step} step
     * @param {number} [number] From 1.
     */
    show: ({ title: stepTitle, content, actions, focus }, number) => {
      fill(problem);
      fill(
        place,
        number === undefined ? null : h("p", { class: "muted small step-number" }, t("passcode.step", { number, count })),
        stepTitle === undefined ? null : h("h3", { class: "step-title", tabindex: "-1" }, stepTitle),
        ...content,
        problem,
        h("div", { class: "form-actions" }, ...actions),
      );
      const first = focus ?? place.querySelector("h3");
      if (first instanceof HTMLElement) first.focus();
    },
    /** @param {unknown} error What went wrong in this step; `null` when nothing did. */
    fail: (error) => fill(problem, error === null ? null : errorNotice(error)),
  };
}
