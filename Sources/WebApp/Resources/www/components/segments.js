import { h, newId } from "../core/dom.js";
import { icon } from "./icon.js";

/**
 * @template {string} Value
 * @typedef {object} SegmentsOptions
 * @property {string} label What is chosen; said, and shown only by what stands around.
 * @property {readonly { value: Value, label: string, icon?: import("./icon.js").IconName }[]} options
 * @property {Value | null} value `null`: none of them.
 * @property {(value: Value) => void} onChange
 * @property {"joined" | "loose"} [look] One control of some segments, or chips that wrap. `joined` when absent.
 */

/**
 * A few values of which one holds, all in view. Arrows move between them.
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
 * Shows another value as chosen, without an event.
 *
 * @param {HTMLElement} element A {@link segments}.
 * @param {string | null} value
 */
export function setSegment(element, value) {
  for (const input of element.querySelectorAll("input")) input.checked = input.value === value;
}
