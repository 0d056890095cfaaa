import { button } from "../../../components/button.js";
import { field } from "../../../components/field.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { imports } from "./import-queue.js";

/** @typedef {import("./import-queue.js").Import} Import */

/**
 * What a file on its way asks: its password, or whether it is to be kept once more.
 *
 * @param {Import} one
 * @returns {HTMLElement}
 */
export function questionOf({ id, file, problem }) {
  const { code = "" } = /** @type {{ code?: string }} */ (problem ?? {});
  if (code === "document.there-already") {
    return h(
      "div",
      { class: "import-answers" },
      button({ label: t("import.keepTwin"), onPress: () => imports.again(id, { keepTwin: true }) }),
      button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
    );
  }
  const open = () => {
    if (password.input.value === "") password.input.focus();
    else imports.again(id, { password: password.input.value });
  };
  const password = field({
    label: t("import.password", { name: file.name }),
    type: "password",
    hint: t("import.password.hint"),
    onEnter: open,
  });
  return h(
    "div",
    { class: "import-answers" },
    password.element,
    button({ label: t("import.unlock"), onPress: open }),
    button({ label: t("import.skip"), look: "quiet", onPress: () => imports.drop(id) }),
  );
}
