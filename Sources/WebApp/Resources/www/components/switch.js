import { h, setAttribute } from "../core/dom.js";

/**
 * Something that is on or off, at once.
 *
 * @param {object} options
 * @param {string} options.label
 * @param {boolean} options.isOn
 * @param {(isOn: boolean) => void} options.onChange
 * @param {string} [options.describedBy] The id of what says more.
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
