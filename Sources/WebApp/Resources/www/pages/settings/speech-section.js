import { h } from "../../core/dom.js";
import { t, times } from "../../core/i18n.js";
import { addressWithReturn } from "../../core/router.js";
import { profileList } from "./profile-list.js";
import { settingGroup } from "./section.js";
import { line, settingRow } from "./setting-row.js";

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function speechSection(signal) {
  return [
    settingGroup(t("settings.group.profiles"), profileList(signal)),
    settingGroup(
      t("settings.group.voices"),
      line({
        title: t("settings.voices.manage"),
        text: t("settings.voices.manage.text"),
        control: h("a", { class: "button", href: addressWithReturn("/voices"), "aria-label": t("voices.go") }, t("settings.voices.manage.action")),
      }),
      settingRow("voices.catalogue", signal, { empty: t("setting.voices.catalogue.empty") }),
      settingRow("outbound.offline", signal),
    ),
    settingGroup(
      t("settings.group.pauses"),
      settingRow("speech.sentence-pause", signal, { range: [0, 5] }),
      settingRow("speech.paragraph-pause", signal, { range: [0, 5] }),
      settingRow("speech.heading-pause", signal, { range: [0, 5] }),
    ),
    settingGroup(
      t("settings.group.playback"),
      settingRow("playback.speed", signal, { step: 0.05, format: times }),
      settingRow("playback.step", signal, { range: [1, 60], step: 1 }),
      settingRow("playback.loop", signal),
    ),
  ];
}
