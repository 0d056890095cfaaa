import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { addressWithReturn, navigate } from "../core/router.js";

/**
 * The way to the voices and back, where a refusal has to do with a voice.
 *
 * @param {unknown} error
 * @returns {HTMLElement | null}
 */
export function wayToVoices(error) {
  return concernsVoice(error) ? h("a", { class: "button", href: addressWithReturn("/voices") }, t("voices.go")) : null;
}

/**
 * The same for a toast.
 *
 * @param {unknown} error
 * @returns {{ label: string, run: () => void } | undefined}
 */
export function actionToVoices(error) {
  return concernsVoice(error) ? { label: t("voices.go"), run: () => navigate(addressWithReturn("/voices")) } : undefined;
}

/** @param {unknown} error */
function concernsVoice(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return /^(voice|engine)\./.test(code);
}
