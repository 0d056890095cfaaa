import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { sampleButton, samples } from "../../components/sample.js";
import { Sheet } from "../../components/sheet.js";
import { speakerField } from "../../components/speaker-field.js";
import { fill, h, setText } from "../../core/dom.js";
import { longDate, qualityWords } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { profiles } from "../../core/store.js";
import { languageTitle } from "./language-names.js";
import { canSpeak, chosenSpeaker } from "./offers.js";
import { failureOf, fullName, mainStep, sizeWords, speedWords, stateWords } from "./state-words.js";
import { chosenProfileText, stepButton } from "./voice-steps.js";

/** @typedef {import("./offers.js").Offer} Offer */

/** All details of a voice, and its actions. */
export class VoiceSheet extends Sheet {
  /** Of the voice on screen. */
  id;
  #steps;
  #problem = h("div", { class: "voice-sheet-problem" });
  #state = h("dd", { class: "numbers" });
  #facts = h("dl", { class: "facts" });
  #actions = h("div", { class: "voice-sheet-actions" });
  #speakers = h("div", { class: "voice-people" });
  /** Only for the voice in use; for another, “Select” is among the actions. */
  #choose = button({ label: t("voices.speaker.choose"), icon: "check" });
  /** The selected speaker, who can be played and chosen. */
  #speaker = 0;
  /** Whether the user has selected the speaker; until then it is the profile's. */
  #hasChosen = false;
  /** @type {HTMLSelectElement | null} */
  #select = null;
  /** The state that the parts were built for; they stay while only the progress changes. */
  #built = "";

  /**
   * @param {Offer} offer
   * @param {import("./voice-steps.js").VoiceSteps} steps
   */
  constructor(offer, steps) {
    super({ title: fullName(offer), kind: "side", className: "voice-sheet" });
    this.id = offer.id;
    this.#steps = steps;
    profiles.follow(() => this.#followProfile(offer), this.signal);
    this.show(offer);
    this.build({ content: [this.#problem, this.#speakers, this.#facts], actions: [this.#actions] });
    this.signal.addEventListener("abort", () => samples.stop());
  }

  /** @param {Offer} offer The present state of the voice. */
  show(offer) {
    const failure = failureOf(offer);
    const words = failure === null ? stateWords(offer) : [];
    setText(this.#state, words.length > 0 ? words.join(" · ") : t(`voices.phase.${offer.phase}`));
    const built = [offer.phase, failure?.message].join();
    if (built === this.#built) return;
    this.#built = built;
    fill(this.#problem, failure === null ? null : errorNotice(failure));
    fill(this.#facts, h("div", { class: "fact" }, h("dt", {}, t("voices.fact.state")), this.#state), ...factsOf(offer));
    this.#showSpeakers(offer);
    const { children } = this.#actions;
    const focused = [...children].findIndex((one) => one === document.activeElement);
    fill(this.#actions, ...this.#buttons(offer));
    if (focused >= 0) /** @type {HTMLElement | undefined} */ (children[Math.min(focused, children.length - 1)])?.focus();
  }

  /**
   * Shows the chosen profile's speaker, even if the profiles arrive after the voices.
   *
   * @param {Offer} offer
   */
  #followProfile(offer) {
    if (this.#hasChosen) return;
    this.#speaker = chosenSpeaker(offer);
    if (this.#select !== null) this.#select.value = String(this.#speaker);
  }

  /** @param {Offer} offer */
  #buttons(offer) {
    const step = mainStep(offer);
    const remove = button({ label: t("do.delete"), icon: "trash", look: "quiet", onPress: () => this.#remove(offer) });
    return [
      step === null || step === "remove" ? null : this.#stepButton(step, offer),
      canSpeak(offer) ? sampleButton(() => ({ voice: offer.id, speaker: this.#speaker })).element : null,
      offer.voice.installed === null ? null : remove,
    ];
  }

  /**
   * Plays the speakers of a voice one by one, and lets the user choose one.
   *
   * @param {Offer} offer
   */
  #showSpeakers(offer) {
    this.#speakers.hidden = !canSpeak(offer) || (offer.voice.speakers ?? 1) < 2;
    this.#choose.hidden = offer.phase !== "active";
    if (this.#speakers.hidden || this.#speakers.hasChildNodes()) return;
    const say = (/** @type {number} */ speaker) => {
      this.#speaker = speaker;
      this.#hasChosen = true;
      samples.stop();
    };
    const { element, select } = speakerField(offer.voice, { value: this.#speaker, onChange: say });
    this.#select = select;
    this.#choose.onclick = () => this.#steps.choose(offer, this.#speaker);
    this.#choose.setAttribute("aria-describedby", chosenProfileText);
    fill(this.#speakers, h("div", { class: "form" }, element, this.#choose));
  }

  /**
   * @param {import("./state-words.js").Step} step
   * @param {Offer} offer
   */
  #stepButton(step, offer) {
    return stepButton(step, offer, {
      look: step === "cancel" ? "plain" : "primary",
      onPress: () => {
        if (step === "settings" || step === "space") this.close();
        if (step === "choose") this.#steps.choose(offer, this.#speaker);
        else this.#steps.take(step, offer);
      },
    });
  }

  /** @param {Offer} offer */
  async #remove(offer) {
    this.close();
    await this.closed;
    await this.#steps.remove(offer);
  }
}

/** @param {Offer} offer */
function factsOf(offer) {
  const { voice, stem, region } = offer;
  const { installed, quality, speakers, sampleRate, lastUsed } = voice;
  const language = languageTitle(stem);
  const licence = installed?.licence ?? null;
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.language", region === null ? language : `${language}, ${region}`],
    ["voices.fact.quality", qualityWords(quality)],
    [installed === null ? "voices.fact.download" : "voices.fact.disk", sizeWords(offer)],
    ["voices.fact.checksum", voice.availability === "absent" && !voice.hasChecksum ? t("voices.checksum.unknown") : null],
    ["voices.fact.licence", licence === null ? (installed === null ? null : t("voices.licence.unknown")) : licenceWords(licence)],
    ["voices.fact.speakers", speakers === null ? null : number(speakers)],
    ["info.sound", sampleRate === null ? null : t("info.sound.value", { rate: number(sampleRate) })],
    ["voices.fact.speed", speedWords(offer) ?? (installed === null ? null : t("voices.speed.unknown"))],
    ["voices.fact.used", lastUsed === null ? null : longDate(lastUsed)],
    ["voices.fact.installed", installed?.installedAt ? longDate(installed.installedAt) : null],
    ["voices.fact.from", installed?.url ?? null],
    ["voices.fact.id", voice.id],
  ];
  return facts.flatMap(([key, value]) =>
    value === null ? [] : [h("div", { class: "fact" }, h("dt", {}, t(key)), h("dd", { dir: "auto" }, value))],
  );
}

/** @param {{ name: string, isCommercial: boolean | null }} licence */
function licenceWords({ name, isCommercial }) {
  if (isCommercial === null) return name;
  return t(isCommercial ? "voices.licence.trade" : "voices.licence.private", { name });
}
