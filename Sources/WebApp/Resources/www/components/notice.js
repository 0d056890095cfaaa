import { button } from "./button.js";
import { icon } from "./icon.js";
import { h } from "../core/dom.js";
import { t, wordsFor } from "../core/i18n.js";
import { addressWithReturn, navigate } from "../core/router.js";

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
 * A notice of an error.
 *
 * @param {unknown} error
 * @param {...(HTMLElement | null | undefined)} actions
 */
export function errorNotice(error, ...actions) {
  const { message, suggestion } = wordsFor(error);
  return notice({ text: message, detail: suggestion, kind: "error", actions });
}

/**
 * The content of a page that is empty: one sentence, and an action that fills it.
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

/**
 * The whole document when the server does not answer, or does not know the browser.
 *
 * @param {unknown} error
 */
export function failurePage(error) {
  const hasNoSession = /** @type {{ status?: number }} */ (error).status === 401;
  return h(
    "main",
    { class: "alone" },
    empty({
      icon: hasNoSession ? "key" : "warning",
      text: t(hasNoSession ? "frame.no-session" : "frame.no-server"),
      detail: t(hasNoSession ? "frame.no-session.do" : "frame.no-server.do"),
      action: button({ label: t("do.again"), look: "primary", onPress: () => location.reload() }),
    }),
  );
}

/**
 * The content of a page whose modules could not be loaded.
 *
 * @param {unknown} error
 * @param {() => void} tryAgain
 */
export function failureNotice(error, tryAgain) {
  return errorNotice(error, button({ label: t("do.again"), onPress: tryAgain }));
}

/** A link to the voices and back. */
export function voicesLink() {
  return h("a", { class: "button", href: addressWithReturn("/voices") }, t("voices.go"));
}

/**
 * The same for a toast.
 *
 * @returns {{ label: string, run: () => void }}
 */
export function voicesAction() {
  return { label: t("voices.go"), run: () => navigate(addressWithReturn("/voices")) };
}

/**
 * A link to the voices and back, when an error concerns a voice.
 *
 * @param {unknown} error
 */
export function wayToVoices(error) {
  return concernsVoice(error) ? voicesLink() : null;
}

/**
 * The same for a toast.
 *
 * @param {unknown} error
 */
export function actionToVoices(error) {
  return concernsVoice(error) ? voicesAction() : undefined;
}

/** @param {unknown} error */
function concernsVoice(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return /^(voice|engine)\./.test(code);
}
