import { button } from "../../components/button.js";
import { openMenu } from "../../components/menu.js";
import { confirm } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { setAttribute } from "../../core/dom.js";
import { size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { addressWithReturn, navigate } from "../../core/router.js";
import { canSpeak } from "./offers.js";
import { failureOf, fullName, mainStep } from "./state-words.js";
import {
  chooseVoice,
  deleteVoice,
  discardDownload,
  markFavoriteVoice,
  retryVoice,
  startDownload,
  stopDownload,
} from "../../server/voice-catalogue.js";

/** @typedef {import("./offers.js").Offer} Offer */
/** @typedef {import("./state-words.js").Step} Step */
/** @typedef {import("../../server/voice-catalogue.js").DownloadState} DownloadState */
/** @typedef {import("../../server/voice-catalogue.js").Failure} Failure */
/** @typedef {import("../../components/menu.js").MenuItem} MenuItem */

/** The id of the element that says which profile a choice changes. */
export const chosenProfileText = "voices-chosen-profile";

/** @type {DownloadState} */
const nothing = { state: "none", bytes: null, total: null, rate: null, secondsLeft: null, failure: null };

/** The actions for a voice. Each reports its failure. */
export class VoiceSteps {
  #collection;
  #more;

  /**
   * @param {import("./voice-collection.js").VoiceCollection} collection
   * @param {object} more
   * @param {() => void} more.showInstalled Shows the voices that use disk space.
   * @param {(offer: Offer, profile: import("../../server/profiles.js").Profile) => void} more.chosen A voice is now in
   * use, in this profile.
   * @param {(offer: Offer) => void} more.removed Its files are deleted, or never existed.
   */
  constructor(collection, more) {
    this.#collection = collection;
    this.#more = more;
  }

  /**
   * @param {Step} step
   * @param {Offer} offer
   */
  async take(step, offer) {
    const steps = {
      download: () => this.download(offer),
      resume: () => this.download(offer),
      again: () => this.download(offer),
      cancel: () => this.stop(offer),
      choose: () => this.choose(offer),
      retry: () => this.retry(offer),
      settings: async () => navigate(addressWithReturn("/settings/speech")),
      space: async () => this.#more.showInstalled(),
      remove: () => this.remove(offer),
    };
    await steps[step]();
  }

  /**
   * Shows an error in the voice's row, like a failed download.
   *
   * @param {Offer} offer
   */
  async download({ id, voice: { entry, download: before } }) {
    if (entry === null) return;
    this.#collection.change(id, "download", { ...before, state: "waiting", rate: null, secondsLeft: null, failure: null });
    try {
      const download = await startDownload(entry);
      if (this.#collection.find(id)?.phase === "waiting") this.#collection.change(id, "download", download);
      this.#collection.confirm(id, "download");
    } catch (error) {
      const { code = "", message = "", suggestion = null } = /** @type {Partial<Failure>} */ (error ?? {});
      this.#collection.change(id, "download", { ...nothing, state: "failed", failure: { code, message, suggestion } });
    }
  }

  /** @param {Offer} offer */
  async stop({ voice: { entry } }) {
    if (entry !== null) await attempt(() => stopDownload(entry));
  }

  /**
   * Deletes a partial download, or dismisses a failed one.
   *
   * @param {Offer} offer
   */
  async discard(offer) {
    const { id } = offer;
    const { entry } = offer.voice;
    if (entry === null) return;
    const isDone = await attempt(() => discardDownload(entry));
    if (!isDone) return;
    this.#collection.change(id, "download", nothing);
    this.#collection.confirm(id, "download");
  }

  /**
   * @param {Offer} offer
   * @param {number} [speaker] One of its speakers, from 0; default: the first.
   */
  async choose(offer, speaker) {
    /** @type {import("../../server/profiles.js").Profile | null} */
    let profile = null;
    await attempt(async () => (profile = await chooseVoice(offer.id, speaker)));
    if (profile === null) return;
    await this.#collection.load();
    this.#more.chosen(offer, profile);
  }

  /** @param {Offer} offer */
  async retry({ id }) {
    const isDone = await attempt(() => retryVoice(id));
    if (isDone) await this.#collection.load();
  }

  /**
   * @param {Offer} offer
   */
  async markFavorite({ id, voice: { isFavorite } }) {
    this.#collection.change(id, "isFavorite", !isFavorite);
    const isDone = await attempt(() => markFavoriteVoice(id, !isFavorite));
    if (!isDone) this.#collection.change(id, "isFavorite", isFavorite);
    this.#collection.confirm(id, "isFavorite");
  }

  /**
   * Asks first: the voice would have to be downloaded again.
   *
   * @param {Offer} offer
   */
  async remove(offer) {
    const { installed, entry } = offer.voice;
    if (installed === null) return;
    const isSure = await confirm({
      title: t("voices.delete.title", { name: fullName(offer) }),
      detail: `${t("voices.delete.frees", { size: size(installed.bytes) })} ${t(entry === null ? "voices.delete.own" : "voices.delete.again")}`,
      action: t("do.delete"),
    });
    if (!isSure) return;
    const isDone = await attempt(() => deleteVoice(offer.id));
    if (!isDone) return;
    await this.#collection.load();
    this.#more.removed(offer);
  }

  /**
   * Whether there is a partial or failed download to discard.
   *
   * @param {Offer} offer
   */
  canDiscard(offer) {
    return offer.voice.entry !== null && (offer.phase === "paused" || (offer.phase === "failed" && failureOf(offer) !== null));
  }
}

/** @type {Readonly<Record<Step, import("../../components/icon.js").IconName>>} */
const stepIcons = {
  download: "export",
  resume: "export",
  again: "again",
  cancel: "close",
  choose: "check",
  retry: "again",
  settings: "settings",
  space: "trash",
  remove: "trash",
};

/**
 * A button for one action on a voice; its accessible name contains the voice's.
 *
 * @param {Step} step
 * @param {Offer} offer
 * @param {object} options
 * @param {() => void} options.onPress
 * @param {import("../../components/button.js").ButtonOptions["look"]} [options.look]
 */
export function stepButton(step, { title }, { onPress, look = "plain" }) {
  const element = button({ label: t(`voices.step.${step}`), icon: stepIcons[step], look, className: `voice-step ${step}`, onPress });
  setAttribute(element, "aria-label", t(`voices.step.${step}.of`, { name: title }));
  if (step === "choose") setAttribute(element, "aria-describedby", chosenProfileText);
  return element;
}

/**
 * Opens the menu of a voice.
 *
 * @param {Offer} offer
 * @param {object} doing
 * @param {VoiceSteps} doing.steps
 * @param {(offer: Offer) => void} doing.listen
 * @param {(offer: Offer) => void} doing.showInfo
 * @param {import("../../components/menu.js").MenuPlace} where
 */
export function openVoiceMenu(offer, { steps, listen, showInfo }, { anchor, point }) {
  const { voice, title, phase } = offer;
  const step = mainStep(offer);
  /** @type {(MenuItem | "separator" | null)[]} */
  const items = [
    step === null || step === "remove" ? null : { label: t(`voices.step.${step}`), icon: stepIcons[step], run: () => steps.take(step, offer) },
    canSpeak(offer) && step !== "choose" && phase !== "active" ? { label: t("voices.step.choose"), icon: "check", run: () => steps.choose(offer) } : null,
    canSpeak(offer) ? { label: t("sample.play"), icon: "play", run: () => listen(offer) } : null,
    {
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
