import { h } from "../../core/dom.js";

/** @typedef {import("./setting-row.js").Control} Control */

/**
 * A line of text that counts when it is left, or at Enter; Escape leaves it as it was.
 *
 * @param {import("../../server/settings.js").Setting} setting
 * @param {{ title: string, textId: string, look: import("./setting-row.js").SettingLook, change: (value: string) => void }} options
 * @returns {Control}
 */
export function textControl({ value }, { title, textId, look, change }) {
  let shown = value;
  const element = h("input", {
    type: "text",
    class: "field",
    value,
    spellcheck: "false",
    autocapitalize: "off",
    autocomplete: "off",
    placeholder: look.empty ?? "",
    "aria-label": title,
    "aria-describedby": textId,
    "data-wide": true,
  });
  element.addEventListener("change", () => {
    shown = element.value.trim();
    change(shown);
  });
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || element.value === shown) return;
    element.value = shown;
    event.stopPropagation();
  });
  return {
    element,
    show: (now) => {
      shown = now;
      element.value = now;
    },
  };
}
