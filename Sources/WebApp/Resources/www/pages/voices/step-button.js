import { button } from "../../components/button.js";
import { setAttribute } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * @typedef {import("./offers.js").Offer} Offer
 * @typedef {import("./remedies.js").Step} Step
 */

/** @type {Readonly<Record<Step, import("../../components/icon.js").IconName>>} */
export const stepIcons = {
  download: "export",
  resume: "export",
  again: "forward",
  cancel: "close",
  choose: "check",
  retry: "forward",
  settings: "settings",
  space: "trash",
  remove: "trash",
};

/**
 * A button that takes one step with a voice; what is read aloud names the voice.
 *
 * @param {Step} step
 * @param {Offer} offer
 * @param {object} options
 * @param {() => void} options.onPress
 * @param {import("../../components/button.js").ButtonOptions["look"]} [options.look]
 */
export function stepButton(step, { title }, { onPress, look = "plain" }) {
  const element = button({ label: t(`voices.step.${step}`), icon: stepIcons[step], look, className: `voice-step ${step}`, onPress });
  setAttribute(element, "aria-label", t(`voices.step.${step}.of`, { name: title }));
  return element;
}
