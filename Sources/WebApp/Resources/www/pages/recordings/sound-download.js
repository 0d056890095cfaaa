import { h } from "../../core/dom.js";
import { t } from "../../core/i18n.js";

/**
 * Has the browser save sound that the server does not have.
 *
 * @param {Blob} sound
 */
export function downloadSound(sound) {
  const address = URL.createObjectURL(sound);
  h("a", { href: address, download: t("recorder.unsent.file") }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
