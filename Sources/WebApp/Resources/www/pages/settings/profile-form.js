import { nameField, selectField } from "../../components/field.js";
import { sampleButton, samples } from "../../components/sample.js";
import { slider } from "../../components/slider.js";
import { speakerField } from "../../components/speaker-field.js";
import { voiceGroups } from "../../components/voice-groups.js";
import { fill, h, setText } from "../../core/dom.js";
import { t, times } from "../../core/i18n.js";
import { state, voices } from "../../core/store.js";

/** @typedef {import("../../server/profiles.js").ProfileContent} ProfileContent */

/** @typedef {"speed" | "pitch" | "liveliness" | "rhythm"} Factor */

/** The fields of a profile, with a sample of its speech. */
export class ProfileForm {
  element;
  #now;
  #onChange;
  #name;
  #voice;
  #speaker = h("div", {});
  /**
   * The choice of a speaker, and the voice it is for.
   *
   * @type {{ voice: string, select: HTMLSelectElement } | null}
   */
  #speakers = null;
  /** Shows any error except the name's. */
  #problem = h("p", { class: "field-error", role: "alert" });
  #factors;
  #chance;

  /**
   * @param {ProfileContent} content
   * @param {(changed: Partial<ProfileContent>) => void} onChange
   * @param {{ isBrief?: boolean }} options `isBrief`: only the voice, its speed and its pitch.
   */
  constructor(content, onChange, { isBrief = false } = {}) {
    this.#now = content;
    this.#onChange = onChange;
    this.#name = nameField({
      label: t("profiles.name"),
      value: content.name,
      onInput: () => this.#change({ name: this.#name.input.value }),
    });
    this.#voice = selectField({
      label: t("profiles.voice"),
      groups: voiceGroups(content.voice),
      value: content.voice,
      onChange: (id) => this.#chooseVoice(id),
    });
    const { speedRange = [0.5, 1.5], pitchRange = [0.5, 2], chanceRange = [0, 1.5] } = state.value ?? {};
    const speed = this.#factor("speed", speedRange);
    const pitch = this.#factor("pitch", pitchRange);
    const liveliness = this.#factor("liveliness", chanceRange);
    const rhythm = this.#factor("rhythm", chanceRange);
    this.#factors = { speed, pitch, liveliness, rhythm };
    this.#chance = h("div", { class: "form" }, liveliness, rhythm, h("p", { class: "field-help" }, t("profiles.chance.text")));
    const own = [this.#voice.element, this.#speaker, speed, pitch];
    const fields = isBrief ? own : [this.#name.element, ...own, this.#chance];
    this.element = h("div", { class: "form" }, ...fields, this.#problem, this.#sample());
    this.#showFitting();
  }

  focusName() {
    this.#name.input.focus();
    this.#name.input.select();
  }

  /** @param {string | null} words Any error except the name's; `null` for none. */
  fail(words) {
    setText(this.#problem, words ?? "");
  }

  /** @param {string | null} words Why the name is invalid; `null` when it is valid. */
  refuseName(words) {
    this.#name.fail(words);
  }

  /** @param {ProfileContent} content */
  show(content) {
    this.#now = content;
    this.#name.input.value = content.name;
    this.#name.fail(null);
    this.fail(null);
    this.#voice.select.value = content.voice;
    for (const key of /** @type {Factor[]} */ (Object.keys(this.#factors))) this.#factors[key].value = content[key];
    this.#showFitting();
    samples.stop();
  }

  /** @param {Partial<ProfileContent>} changed */
  #change(changed) {
    this.#now = { ...this.#now, ...changed };
    this.#showFitting();
    samples.stop();
    this.#onChange(changed);
  }

  /** @param {string} id */
  #chooseVoice(id) {
    this.#change({ voice: id, speaker: 0 });
  }

  /**
   * @param {Factor} key
   * @param {[number, number]} range
   */
  #factor(key, [min, max]) {
    return slider({
      label: t(`profiles.${key}`),
      min,
      max,
      step: 0.05,
      value: this.#now[key],
      format: times,
      onChange: (value) => this.#change(/** @type {Partial<ProfileContent>} */ ({ [key]: Math.round(value * 100) / 100 })),
    });
  }

  #sample() {
    const error = h("p", { class: "field-error", role: "alert" });
    const settings = () => {
      error.textContent = "";
      return this.#now;
    };
    const { element } = sampleButton(settings, { failed: (words) => (error.textContent = words) });
    return h("div", { class: "sample" }, element, error);
  }

  /** Shows only the controls that apply to the voice. */
  #showFitting() {
    this.#showSpeakers();
    this.#chance.hidden = voiceOf(this.#now.voice)?.engine !== "sherpa-onnx"; // the others use no randomness
  }

  #showSpeakers() {
    const { voice, speaker } = this.#now;
    const known = voiceOf(voice);
    if (this.#speakers?.voice !== voice) {
      const several = known !== undefined && known.speakers > 1 ? known : null;
      const made = several && speakerField(several, { value: speaker, onChange: (now) => this.#change({ speaker: now }) });
      fill(this.#speaker, made?.element ?? null);
      this.#speaker.hidden = made === null;
      this.#speakers = made && { voice, select: made.select };
    }
    if (this.#speakers !== null) this.#speakers.select.value = String(speaker);
  }
}

/** @param {string} id */
function voiceOf(id) {
  return voices.value?.find((voice) => voice.id === id);
}
