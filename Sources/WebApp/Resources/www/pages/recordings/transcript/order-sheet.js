import { button, icon } from "../../../components/button.js";
import { field, isBusy, selectField, setBusy } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { focusTitle, Sheet, withdraw } from "../../../components/sheet.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../../core/dom.js";
import { clock, size, wordsFor } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { onServer } from "../../../server/events.js";
import {
  findSpeakers,
  loadRecognizers,
  loadSpeakers,
  startTranscription,
} from "../../../server/transcriptions.js";
import { loadVoiceListings, startDownload, stopDownload } from "../../../server/voices.js";
import { amounts, areShown, askedFrom, hasOnlyBasic, isComing, isHeardBy, languageChoices, offersIn, offlineNotice, proposedLanguage, sheetCards, timeWords } from "../../recognizers/offers.js";
import { optionRow } from "./head.js";
import { secondsIn } from "./text.js";

/** @typedef {import("../../../server/library.js").Item} Item */
/** @typedef {import("../../../server/transcriptions.js").Recognizer} Recognizer */
/** @typedef {import("../../../server/transcriptions.js").Transcription} Transcription */
/** @typedef {import("../../../server/transcriptions.js").TranscriptionOrder} TranscriptionOrder */

/**
 * The last choices, until the page is unloaded. The recognizer is only proposed again: the others are asked if it fails.
 *
 * @type {{ recognizer: string, language: string, hotwords: string, prompt: string }} `language` is empty where it is to be
 * detected.
 */
const last = { recognizer: "", language: "", hotwords: "", prompt: "" };

/**
 * The options of a transcription; without a recognizer, one is downloaded first and the transcription then starts by
 * itself.
 */
export class OrderSheet extends Sheet {
  #item;
  #base;
  #begun;
  #place = h("div", { class: "order-place" });
  #problem = h("div", {});
  /** @type {Recognizer[]} */
  #recognizers = [];
  /** @type {readonly string[]} The IDs that the person has put first. */
  #preferred = [];
  /** Whether a download was started here, after which the transcription starts by itself. */
  #isAwaiting = false;
  /** Whether the recognizer was chosen here, for this recording; then it alone is asked. */
  #isChosen = false;
  /** @type {string | null} The language that was chosen here, for this recording; empty where it is to be detected. */
  #spoken = null;
  /** Says that the present transcript is replaced; not for a part of the recording. */
  #replaced = h("p", { class: "muted small" }, t("order.again.text"));
  #asked = h("p", { class: "muted small", id: newId("asked") });
  #fields = h("div", { class: "order-fields" });
  #offers = h("div", {});
  #from = field({ label: t("order.from"), value: "", inputMode: "numeric", attributes: { placeholder: "0:00" }, onInput: () => this.#showReplaced() });
  #to = field({ label: t("order.to"), value: "", inputMode: "numeric", onInput: () => this.#showReplaced() });
  #skipsSilence = true;
  #start = button({ label: t("order.start"), icon: "text", look: "primary", onPress: () => this.#send() });

  /**
   * @param {Item} item
   * @param {string | null} base The current version, into which a part can be inserted.
   * @param {(job: Transcription) => void} begun
   */
  constructor(item, base, begun) {
    super({ title: t(base === null ? "order.title" : "order.title.again"), kind: "side", className: "order-sheet" });
    this.#item = item;
    this.#base = base;
    this.#begun = begun;
    this.#to.input.placeholder = clock(item.duration);
    this.build({ content: [this.#place, this.#problem], actions: [this.#start] });
    this.#start.hidden = true;
    this.#load();
    onServer("voices", () => this.#load(), this.signal);
    onServer("settings", () => this.#offers.isConnected && !this.#offers.hidden && this.#offer(), this.signal);
  }

  async #load() {
    try {
      const before = new Set(this.#recognizers.map(({ id }) => id));
      const { recognizers, order } = await loadRecognizers(this.signal, this.#item.language);
      this.#recognizers = recognizers;
      this.#preferred = order;
      // While the recognizers are the same, the choices in the fields stay.
      if (before.size > 0 && before.size === this.#recognizers.length && this.#recognizers.every(({ id }) => before.has(id))) return;
      if (this.#recognizers.length === 0) {
        fill(this.#place, h("p", {}, t("order.none")), this.#replaced, this.#offers);
        this.#showReplaced();
        await this.#offer();
        return;
      }
      const come = this.#isAwaiting ? this.#recognizers.find(({ id }) => !before.has(id)) : undefined;
      if (come !== undefined) this.#choose(come.id);
      // The cards stand above the fields, which would otherwise move when they come.
      if (come === undefined && hasOnlyBasic(this.#recognizers)) await this.#offer();
      else this.#showOffers([]);
      if (this.signal.aborted) return;
      this.#showFields();
      if (come !== undefined) await this.#send();
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#place, errorNotice(error, again));
    }
  }

  // Without a suitable recognizer

  async #offer() {
    try {
      const { offers, isOffline } = await offersIn(this.#item.language, this.signal);
      const isOfUse = this.#recognizers.length === 0 || hasOnlyBasic(this.#recognizers);
      if (isOfUse && !this.signal.aborted && !this.#isAwaiting) this.#showOffers(offers, isOffline);
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#offer() });
      if (this.signal.aborted) return;
      this.#offers.hidden = false;
      delete this.#offers.dataset.offers;
      fill(this.#offers, errorNotice(error, again));
    }
  }

  /**
   * @param {readonly import("../../../server/transcriptions.js").RecognizerOffer[]} offers
   * @param {boolean} isOffline Whether none can be downloaded.
   */
  #showOffers(offers, isOffline = false) {
    const isBare = this.#recognizers.length === 0;
    this.#offers.hidden = !isBare && offers.length === 0;
    if (!areShown(this.#offers, offers, `${isBare} ${isOffline}`)) this.#fillOffers(offers, isBare, isOffline);
    // A recommended recognizer has the primary button; the basic one can be used nevertheless.
    const isSecond = offers.length > 0;
    this.#start.classList.toggle("primary", !isSecond || isOffline);
    this.#start.classList.toggle("plain", isSecond && !isOffline);
    setText(/** @type {Element} */ (this.#start.lastElementChild), t(isSecond ? "order.start.basic" : "order.start"));
  }

  /**
   * @param {readonly import("../../../server/transcriptions.js").RecognizerOffer[]} offers
   * @param {boolean} isBare Whether there is no recognizer.
   * @param {boolean} isOffline
   */
  #fillOffers(offers, isBare, isOffline) {
    const { language, duration: seconds } = this.#item;
    const begun = () => (this.#isAwaiting = true);
    const hadFocus = this.#offers.contains(document.activeElement);
    fill(
      this.#offers,
      offers.length > 0 && h("p", { class: isBare ? "muted" : null }, t(isBare ? "order.none.detail" : "order.better")),
      ...sheetCards(offers, isOffline, { language, seconds, begun }, this.signal),
      isBare && offers.length === 0 && h("p", {}, t("order.none.found")),
      isBare && h("p", { class: "private-note" }, icon("lock"), t("order.private")),
    );
    if (hadFocus) focusTitle();
  }

  // With recognizers

  get #chosen() {
    const { recognizer } = last;
    const usual = this.#recognizers.find(({ isDefault }) => isDefault) ?? this.#recognizers[0];
    return this.#recognizers.find(({ id }) => id === recognizer) ?? usual;
  }

  /** @param {string} id */
  #choose(id) {
    last.recognizer = id;
    this.#isChosen = true;
  }

  #showFields() {
    const seconds = this.#item.duration;
    const words = (/** @type {Recognizer} */ one) => [one.name, timeWords(one, seconds)].filter(Boolean).join(", ");
    const options = this.#recognizers.map((one) => ({ value: one.id, label: words(one) }));
    const choice = selectField({
      label: t("order.recognizer"),
      groups: [{ options }],
      value: this.#chosen.id,
      describedBy: this.#asked.id,
      onChange: (id) => {
        this.#choose(id);
        this.#showOptions();
      },
    });
    const all = h("a", { class: "button quiet", href: "/recordings/recognizers" }, t("recognizers.title"));
    fill(this.#place, this.#replaced, this.#offers, choice.element, this.#asked, h("div", {}, all), this.#fields);
    this.#showReplaced();
    this.#showOptions();
    this.#start.hidden = false;
  }

  #showReplaced() {
    const from = secondsIn(this.#from.input.value) ?? 0;
    const to = secondsIn(this.#to.input.value) ?? this.#item.duration;
    this.#replaced.hidden = this.#base === null || from > 0 || to < this.#item.duration;
  }

  /** Shows the options of the chosen recognizer. */
  #showOptions() {
    const { id, isDefault, takesHotwords, takesPrompt, engine } = this.#chosen;
    const isProposed = !this.#isChosen && last.recognizer === id && !isDefault;
    const words = this.#isChosen ? "order.asked.alone" : isProposed ? "order.asked.again" : "order.asked.others";
    this.#asked.hidden = !this.#isChosen && !isProposed && this.#asks(id).length === 1;
    setText(this.#asked, t(words));
    const hotwords = field({ label: t("order.hotwords"), hint: t("order.hotwords.hint"), value: last.hotwords, onInput: () => (last.hotwords = hotwords.input.value) });
    const prompt = field({ label: t("order.prompt"), hint: t("order.prompt.hint"), value: last.prompt, onInput: () => (last.prompt = prompt.input.value) });
    fill(
      this.#fields,
      this.#languages(),
      takesHotwords && hotwords.element,
      takesPrompt && prompt.element,
      h("fieldset", { class: "order-range" }, h("legend", {}, t("order.range")), this.#from.element, this.#to.element),
      optionRow("order.silence", this.#skipsSilence, (isOn) => (this.#skipsSilence = isOn)),
      h("p", { class: "private-note" }, icon(engine === "remote" ? "warning" : "lock"), t(engine === "remote" ? "order.sends" : "order.private")),
    );
  }

  /** The spoken languages that can be chosen: those that the recognizer hears. */
  get #choices() {
    const { language } = this.#item;
    return languageChoices(this.#chosen.hears, isHeardBy(this.#chosen, language) ? [language] : []);
  }

  /** The language that is shown and sent; empty where it is to be detected. */
  get #language() {
    const value = this.#spoken ?? proposedLanguage(this.#item.language, last.language);
    return this.#choices.some((one) => one.value === value) ? value : "";
  }

  #languages() {
    if (!this.#chosen.takesLanguage) return null;
    return selectField({
      label: t("order.language"),
      groups: [{ options: this.#choices }],
      value: this.#language,
      onChange: (tag) => (this.#spoken = last.language = tag),
    }).element;
  }

  /** @returns {TranscriptionOrder | null} `null` when a time cannot be parsed, which the field reports. */
  #order() {
    const from = this.#time(this.#from, 0);
    const to = this.#time(this.#to, this.#item.duration);
    if (from === null || to === null) return null;
    if (from >= to) {
      this.#to.fail(t("order.range.wrong"));
      return null;
    }
    const isPart = from > 0 || to < this.#item.duration;
    const { id, takesHotwords, takesPrompt, takesLanguage } = this.#chosen;
    const hotwords = last.hotwords.split(",").map((word) => word.trim()).filter((word) => word !== "");
    return {
      recognizers: this.#asks(id),
      language: takesLanguage ? this.#language || "und" : undefined,
      hotwords: takesHotwords && hotwords.length > 0 ? hotwords : undefined,
      prompt: (takesPrompt && last.prompt.trim()) || undefined,
      from: isPart ? from : undefined,
      to: isPart ? to : undefined,
      base: isPart && this.#base !== null ? this.#base : undefined,
      skipsSilence: this.#skipsSilence,
    };
  }

  /** @param {string} id The one that is asked first. */
  #asks(id) {
    return this.#isChosen ? [id] : askedFrom(id, this.#recognizers, this.#preferred);
  }

  /**
   * @param {import("../../../components/field.js").Field} place
   * @param {number} usual Seconds, when the field is empty.
   */
  #time(place, usual) {
    const text = place.input.value.trim();
    if (text === "") return usual;
    const seconds = secondsIn(text);
    if (seconds === null || seconds > this.#item.duration + 1) {
      place.fail(t("order.time.wrong"));
      return null;
    }
    return Math.min(seconds, this.#item.duration);
  }

  async #send() {
    const order = this.#order();
    if (order === null || isBusy(this.#start)) return;
    setBusy(this.#start, t("order.starting"));
    fill(this.#problem);
    try {
      const job = await startTranscription(this.#item.id, order);
      this.close();
      this.#begun(job);
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#start, null);
    }
  }
}

/** @typedef {import("../../../server/transcriptions.js").SpeakerModelOffer} SpeakerModelOffer */
/** @typedef {import("../../../server/voices.js").DownloadState} DownloadState */

/** The missing models that find the speakers: one button downloads all of them. */
class SpeakerModels {
  /** @type {SpeakerModelOffer[]} */
  #offers = [];
  #isOffline = false;
  /** Why nothing can be downloaded. */
  #refusal = h("div", { id: newId("offline") });
  #words = h("p", { class: "muted small numbers" });
  #problem = h("p", { class: "small", role: "alert" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speakers.models.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #get = button({ label: t("voices.step.download"), icon: "export", look: "primary", onPress: () => this.#begin() });
  #stop = button({ label: t("job.cancel"), onPress: () => this.#end() });
  element = h("div", { class: "speaker-models" }, h("p", {}, t("speakers.models.text")), this.#refusal, this.#bar, this.#words, this.#problem, this.#get, this.#stop);

  /** @param {AbortSignal} signal */
  constructor(signal) {
    onServer("voice", (download) => this.#take(download), signal);
  }

  /** @param {SpeakerModelOffer[]} offers */
  show(offers) {
    this.#offers = offers;
    this.#update();
  }

  /** @param {boolean} isOffline Whether nothing can be downloaded. */
  showOffline(isOffline) {
    if (isOffline === this.#isOffline) return;
    this.#isOffline = isOffline;
    const hadFocus = this.#refusal.contains(document.activeElement);
    fill(this.#refusal, isOffline && offlineNotice());
    setAttribute(this.#get, "aria-disabled", isOffline ? "true" : null);
    setAttribute(this.#get, "aria-describedby", isOffline ? this.#refusal.id : null);
    if (hadFocus) focusTitle();
  }

  /** @param {import("../../../server/voices.js").Download} change */
  #take({ entry, ...download }) {
    if (!this.#offers.some((offer) => offer.entry === entry)) return;
    this.#offers = this.#offers.map((offer) => (offer.entry === entry ? { ...offer, download } : offer));
    this.#update();
  }

  async #begin() {
    if (this.#isOffline) return;
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
    const [gone, present] = isUnderWay ? [this.#get, this.#stop] : [this.#stop, this.#get];
    present.hidden = false;
    withdraw(gone, "hidden", true, present);
  }
}

/** @param {import("../../../server/voices.js").Failure} failure */
function failureWords(failure) {
  const { message, suggestion } = wordsFor(failure);
  return suggestion === null ? message : `${message} ${suggestion}`;
}

/**
 * The sheet shown before the search for a transcript's speakers: it offers the models that are missing, and then asks for the
 * number of speakers, if known.
 */
export class FindSpeakersSheet extends Sheet {
  #transcript;
  #field;
  #place = h("div", {});
  #problem = h("div", {});
  #find = button({ label: t("speakers.find.do"), look: "primary", onPress: () => this.#begin() });

  /**
   * @param {string} transcript The version's id.
   * @param {Element} anchor
   * @param {Pick<import("../../../server/transcriptions.js").Speakers, "isReady" | "offers">} speakers
   */
  constructor(transcript, anchor, { isReady, offers }) {
    super({ title: t("speakers.find"), anchor, className: "speaker-sheet" });
    this.#transcript = transcript;
    this.#field = field({
      label: t("speakers.count"),
      hint: t("speakers.count.hint"),
      type: "number",
      inputMode: "numeric",
      attributes: { min: 1, max: 20, autofocus: "" },
      onEnter: () => this.#begin(),
    });
    this.build({ content: [this.#place], actions: [this.#find] });
    if (isReady) this.#ask();
    else this.#offer(offers);
  }

  #ask() {
    this.#find.hidden = false;
    fill(this.#place, this.#field.element, this.#problem, h("p", { class: "muted small" }, t("speakers.find.text")));
  }

  /** @param {import("../../../server/transcriptions.js").SpeakerModelOffer[]} offers */
  #offer(offers) {
    this.#find.hidden = true;
    const models = new SpeakerModels(this.signal);
    models.show(offers);
    fill(this.#place, models.element);
    onServer("voices", () => this.#look(models), this.signal);
    onServer("reset", () => this.#look(models), this.signal);
    onServer("settings", () => this.#askIfOffline(models), this.signal);
    this.#askIfOffline(models);
  }

  /** @param {SpeakerModels} models */
  async #askIfOffline(models) {
    try {
      models.showOffline((await loadVoiceListings(this.signal)).isOffline);
    } catch {
      // A press on the download says the same.
    }
  }

  /**
   * Asks for the number of speakers once the models are here.
   *
   * @param {SpeakerModels} models
   */
  async #look(models) {
    try {
      const { isReady, offers } = await loadSpeakers(this.signal);
      if (this.signal.aborted || !this.#find.hidden) return;
      if (!isReady) {
        models.show(offers);
      } else {
        this.#ask();
        this.#field.input.focus();
      }
    } catch {
      // The next event brings them.
    }
  }

  async #begin() {
    const { input } = this.#field;
    if (!input.validity.valid) {
      this.#field.fail(t("speakers.count.wrong"));
      return;
    }
    fill(this.#problem);
    try {
      await findSpeakers(this.#transcript, input.value === "" ? null : input.valueAsNumber);
      this.close();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }
}
