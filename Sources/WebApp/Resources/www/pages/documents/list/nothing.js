import { button } from "../../../components/button.js";
import { empty } from "../../../components/notice.js";
import { t } from "../../../core/i18n.js";
import { importButton } from "../import/import-button.js";

/** What stands where no document is yet. */
export function nothingYet() {
  return empty({
    icon: "document",
    text: t("documents.empty.title"),
    detail: t("documents.empty.text"),
    action: importButton(),
  });
}

/**
 * What stands where no document passes.
 *
 * @param {string | undefined} words What was looked for; absent when only a kind was.
 * @param {() => void} showAll
 */
export function nothingFound(words, showAll) {
  return empty({
    icon: "search",
    text: t("documents.none.title"),
    detail: words === undefined ? t("documents.none.kind") : t("documents.none.words", { words }),
    action: button({ label: t("documents.none.action"), onPress: showAll }),
  });
}
