import { openMenu } from "../../components/menu.js";
import { t } from "../../core/i18n.js";
import { canSpeak } from "./offers.js";
import { mainStep } from "./remedies.js";
import { stepIcons } from "./step-button.js";

/**
 * @typedef {import("./offers.js").Offer} Offer
 * @typedef {import("../../components/menu.js").MenuItem} MenuItem
 */

/**
 * Opens everything that can be done with a voice.
 *
 * @param {Offer} offer
 * @param {object} doing
 * @param {import("./voice-steps.js").VoiceSteps} doing.steps
 * @param {(offer: Offer) => void} doing.listen
 * @param {(offer: Offer) => void} doing.showInfo
 * @param {import("../../components/menu.js").MenuPlace} where
 */
export function openVoiceMenu(offer, { steps, listen, showInfo }, { anchor, point }) {
  const { voice, engine, title, phase } = offer;
  const step = mainStep(offer);
  /** @type {(MenuItem | "separator" | null)[]} */
  const items = [
    step === null || step === "remove" ? null : { label: t(`voices.step.${step}`), icon: stepIcons[step], run: () => steps.take(step, offer) },
    canSpeak(offer) && step !== "choose" && phase !== "active" ? { label: t("voices.step.choose"), icon: "check", run: () => steps.choose(offer) } : null,
    canSpeak(offer) ? { label: t("sample.play"), icon: "play", run: () => listen(offer) } : null,
    engine === "espeak-ng"
      ? null
      : {
          label: t(voice.isFavorite ? "voices.menu.favorite.remove" : "voices.menu.favorite.add"),
          icon: voice.isFavorite ? "heart-filled" : "heart",
          run: () => steps.markFavorite(offer),
        },
    { label: t("voices.menu.info"), icon: "info", run: () => showInfo(offer) },
    steps.canDiscard(offer) ? { label: t(`voices.menu.discard.${phase}`), icon: "close", run: () => steps.discard(offer) } : null,
    ...(voice.installed === null
      ? []
      : [/** @type {const} */ ("separator"), { label: t("voices.menu.delete"), icon: /** @type {const} */ ("trash"), isDanger: true, run: () => steps.remove(offer) }]),
  ];
  openMenu(
    items.flatMap((item) => item ?? []),
    { label: t("voices.more", { name: title }), anchor, point },
  );
}
