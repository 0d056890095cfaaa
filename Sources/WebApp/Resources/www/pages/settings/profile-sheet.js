import { button } from "../../components/button.js";
import { isBusy, nameField, selectField, setBusy } from "../../components/field.js";
import { Sheet } from "../../components/sheet.js";
import { slider } from "../../components/slider.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { paragraphFor } from "../../core/format.js";
import { profileName, t, times } from "../../core/i18n.js";
import { isOpen, profiles, state, voices } from "../../core/store.js";
import { nameProblem } from "../../core/text.js";
import { changeProfile, createProfile } from "../../server/voices.js";
import { sampleButton, samples, speakerField, voiceGroups } from "../speaker-choice.js";

/** @typedef {import("../../server/voices.js").ProfileContent} ProfileContent */

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

/** @typedef {import("../../server/voices.js").Profile} Profile */

/** Milliseconds after the last change until it is sent. */
const changeRest = 350;

/**
 * Why a profile was not saved.
 *
 * @typedef {object} Refusal
 * @property {string} words
 * @property {boolean} isOfName Whether only its name was refused.
 */

/**
 * The sheet that edits a profile: each change applies at once, and all can be undone together. When a name is refused,
 * the other changes are still saved; closing the sheet then offers to rename the profile.
 */
export class ProfileSheet extends Sheet {
  #profile;
  #before;
  /** The profile on the server. */
  #kept;
  #content;
  #timer = 0;
  #sending = Promise.resolve();
  #isNaming;
  #form;
  #revert = button({ label: t("profiles.revert"), icon: "undo", look: "quiet", onPress: () => this.#takeBack() });

  /**
   * @param {Profile} profile
   * @param {{ name?: string, isNaming?: boolean }} options `name`: one that was typed earlier; `isNaming`: whether the
   * name gets the focus.
   */
  constructor(profile, { name, isNaming = false } = {}) {
    super({ title: t("profiles.edit.title"), kind: "side", className: "profile-sheet" });
    const { id: _id, voiceName: _name, ...content } = profile;
    this.#profile = profile;
    this.#isNaming = isNaming;
    this.#before = content;
    this.#kept = content;
    this.#content = { ...content };
    this.#form = new ProfileForm({ ...content, name: name ?? profileName(profile) }, (changed) => this.#change(changed));
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
    if (name !== undefined) this.#change({ name });
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

  #send() {
    this.#sending = this.#sending.then(() => this.#keep());
  }

  /** Sends the changes; if the name is refused, all except the name. */
  async #keep() {
    const content = this.#content;
    this.#revert.hidden = isSame(content, this.#before);
    let refusal = await this.#put(content);
    if (refusal?.isOfName) refusal = (await this.#put({ ...content, name: this.#kept.name })) ?? refusal;
    if (this.signal.aborted) {
      if (refusal !== null && isOpen()) this.#offerAgain(refusal);
      return;
    }
    this.#form.refuseName(refusal?.isOfName ? refusal.words : null);
    this.#form.fail(refusal === null || refusal.isOfName ? null : refusal.words);
  }

  /**
   * @param {ProfileContent} content
   * @returns {Promise<Refusal | null>}
   */
  async #put(content) {
    if (isSame(content, this.#kept)) return null;
    const problem = content.name === this.#kept.name ? null : nameProblem(content.name);
    if (problem !== null) return { words: problem, isOfName: true };
    try {
      await changeProfile(this.#profile.id, content);
      this.#kept = content;
      return null;
    } catch (error) {
      return refusalOf(error);
    }
  }

  /** @param {Refusal} refusal Why changes made in the closed sheet were not saved. */
  #offerAgain({ words, isOfName }) {
    const kept = { ...this.#profile, ...this.#kept };
    const rename = () => new ProfileSheet(kept, { name: this.#content.name, isNaming: true }).open();
    showToast({
      icon: "error",
      text: `${t(isOfName ? "profiles.notNamed" : "profiles.notKept", { name: profileName(kept) })} ${words}`,
      action: isOfName ? { label: t("do.rename"), run: rename } : { label: t("do.again"), run: () => this.#send() },
    });
  }
}

/**
 * @param {ProfileContent} one
 * @param {ProfileContent} other
 */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * @param {unknown} error From the server.
 * @returns {Refusal}
 */
function refusalOf(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return { words: paragraphFor(error), isOfName: ["profile.name-taken", "library.invalid-name"].includes(code) };
}

/** The sheet that makes a profile, starting with the present settings. */
class NewProfileSheet extends Sheet {
  #content;
  #form;
  #create = button({ label: t("profiles.create"), look: "primary", onPress: () => this.#make() });

  /**
   * @param {Profile} model The profile whose settings it starts with.
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
    const problem = nameProblem(this.#content.name);
    if (problem !== null) {
      this.#refuse({ words: problem, isOfName: true });
      return;
    }
    setBusy(this.#create, t("passcode.working"));
    try {
      await createProfile(this.#content);
      this.close();
    } catch (error) {
      this.#refuse(refusalOf(error));
    } finally {
      setBusy(this.#create, null);
    }
  }

  /** @param {Refusal} refusal */
  #refuse({ words, isOfName }) {
    this.#form.fail(isOfName ? null : words);
    this.#form.refuseName(isOfName ? words : null);
    if (isOfName) this.#form.focusName();
  }
}

/** Opens the sheet that makes a profile, with an unused name. */
export function openNewProfile() {
  const all = profiles.value;
  const model = all?.profiles.find(({ id }) => id === all.chosen) ?? all?.profiles[0];
  if (all === null || model === undefined) return;
  const taken = new Set(all.profiles.map(({ name }) => name));
  let name = t("profiles.new");
  for (let number = 2; taken.has(name); number += 1) name = t("profiles.new.numbered", { number });
  new NewProfileSheet(model, name).open();
}
