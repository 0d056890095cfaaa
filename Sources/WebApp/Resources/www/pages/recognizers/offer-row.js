import { button } from "../../components/button.js";
import { attempt } from "../../components/toast.js";
import { h, setText } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { duration, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { languageWords } from "./spoken-languages.js";
import { onServer } from "../../server/events.js";
import { startDownload, stopDownload } from "../../server/voice-catalogue.js";

/** @typedef {import("../../server/transcriptions.js").RecognizerOffer} RecognizerOffer */

/**
 * For what recognisers are offered.
 *
 * @typedef {object} OfferContext
 * @property {string} [language] The recording's, BCP 47.
 * @property {number} [seconds] The length of the recording to transcribe.
 * @property {() => void} [begun] Called when a download was started here.
 */

/** A recogniser that can be downloaded: a card if it is recommended, else a row. */
export class OfferRow {
  #offer;
  #begun;
  #words = h("p", { class: "muted small numbers", role: "status" });
  #get;
  #stop;

  /**
   * @param {RecognizerOffer} offer
   * @param {OfferContext} context
   * @param {AbortSignal} signal
   */
  constructor(offer, { language, seconds, begun }, signal) {
    this.#offer = offer;
    this.#begun = begun;
    const { name, reason } = offer;
    const look = reason === "balanced" ? "primary" : "plain";
    this.#get = button({ label: "", icon: "export", look, onPress: () => this.#begin() });
    this.#stop = button({ label: t("job.cancel"), onPress: () => attempt(() => stopDownload(offer.entry)) });
    this.#stop.setAttribute("aria-label", t("recognizer.download.label", { label: t("job.cancel"), name }));
    const facts = [languageWords(offer, language), seconds !== undefined && timeWords(offer, seconds)];
    this.element = h(
      "li",
      { class: reason === null ? "recognizer-offer" : "recognizer-offer recognizer-card" },
      reason !== null && h("p", { class: "recognizer-reason" }, t(`order.reason.${reason}`)),
      h("p", { class: "recognizer-name" }, name),
      h("p", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
      reason !== null && h("p", { class: "muted small" }, t(`order.reason.${reason}.text`)),
      this.#words,
      this.#get,
      this.#stop,
    );
    onServer("voice", (download) => download.entry === offer.entry && this.#show(download), signal);
    this.#show(offer.download);
  }

  async #begin() {
    try {
      this.#show(await startDownload(this.#offer.entry));
      this.#begun?.();
    } catch (error) {
      setText(this.#words, wordsFor(error).message);
    }
  }

  /** @param {import("../../server/voice-catalogue.js").DownloadState} download */
  #show({ state, bytes, total, failure }) {
    const isComing = !["none", "paused", "failed"].includes(state);
    this.#get.hidden = isComing;
    this.#stop.hidden = !isComing;
    const { name, archiveBytes, expectedBytes } = this.#offer;
    const label = state === "paused" ? t("voices.step.resume") : t("order.download", { size: size(archiveBytes ?? expectedBytes) });
    setText(/** @type {Element} */ (this.#get.lastElementChild), label);
    this.#get.setAttribute("aria-label", t("recognizer.download.label", { label, name }));
    if (failure !== null) setText(this.#words, wordsFor(failure).message);
    else if (state === "none") setText(this.#words, "");
    else if (bytes === null || total === null) setText(this.#words, isComing ? t("order.coming") : "");
    else setText(this.#words, t("order.coming.part", { done: size(bytes), all: size(total) }));
  }
}

/**
 * How long a recogniser is expected to need for a recording, and whether that is an estimate.
 *
 * @param {Pick<RecognizerOffer, "pace" | "isPaceMeasured">} recognizer
 * @param {number} seconds The length of the recording.
 * @returns {string | null} `null` where nothing is known.
 */
export function timeWords({ pace, isPaceMeasured }, seconds) {
  if (pace === null) return null;
  return t(isPaceMeasured ? "recognizer.time" : "recognizer.time.estimated", { time: duration(seconds * pace) });
}

/**
 * The recommended recognisers as cards, the quickest first, and all others behind “More”.
 *
 * @param {readonly RecognizerOffer[]} offers
 * @param {OfferContext} context
 * @param {AbortSignal} signal
 * @returns {HTMLElement}
 */
export function offerCards(offers, context, signal) {
  const element = (/** @type {RecognizerOffer} */ offer) => new OfferRow(offer, context, signal).element;
  const cards = offers.filter(({ reason }) => reason !== null);
  const others = offers.filter(({ reason }) => reason === null);
  const more = h("ul", { class: "recognizer-offers" });
  const details = h("details", { class: "recognizer-more" }, h("summary", {}, t("recognizer.more", { n: others.length })), more);
  details.addEventListener("toggle", () => details.open && more.append(...others.map(element)), { once: true });
  return h(
    "div",
    {},
    cards.length > 0 && h("ul", { class: "recognizer-offers recognizer-cards" }, ...cards.map(element)),
    others.length > 0 && details,
  );
}
