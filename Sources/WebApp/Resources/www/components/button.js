import { icon } from "./icon.js";
import { h } from "../core/dom.js";

/** @typedef {import("./icon.js").IconName} IconName */

/**
 * @typedef {object} ButtonOptions
 * @property {string} label The text; on an icon-only button, its name and tooltip.
 * @property {IconName} [icon]
 * @property {"plain" | "primary" | "quiet" | "danger"} [look] `primary`: a view's main action. Default: `plain`.
 * @property {boolean} [iconOnly]
 * @property {boolean} [opens] Whether it opens a menu or a sheet.
 * @property {string} [className]
 * @property {(event: MouseEvent) => void} [onPress]
 */

/**
 * A button of at least 44 px.
 *
 * @param {ButtonOptions} options
 * @returns {HTMLButtonElement}
 */
export function button({ label, icon: name, look = "plain", iconOnly = false, opens = false, className, onPress }) {
  const classes = ["button", look, iconOnly ? "icon-only" : "", className ?? ""].filter(Boolean).join(" ");
  return h(
    "button",
    {
      type: "button",
      class: classes,
      "aria-label": iconOnly ? label : null,
      title: iconOnly ? label : null,
      "aria-haspopup": opens ? "dialog" : null,
      onclick: onPress,
    },
    name === undefined ? null : icon(name),
    iconOnly ? null : h("span", { class: "button-label" }, label),
  );
}
