import { button } from "../../../components/button.js";
import { attempt } from "../../../components/toast.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { amounts, isComing } from "./model-amounts.js";
import { onServer } from "../../../server/events.js";
import { startDownload, stopDownload } from "../../../server/voice-catalogue.js";

/** @typedef {import("../../../server/speakers.js").SpeakerModelOffer} SpeakerModelOffer */
/** @typedef {import("../../../server/voice-catalogue.js").DownloadState} DownloadState */

/** The missing models that find the speakers: one button downloads all of them. */
export class SpeakerModels {
  /** @type {SpeakerModelOffer[]} */
  #offers = [];
  #words = h("p", { class: "muted small numbers" });
  #problem = h("p", { class: "small", role: "alert" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speakers.models.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #get = button({ label: t("voices.step.download"), icon: "export", look: "primary", onPress: () => this.#begin() });
  #stop = button({ label: t("job.cancel"), onPress: () => this.#end() });
  element = h("div", { class: "speaker-models" }, h("p", {}, t("speakers.models.text")), this.#bar, this.#words, this.#problem, this.#get, this.#stop);

  /** @param {AbortSignal} signal */
  constructor(signal) {
    onServer("voice", (download) => this.#take(download), signal);
  }

  /** @param {SpeakerModelOffer[]} offers */
  show(offers) {
    this.#offers = offers;
    this.#update();
  }

  /** @param {import("../../../server/voice-catalogue.js").Download} change */
  #take({ entry, ...download }) {
    if (!this.#offers.some((offer) => offer.entry === entry)) return;
    this.#offers = this.#offers.map((offer) => (offer.entry === entry ? { ...offer, download } : offer));
    this.#update();
  }

  async #begin() {
    setText(this.#problem, "");
    for (const { entry } of this.#offers.filter((offer) => !isComing(offer))) {
      try {
        const { entry: _, ...download } = await startDownload(entry);
        this.#take({ entry, ...download });
      } catch (error) {
        setText(this.#problem, wordsFor(error).message);
        return;
      }
    }
  }

  async #end() {
    for (const { entry } of this.#offers.filter(isComing)) await attempt(() => stopDownload(entry));
  }

  #update() {
    const { all, done } = amounts(this.#offers);
    const isUnderWay = this.#offers.some(isComing);
    const isBegun = isUnderWay || done > 0;
    const failure = this.#offers.map(({ download }) => download.failure).find((one) => one !== null) ?? null;
    this.#bar.hidden = !isBegun;
    this.#words.hidden = !isBegun;
    this.#bar.style.setProperty("--part", String(done / Math.max(1, all)));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round((100 * done) / Math.max(1, all))));
    setText(this.#words, t("order.coming.part", { done: size(done), all: size(all) }));
    setText(this.#problem, failure === null || isUnderWay ? "" : failureWords(failure));
    const label = done > 0 ? t("voices.step.resume") : t("order.download", { size: size(all) });
    setText(/** @type {Element} */ (this.#get.lastElementChild), label);
    this.#get.hidden = isUnderWay;
    this.#stop.hidden = !isUnderWay;
  }
}

/** @param {import("../../../server/voice-catalogue.js").Failure} failure */
function failureWords(failure) {
  const { message, suggestion } = wordsFor(failure);
  return suggestion === null ? message : `${message} ${suggestion}`;
}
