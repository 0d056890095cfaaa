/** A format in a radio group: its name, and what it is for. */

import { h } from "../core/dom.js";
import { icon } from "./button.js";

/**
 * @template {string} Format
 * @param {{ group: string, format: Format, name: string, detail: string, isChosen: boolean, onChange: (format: Format) => void }} options
 * `group`: the radio group's name.
 * @returns {HTMLElement}
 */
export function formatChoice({ group, format, name, detail, isChosen, onChange }) {
  const input = h("input", { type: "radio", name: group, value: format, class: "choice-input" });
  input.checked = isChosen;
  input.addEventListener("change", () => onChange(format));
  return h(
    "label",
    { class: "format" },
    input,
    h("span", { class: "format-name" }, name),
    h("span", { class: "format-text" }, detail),
    icon("check", { className: "format-mark" }),
  );
}
