import { button, icon, setIcon } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { rowOf, waitingRows } from "../../components/row-content.js";
import { Rows } from "../../components/rows.js";
import { focusTitle, moreButton, Sheet } from "../../components/sheet.js";
import { fill, h, kept, setAttribute, setText } from "../../core/dom.js";
import { languageName, longDate, qualityWords } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { profiles } from "../../core/store.js";
import { languageBeside, sampleButton, samples, speakerField } from "../speaker-choice.js";
import { canSpeak, chosenSpeaker, isGroup, isInstalled, linesOf } from "./offers.js";
import {
  chosenProfileText,
  isDownload,
  failureOf,
  fullName,
  mainStep,
  offlineNotice,
  partOf,
  showRefusal,
  sizeWords,
  speedWords,
  stateWords,
  stepButton,
} from "./voice-steps.js";

/** @typedef {import("./offers.js").Offer} Offer */
/** @typedef {import("./offers.js").Group} Group */
/** @typedef {import("./offers.js").Line} Line */
/** @typedef {import("./voice-steps.js").Step} Step */
/** @typedef {import("../../components/row-content.js").RowContent} RowContent */

/** The voices: those installed, favorites, and the others under their languages. */
export class VoiceList {
  rows = new Rows();
  /** @type {Map<string, VoiceRow>} */
  #shown = new Map();
  /** @type {Line[]} */
  #lines = [];
  /** @type {Set<string>} The ids of those that are listed as installed. */
  #installed = new Set();
  #actions;

  /** @param {VoiceRowActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.rows.label = t("voices.title");
    this.rows.rowHeight = 4.75;
  }

  /** Shows skeletons while the voices are loading. */
  showWaiting() {
    this.rows.source = waitingRows(8);
  }

  /** @param {readonly Group[]} groups A voice that was installed meanwhile keeps the focus of the keyboard. */
  show(groups) {
    const focused = rowOf(this.rows.querySelector(":focus-visible"))?.dataset.key ?? "";
    const wasInstalled = this.#installed.has(focused);
    const lines = (this.#lines = linesOf(groups));
    this.#installed = new Set(lines.flatMap((line) => (isGroup(line) || !isInstalled(line) ? [] : [line.id])));
    for (const line of lines) if (!isGroup(line)) this.#shown.get(line.id)?.show(line);
    this.rows.source = {
      count: lines.length,
      at: (/** @type {number} */ index) => lines[index] ?? null,
      key: (/** @type {Line} */ line) => (isGroup(line) ? "" : line.id),
      isHeading: isGroup,
      content: (/** @type {Line} */ line) =>
        isGroup(line)
          ? { title: h("h2", {}, line.title), details: [t("voices.count", { n: line.offers.length })] }
          : this.#rowOf(line).content,
    };
    if (!wasInstalled && this.#installed.has(focused)) this.focus(focused);
  }

  /**
   * Shows the new state of one voice.
   *
   * @param {Offer} before
   * @param {Offer} after
   */
  change(before, after) {
    const at = this.#lines.indexOf(before);
    if (at >= 0) this.#lines[at] = after;
    if (this.#shown.get(after.id)?.show(after) === true) this.rows.refresh();
  }

  /** @param {string} [id] Of the voice that gets the focus; the first if it is not in the list. */
  focus(id) {
    this.rows.focusRow(Math.max(0, this.place(id)));
  }

  /**
   * @param {string} [id]
   * @returns {number} The row of a voice; less than 0 when it has none.
   */
  place(id) {
    return this.#lines.findIndex((line) => !isGroup(line) && line.id === id);
  }

  /** @param {Offer} offer */
  #rowOf(offer) {
    const present = this.#shown.get(offer.id);
    if (present !== undefined) return present;
    const row = new VoiceRow(offer, this.#actions);
    this.#shown.set(offer.id, row);
    return row;
  }
}

/**
 * @typedef {object} VoiceRowActions
 * @property {(step: Step, offer: Offer) => void} take
 * @property {(offer: Offer) => void} markFavorite
 * @property {(offer: Offer, anchor: Element) => void} openMenu
 * @property {() => boolean} isOffline Whether nothing can be downloaded.
 */

/**
 * A voice as a row of the list. Its parts stay during a download, so that a button does not vanish under a finger.
 */
class VoiceRow {
  #offer;
  #actions;
  #shape = "";
  #title = h("span", { class: "voice-title" });
  #details = h("span", { class: "voice-details" });
  #part = h("div", { class: "progress-part" });
  #bar = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, this.#part);
  /** @type {Node} */
  #lead = h("span", { class: "voice-lead" }, icon("voice"));
  /** @type {HTMLButtonElement[]} */
  #buttons = [];
  /** @type {Map<string, HTMLButtonElement>} Those there have been, by what they do. */
  #made = new Map();

  /**
   * @param {Offer} offer
   * @param {VoiceRowActions} actions
   */
  constructor(offer, actions) {
    this.#offer = offer;
    this.#actions = actions;
    this.#bar.setAttribute("aria-label", t("voices.progress", { name: offer.title }));
    if (canSpeak(offer)) this.#lead = this.#sample();
    this.show(offer);
  }

  /** @returns {RowContent} */
  get content() {
    const isMoving = this.#offer.phase === "downloading" || this.#offer.phase === "paused";
    return {
      title: this.#title,
      details: [this.#details],
      excerpt: isMoving && partOf(this.#offer.voice.download) !== null ? this.#bar : undefined,
      lead: this.#lead,
      actions: this.#buttons,
    };
  }

  /**
   * @param {Offer} offer
   * @returns {boolean} Whether the row has other parts than before and must be refilled.
   */
  show(offer) {
    this.#offer = offer;
    const part = partOf(offer.voice.download);
    fill(this.#details, ...details(offer));
    this.#bar.style.setProperty("--part", String(part ?? 0));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round((part ?? 0) * 100)));
    const shape = [offer.phase, isInstalled(offer), offer.voice.isFavorite, canSpeak(offer), part !== null, mainStep(offer), this.#actions.isOffline()].join();
    if (shape === this.#shape) return false;
    if (canSpeak(offer) !== this.#lead instanceof HTMLButtonElement) {
      this.#lead = canSpeak(offer) ? this.#sample() : h("span", { class: "voice-lead" }, icon("voice"));
    }
    this.#shape = shape;
    this.#build();
    return true;
  }

  #build() {
    const offer = this.#offer;
    const step = mainStep(offer);
    fill(
      this.#title,
      h("span", { dir: "auto" }, isInstalled(offer) ? offer.fullTitle : offer.title),
      qualityBadge(offer),
      offer.phase === "active" ? h("span", { class: "badge current" }, icon("check"), t("voices.badge.active")) : null,
    );
    const main = step && kept(this.#made, step, () => stepButton(step, offer, { onPress: () => this.#actions.take(step, this.#offer) }));
    if (main !== null && step !== null) showRefusal(main, isDownload(step) && this.#actions.isOffline());
    this.#buttons = [main, this.#heart(), kept(this.#made, "more", () => this.#more())].flatMap((one) => one ?? []);
  }

  #heart() {
    const { title, voice } = this.#offer;
    const onPress = () => this.#actions.markFavorite(this.#offer);
    const heart = kept(this.#made, "heart", () => button({ label: "", icon: "heart", look: "quiet", iconOnly: true, className: "voice-favorite", onPress }));
    heart.classList.toggle("on", voice.isFavorite);
    setIcon(heart, voice.isFavorite ? "heart-filled" : "heart");
    const label = t(voice.isFavorite ? "voices.favorite.remove" : "voices.favorite.add", { name: title });
    for (const attribute of ["aria-label", "title"]) setAttribute(heart, attribute, label);
    return heart;
  }

  #more() {
    const label = t("voices.more", { name: this.#offer.title });
    return moreButton({ label, open: (anchor) => this.#actions.openMenu(this.#offer, anchor) });
  }

  #sample() {
    const { id, title } = this.#offer;
    const { element } = sampleButton(() => ({ voice: id }), { label: t("sample.of", { name: title }), iconOnly: true });
    element.tabIndex = -1;
    element.classList.add("voice-lead");
    return element;
  }
}

/**
 * The second line of a voice's row.
 *
 * @param {Offer} offer
 * @returns {Node[]}
 */
function details(offer) {
  const { voice, region } = offer;
  const state = stateWords(offer);
  const failure = failureOf(offer);
  if (failure !== null) return [h("span", { class: "voice-failure", title: state.join(" ") }, icon("error"), ...state)];
  if (state.length > 0) return state.map((words) => h("span", {}, words));
  const named = languageBeside({ ...offer, language: voice.language }, isInstalled(offer) ? offer.fullTitle : offer.title);
  // Those installed, and favorites, are not grouped by language.
  const place = named === null || isInstalled(offer) || voice.isFavorite ? named : region;
  const words = [voice.installed === null ? null : t("voices.badge.installed"), place, sizeWords(offer), speakersWords(offer), speedWords(offer)];
  return [licenceBadge(offer), ...words.map((one) => (one === null ? null : h("span", {}, one)))].flatMap((one) => one ?? []);
}

/** @param {Offer} offer */
function qualityBadge({ voice: { quality, variant } }) {
  const words = qualityWords(quality);
  if (words === null) return null;
  return h("span", { class: "badge", "data-quality": quality }, variant === null ? words : `${words}, ${variant}`);
}

/** @param {Offer} offer */
function licenceBadge({ voice: { installed } }) {
  const licence = installed?.licence ?? null;
  if (licence === null) return null;
  const isBound = licence.isCommercial === false;
  const label = t(isBound ? "voices.licence.private" : "voices.licence", { name: licence.name });
  return h("span", { class: isBound ? "badge bound" : "badge", title: label }, h("span", { class: "visually-hidden" }, label), h("span", { "aria-hidden": "true" }, licence.name));
}

/** @param {Offer} offer */
function speakersWords({ voice: { speakers } }) {
  return speakers !== null && speakers > 1 ? t("speak.voice.speakers", { n: speakers }) : null;
}

/** All details of a voice, and its actions. */
export class VoiceSheet extends Sheet {
  /** The id of the voice on screen. */
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
  #offer;
  /** @type {Map<string, HTMLButtonElement>} By what they do. */
  #made = new Map();

  /**
   * @param {Offer} offer
   * @param {import("./voice-steps.js").VoiceSteps} steps
   */
  constructor(offer, steps) {
    super({ title: fullName(offer), kind: "side", className: "voice-sheet" });
    this.id = offer.id;
    this.#offer = offer;
    this.#steps = steps;
    profiles.follow(() => this.#followProfile(offer), this.signal);
    this.show(offer);
    this.build({ content: [this.#problem, this.#speakers, this.#facts], actions: [this.#actions] });
    this.signal.addEventListener("abort", () => samples.stop());
  }

  /** @param {Offer} offer The present state of the voice. */
  show(offer) {
    this.#offer = offer;
    const failure = failureOf(offer);
    const words = failure === null ? stateWords(offer) : [];
    setText(this.#state, words.length > 0 ? words.join(" · ") : t(`voices.phase.${offer.phase}`));
    const step = mainStep(offer);
    const isRefused = step !== null && isDownload(step) && this.#steps.isOffline;
    const built = [offer.phase, failure?.message, isRefused].join();
    if (built === this.#built) return;
    this.#built = built;
    const hadFocus = this.#problem.contains(document.activeElement);
    fill(this.#problem, failure !== null && errorNotice(failure), isRefused && offlineNotice());
    fill(this.#facts, h("div", { class: "fact" }, h("dt", {}, t("voices.fact.state")), this.#state), ...factsOf(offer));
    this.#showSpeakers(offer);
    const { children } = this.#actions;
    const focused = [...children].findIndex((one) => one === document.activeElement);
    fill(this.#actions, ...this.#buttons(offer, isRefused));
    if (focused >= 0 && !this.#actions.contains(document.activeElement)) /** @type {HTMLElement | undefined} */ (children[Math.min(focused, children.length - 1)])?.focus();
    if (hadFocus) focusTitle();
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

  /**
   * @param {Offer} offer
   * @param {boolean} isRefused Whether its download is.
   */
  #buttons(offer, isRefused) {
    const step = mainStep(offer);
    const remove = () => button({ label: t("do.delete"), icon: "trash", look: "quiet", onPress: () => this.#remove(this.#offer) });
    const main = step === null || step === "remove" ? null : kept(this.#made, step, () => this.#stepButton(step));
    if (main !== null) showRefusal(main, isRefused);
    return [
      main,
      canSpeak(offer) ? kept(this.#made, "sample", () => sampleButton(() => ({ voice: offer.id, speaker: this.#speaker })).element) : null,
      offer.voice.installed === null ? null : kept(this.#made, "remove", remove),
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

  /** @param {import("./voice-steps.js").Step} step */
  #stepButton(step) {
    return stepButton(step, this.#offer, {
      look: step === "cancel" ? "plain" : "primary",
      onPress: () => {
        if (step === "settings" || step === "space") this.close();
        if (step === "choose") this.#steps.choose(this.#offer, this.#speaker);
        else this.#steps.take(step, this.#offer);
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
  const { voice } = offer;
  const { installed, quality, speakers, sampleRate, lastUsed } = voice;
  const licence = installed?.licence ?? null;
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.language", languageName(voice.language)],
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
