import { button } from "../../components/button.js";
import { empty } from "../../components/notice.js";
import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/** What stands where no recording is yet. */
export function nothingYet() {
  return empty({
    icon: "library",
    text: t("library.empty.title"),
    detail: t("library.empty.text"),
    action: h("a", { class: "button primary", href: "/speak" }, t("library.empty.action")),
  });
}

/**
 * What stands where no recording passes.
 *
 * @param {string} words What was looked for; empty when only filters hold recordings back.
 * @param {() => void} showAll
 */
export function nothingFound(words, showAll) {
  return empty({
    icon: "search",
    text: t("library.none.title"),
    detail: words === "" ? t("library.none.filters") : t("library.none.words", { words }),
    action: button({ label: t("library.none.action"), onPress: showAll }),
  });
}
