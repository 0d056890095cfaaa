import { h } from "../core/dom.js";

/**
 * The top of a page: its title and what can be done with the page as a whole.
 *
 * @param {string} title
 * @param {...import("../core/dom.js").Child} actions
 * @returns {HTMLElement}
 */
export function pageHead(title, ...actions) {
  return h(
    "header",
    { class: "page-head" },
    h("h1", { tabindex: "-1" }, title),
    h("div", { class: "page-actions" }, ...actions),
  );
}
