import { h } from "../core/dom.js";
import { icon } from "./icon.js";

/**
 * What a page shows when it has nothing: one sentence, and the way to have something.
 *
 * @param {object} options
 * @param {import("./icon.js").IconName} options.icon
 * @param {string} options.text
 * @param {string} [options.detail]
 * @param {HTMLElement} [options.action] A button or a link.
 * @returns {HTMLElement}
 */
export function empty({ icon: name, text, detail, action }) {
  return h(
    "div",
    { class: "empty" },
    icon(name, { className: "empty-icon" }),
    h("p", { class: "empty-text" }, text),
    detail === undefined ? null : h("p", { class: "empty-detail" }, detail),
    action,
  );
}
