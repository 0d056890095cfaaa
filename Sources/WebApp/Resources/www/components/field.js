import { h, newId, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { longestName, nameProblem } from "../core/text.js";
import { button, icon, setIcon } from "./button.js";

/**
 * @typedef {object} FieldOptions
 * @property {string} label
 * @property {string} [hint] One line under it.
 * @property {string} [value]
 * @property {"text" | "password" | "date" | "number"} [type] Default: `text`.
 * @property {string} [autocomplete] For password managers; default: `off`.
 * @property {string} [inputMode]
 * @property {string} [className]
 * @property {Record<string, string | number>} [attributes] Further attributes of the input.
 * @property {() => void} [onInput]
 * @property {() => void} [onEnter]
 */

/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {HTMLInputElement} input
 * @property {(text: string | null) => void} fail Shows an error under the field; `null` removes it.
 */

/**
 * A labelled text field. One for a secret can reveal it.
 *
 * @param {FieldOptions} options
 * @returns {Field}
 */
export function field({
  label,
  hint,
  value = "",
  type = "text",
  autocomplete = "off",
  inputMode,
  className = "",
  attributes = {},
  onInput,
  onEnter,
}) {
  const id = newId("field");
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const input = h("input", {
    id,
    type,
    value,
    class: "field",
    autocomplete,
    inputmode: inputMode,
    spellcheck: type === "text" ? null : "false",
    autocapitalize: type === "text" ? null : "off",
    "aria-describedby": hint === undefined ? errorId : `${errorId} ${hintId}`,
    ...attributes,
  });
  const error = h("p", { id: errorId, class: "field-error", role: "alert" });

  /** @param {string | null} text */
  const fail = (text) => {
    setAttribute(input, "aria-invalid", text === null ? null : "true");
    error.replaceChildren();
    if (text !== null) error.append(icon("error"), text);
  };
  input.addEventListener("input", () => {
    fail(null);
    onInput?.();
  });
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || onEnter === undefined) return;
    event.preventDefault();
    onEnter();
  });

  const element = h(
    "div",
    { class: `entry ${className}` },
    h("label", { for: id, class: "field-label" }, label),
    h("div", { class: "entry-box" }, input, type === "password" ? reveal(input) : null),
    error,
    hint === undefined ? null : h("p", { id: hintId, class: "field-help" }, hint),
  );
  return { element, input, fail };
}

/**
 * A field for a name: it limits the length, and shows why a name cannot be used.
 *
 * @param {FieldOptions & { isOptional?: boolean }} options `isOptional`: it may be empty.
 * @returns {Field & { check: () => boolean }} `check`: whether the name is valid; if not, the field shows why.
 */
export function nameField({ isOptional = false, onInput, ...options }) {
  const isEmpty = () => input.value.trim() === "";
  const check = () => {
    const problem = isOptional && isEmpty() ? null : nameProblem(input.value);
    fail(problem);
    return problem === null;
  };
  const { element, input, fail } = field({
    ...options,
    attributes: { ...options.attributes, maxlength: longestName },
    onInput: () => {
      if (!isEmpty()) check(); // an empty one is about to be filled in
      onInput?.();
    },
  });
  return { element, input, fail, check };
}

/**
 * A search field.
 *
 * @param {string} label Also its placeholder.
 * @returns {{ element: HTMLElement, input: HTMLInputElement }}
 */
export function searchField(label) {
  const input = h("input", {
    type: "search",
    class: "field",
    autocomplete: "off",
    enterkeyhint: "search",
    "aria-label": label,
    placeholder: label,
  });
  return { element: h("div", { class: "search" }, icon("search"), input), input };
}

/** @param {HTMLInputElement} input A password field. */
function reveal(input) {
  const element = button({
    label: t("passcode.show"),
    icon: "eye",
    look: "quiet",
    iconOnly: true,
    className: "entry-reveal",
    onPress: () => {
      const isShown = input.type === "password";
      input.type = isShown ? "text" : "password";
      setIcon(element, isShown ? "eye-off" : "eye");
      setAttribute(element, "aria-label", t(isShown ? "passcode.hide" : "passcode.show"));
      setAttribute(element, "title", t(isShown ? "passcode.hide" : "passcode.show"));
      input.focus();
    },
  });
  return element;
}

/**
 * A drop-down list, for more values than fit on screen.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {readonly { label?: string, options: readonly { value: string, label: string }[] }[]} options.groups One
 * without a label has no heading.
 * @param {string} options.value
 * @param {(value: string) => void} options.onChange
 * @param {boolean} [options.hideLabel] If another element shows it.
 * @param {string} [options.describedBy] The id of the element that describes it.
 * @returns {{ element: HTMLElement, select: HTMLSelectElement }}
 */
export function selectField({ label, groups, value, onChange, hideLabel = false, describedBy }) {
  const id = newId("select");
  const select = h(
    "select",
    { id, class: "field", "aria-describedby": describedBy },
    ...groups.flatMap((group) => {
      const options = group.options.map((option) => h("option", { value: option.value }, option.label));
      return group.label === undefined ? options : [h("optgroup", { label: group.label }, ...options)];
    }),
  );
  select.value = value;
  select.addEventListener("change", () => onChange(select.value));
  const element = h(
    "div",
    { class: "entry" },
    h("label", { for: id, class: hideLabel ? "visually-hidden" : "field-label" }, label),
    h("div", { class: "entry-box select-box" }, select, icon("chevron-down")),
  );
  return { element, select };
}

/**
 * Shows on a button that its work is not finished; until then it ignores presses.
 *
 * @param {HTMLButtonElement} element
 * @param {string | null} words What is happening; `null` when it is done.
 */
export function setBusy(element, words) {
  const label = element.querySelector(".button-label");
  if (label === null) return;
  if (words !== null) element.dataset.label ??= label.textContent ?? "";
  setText(label, words ?? element.dataset.label ?? label.textContent ?? "");
  if (words === null) delete element.dataset.label;
  setAttribute(element, "aria-disabled", words === null ? null : "true");
  setAttribute(element, "aria-busy", words === null ? null : "true");
}

/** @param {HTMLButtonElement} element */
export function isBusy(element) {
  return element.getAttribute("aria-busy") === "true";
}

/**
 * @template {string} Value
 * @typedef {object} SegmentsOptions
 * @property {string} label The accessible name; the caller shows it where needed.
 * @property {readonly { value: Value, label: string, icon?: import("./button.js").IconName }[]} options
 * @property {Value | null} value `null`: none of them.
 * @property {(value: Value) => void} onChange
 * @property {"joined" | "loose"} [look] Joined segments, or chips that wrap. Default: `joined`.
 */

/**
 * A radio group of a few values, all visible.
 *
 * @template {string} Value
 * @param {SegmentsOptions<Value>} options
 * @returns {HTMLElement}
 */
export function segments({ label, options, value, onChange, look = "joined" }) {
  const name = newId("segments");
  return h(
    "div",
    { class: `segments ${look}`, role: "radiogroup", "aria-label": label },
    ...options.map((option) => {
      const input = h("input", { type: "radio", name, value: option.value, class: "choice-input segment-input" });
      input.checked = option.value === value;
      input.addEventListener("change", () => onChange(option.value));
      return h(
        "label",
        { class: "segment" },
        input,
        h("span", { class: "segment-label" }, option.icon ? icon(option.icon) : null, option.label),
      );
    }),
  );
}

/**
 * Selects another value, without an event.
 *
 * @param {HTMLElement} element A {@link segments}.
 * @param {string | null} value
 */
export function setSegment(element, value) {
  for (const input of element.querySelectorAll("input")) input.checked = input.value === value;
}

/**
 * A switch that takes effect at once.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {boolean} options.isOn
 * @param {(isOn: boolean) => void} options.onChange
 * @param {string} [options.describedBy] The id of the element that describes it.
 * @returns {HTMLButtonElement}
 */
export function toggleSwitch({ label, isOn, onChange, describedBy }) {
  const element = h("button", {
    type: "button",
    class: "switch",
    role: "switch",
    "aria-checked": String(isOn),
    "aria-label": label,
    "aria-describedby": describedBy,
    onclick: () => {
      const now = element.getAttribute("aria-checked") !== "true";
      setSwitch(element, now);
      onChange(now);
    },
  });
  return element;
}

/**
 * @param {HTMLElement} element A {@link toggleSwitch}.
 * @param {boolean} isOn
 */
export function setSwitch(element, isOn) {
  setAttribute(element, "aria-checked", String(isOn));
}
