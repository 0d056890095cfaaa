import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { button } from "./button.js";
import { empty } from "./empty.js";
import { errorNotice } from "./notice.js";

/**
 * What stands instead of everything when the server cannot be asked, or does not know the browser.
 *
 * @param {unknown} error
 */
export function failurePage(error) {
  const hasNoSession = /** @type {{ status?: number }} */ (error).status === 401;
  return h(
    "main",
    { class: "alone" },
    empty({
      icon: hasNoSession ? "key" : "warning",
      text: t(hasNoSession ? "frame.no-session" : "frame.no-server"),
      detail: t(hasNoSession ? "frame.no-session.do" : "frame.no-server.do"),
      action: button({ label: t("do.again"), look: "primary", onPress: () => location.reload() }),
    }),
  );
}

/**
 * What stands instead of a page whose parts could not be brought.
 *
 * @param {unknown} error
 * @param {() => void} tryAgain
 */
export function failureNotice(error, tryAgain) {
  return errorNotice(error, button({ label: t("do.again"), onPress: tryAgain }));
}
