import { button } from "../../../components/button.js";
import { icon } from "../../../components/icon.js";
import { Sheet } from "../../../components/sheet.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** Whether the user has agreed in this visit: switching it off and on again does not ask twice. */
let hasAgreed = false;

/**
 * Asks before echoes are recorded, and says when and where. The focus starts on the button that declines.
 *
 * @param {() => void} [asking] Called before it asks; not when the user has agreed already.
 * @returns {Promise<boolean>} `false` also when the sheet is dismissed.
 */
export async function agreesToRecording(asking) {
  if (hasAgreed) return true;
  asking?.();
  const stay = button({ label: t("practice.consent.refuse"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: t("practice.consent.allow"), look: "primary", onPress: () => sheet.close("yes") });
  const sheet = new Sheet({
    title: t("practice.consent.title"),
    className: "question",
    content: [h("p", {}, t("practice.consent.text")), h("p", { class: "private-note" }, icon("info"), t("practice.consent.private"))],
    actions: [stay, go],
  }).open();
  stay.focus();
  hasAgreed = (await sheet.closed) === "yes";
  return hasAgreed;
}
