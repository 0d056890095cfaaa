import { button } from "./button.js";
import { icon } from "./icon.js";
import { Sheet } from "./sheet.js";
import { h } from "../core/dom.js";
import { clock, size } from "../core/format.js";
import { t } from "../core/i18n.js";

/**
 * Asks before sound leaves the machine, and names the server, the bytes, the length, and whether others can read it. The focus starts on the button that
 * sends nothing.
 *
 * @param {object} sending
 * @param {string} sending.host
 * @param {number} sending.bytes
 * @param {number} sending.seconds
 * @param {boolean} [sending.isReadable]
 * @param {boolean} [sending.sendsWords]
 * @param {object} options
 * @param {string} [options.what] A sentence that describes the sound.
 * @returns {Promise<boolean>} `false` also when the sheet is dismissed.
 */
export async function askConsent({ host, bytes, seconds, isReadable, sendsWords }, { what } = {}) {
  const stay = button({ label: t("consent.refuse"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: t("consent.allow"), look: "primary", onPress: () => sheet.close("yes") });
  const sheet = new Sheet({
    title: t("consent.title"),
    className: "question consent-sheet",
    content: [
      ...(what === undefined ? [] : [h("p", {}, what)]),
      h(
        "dl",
        { class: "facts" },
        fact(t("consent.host"), host),
        fact(t("consent.size"), size(bytes)),
        fact(t("consent.length"), clock(seconds)),
      ),
      ...(isReadable ? [h("p", {}, icon("warning"), t("consent.readable"))] : []),
      ...(sendsWords ? [h("p", {}, t("consent.words"))] : []),
      h("p", { class: "private-note" }, icon("info"), t("consent.text")),
    ],
    actions: [stay, go],
  }).open();
  stay.focus();
  return (await sheet.closed) === "yes";
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { class: "numbers", dir: "ltr" }, value));
}
