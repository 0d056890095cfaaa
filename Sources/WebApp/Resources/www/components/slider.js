import { h, newId, setAttribute, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";

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
  #last = NaN;

  /** @param {SliderOptions} options */
  show(options) {
    this.#options = options;
    const id = newId("slider");
    const { label, min, max, step, marks = [] } = options;
    for (const [name, value] of Object.entries({ id, min, max, step: "any" })) this.#range.setAttribute(name, String(value));
    this.#range.step = String(step);
    this.#field.setAttribute("aria-label", label);
    this.replaceChildren(
      h("label", { for: id, class: options.hideLabel ? "visually-hidden" : "slider-label" }, label),
      h("div", { class: "slider-row" }, h("div", { class: "slider-track" }, this.#range, this.#markRow(marks)), this.#field),
      this.#problem,
    );
    this.value = options.value;
    this.#range.oninput = () => this.#moved(Number(this.#range.value));
    this.#range.onchange = () => this.#rest();
    this.#field.onchange = () => this.#typed();
    this.#field.onfocus = () => this.#field.select();
    this.#field.onkeydown = (event) => this.#nudge(event);
  }

  get value() {
    return this.#value;
  }

  /** A value set here counts as reported, so that only a different one is a change. */
  set value(value) {
    this.#put(value);
    this.#last = this.#value;
  }

  /** @param {number} value */
  #put(value) {
    const options = this.#options;
    if (options === null) return;
    const { min, max, format } = options;
    this.#value = Math.min(max, Math.max(min, Number(value.toFixed(decimals))));
    this.#range.value = String(this.#value); // the nearest step
    const said = format(this.#value);
    this.#range.setAttribute("aria-valuetext", said);
    this.#field.value = said;
    this.#complain(null);
    this.style.setProperty("--part", String((this.#value - min) / (max - min)));
  }

  focus() {
    this.#range.focus();
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
