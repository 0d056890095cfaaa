import { button } from "../../components/button.js";
import { notice } from "../../components/notice.js";
import { focusTitle, withdraw } from "../../components/sheet.js";
import { attempt } from "../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../core/dom.js";
import { duration, languageName, ownLanguages, paragraphFor, size } from "../../core/format.js";
import { language, t } from "../../core/i18n.js";
import { onServer } from "../../server/events.js";
import { listRecognizerOffers, listRecognizers } from "../../server/transcriptions.js";
import { loadVoiceListings, startDownload, stopDownload } from "../../server/voices.js";

/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/** Offered beside the person's own where nobody knows what a recognizer hears: a service, or a multilingual one that does not say. */
const commonLanguages = ["en", "et", "de", "es", "fr", "it", "pt", "nl", "fi", "sv", "lv", "lt", "pl", "ru", "uk", "zh", "ja", "ko"];

/**
 * The languages that a list of spoken ones offers: “Detect automatically”, then the person's own, as a recognizer may hear a
 * hundred, and the others by name.
 *
 * @param {readonly string[]} hears BCP 47; empty where it is not known.
 * @param {readonly string[]} [further] Such as the recording's.
 * @param {readonly string[]} [own] The person's, best first; where it is known what is heard, those among it are offered.
 * @returns {{ value: string, label: string }[]}
 */
export function languageChoices(hears, further = [], own = ownLanguages()) {
  const first = own.map(stem);
  const offered = hears.length > 0 ? hears : [...first, ...commonLanguages];
  const rank = (/** @type {{ value: string }} */ { value }) => (first.includes(stem(value)) ? first.indexOf(stem(value)) : first.length);
  const known = [...new Set([...further, ...offered])].filter((tag) => tag !== "" && tag !== "und");
  const named = known.map((tag) => ({ value: tag, label: languageName(tag) }));
  named.sort((one, other) => rank(one) - rank(other) || one.label.localeCompare(other.label, language.value));
  return [{ value: "", label: t("order.language.auto") }, ...named];
}

/**
 * All languages that one of the recognizers hears.
 *
 * @param {readonly Pick<Recognizer, "hears">[]} recognizers
 */
export function heardByAny(recognizers) {
  return [...new Set(recognizers.flatMap(({ hears }) => hears.map(stem)))];
}

/**
 * The languages that can be said of a recording: those that a recognizer hears, and apart from them others, for which one is
 * needed first. Where a single one is heard, nothing is detected.
 *
 * @param {readonly Pick<Recognizer, "hears">[] | null} recognizers `null` before they are known; then no language stands apart.
 * @param {readonly string[]} own Further languages, such as the reader's.
 * @returns {{ label?: string, options: { value: string, label: string }[] }[]}
 */
export function recordingLanguages(recognizers, own) {
  const heard = heardByAny(recognizers ?? []);
  const isKnown = recognizers !== null && recognizers.every(({ hears }) => hears.length > 0);
  const isHeard = (/** @type {{ value: string }} */ { value }) => !isKnown || value === "" || heard.includes(stem(value));
  const choices = languageChoices([], [...heard, ...own]);
  const [tag, ...more] = new Set(recognizers?.flatMap(({ hears }) => hears));
  if (isKnown && tag !== undefined && more.length === 0) choices[0].label = t("order.language.only", { name: languageName(tag) });
  const others = choices.filter((one) => !isHeard(one));
  const groups = [{ options: choices.filter(isHeard) }];
  return others.length === 0 ? groups : [...groups, { label: t("recorder.language.unheard"), options: others }];
}

/**
 * The language that is proposed for a recording.
 *
 * @param {string} own The recording's, BCP 47; `und` where it is not known.
 * @param {string} last The one that was chosen last; empty where it was to be detected.
 */
export function proposedLanguage(own, last) {
  return own === "und" ? last : own;
}

/**
 * Whether a recognizer hears a language, as far as it says so.
 *
 * @param {Pick<Recognizer, "hears">} recognizer
 * @param {string} tag BCP 47.
 */
export function isHeardBy({ hears }, tag) {
  return hears.length === 0 || hears.some((one) => stem(one) === stem(tag));
}

/**
 * The languages of a recognizer, in words.
 *
 * @param {Pick<Recognizer, "hears" | "languages">} recognizer
 * @param {string} [wanted] A language to name if it is among many.
 */
export function languageWords({ hears, languages }, wanted = "und") {
  const known = hears.length > 0 ? hears : languages.filter((tag) => tag !== "mul");
  if (known.length === 0) return t("recognizer.languages.several");
  if (known.length <= 3) return known.map(languageName).join(", ");
  const count = t("recognizer.languages", { n: known.length });
  return known.includes(stem(wanted)) ? t("recognizer.languages.with", { count, name: languageName(stem(wanted)) }) : count;
}

/** @param {string} tag */
function stem(tag) {
  return tag.split("-")[0] ?? tag;
}

/**
 * The order of preference after one recognizer was moved. A service that was only asked when it was chosen stays so, unless it is
 * the one that was moved.
 *
 * @param {readonly Pick<Recognizer, "id" | "engine">[]} recognizers As they are listed.
 * @param {readonly string[]} order The IDs that were put first until now.
 * @param {string} id The one that is moved.
 * @param {number} position Its new place in the list.
 * @returns {string[]} IDs.
 */
export function movedOrder(recognizers, order, id, position) {
  const moved = recognizers.find((one) => one.id === id);
  if (moved === undefined) return [...order];
  const listed = recognizers.filter((one) => one !== moved);
  listed.splice(position, 0, moved);
  return listed.filter((one) => one.engine !== "remote" || one === moved || order.includes(one.id)).map((one) => one.id);
}

/**
 * The recognizers that an order asks, one after another, until one has transcribed the recording. A service is only among the
 * others if a person has put it into the order of preference.
 *
 * @param {string} first The ID of the one that is asked first.
 * @param {readonly Pick<Recognizer, "id" | "engine">[]} recognizers As they are listed.
 * @param {readonly string[]} preferred The IDs that a person has put first.
 * @returns {string[]} IDs.
 */
export function askedFrom(first, recognizers, preferred) {
  const others = recognizers.filter(({ id, engine }) => id !== first && (engine !== "remote" || preferred.includes(id)));
  return [first, ...others.map(({ id }) => id)];
}

/**
 * Whether a recognizer can transcribe a language on this machine.
 *
 * @param {Pick<import("../../server/transcriptions.js").Recognizer, "engine" | "languages">} recognizer
 * @param {string} language A BCP 47 tag; `und` when it is unknown.
 */
export function isFit({ engine, languages }, language) {
  if (engine === "remote") return false;
  const main = (/** @type {string} */ tag) => tag.split("-")[0].toLowerCase();
  return language === "und" || languages.includes("mul") || languages.some((one) => main(one) === main(language));
}

/** @typedef {import("../../server/transcriptions.js").SpeakerModelOffer} SpeakerModelOffer */

/**
 * How many bytes models have together, and how many of them are here.
 *
 * @param {readonly Pick<SpeakerModelOffer, "expectedBytes" | "download">[]} offers
 */
export function amounts(offers) {
  let [all, done] = [0, 0];
  for (const { download, expectedBytes } of offers) {
    const size = download.total ?? expectedBytes;
    const isWhole = download.state === "extracting" || download.state === "validating";
    all += size;
    done += isWhole ? size : Math.min(size, download.bytes ?? 0);
  }
  return { all, done };
}

/**
 * Whether a model is being downloaded, or waits for that.
 *
 * @param {Pick<SpeakerModelOffer, "download">} offer
 */
export function isComing({ download }) {
  return !["none", "paused", "failed"].includes(download.state);
}

/** @typedef {import("../../server/transcriptions.js").RecognizerOffer} RecognizerOffer */

/**
 * For what recognizers are offered.
 *
 * @typedef {object} OfferContext
 * @property {string} [language] The recording's, BCP 47.
 * @property {number} [seconds] The length of the recording to transcribe.
 * @property {() => void} [begun] Called when a download was started here.
 * @property {string} [refusal] The ID of what says why none can be started; absent where one can.
 */

/** Says that nothing can be downloaded, since EchoText stays offline, with the way to the setting. */
export function offlineNotice() {
  const change = h("a", { class: "button", href: "/settings/speech?setting=outbound.offline" }, t("voices.offline.change"));
  return notice({ text: t("recognizers.offline"), actions: [change] });
}

/**
 * The recognizers for download in a sheet, and whether nothing can be downloaded.
 *
 * @param {string} language A recording's, BCP 47.
 * @param {AbortSignal} signal
 */
export async function offersIn(language, signal) {
  const listings = loadVoiceListings(signal).catch(() => null); // a press on a download says the same
  const offers = await listRecognizerOffers(language, signal);
  return { offers, isOffline: offers.length > 0 && ((await listings)?.isOffline ?? false) };
}

/** @type {WeakMap<Element, OfferRow>} By their elements. */
const rows = new WeakMap();

/** A recognizer that can be downloaded: a card if it is recommended, else a row. */
class OfferRow {
  #offer;
  #begun;
  #words = h("p", { class: "muted small numbers" });
  /** The same words for screen readers, which need not hear of every byte. */
  #status = h("p", { class: "visually-hidden", role: "status" });
  #saidOf = "";
  #get;
  #stop;

  /**
   * @param {RecognizerOffer} offer
   * @param {OfferContext} context
   * @param {AbortSignal} signal
   */
  constructor(offer, { language, seconds, begun, refusal }, signal) {
    this.#offer = offer;
    this.#begun = begun;
    const { name, reason } = offer;
    const look = reason === "balanced" ? "primary" : "plain";
    this.#get = button({ label: "", icon: "export", look, onPress: () => refusal === undefined && this.#begin() });
    setAttribute(this.#get, "aria-disabled", refusal === undefined ? null : "true");
    setAttribute(this.#get, "aria-describedby", refusal ?? null);
    this.#stop = button({ label: t("job.cancel"), onPress: () => attempt(() => stopDownload(offer.entry)) });
    this.#stop.setAttribute("aria-label", t("recognizer.download.label", { label: t("job.cancel"), name }));
    const facts = [languageWords(offer, language), seconds !== undefined && timeWords(offer, seconds)];
    this.element = h(
      "li",
      { class: reason === null ? "recognizer-offer" : "recognizer-offer recognizer-card", "data-entry": offer.entry },
      reason !== null && h("p", { class: "recognizer-reason" }, t(`order.reason.${reason}`)),
      h("p", { class: "recognizer-name", title: offer.entry }, name),
      h("p", { class: "muted small" }, facts.filter(Boolean).join(" · ")),
      reason !== null && h("p", { class: "muted small" }, t(`order.reason.${reason}.text`)),
      this.#words,
      this.#status,
      this.#get,
      this.#stop,
    );
    rows.set(this.element, this);
    onServer("voice", (download) => download.entry === offer.entry && this.show(download), signal);
    this.show(offer.download);
  }

  async #begin() {
    try {
      this.show(await startDownload(this.#offer.entry));
      this.#begun?.();
    } catch (error) {
      this.#say(paragraphFor(error), "refused");
    }
  }

  /**
   * @param {string} words
   * @param {string} about They are announced when this has changed.
   */
  #say(words, about) {
    setText(this.#words, words);
    if (about === this.#saidOf) return;
    this.#saidOf = about;
    setText(this.#status, words);
  }

  /** @param {import("../../server/voices.js").DownloadState} download */
  show({ state, bytes, total, failure }) {
    const isComing = !["none", "paused", "failed"].includes(state);
    const [gone, present] = isComing ? [this.#get, this.#stop] : [this.#stop, this.#get];
    present.hidden = false;
    withdraw(gone, "hidden", true, present);
    const { name, archiveBytes, expectedBytes } = this.#offer;
    const label = state === "paused" ? t("voices.step.resume") : t("order.download", { size: size(archiveBytes ?? expectedBytes) });
    setText(/** @type {Element} */ (this.#get.lastElementChild), label);
    this.#get.setAttribute("aria-label", t("recognizer.download.label", { label, name }));
    if (failure !== null) this.#say(paragraphFor(failure), state);
    else if (state === "none") this.#say("", state);
    else if (bytes === null || total === null) this.#say(isComing ? t("order.coming") : "", state);
    else this.#say(t("order.coming.part", { done: size(bytes), all: size(total) }), `${state} ${Math.floor((10 * bytes) / Math.max(1, total))}`);
  }
}

/**
 * How long a recognizer is expected to need for a recording, and whether that is an estimate.
 *
 * @param {Pick<RecognizerOffer, "pace" | "isPaceMeasured">} recognizer
 * @param {number} seconds The length of the recording.
 * @returns {string | null} `null` where nothing is known.
 */
export function timeWords({ pace, isPaceMeasured }, seconds) {
  if (pace === null) return null;
  return t(isPaceMeasured ? "recognizer.time" : "recognizer.time.estimated", { time: duration(seconds * pace) });
}

/** @type {WeakMap<HTMLElement, readonly RecognizerOffer[]>} Those that each place shows; some get a row only behind “More”. */
const placed = new WeakMap();

/**
 * Whether a place has the cards of these offers, which then show how far their downloads are; if not, they are to be made.
 *
 * @param {HTMLElement} place
 * @param {readonly RecognizerOffer[]} offers
 * @param {string} about What else the cards depend on.
 */
export function areShown(place, offers, about) {
  const key = about + JSON.stringify(offers.map((one) => ({ ...one, download: null })));
  const isSame = place.hasChildNodes() && place.dataset.offers === key;
  place.dataset.offers = key;
  if (isSame) placed.get(place)?.forEach((one, at) => (one.download = offers[at].download));
  else placed.set(place, offers);
  const cards = isSame ? [...place.querySelectorAll("li")] : [];
  for (const card of cards) {
    const offer = offers.find(({ entry }) => entry === card.dataset.entry);
    if (offer !== undefined) rows.get(card)?.show(offer.download);
  }
  return isSame;
}

/**
 * The recommended recognizers as cards, in the order of the offers, and all others behind “More”.
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

/**
 * The cards as a sheet has them: where nothing can be downloaded, after what says why.
 *
 * @param {readonly RecognizerOffer[]} offers
 * @param {boolean} isOffline
 * @param {OfferContext} context
 * @param {AbortSignal} signal
 */
export function sheetCards(offers, isOffline, context, signal) {
  const why = isOffline ? h("div", { class: "recognizers-offline", id: newId("offline") }, offlineNotice()) : null;
  return [why, offerCards(offers, { ...context, refusal: why?.id }, signal)];
}

/**
 * Says of a transcript by the basic recognizer that it is one, with the way to a better one; nothing of others.
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

/**
 * The sentence before a recording about the recognizers that would write it down.
 *
 * @param {readonly Pick<Recognizer, "engine">[]} recognizers
 * @returns {"missing" | "basic" | null} That there is none, or only the basic one; `null` for nothing.
 */
export function adviceOn(recognizers) {
  if (recognizers.length === 0) return "missing";
  return hasOnlyBasic(recognizers) ? "basic" : null;
}

/**
 * Shows an advice, with the way to the recognizers; one that is there stays, with the focus.
 *
 * @param {HTMLElement} place
 * @param {"missing" | "basic" | null} advice
 */
export function showAdvice(place, advice) {
  if (place.dataset.advice === `${advice}`) return;
  place.dataset.advice = `${advice}`;
  const hadFocus = place.contains(document.activeElement);
  const go = () => h("a", { href: "/recordings/recognizers" }, t(`recognizers.${advice}.action`));
  fill(place, ...(advice === null ? [] : [t(`recognizers.${advice}.notice`), " ", go()]));
  if (hadFocus) focusTitle();
}

/** @param {readonly Pick<Recognizer, "engine">[]} recognizers */
export function hasOnlyBasic(recognizers) {
  return recognizers.length > 0 && recognizers.every(({ engine }) => engine === "pocketSphinx");
}

/**
 * Follows which recognizers there are.
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
