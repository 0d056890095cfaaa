import { button } from "../../components/button.js";
import { isBusy, nameField, offer, selectField, setBusy, slider } from "../../components/field.js";
import { Sheet, withdraw } from "../../components/sheet.js";
import { attempt, onceOpen, showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { nameProblem, paragraphFor } from "../../core/format.js";
import { profileName, t, times } from "../../core/i18n.js";
import { isOpen, profiles, state, voices } from "../../core/store.js";
import { eventOrder } from "../../server/events.js";
import { lastEventOf } from "../../server/http.js";
import { changeProfile, createProfile } from "../../server/voices.js";
import { sampleButton, samples, speakerField, voiceGroups } from "../speaker-choice.js";

/** @typedef {import("../../server/voices.js").Profile} Profile */
/** @typedef {import("../../server/voices.js").ProfileContent} ProfileContent */

/** @typedef {"speed" | "pitch" | "liveliness" | "rhythm"} Factor */

/** Milliseconds after the last change until it is sent. */
const changeRest = 350;

/** The fields of a profile, with a sample of its speech. */
class ProfileForm {
  element;
  #now;
  #onChange;
  #name;
  #voice;
  /** The voices that it offers, as JSON. */
  #offered;
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
    const groups = voiceGroups(content.voice);
    this.#offered = JSON.stringify(groups);
    this.#voice = selectField({
      label: t("profiles.voice"),
      groups,
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

  /** Whether what was typed for speed, pitch and the like counts; if not, its field shows why. */
  checkFactors() {
    return Object.values(this.#factors).every((one) => one.closest("[hidden]") !== null || one.check());
  }

  /** @param {string | null} words Any error except the name's; `null` for none. */
  fail(words) {
    setText(this.#problem, words ?? "");
  }

  /** @param {string | null} words Why the name is invalid; `null` when it is valid. */
  refuseName(words) {
    this.#name.fail(words);
  }

  /** Offers the voices that are there now; what is typed stays. */
  offerVoices() {
    const { voice } = this.#now;
    const groups = voiceGroups(voice);
    const offered = JSON.stringify(groups);
    if (offered !== this.#offered) offer(this.#voice.select, groups, voice);
    this.#offered = offered;
    this.#showFitting();
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

/**
 * The parts of a profile that can be changed.
 *
 * @param {Profile} profile
 * @returns {ProfileContent}
 */
function contentOf({ id: _id, voiceName: _voice, speakerName: _speaker, ...content }) {
  return content;
}

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
    const content = contentOf(profile);
    this.#profile = profile;
    this.#isNaming = isNaming;
    this.#before = content;
    this.#kept = content;
    this.#content = { ...content };
    this.#form = new ProfileForm({ ...content, name: name ?? profileName(profile) }, (changed) => this.#change(changed));
    this.#revert.hidden = true;
    voices.watch(() => this.#form.offerVoices(), this.signal);
    addEventListener("pagehide", () => this.#send(true), { signal: this.signal });
    this.signal.addEventListener("abort", () => {
      samples.stop();
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
    samples.stop();
    this.#content = { ...this.#before };
    this.#form.show({ ...this.#content, name: profileName(this.#profile) });
    this.#send();
  }

  /** @param {boolean} [isLeaving] The page is unloading, and cannot wait for the answer to an earlier change. */
  #send(isLeaving = false) {
    clearTimeout(this.#timer);
    if (isLeaving) this.#put({ ...this.#content, name: this.#kept.name }); // a name that is refused holds nothing else back
    this.#sending = isLeaving ? this.#keep() : this.#sending.then(() => this.#keep());
  }

  /** Sends the changes; if the name is refused, all except the name. */
  async #keep() {
    const content = this.#content;
    withdraw(this.#revert, "hidden", isSame(content, this.#before));
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
      await keepChanges(this.#profile.id, changesOf(content, this.#kept));
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
 * @param {ProfileContent | null} one
 * @param {ProfileContent | null} other
 */
function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The values that differ from `kept`, a voice together with its speaker: another page may have changed the rest meanwhile.
 *
 * @param {ProfileContent} content
 * @param {ProfileContent} kept
 * @returns {Partial<ProfileContent>}
 */
function changesOf(content, kept) {
  const { voice, speaker } = content;
  const others = /** @type {(keyof ProfileContent)[]} */ (Object.keys(content)).filter((key) => content[key] !== kept[key]);
  const isSpeakerOther = voice !== kept.voice || speaker !== kept.speaker;
  return { ...Object.fromEntries(others.map((key) => [key, content[key]])), ...(isSpeakerOther ? { voice, speaker } : {}) };
}

/**
 * @param {unknown} error From the server.
 * @returns {Refusal}
 */
function refusalOf(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return { words: paragraphFor(error), isOfName: ["profile.name-taken", "library.invalid-name"].includes(code) };
}

/**
 * Changes a profile. What a lock has overtaken is sent when the library is open again.
 *
 * @param {string} id
 * @param {Partial<ProfileContent>} changes
 */
function keepChanges(id, changes) {
  return onceOpen(() => changeProfile(id, changes));
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
    voices.watch(() => this.#form.offerVoices(), this.signal);
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
    if (!this.#form.checkFactors()) return;
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

/** The voice, speed and pitch of the chosen profile, editable in place; each change applies at once. */
export class SpeakingNow {
  element = h("div", { class: "speaking-now" });
  #text = h("p", { class: "setting-text" });
  #revert = button({ label: t("profiles.revert"), icon: "undo", look: "quiet", onPress: () => this.#takeBack() });
  /** @type {ProfileForm | null} */
  #form = null;
  /** The profile for which the form was built. */
  #id = "";
  /** @type {ProfileContent | null} */
  #content = null;
  /**
   * As on the server; each form has its own.
   *
   * @type {{ content: ProfileContent } | null}
   */
  #kept = null;
  /**
   * As it was when it appeared.
   *
   * @type {ProfileContent | null}
   */
  #before = null;
  #isChanging = false;
  #sending = Promise.resolve();
  /**
   * The last event before the newest change was saved. A list of profiles that is not newer may lack the change, and
   * the change's own event loads another.
   *
   * @type {string | null}
   */
  #savedAfter = null;
  #timer = 0;

  /** @param {AbortSignal} signal The life of the page. */
  constructor(signal) {
    profiles.follow(() => this.#follow(), signal);
    voices.watch(() => this.#follow(), signal);
    addEventListener("pagehide", () => this.#send(true), { signal });
    signal.addEventListener("abort", () => {
      samples.stop();
      this.#send();
    });
  }

  #follow() {
    const all = profiles.value;
    const profile = all?.profiles.find(({ id }) => id === all.chosen);
    if (all === null || profile === undefined) return;
    setText(this.#text, t("settings.speaking.text", { profile: profileName(profile) }));
    const content = contentOf(profile);
    if (profile.id !== this.#id) {
      this.#send();
      this.#id = profile.id;
      this.#build(content);
    } else {
      this.#form?.offerVoices();
      if (this.#isChanging || this.#mayBeOlder(all) || isSame(content, this.#content)) return;
      // Undoing leaves what others have changed.
      if (this.#kept !== null && this.#before !== null) this.#before = { ...this.#before, ...changesOf(content, this.#kept.content) };
      this.#show(content);
      this.#kept = { content };
    }
  }

  /** @param {object} all The profiles as loaded. */
  #mayBeOlder(all) {
    return eventOrder(lastEventOf(all), this.#savedAfter) <= 0;
  }

  /** @param {ProfileContent} content */
  #build(content) {
    this.#content = this.#before = content;
    this.#kept = { content };
    this.#isChanging = false;
    this.#form = new ProfileForm(content, (changed) => this.#change(changed), { isBrief: true });
    this.#revert.hidden = true;
    fill(this.element, this.#text, this.#form.element, this.#revert);
  }

  /** @param {ProfileContent} content */
  #show(content) {
    this.#content = content;
    this.#form?.show(content);
    withdraw(this.#revert, "hidden", isSame(content, this.#before));
  }

  /** @param {Partial<ProfileContent>} changed */
  #change(changed) {
    if (this.#content === null) return;
    this.#content = { ...this.#content, ...changed };
    withdraw(this.#revert, "hidden", isSame(this.#content, this.#before));
    this.#isChanging = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), changeRest);
  }

  #takeBack() {
    if (this.#before === null) return;
    samples.stop();
    this.#show(this.#before);
    this.#isChanging = true;
    this.#send();
  }

  /**
   * Sends the changes, after those that are on their way; on an error, shows the old values again.
   *
   * @param {boolean} [isLeaving] The page is unloading, and cannot wait for those.
   */
  #send(isLeaving = false) {
    clearTimeout(this.#timer);
    const [id, content, form, kept] = [this.#id, this.#content, this.#form, this.#kept];
    if (!this.#isChanging || content === null || kept === null) return;
    const put = () => this.#put(id, content, form, kept);
    this.#sending = isLeaving ? put() : this.#sending.then(put);
  }

  /**
   * @param {string} id Of the profile.
   * @param {ProfileContent} content
   * @param {ProfileForm | null} form Where it was changed.
   * @param {{ content: ProfileContent }} kept
   */
  async #put(id, content, form, kept) {
    const changes = changesOf(content, kept.content);
    try {
      const saved = isSame(content, kept.content) ? null : await keepChanges(id, changes);
      kept.content = content;
      if (form !== this.#form) return;
      if (saved !== null) this.#savedAfter = lastEventOf(saved);
      form?.fail(null);
    } catch (error) {
      if ((form !== this.#form || !this.element.isConnected) && isOpen()) offerAgain(id, content, changes, error);
      if (form !== this.#form) return;
      if (content === this.#content) this.#show(kept.content);
      form?.fail(paragraphFor(error));
    }
    if (isSame(this.#content, kept.content)) this.#isChanging = false;
  }
}

/**
 * Says that changes were not saved, and offers to save them, when the form with them is gone.
 *
 * @param {string} id Of the profile.
 * @param {ProfileContent} content
 * @param {Partial<ProfileContent>} changes
 * @param {unknown} error Why it was not saved.
 */
function offerAgain(id, content, changes, error) {
  const text = `${t("profiles.notKept", { name: profileName({ ...content, id }) })} ${paragraphFor(error)}`;
  showToast({ icon: "error", text, action: { label: t("do.again"), run: () => attempt(() => changeProfile(id, changes)) } });
}
