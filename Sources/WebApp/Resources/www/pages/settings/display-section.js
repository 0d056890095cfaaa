import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { settingGroup } from "./section.js";
import { settingRow } from "./setting-row.js";

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function displaySection(signal) {
  return [
    settingGroup(
      t("settings.group.look"),
      settingRow("page.theme", signal),
      settingRow("page.language", signal),
      settingRow("page.text-size", signal, { step: 5 }),
    ),
    settingGroup(
      t("settings.group.reading"),
      h("p", { class: "reading-sample", lang: null }, sample()),
      settingRow("page.reading-font", signal),
      settingRow("page.reading-size", signal),
      settingRow("page.spacing", signal),
      settingRow("page.highlight", signal),
    ),
  ];
}

/** A sentence that looks as the text that is read aloud will. */
function sample() {
  const [first = "", ...rest] = t("setting.sample").split(" ");
  return h("span", { class: "sample-sentence" }, h("span", { class: "sample-word" }, first), ` ${rest.join(" ")}`);
}
