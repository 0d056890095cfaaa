import { selectField } from "./field.js";
import { speakerName } from "../core/format.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {{ speakers: number | null, speakerNames: string[] | null }} Speaking What is known of a voice's speakers.
 */

/**
 * A choice among a voice's speakers.
 *
 * @param {Speaking} voice
 * @param {{ value: number, onChange: (speaker: number) => void }} options
 */
export function speakerField(voice, { value, onChange }) {
  const options = Array.from({ length: voice.speakers ?? 1 }, (_, number) => ({
    value: String(number),
    label: speakerName(voice, number),
  }));
  return selectField({
    label: t("profiles.speaker"),
    groups: [{ options }],
    value: String(value),
    onChange: (chosen) => onChange(Number(chosen)),
  });
}
