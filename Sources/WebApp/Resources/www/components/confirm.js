import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { button } from "./button.js";
import { openSheet } from "./sheet.js";

/**
 * Asks before what cannot be undone. The focus begins on the way out.
 *
 * @param {object} question
 * @param {string} question.title Names the thing and the count.
 * @param {string} [question.detail] What will be lost.
 * @param {string} question.action A verb.
 * @param {boolean} [question.isDanger]
 * @returns {Promise<boolean>}
 */
export async function confirm({ title, detail, action, isDanger = true }) {
  const stay = button({ label: t("do.cancel"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: action, look: isDanger ? "danger" : "primary", onPress: () => sheet.close("yes") });
  const sheet = openSheet({
    title,
    content: detail === undefined ? [] : [h("p", { class: "muted" }, detail)],
    actions: [stay, go],
    className: "question",
  });
  stay.focus();
  return (await sheet.closed) === "yes";
}
