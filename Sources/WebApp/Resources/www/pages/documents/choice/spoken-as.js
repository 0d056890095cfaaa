import { button, icon } from "../../../components/button.js";
import { isBusy, nameField, selectField, setBusy } from "../../../components/field.js";
import { Sheet } from "../../../components/sheet.js";
import { slider } from "../../../components/slider.js";
import { fill, h, setText } from "../../../core/dom.js";
import { languageName, speakerName } from "../../../core/format.js";
import { t, times } from "../../../core/i18n.js";
import { profiles, state, voices } from "../../../core/store.js";
import { sampleButton, samples, speakerField, voiceGroups } from "../../speaker-choice.js";
import { beginBatch } from "../batch-sheet.js";

/** @typedef {import("../../../server/documents.js").SpokenSettings} SpokenSettings */
/** @typedef {import("../../../server/voices.js").Profile} Profile */

/**
 * How documents are spoken, and the names of the recordings: a summary line that opens the fields, for these recordings
 * only. They start with the chosen profile.
 */
export class SpokenAs {
  #summary = h("span", {});
  #fields = h("div", { class: "form" });
  /** The choice of speaker; empty if the voice has only one. */
  #speakers = h("div", {});
  element = h("details", { class: "spoken-as", hidden: true }, h("summary", {}, this.#summary), this.#fields);
  #nameHelp;
  /** @type {Profile | null} */
  #profile = null;
  /** @type {import("../../../server/voices.js").VoiceSettings} */
  #changed = {};
  /**
   * The language of the text.
   *
   * @type {string | null}
   */
  #language = null;
  /** Whether the voice is there for the sake of the language. */
  #isByLanguage = false;
  /** @type {HTMLSelectElement | null} */
  #voices = null;
  /** @type {ReturnType<typeof nameField> | null} `null` until the profiles and voices are loaded. */
  #name = null;

  /** @param {string} nameHelp The name pattern of the recordings. */
  constructor(nameHelp) {
    this.#nameHelp = nameHelp;
  }

  /** @param {AbortSignal} signal The life of the sheet. */
  start(signal) {
    profiles.follow(() => this.#begin(), signal); // they and the voices may still be loading
    voices.follow(() => this.#begin(), signal);
    signal.addEventListener("abort", () => samples.stop());
  }

  /**
   * Takes a voice of the text's language, unless the profile's speaks it or one was chosen here.
   *
   * @param {string | null} language A BCP 47 tag.
   */
  startIn(language) {
    this.#language = language;
    this.#takeVoiceOfLanguage();
  }

  /** What was changed here. @returns {SpokenSettings} */
  get settings() {
    const name = this.#name?.input.value.trim() ?? "";
    return name === "" ? this.#changed : { ...this.#changed, name };
  }

  /** Whether the name is valid; if not, the field shows why. */
  check() {
    if (this.#name === null || this.#name.check()) return true;
    this.element.open = true;
    this.#name.input.focus();
    return false;
  }

  #begin() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen);
    if (this.#profile !== null || profile === undefined || voices.value === null) return;
    this.#profile = profile;
    const name = nameField({ label: t("choice.name"), hint: this.#nameHelp, isOptional: true });
    this.#name = name;
    const voice = selectField({
      label: t("speak.voice"),
      groups: voiceGroups(profile.voice),
      value: profile.voice,
      onChange: (id) => {
        this.#isByLanguage = false;
        this.#change({ voice: id, speaker: id === profile.voice ? profile.speaker : 0 });
        this.#showSpeakers();
      },
    });
    const { speedRange = [0.5, 1.5], pitchRange = [0.5, 2] } = state.value ?? {};
    const speed = this.#factor("speed", profile.speed, speedRange);
    const pitch = this.#factor("pitch", profile.pitch, pitchRange);
    const listen = sampleButton(() => ({ ...profile, ...this.#changed }));
    fill(this.#fields, name.element, voice.element, this.#speakers, speed, pitch, h("div", { class: "sample" }, listen.element));
    this.element.hidden = false;
    this.#voices = voice.select;
    this.#showSpeakers();
    this.#change({});
    this.#takeVoiceOfLanguage();
  }

  #takeVoiceOfLanguage() {
    const all = voices.value ?? [];
    const own = all.find(({ id }) => id === this.#profile?.voice);
    if (this.#voices === null || this.#language === null || own === undefined) return;
    const wanted = stem(this.#language);
    // The natural ones are listed before the built-in ones.
    const voice = all.find((one) => stem(one.language) === wanted);
    if (this.#changed.voice !== undefined || stem(own.language) === wanted || voice === undefined) return;
    this.#isByLanguage = true;
    this.#voices.value = voice.id;
    this.#change({ voice: voice.id, speaker: 0 });
    this.#showSpeakers();
  }

  #showSpeakers() {
    const { voice, speaker = 0 } = { ...this.#profile, ...this.#changed };
    const known = voices.value?.find(({ id }) => id === voice);
    const isSeveral = known !== undefined && known.speakers > 1;
    this.#speakers.hidden = !isSeveral;
    fill(this.#speakers, isSeveral ? speakerField(known, { value: speaker, onChange: (now) => this.#change({ speaker: now }) }).element : null);
  }

  /**
   * @param {"speed" | "pitch"} key
   * @param {number} value
   * @param {[number, number]} range
   */
  #factor(key, value, [min, max]) {
    const onChange = (/** @type {number} */ to) => this.#change({ [key]: Math.round(to * 100) / 100 });
    return slider({ label: t(`speak.${key}`), min, max, step: 0.05, value, format: times, onChange });
  }

  /** @param {import("../../../server/voices.js").VoiceSettings} change */
  #change(change) {
    this.#changed = { ...this.#changed, ...change };
    samples.stop();
    const { voice, voiceName = "", speaker = 0, speed = 1, pitch = 1 } = { ...this.#profile, ...this.#changed };
    const known = voices.value?.find(({ id }) => id === voice);
    const chosen = known !== undefined && known.speakers > 1 ? [speakerName(known, speaker)] : [];
    const name = known === undefined ? voiceName : [known.title, ...chosen].join(", ");
    const higher = pitch === 1 ? [] : [`${t("speak.pitch")} ${times(pitch)}`];
    const settings = [name, times(speed), ...higher].join(" · ");
    const language = this.#isByLanguage && this.#language !== null ? languageName(this.#language) : null;
    setText(this.#summary, language === null ? t("choice.voice-settings", { settings }) : t("choice.voice-language", { language, settings }));
  }
}

/**
 * The language of a tag, without script and region.
 *
 * @param {string} tag BCP 47.
 */
function stem(tag) {
  return tag.split("-")[0] ?? tag;
}

/**
 * A checkbox for one recording per chapter.
 *
 * @param {Node} mark What shows whether it is checked.
 * @returns {{ element: HTMLElement, input: HTMLInputElement }}
 */
export function chapterSwitch(mark) {
  return checkbox(mark, t("choice.each"));
}

/**
 * A checkbox for captions that begin at their own times.
 *
 * @param {Node} mark What shows whether it is checked.
 * @returns {{ element: HTMLElement, input: HTMLInputElement }}
 */
export function timesSwitch(mark) {
  return checkbox(mark, t("choice.times"));
}

/**
 * @param {Node} mark
 * @param {string} label
 */
function checkbox(mark, label) {
  const input = h("input", { type: "checkbox", class: "choice-input" });
  const element = h("label", { class: "by-chapter" }, input, h("span", { class: "row-check" }, mark), label);
  return { element, input };
}

/** The sheet for choosing how several documents are spoken before they join the batch. */
export class BatchOrderSheet extends Sheet {
  #ids;
  #begun;
  #byChapter = chapterSwitch(icon("check"));
  #spokenAs;
  #generate = button({ label: t("speak.generate"), look: "primary", onPress: () => this.#begin() });

  /**
   * @param {string[]} ids Of the documents.
   * @param {() => void} begun Called once they are in the batch.
   */
  constructor(ids, begun) {
    super({ title: t("batch.order.title", { n: ids.length }), kind: "side", className: "choice-sheet" });
    this.#ids = ids;
    this.#begun = begun;
    this.#spokenAs = new SpokenAs(t(ids.length > 1 ? "choice.name.batch" : "choice.name.text"));
    const how = h("div", { class: "choice-how" }, this.#byChapter.element, this.#spokenAs.element);
    const cancel = button({ label: t("do.cancel"), onPress: () => this.close() });
    this.build({ content: [h("p", { class: "muted" }, t("batch.order.text")), how], actions: [cancel, this.#generate] });
  }

  open() {
    super.open();
    this.#spokenAs.start(this.signal);
    return this;
  }

  async #begin() {
    if (isBusy(this.#generate) || !this.#spokenAs.check()) return;
    setBusy(this.#generate, t("speak.asking"));
    const options = { byChapter: this.#byChapter.input.checked, settings: this.#spokenAs.settings };
    if (await beginBatch(this.#ids.map((id) => ({ id })), options)) {
      this.#begun();
      this.close();
    }
    setBusy(this.#generate, null);
  }
}
