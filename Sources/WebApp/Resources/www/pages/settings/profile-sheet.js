import { changeProfile, createProfile } from "../../server/profiles.js";
import { button } from "../../components/button.js";
import { field, isBusy, selectField, setBusy } from "../../components/field.js";
import { sampleButton, samples } from "../../components/sample.js";
import { Sheet } from "../../components/sheet.js";
import { slider } from "../../components/slider.js";
import { h, setText } from "../../core/dom.js";
import { languageName } from "../../core/format.js";
import { profileName, t, times, wordsFor } from "../../core/i18n.js";
import { profiles, state, voices } from "../../core/store.js";

/** @typedef {import("../../server/profiles.js").Profile} Profile */
/** @typedef {import("../../server/profiles.js").ProfileContent} ProfileContent */

/** @typedef {"speed" | "pitch" | "liveliness" | "rhythm"} Factor */

/** Milliseconds after the last change before it is sent. */
const changeRest = 350;

/** The sheet in which a profile is changed: each change counts at once, and all of them can be taken back. */
export class ProfileSheet extends Sheet {
  #profile;
  #before;
  #content;
  /** What the server has, or is being sent. */
  #sent;
  #timer = 0;
  #isNaming;
  #form;
  #revert = button({ label: t("profiles.revert"), icon: "undo", look: "quiet", onPress: () => this.#takeBack() });

  /**
   * @param {Profile} profile
   * @param {{ isNaming?: boolean }} options `isNaming`: the name has the focus.
   */
  constructor(profile, { isNaming = false } = {}) {
    super({ title: t("profiles.edit.title"), kind: "side", className: "profile-sheet" });
    const { id: _, ...content } = profile;
    this.#profile = profile;
    this.#isNaming = isNaming;
    this.#before = content;
    this.#content = { ...content };
    this.#sent = JSON.stringify(content);
    this.#form = new ProfileForm({ ...content, name: profileName(profile) }, (changed) => this.#change(changed));
    this.#revert.hidden = true;
    this.signal.addEventListener("abort", () => {
      samples.stop();
      clearTimeout(this.#timer);
      this.#send();
    });
    this.build({
      content: [this.#form.element, h("p", { class: "muted small", role: "status" }, t("profiles.applied"))],
      actions: [this.#revert, button({ label: t("do.done"), look: "primary", onPress: () => this.close() })],
    });
  }

  open() {
    super.open();
    if (this.#isNaming) this.#form.focusName();
    return this;
  }

  /** @param {Partial<ProfileContent>} changed */
  #change(changed) {
    this.#content = { ...this.#content, ...changed };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), changeRest);
  }

  #takeBack() {
    this.#content = { ...this.#before };
    this.#form.show({ ...this.#content, name: profileName(this.#profile) });
    this.#send();
  }

  async #send() {
    const text = JSON.stringify(this.#content);
    this.#revert.hidden = text === JSON.stringify(this.#before);
    if (text === this.#sent) return;
    const last = this.#sent;
    this.#sent = text;
    try {
      await changeProfile(this.#profile.id, this.#content);
      this.#form.fail(null);
    } catch (error) {
      this.#sent = last;
      this.#form.fail(error);
    }
  }
}

/** The sheet that makes a profile, beginning with what speaks now. */
class NewProfileSheet extends Sheet {
  #content;
  #form;
  #create = button({ label: t("profiles.create"), look: "primary", onPress: () => this.#make() });

  /**
   * @param {Profile} model The profile whose settings it begins with.
   * @param {string} name
   */
  constructor({ id: _, ...model }, name) {
    super({ title: t("profiles.new"), kind: "side", className: "profile-sheet" });
    this.#content = { ...model, name };
    this.#form = new ProfileForm(this.#content, (changed) => (this.#content = { ...this.#content, ...changed }));
    this.signal.addEventListener("abort", () => samples.stop());
    this.build({ content: [this.#form.element], actions: [this.#create] });
  }

  open() {
    super.open();
    this.#form.focusName();
    return this;
  }

  async #make() {
    if (isBusy(this.#create)) return;
    setBusy(this.#create, t("passcode.working"));
    try {
      await createProfile(this.#content);
      this.close();
    } catch (error) {
      this.#form.fail(error);
    } finally {
      setBusy(this.#create, null);
    }
  }
}

/** Opens the sheet that makes a profile, under a name that no other has. */
export function openNewProfile() {
  const all = profiles.value;
  const model = all?.profiles.find(({ id }) => id === all.chosen) ?? all?.profiles[0];
  if (all === null || model === undefined) return;
  const taken = new Set(all.profiles.map(({ name }) => name));
  let name = t("profiles.new");
  for (let number = 2; taken.has(name); number += 1) name = t("profiles.new.numbered", { number });
  new NewProfileSheet(model, name).open();
}

/** The fields of a profile, with a sample of how it speaks. */
class ProfileForm {
  element;
  #now;
  #onChange;
  #name;
  #voice;
  #speaker;
  #speakerHelp = h("p", { class: "field-help" });
  #factors;
  #chance;

  /**
   * @param {ProfileContent} content
   * @param {(changed: Partial<ProfileContent>) => void} onChange
   */
  constructor(content, onChange) {
    this.#now = content;
    this.#onChange = onChange;
    this.#name = field({ label: t("profiles.name"), value: content.name, onInput: () => this.#change({ name: this.#name.input.value }) });
    this.#voice = selectField({
      label: t("profiles.voice"),
      groups: voiceGroups(content.voice),
      value: content.voice,
      onChange: (id) => this.#chooseVoice(id),
    });
    this.#speaker = field({
      label: t("profiles.speaker"),
      type: "number",
      inputMode: "numeric",
      value: String(content.speaker),
      attributes: { min: 0, step: 1 },
      onInput: () => this.#chooseSpeaker(),
    });
    this.#speaker.element.append(this.#speakerHelp);
    const { speedRange = [0.5, 1.5], pitchRange = [0.5, 2], chanceRange = [0, 1.5] } = state.value ?? {};
    const speed = this.#factor("speed", speedRange);
    const pitch = this.#factor("pitch", pitchRange);
    const liveliness = this.#factor("liveliness", chanceRange);
    const rhythm = this.#factor("rhythm", chanceRange);
    this.#factors = { speed, pitch, liveliness, rhythm };
    this.#chance = h("div", { class: "form" }, liveliness, rhythm, h("p", { class: "field-help" }, t("profiles.chance.text")));
    const fields = [this.#name.element, this.#voice.element, this.#speaker.element, speed, pitch, this.#chance];
    this.element = h("div", { class: "form" }, ...fields, this.#sample());
    this.#showFitting();
  }

  focusName() {
    this.#name.input.focus();
    this.#name.input.select();
  }

  /** @param {unknown} error */
  fail(error) {
    this.#name.fail(error === null ? null : wordsFor(error).message);
  }

  /** @param {ProfileContent} content */
  show(content) {
    this.#now = content;
    this.#name.input.value = content.name;
    this.#name.fail(null);
    this.#voice.select.value = content.voice;
    this.#speaker.input.value = String(content.speaker);
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
    this.#speaker.input.value = "0";
    this.#change({ voice: id, speaker: 0 });
  }

  #chooseSpeaker() {
    const number = this.#speaker.input.valueAsNumber;
    if (Number.isInteger(number) && number >= 0 && number < speakersOf(this.#now.voice)) this.#change({ speaker: number });
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
    const { element } = sampleButton(settings, { failed: () => (error.textContent = t("sample.failed")) });
    return h("div", { class: "sample" }, element, error);
  }

  /** Shows only what the voice has. */
  #showFitting() {
    const count = speakersOf(this.#now.voice);
    this.#speaker.element.hidden = count < 2;
    this.#speaker.input.max = String(count - 1);
    setText(this.#speakerHelp, t("profiles.speaker.text", { count }));
    this.#chance.hidden = voiceOf(this.#now.voice)?.engine !== "sherpa-onnx"; // the others leave nothing to chance
  }
}

/** @param {string} id */
function voiceOf(id) {
  return voices.value?.find((voice) => voice.id === id);
}

/** @param {string} id */
function speakersOf(id) {
  return voiceOf(id)?.speakers ?? 1;
}

/**
 * Voices by language; the languages in the order of the person's own alphabet.
 *
 * @param {string} chosen Stays in the list when its voice is missing.
 */
function voiceGroups(chosen) {
  const all = voices.value ?? [];
  /** @type {Map<string, { value: string, label: string }[]>} */
  const groups = new Map();
  for (const { id, name, language } of all) {
    const title = languageName(language.split("-")[0] ?? language);
    groups.set(title, [...(groups.get(title) ?? []), { value: id, label: name }]);
  }
  const sorted = [...groups].sort(([one], [other]) => one.localeCompare(other));
  const missing = all.some(({ id }) => id === chosen) ? [] : [{ options: [{ value: chosen, label: t("profiles.missing") }] }];
  return [...missing, ...sorted.map(([label, options]) => ({ label, options }))];
}
