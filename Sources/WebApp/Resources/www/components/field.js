import { fill, h, newId, setAttribute, setText } from "../core/dom.js";
import { longestName, nameProblem } from "../core/format.js";
import { t } from "../core/i18n.js";
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
  const labelId = `${id}-label`;
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
    h("label", { id: labelId, for: id, class: "field-label" }, label),
    h("div", { class: "entry-box" }, input, type === "password" ? reveal(input, labelId) : null),
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

/**
 * @param {HTMLInputElement} input A password field.
 * @param {string} labelId Of its label, since a form may have several.
 */
function reveal(input, labelId) {
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
  setAttribute(element, "aria-describedby", labelId);
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
  const select = h("select", { id, class: "field", "aria-label": hideLabel ? label : null, "aria-describedby": describedBy });
  offer(select, groups, value);
  select.addEventListener("change", () => onChange(select.value));
  const element = h(
    "div",
    { class: "entry" },
    hideLabel ? null : h("label", { for: id, class: "field-label" }, label),
    h("div", { class: "entry-box select-box" }, select, icon("chevron-down")),
  );
  return { element, select };
}

/**
 * Replaces the values that a drop-down list offers.
 *
 * @param {HTMLSelectElement} select
 * @param {readonly { label?: string, options: readonly { value: string, label: string }[] }[]} groups As of {@link
 * selectField}.
 * @param {string} value The chosen one.
 */
export function offer(select, groups, value) {
  const parts = groups.flatMap((group) => {
    const options = group.options.map((option) => h("option", { value: option.value }, option.label));
    return group.label === undefined ? options : [h("optgroup", { label: group.label }, ...options)];
  });
  fill(select, ...parts);
  select.value = value;
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
 * @property {string} [describedBy] The id of the element that describes it.
 */

/**
 * A radio group of a few values, all visible.
 *
 * @template {string} Value
 * @param {SegmentsOptions<Value>} options
 * @returns {HTMLElement}
 */
export function segments({ label, options, value, onChange, look = "joined", describedBy }) {
  const name = newId("segments");
  return h(
    "div",
    { class: `segments ${look}`, role: "radiogroup", "aria-label": label, "aria-describedby": describedBy },
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

/** How many decimals a value has. */
const decimals = 2;

/**
 * @typedef {object} SliderOptions
 * @property {string} label
 * @property {number} min
 * @property {number} max
 * @property {number} step Between the values for pointer and keys; any value in the range can be typed.
 * @property {boolean} [isWhole] Whether only whole numbers are valid; default: whether the step is one.
 * @property {number} value
 * @property {(value: number) => string} format Also what a screen reader announces.
 * @property {number[]} [marks] Values with a clickable tick.
 * @property {(value: number) => void} [onInput] While dragging.
 * @property {(value: number) => void} [onChange] On release.
 * @property {boolean} [hideLabel] When a heading already shows it.
 * @property {string} [describedBy] The id of the element that describes it.
 */

/**
 * `<echo-slider>`: a range input with a text field for its value.
 *
 * Made by {@link slider}; `value` can be read and set.
 */
export class Slider extends HTMLElement {
  /** @type {SliderOptions | null} */
  #options = null;
  #range = h("input", { type: "range", class: "range slider-range" });
  #field = h("input", { type: "text", inputmode: "decimal", class: "slider-field", autocomplete: "off", enterkeyhint: "done" });
  #problem = h("p", { class: "field-error slider-problem", role: "alert" });
  #value = NaN;
  /** The value that was last reported or set. */
  #last = NaN;
  /** The value in the text field's words; another text there is the user's. */
  #said = "";

  /** @param {SliderOptions} options */
  show(options) {
    this.#options = options;
    const id = newId("slider");
    const { label, min, max, step, marks = [] } = options;
    for (const [name, value] of Object.entries({ id, min, max, step: "any" })) this.#range.setAttribute(name, String(value));
    this.#range.step = String(step);
    this.#problem.id = `${id}-problem`;
    for (const input of [this.#range, this.#field]) input.setAttribute("aria-label", label);
    setAttribute(this.#range, "aria-describedby", options.describedBy ?? null);
    this.#field.setAttribute("aria-describedby", this.#problem.id);
    this.replaceChildren(
      ...(options.hideLabel ? [] : [h("label", { for: id, class: "slider-label" }, label)]),
      h("div", { class: "slider-row" }, h("div", { class: "slider-track" }, this.#range, this.#markRow(marks)), this.#field),
      this.#problem,
    );
    this.#put(options.value);
    this.#last = this.#value;
    this.#range.oninput = () => this.#moved(Number(this.#range.value));
    this.#range.onchange = () => this.#rest();
    this.#field.onchange = () => this.#typed();
    this.#field.onfocus = () => this.#field.select();
    this.#field.onkeydown = (event) => this.#nudge(event);
  }

  get value() {
    return this.#value;
  }

  /**
   * A value set here counts as reported, so that only a different one is a change. What is being typed or dragged
   * meanwhile stays.
   */
  set value(value) {
    const dragged = this.#value === this.#last ? null : this.#value;
    const isTyping = document.activeElement === this.#field && this.#field.value !== this.#said;
    this.#put(value, isTyping);
    this.#last = this.#value;
    if (dragged !== null) this.#put(dragged, isTyping);
  }

  /**
   * @param {number} value
   * @param {boolean} [isTyping] Whether the text field has the beginning of another one.
   */
  #put(value, isTyping = false) {
    const options = this.#options;
    if (options === null) return;
    const { min, max, format } = options;
    this.#value = Math.min(max, Math.max(min, Number(value.toFixed(decimals))));
    this.#range.value = String(this.#value); // the nearest step
    this.#said = format(this.#value);
    this.#range.setAttribute("aria-valuetext", this.#said);
    if (!isTyping) {
      this.#field.value = this.#said;
      this.#complain(null);
    }
    this.style.setProperty("--part", String((this.#value - min) / (max - min)));
  }

  focus() {
    this.#range.focus();
  }

  /** Whether what stands in the text field counts; if not, the field gets the focus, and says why. */
  check() {
    const isRefused = this.#field.getAttribute("aria-invalid") === "true";
    if (isRefused) this.#field.focus();
    return !isRefused;
  }

  /** @param {number[]} marks */
  #markRow(marks) {
    const options = /** @type {SliderOptions} */ (this.#options);
    if (marks.length === 0) return null;
    const row = h("div", { class: "slider-marks" });
    for (const mark of marks) {
      const part = (mark - options.min) / (options.max - options.min);
      const tick = h("button", { type: "button", class: "slider-mark", tabindex: "-1", "aria-hidden": "true" }, options.format(mark));
      tick.style.setProperty("--at", String(part));
      tick.addEventListener("click", () => {
        this.#moved(mark);
        this.#rest();
      });
      row.append(tick);
    }
    return row;
  }

  /** @param {number} value */
  #moved(value) {
    this.#put(value);
    this.#options?.onInput?.(this.value);
  }

  #rest() {
    if (this.value === this.#last) return;
    this.#last = this.value;
    this.#options?.onChange?.(this.value);
  }

  #typed() {
    const { min, max, step, format, isWhole = Number.isInteger(step) } = /** @type {SliderOptions} */ (this.#options);
    const typed = numberIn(this.#field.value, isWhole);
    if (!(typed >= min && typed <= max) || (isWhole && !Number.isInteger(typed))) {
      this.#complain(t(isWhole ? "slider.whole" : "slider.range", { from: format(min), to: format(max) }));
      return;
    }
    this.#moved(typed);
    this.#rest();
  }

  /** @param {string | null} words Why the typed value is refused; the previous one counts. */
  #complain(words) {
    setText(this.#problem, words ?? "");
    setAttribute(this.#field, "aria-invalid", words === null ? null : "true");
  }

  /** @param {KeyboardEvent} event */
  #nudge(event) {
    const options = this.#options;
    const sign = event.key === "ArrowUp" ? 1 : event.key === "ArrowDown" ? -1 : 0;
    if (options === null || sign === 0) return;
    event.preventDefault();
    this.#moved(this.value + sign * options.step);
    this.#rest();
  }
}

customElements.define("echo-slider", Slider);

/**
 * Parses the typed number, with a decimal point or comma, and with or without thousands separators.
 *
 * @param {string} text
 * @param {boolean} isWhole Whether a point or comma before three digits is a thousands separator.
 */
function numberIn(text, isWhole) {
  const groups = isWhole ? /(?<=\d)[\s.,](?=\d{3}(?!\d))/g : /(?<=\d)\s(?=\d{3}(?!\d))/g;
  return Number.parseFloat(text.replace(groups, "").replace(",", "."));
}

/**
 * @param {SliderOptions} options
 * @returns {Slider}
 */
export function slider(options) {
  const element = new Slider();
  element.show(options);
  return element;
}

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
