import { button } from "../../components/button.js";
import { notice } from "../../components/notice.js";
import { attempt } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { duration, size, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";
import { listRecognizers } from "../../server/transcriptions.js";
import { startDownload, stopDownload } from "../../server/voices.js";
import { languageWords } from "./languages.js";

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

  /** @param {import("../../server/voices.js").DownloadState} download */
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

/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/**
 * Says of a transcript by the basic recogniser that it is one, with the way to a better one; nothing of others.
 *
 * @param {HTMLElement} place
 * @param {string | null} recognizer The ID of the one that wrote it.
 * @param {() => void} transcribe Opens what transcribes again, which offers better ones.
 */
export function sayIfBasic(place, recognizer, transcribe) {
  const isBasic = recognizer !== null && recognizer.startsWith("pocketsphinx/");
  if (isBasic === (place.childElementCount > 0)) return;
  const action = button({ label: t("recognizers.basic.action"), opens: true, onPress: transcribe });
  fill(place, isBasic ? notice({ text: t("recognizers.basic.transcript"), detail: t("recognizers.basic.do"), actions: [action] }) : null);
}

/** Says before a recording that only the basic recogniser would write it down. */
export function basicNotice() {
  const go = h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.basic.action"));
  return notice({ text: t("recognizers.basic.notice"), detail: t("recognizers.basic.do"), actions: [go] });
}

/** @param {readonly Pick<Recognizer, "engine">[]} recognizers */
export function hasOnlyBasic(recognizers) {
  return recognizers.length > 0 && recognizers.every(({ engine }) => engine === "pocketSphinx");
}

/**
 * Follows which recognisers there are.
 *
 * @param {(recognizers: Recognizer[]) => void} changed
 * @param {AbortSignal} signal
 */
export function followRecognizers(changed, signal) {
  const load = async () => {
    try {
      const recognizers = await listRecognizers(signal);
      if (!signal.aborted) changed(recognizers);
    } catch {
      // Only advice depends on them; the next event brings them.
    }
  };
  onServer("voices", load, signal);
  onServer("reset", load, signal);
  load();
}
