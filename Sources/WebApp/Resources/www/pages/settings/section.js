import { h, newId } from "../../core/dom.js";

/**
 * Lines of the settings that belong together.
 *
 * @param {string} title
 * @param {...(HTMLElement | null)} lines
 * @returns {HTMLElement}
 */
export function settingGroup(title, ...lines) {
  const id = newId("group");
  return h(
    "section",
    { class: "setting-group", "aria-labelledby": id },
    h("h3", { id, class: "setting-group-title" }, title),
    h("div", { class: "setting-lines" }, ...lines),
  );
}
