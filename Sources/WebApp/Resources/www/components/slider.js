import { h, newId } from "../core/dom.js";

/**
 * @typedef {object} SliderOptions
 * @property {string} label
 * @property {number} min
 * @property {number} max
 * @property {number} step
 * @property {number} value
 * @property {(value: number) => string} format Also what a screen reader says.
 * @property {number[]} [marks] Values with a tick that can be pressed.
 * @property {(value: number) => void} [onInput] While it moves.
 * @property {(value: number) => void} [onChange] When it rests.
 * @property {boolean} [hideLabel] Where a heading already says it.
 */

/**
 * `<echo-slider>`: a range with a field beside it, in which the value can be typed.
 *
 * Made by {@link slider}; `value` can be read and set.
 */
export class Slider extends HTMLElement {
  /** @type {SliderOptions | null} */
  #options = null;
  #range = h("input", { type: "range", class: "range slider-range" });
  #field = h("input", { type: "text", inputmode: "decimal", class: "slider-field", autocomplete: "off", enterkeyhint: "done" });
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
    );
    this.value = options.value;
    this.#last = this.value;
    this.#range.oninput = () => this.#moved(Number(this.#range.value));
    this.#range.onchange = () => this.#rest();
    this.#field.onchange = () => this.#typed();
    this.#field.onfocus = () => this.#field.select();
    this.#field.onkeydown = (event) => this.#nudge(event);
  }

  get value() {
    return Number(this.#range.value);
  }

  set value(value) {
    const options = this.#options;
    if (options === null) return;
    this.#range.value = String(value);
    const said = options.format(Number(this.#range.value));
    this.#range.setAttribute("aria-valuetext", said);
    this.#field.value = said;
    const part = (Number(this.#range.value) - options.min) / (options.max - options.min);
    this.style.setProperty("--part", String(part));
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
    this.value = value;
    this.#options?.onInput?.(this.value);
  }

  #rest() {
    if (this.value === this.#last) return;
    this.#last = this.value;
    this.#options?.onChange?.(this.value);
  }

  #typed() {
    const typed = Number.parseFloat(this.#field.value.replace(",", "."));
    if (Number.isFinite(typed)) this.#moved(typed);
    else this.value = this.#last;
    this.#rest();
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
 * @param {SliderOptions} options
 * @returns {Slider}
 */
export function slider(options) {
  const element = new Slider();
  element.show(options);
  return element;
}
