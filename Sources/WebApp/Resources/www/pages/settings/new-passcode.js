import { icon } from "../../components/button.js";
import { field } from "../../components/field.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * Two fields for a new passcode, with advice.
 *
 * @param {{ onEnter: () => void }} options
 */
export function newPasscode({ onEnter }) {
  const limits = h(
    "div",
    { class: "limits", hidden: true },
    icon("info"),
    h("div", {}, h("p", { class: "limits-title" }, t("passcode.limits.title")), h("p", {}, t("passcode.limits.text"))),
  );
  const first = field({
    label: t("passcode.new"),
    hint: t("passcode.rule"),
    type: "password",
    autocomplete: "new-password",
    onInput: () => (limits.hidden = !isShort(first.input.value)),
    onEnter: () => second.input.focus(),
  });
  const second = field({ label: t("passcode.repeat"), type: "password", autocomplete: "new-password", onEnter });
  return {
    elements: [first.element, second.element, limits],
    first: first.input,
    /** @param {string} text What is wrong with the passcode. */
    fail: (text) => first.fail(text),
    /** @returns {string | null} `null`, with a message under the field, while it is invalid. */
    read: () => {
      const passcode = first.input.value;
      if (!isLongEnough(passcode)) {
        first.fail(t("passcode.rule"));
        first.input.focus();
        return null;
      }
      if (isPattern(passcode)) {
        first.fail(t("error.vault.weak-passcode"));
        first.input.focus();
        return null;
      }
      if (second.input.value !== passcode) {
        second.fail(t("passcode.differ"));
        second.input.focus();
        return null;
      }
      return passcode;
    },
  };
}

/** @param {string} passcode */
export function isShort(passcode) {
  return /^\d{1,6}$/.test(passcode);
}

/**
 * Digits that attackers guess first: all the same, ascending or descending, a repeated pair, a year. The server knows
 * more.
 *
 * @param {string} passcode
 */
export function isPattern(passcode) {
  if (!/^\d{4,6}$/.test(passcode)) return false;
  const isRun = "01234567890".includes(passcode) || "09876543210".includes(passcode);
  return isRun || /^(\d)\1+$/.test(passcode) || /^(\d\d)\1+$/.test(passcode) || /^(19|20)\d\d$/.test(passcode);
}

/**
 * Whether the server can accept it at all.
 *
 * @param {string} passcode
 */
export function isLongEnough(passcode) {
  return /^\d{4,6}$/.test(passcode) || [...passcode].length >= 12;
}
