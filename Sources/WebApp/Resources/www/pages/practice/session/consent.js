import { button } from "../../../components/button.js";
import { icon } from "../../../components/icon.js";
import { Sheet } from "../../../components/sheet.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";

/** Whether the person has agreed in this visit: switching it off and on again asks no second time. */
let hasAgreed = false;

/**
 * Asks before echoes are recorded, and says when and where. The focus starts on the button that records nothing.
 *
 * @returns {Promise<boolean>} `false` also when the sheet is left.
 */
export async function agreesToRecording() {
  if (hasAgreed) return true;
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
