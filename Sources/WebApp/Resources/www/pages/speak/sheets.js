import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { sampleButton, samples, sampleText } from "../../components/sample.js";
import { Sheet } from "../../components/sheet.js";
import { slider } from "../../components/slider.js";
import { showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { languageName } from "../../core/format.js";
import { profileName, t, times, wordsFor } from "../../core/i18n.js";
import { addressWithReturn, navigate } from "../../core/router.js";
import { profiles, state, voices } from "../../core/store.js";
import { session } from "./session.js";
import { changeProfile, chooseProfile } from "../../server/profiles.js";

/** @typedef {import("../../server/profiles.js").Profile} Profile */
/** @typedef {import("../../server/voices.js").Voice} Voice */

/** The small sheets under the text, each with a sample of what is being chosen. */

const sample = (/** @type {object} */ change = {}) => ({ ...session.effectiveSettings, text: sampleText(session.text), ...change });

/** The voices to choose from, and the speakers of the chosen one. */
export class VoicesSheet extends Sheet {
  #list = h("div", { class: "choices", role: "radiogroup", "aria-label": t("speak.voice") });
  #speakers = h("div", { class: "speakers" });
  #isAtChosen = false;
  #field = h("input", {
    type: "search",
    class: "field",
    placeholder: t("speak.voice.search"),
    "aria-label": t("speak.voice.search"),
    autofocus: true,
  });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("speak.voice"), anchor, className: "voices-sheet" });
    this.#field.addEventListener("input", () => this.#show());
    this.#list.addEventListener("keydown", moveInChoices);
    voices.follow(() => this.#show(), this.signal); // they may still be on their way
    this.signal.addEventListener("abort", () => samples.stop());
    const more = button({ label: t("voices.go.more"), icon: "voice", look: "quiet", onPress: () => this.#goToVoices() });
    this.build({ content: [h("div", { class: "sheet-search" }, this.#field), this.#list], actions: [this.#speakers, more] });
  }

  open() {
    super.open();
    this.#goToChosen();
    return this;
  }

  /** Once, as soon as the voices are there. */
  #goToChosen() {
    const chosen = this.#list.querySelector("[aria-checked=true]");
    if (this.#isAtChosen || !this.element.open || chosen === null) return;
    this.#isAtChosen = true;
    chosen.scrollIntoView({ block: "center" });
  }

  #show() {
    fill(this.#list, ...voiceRows(this.#field.value, () => this.#show()));
    fill(this.#speakers, speakerSlider());
    this.#goToChosen();
  }

  #goToVoices() {
    this.close();
    navigate(addressWithReturn("/voices"));
  }
}

/**
 * @param {string} wanted
 * @param {() => void} changed
 */
function voiceRows(wanted, changed) {
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const all = (voices.value ?? []).filter((voice) => {
    const described = `${voice.name} ${voice.id} ${languageName(voice.language)}`.toLocaleLowerCase();
    return words.every((word) => described.includes(word));
  });
  if (voices.value === null) return [];
  if (all.length === 0) return [h("p", { class: "muted" }, t(voices.value.length > 0 ? "speak.voice.none" : "speak.voice.absent"))];
  const chosen = session.effectiveSettings.voice;
  const hasChosen = all.some(({ id }) => id === chosen);
  return all.map((voice, index) => voiceRow(voice, voice.id === chosen, hasChosen ? voice.id === chosen : index === 0, changed));
}

/**
 * @param {Voice} voice
 * @param {boolean} isChosen
 * @param {boolean} isInTabOrder
 * @param {() => void} changed
 */
function voiceRow(voice, isChosen, isInTabOrder, changed) {
  const detail = [languageName(voice.language), engineName(voice.engine), voice.speakers > 1 ? t("speak.voice.speakers", { n: voice.speakers }) : ""];
  const choice = h(
    "button",
    {
      type: "button",
      class: "choice",
      role: "radio",
      "aria-checked": String(isChosen),
      tabindex: isInTabOrder ? "0" : "-1",
      "data-id": voice.id,
      onclick: () => {
        session.choose({ voice: voice.id, speaker: 0 });
        changed();
        focusChoice(voice.id);
      },
    },
    h("span", { class: "choice-words" }, voice.name, h("span", { class: "choice-detail" }, detail.filter(Boolean).join(" · "))),
    icon("check", { className: isChosen ? "" : "absent" }),
  );
  const listen = sampleButton(() => sample({ voice: voice.id, speaker: 0, text: isChosen ? sampleText(session.text) : undefined }), {
    label: t("sample.of", { name: voice.name }),
    iconOnly: true,
  });
  return h("div", { class: "choice-row" }, choice, listen.element);
}

/** @param {string} engine */
function engineName(engine) {
  return t(engine === "espeak-ng" ? "speak.engine.compact" : "speak.engine.natural");
}

/** @param {string} id */
function focusChoice(id) {
  for (const one of document.querySelectorAll(".voices-sheet .choice")) {
    if (one instanceof HTMLElement && one.dataset.id === id) one.focus();
  }
}

function speakerSlider() {
  const { voice, speaker } = session.effectiveSettings;
  const count = voices.value?.find(({ id }) => id === voice)?.speakers ?? 1;
  if (count < 2) return null;
  return slider({
    label: t("speak.speaker"),
    min: 1,
    max: count,
    step: 1,
    value: (speaker ?? 0) + 1,
    format: (value) => String(value),
    onChange: (value) => session.choose({ speaker: value - 1 }),
  });
}

/** The profiles to choose from; what was chosen beside the profile can be kept in it. */
export class ProfilesSheet extends Sheet {
  #list = h("div", { class: "choices", role: "radiogroup", "aria-label": t("speak.profile") });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("speak.profile"), anchor });
    profiles.follow((known) => this.#show(known), this.signal); // they may still be on their way
    this.signal.addEventListener("abort", () => samples.stop());
    this.#list.addEventListener("keydown", moveInChoices);
    const { profile, isChanged } = session.effectiveSettings;
    const edit = button({ label: t("speak.profile.edit"), icon: "settings", look: "quiet", onPress: () => this.#goToProfiles() });
    const keep = isChanged && profile !== null ? [this.#keepButton(profile)] : [];
    this.build({ content: [h("div", { class: "sheet-stack" }, this.#list)], actions: [edit, ...keep] });
  }

  open() {
    super.open();
    /** @type {HTMLElement | null} */ (this.#list.querySelector("[aria-checked=true]"))?.focus();
    return this;
  }

  /** @param {import("../../server/profiles.js").Profiles | null} known */
  #show(known) {
    const choose = (/** @type {string} */ id) => this.#choose(id);
    fill(this.#list, ...(known?.profiles ?? []).map((profile) => profileRow(profile, profile.id === known?.chosen, choose)));
  }

  /** @param {Profile} profile */
  #keepButton(profile) {
    return button({ label: t("speak.profile.keep", { name: profileName(profile) }), onPress: () => this.#keep() });
  }

  #goToProfiles() {
    this.close();
    navigate("/settings/speech");
  }

  /** @param {string} id */
  async #choose(id) {
    this.close();
    const before = profiles.value;
    if (before !== null) profiles.set({ ...before, chosen: id });
    session.settings.set({});
    try {
      await chooseProfile(id);
    } catch (error) {
      profiles.set(before);
      showToast({ text: wordsFor(error).message, icon: "error" });
    }
  }

  async #keep() {
    this.close();
    const { profile } = session.effectiveSettings;
    if (profile === null) return;
    const { id, ...before } = profile;
    try {
      const saved = await changeProfile(id, { ...before, ...session.settings.value });
      const now = profiles.value;
      if (now !== null) profiles.set({ ...now, profiles: now.profiles.map((one) => (one.id === saved.id ? saved : one)) });
      session.settings.set({});
      showToast({ text: t("speak.profile.kept", { name: profileName(saved) }), icon: "check" });
    } catch (error) {
      showToast({ text: wordsFor(error).message, icon: "error" });
    }
  }
}

/**
 * @param {Profile} profile
 * @param {boolean} isChosen
 * @param {(id: string) => void} choose
 */
function profileRow(profile, isChosen, choose) {
  const { voice, speed, pitch } = profile;
  const voiceName = voices.value?.find(({ id }) => id === voice)?.name ?? voice;
  const choice = h(
    "button",
    { type: "button", class: "choice", role: "radio", "aria-checked": String(isChosen), tabindex: isChosen ? "0" : "-1", onclick: () => choose(profile.id) },
    h(
      "span",
      { class: "choice-words" },
      profileName(profile),
      h("span", { class: "choice-detail" }, `${voiceName} · ${t("speak.speed")} ${times(speed)} · ${t("speak.pitch")} ${times(pitch)}`),
    ),
    icon("check", { className: isChosen ? "" : "absent" }),
  );
  const listen = sampleButton(() => ({ ...profile, text: sampleText(session.text) }), {
    label: t("sample.of", { name: profileName(profile) }),
    iconOnly: true,
  });
  return h("div", { class: "choice-row" }, choice, listen.element);
}

/**
 * Arrows walk through radios, as they do in a form; Space or Enter chooses.
 *
 * @param {KeyboardEvent} event
 */
function moveInChoices(event) {
  const list = event.currentTarget;
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (!(list instanceof HTMLElement) || step === 0) return;
  const all = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=radio]")]);
  const at = all.findIndex((one) => one === document.activeElement || one.parentElement?.contains(document.activeElement));
  event.preventDefault();
  all[(at + step + all.length) % all.length]?.focus();
}

/** A slider with a sample of how it sounds. */
class RangeSheet extends Sheet {
  #control;

  /**
   * @param {Element} anchor
   * @param {object} options
   * @param {string} options.title
   * @param {[number, number]} options.range
   * @param {number} options.value
   * @param {string} options.help
   * @param {(value: number) => void} options.choose
   */
  constructor(anchor, { title, range: [min, max], value, help, choose }) {
    super({ title, anchor });
    const listen = sampleButton(sample);
    this.#control = slider({
      label: title,
      hideLabel: true,
      min,
      max,
      step: 0.05,
      value,
      format: times,
      marks: [min, 1, max],
      onInput: choose,
      onChange: () => listen.play(),
    });
    this.signal.addEventListener("abort", () => samples.stop());
    this.build({ content: [h("p", { class: "muted small" }, help), this.#control], actions: [listen.element] });
  }

  open() {
    super.open();
    this.#control.focus();
    return this;
  }
}

export class SpeedSheet extends RangeSheet {
  /** @param {Element} anchor */
  constructor(anchor) {
    super(anchor, {
      title: t("speak.speed"),
      range: state.value?.speedRange ?? [0.5, 1.5],
      value: session.effectiveSettings.speed ?? 1,
      help: t("speak.speed.help"),
      choose: (speed) => session.choose({ speed }),
    });
  }
}

export class PitchSheet extends RangeSheet {
  /** @param {Element} anchor */
  constructor(anchor) {
    super(anchor, {
      title: t("speak.pitch"),
      range: state.value?.pitchRange ?? [0.5, 2],
      value: session.effectiveSettings.pitch ?? 1,
      help: t("speak.pitch.help"),
      choose: (pitch) => session.choose({ pitch }),
    });
  }
}
