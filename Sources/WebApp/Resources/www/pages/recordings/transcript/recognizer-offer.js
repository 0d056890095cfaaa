import { button } from "../../../components/button.js";
import { h, setText } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { onServer } from "../../../server/events.js";
import { startDownload } from "../../../server/voice-catalogue.js";

/** @typedef {import("../../../server/transcriptions.js").RecognizerOffer} RecognizerOffer */

/** A recogniser that can be downloaded. */
export class OfferRow {
  #offer;
  #begun;
  #words = h("p", { class: "muted small numbers", role: "status" });
  #get;

  /**
   * @param {RecognizerOffer} offer
   * @param {() => void} begun
   * @param {AbortSignal} signal
   */
  constructor(offer, begun, signal) {
    this.#offer = offer;
    this.#begun = begun;
    const bytes = offer.archiveBytes ?? offer.expectedBytes;
    const label = t("order.download", { size: size(bytes) });
    this.#get = button({ label, icon: "export", look: "primary", onPress: () => this.#begin() });
    const name = offer.reason === null ? offer.name : `${offer.name} · ${t(`order.reason.${offer.reason}`)}`;
    this.element = h("li", { class: "recognizer-offer" }, h("p", {}, name), this.#words, this.#get);
    onServer("voice", (download) => download.entry === offer.entry && this.#show(download), signal);
    this.#show(offer.download);
  }

  async #begin() {
    try {
      this.#show(await startDownload(this.#offer.entry));
      this.#begun();
    } catch (error) {
      setText(this.#words, wordsFor(error).message);
    }
  }

  /** @param {import("../../../server/voice-catalogue.js").DownloadState} download */
  #show({ state, bytes, total, failure }) {
    const isComing = !["none", "paused", "failed"].includes(state);
    this.#get.hidden = isComing;
    if (failure !== null) setText(this.#words, wordsFor(failure).message);
    else if (!isComing) setText(this.#words, "");
    else if (bytes === null || total === null) setText(this.#words, t("order.coming"));
    else setText(this.#words, t("order.coming.part", { done: size(bytes), all: size(total) }));
  }
}
