import { openSheet } from "../../components/sheet.js";
import { icon } from "../../components/icon.js";
import { h } from "../../core/dom.js";
import { clock, languageName, longDate, size } from "../../core/format.js";
import { number, t, times } from "../../core/i18n.js";

/**
 * Shows everything that is known of a recording.
 *
 * @param {import("../../server/library.js").Item} item
 */
export function openInfoSheet(item) {
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.name", item.name],
    ["info.length", clock(item.duration)],
    ["info.words", number(item.words)],
    ["info.made", longDate(item.created)],
    ["info.voice", item.voiceName],
    ["info.speaker", item.speaker > 0 ? String(item.speaker) : null],
    ["info.language", languageName(item.language)],
    ["info.speed", times(item.speed)],
    ["info.pitch", times(item.pitch)],
    ["info.engine", item.engine],
    ["info.document", item.document?.part == null ? null : String(item.document.part)],
    ["info.size", size(item.size)],
    ["info.sound", t("info.sound.value", { rate: number(item.sampleRate) })],
  ];
  openSheet({
    title: t("info.title"),
    kind: "side",
    className: "info-sheet",
    content: [
      h(
        "dl",
        { class: "facts" },
        ...facts.flatMap(([key, value]) =>
          value === null ? [] : [h("div", { class: "fact" }, h("dt", {}, t(key)), h("dd", { dir: "auto" }, value))],
        ),
      ),
      h("p", { class: "private-note" }, icon("lock"), t("info.private")),
    ],
  });
}
