import { h } from "../core/dom.js";
import { wordsFor } from "../core/i18n.js";
import { icon } from "./icon.js";

/**
 * A message in its place on a page: what happened, and the action that mends it.
 *
 * @param {object} options
 * @param {string} options.text
 * @param {string | null} [options.detail]
 * @param {"error" | "warning" | "info"} [options.kind] `info` when absent; an error is announced at once.
 * @param {(HTMLElement | null | undefined)[]} [options.actions]
 * @returns {HTMLElement}
 */
export function notice({ text, detail, kind = "info", actions = [] }) {
  const buttons = actions.filter((action) => action !== null && action !== undefined);
  return h(
    "div",
    { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" },
    icon(kind),
    h("div", { class: "notice-words" }, h("p", {}, text), detail ? h("p", { class: "muted" }, detail) : null),
    buttons.length === 0 ? null : h("div", { class: "notice-actions" }, ...buttons),
  );
}

/**
 * A refusal by the server, in its place.
 *
 * @param {unknown} error
 * @param {...(HTMLElement | null | undefined)} actions
 */
export function errorNotice(error, ...actions) {
  const { message, suggestion } = wordsFor(error);
  return notice({ text: message, detail: suggestion, kind: "error", actions });
}
