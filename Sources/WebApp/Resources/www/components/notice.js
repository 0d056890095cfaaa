import { h, setText } from "../core/dom.js";
import { waitWords, wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { addressWithReturn, navigate } from "../core/router.js";
import { button, icon } from "./button.js";
import { keepFocus } from "./sheet.js";

/** Seconds before the end of a wait at which a screen reader announces it again. */
const lastCall = 10;

/**
 * A countdown that runs while it is in the document. A screen reader announces its start, each minute, the last seconds
 * and its end.
 *
 * @param {number} until On the clock of `performance.now()`.
 * @param {() => void} [over] Called at its end.
 * @returns {{ shown: HTMLElement, said: HTMLElement }} `shown` is visible; `said` is for screen readers, once the
 * caller has put it into a live region.
 */
export function countdown(until, over) {
  const shown = h("span", { "aria-hidden": "true" });
  const said = h("span", { class: "visually-hidden" });
  let last = Infinity;
  const tick = () => {
    const left = Math.ceil((until - performance.now()) / 1_000);
    setText(shown, left > 0 ? waitWords(left) : t("lock.wait.over"));
    if (isWorthSaying(left, last)) setText(said, shown.textContent ?? "");
    last = left;
    if (left > 0) return;
    clearInterval(timer);
    over?.();
  };
  const timer = setInterval(() => (shown.isConnected ? tick() : clearInterval(timer)), 250);
  tick();
  return { shown, said };
}

/**
 * @param {number} left Seconds.
 * @param {number} last Those left at the last check, which may be long ago in a hidden page.
 */
function isWorthSaying(left, last) {
  const hasPassed = (/** @type {number} */ mark) => left <= mark && mark < last;
  return hasPassed(0) || last === Infinity || hasPassed(lastCall) || Math.ceil(left / 60) < Math.ceil(last / 60);
}

/**
 * A message within a page: what happened, and the action that resolves it.
 *
 * @param {object} options
 * @param {string} options.text
 * @param {Node | string | null} [options.detail]
 * @param {"error" | "warning" | "info"} [options.kind] Default: `info`; an error is announced at once.
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
 * A notice of an error, with a countdown if the next try has to wait. The focus of its buttons is kept when it is replaced.
 *
 * @param {unknown} error
 * @param {...(HTMLElement | null | undefined)} actions
 */
export function errorNotice(error, ...actions) {
  const { message, suggestion } = wordsFor(error);
  const { retryAfter = null } = /** @type {{ retryAfter?: number | null }} */ (error ?? {});
  const wait = retryAfter === null ? null : countdown(performance.now() + retryAfter * 1_000);
  const detail = wait === null ? suggestion : h("span", {}, suggestion ? `${suggestion} ` : null, wait.shown);
  const element = notice({ text: message, detail, kind: "error", actions });
  wait?.said.setAttribute("role", "status"); // within the alert, each change would announce all of it again
  const whole = wait === null ? element : h("div", {}, element, wait.said);
  keepFocus(whole);
  return whole;
}

/**
 * An empty page: one sentence, and an action that fills it.
 *
 * @param {object} options
 * @param {import("./button.js").IconName} options.icon
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
