import { changeProfile, createProfile } from "../../server/profiles.js";
import { button } from "../../components/button.js";
import { field, isBusy, selectField, setBusy } from "../../components/field.js";
import { sampleButton, samples } from "../../components/sample.js";
import { openSheet } from "../../components/sheet.js";
import { slider } from "../../components/slider.js";
import { h, setText } from "../../core/dom.js";
import { languageName } from "../../core/format.js";
import { profileName, t, times, wordsFor } from "../../core/i18n.js";
import { profiles, state, voices } from "../../core/store.js";

/** @typedef {import("../../server/profiles.js").Profile} Profile */
/** @typedef {import("../../server/profiles.js").ProfileContent} ProfileContent */

/** @typedef {"speed" | "pitch" | "liveliness" | "rhythm"} Factor */

/** Milliseconds that a change rests before it is sent. */
const changeRest = 350;

/**
 * Opens a profile to be changed: each change counts at once, and all of them can be taken back.
 *
 * @param {Profile} profile
 * @param {{ isNaming?: boolean }} options `isNaming`: the name has the focus.
 */
export function openProfileSheet(profile, { isNaming = false } = {}) {
  const { id, ...before } = profile;
  let content = { ...before };
  let sent = JSON.stringify(content);
  let timer = 0;
  const status = h("p", { class: "muted small", role: "status" }, t("profiles.applied"));
  const revert = button({
    label: t("profiles.revert"),
    icon: "undo",
    look: "quiet",
    onPress: () => {
      content = { ...before };
      form.show({ ...content, name: profileName(profile) });
      send();
    },
  });
  revert.hidden = true;

  const form = profileForm({ ...content, name: profileName(profile) }, (changed) => {
    content = { ...content, ...changed };
    clearTimeout(timer);
    timer = setTimeout(send, changeRest);
  });
  const sheet = openSheet({
    title: t("profiles.edit.title"),
    kind: "side",
    className: "profile-sheet",
    content: [form.element, status],
    actions: [revert, button({ label: t("do.done"), look: "primary", onPress: () => sheet.close() })],
    onClose: () => {
      form.end();
      clearTimeout(timer);
      send();
    },
  });
  if (isNaming) form.focusName();

  async function send() {
    const text = JSON.stringify(content);
    revert.hidden = text === JSON.stringify(before);
    if (text === sent) return;
    const last = sent;
    sent = text;
    try {
      await changeProfile(id, content);
      form.fail(null);
    } catch (error) {
      sent = last;
      form.fail(error);
    }
  }
}

/** Opens a sheet that makes a profile, beginning with what speaks now. */
export function openNewProfileSheet() {
  const all = profiles.value;
  const model = all?.profiles.find(({ id }) => id === all.chosen) ?? all?.profiles[0];
  if (all === null || model === undefined) return;
  const taken = new Set(all.profiles.map(({ name }) => name));
  let name = t("profiles.new");
  for (let number = 2; taken.has(name); number += 1) name = t("profiles.new.numbered", { number });
  const { id: _, ...rest } = model;
  let content = { ...rest, name };
  const form = profileForm(content, (changed) => (content = { ...content, ...changed }));
  const create = button({
    label: t("profiles.create"),
    look: "primary",
    onPress: async () => {
      if (isBusy(create)) return;
      setBusy(create, t("passcode.working"));
      try {
        await createProfile(content);
        sheet.close();
      } catch (error) {
        form.fail(error);
      } finally {
        setBusy(create, null);
      }
    },
  });
  const sheet = openSheet({
    title: t("profiles.new"),
    kind: "side",
    className: "profile-sheet",
    content: [form.element],
    actions: [create],
    onClose: () => form.end(),
  });
  form.focusName();
}

/**
 * @param {ProfileContent} content
 * @param {(changed: Partial<ProfileContent>) => void} onChange
 */
function profileForm(content, onChange) {
  let now = content;
  /** @param {Partial<ProfileContent>} changed */
  const change = (changed) => {
    now = { ...now, ...changed };
    showFitting();
    samples.stop();
    onChange(changed);
  };
  const name = field({ label: t("profiles.name"), value: content.name, onInput: () => change({ name: name.input.value }) });
  const voice = selectField({
    label: t("profiles.voice"),
    groups: voiceGroups(content.voice),
    value: content.voice,
    onChange: (id) => {
      speaker.input.value = "0";
      change({ voice: id, speaker: 0 });
    },
  });
  const speaker = field({
    label: t("profiles.speaker"),
    type: "number",
    inputMode: "numeric",
    value: String(content.speaker),
    attributes: { min: 0, step: 1 },
    onInput: () => {
      const number = speaker.input.valueAsNumber;
      if (Number.isInteger(number) && number >= 0 && number < speakersOf(now.voice)) change({ speaker: number });
    },
  });
  const speakerHelp = h("p", { class: "field-help" });
  speaker.element.append(speakerHelp);
  const { speedRange = [0.5, 1.5], pitchRange = [0.5, 2], chanceRange = [0, 1.5] } = state.value ?? {};
  const factors = {
    speed: factor("speed", speedRange),
    pitch: factor("pitch", pitchRange),
    liveliness: factor("liveliness", chanceRange),
    rhythm: factor("rhythm", chanceRange),
  };
  const { speed, pitch, liveliness, rhythm } = factors;
  const chance = h("div", { class: "form" }, liveliness, rhythm, h("p", { class: "field-help" }, t("profiles.chance.text")));
  const sampleError = h("p", { class: "field-error", role: "alert" });
  const sample = sampleButton(
    () => {
      sampleError.textContent = "";
      return now;
    },
    { failed: () => (sampleError.textContent = t("sample.failed")) },
  );
  showFitting();

  /**
   * @param {Factor} key
   * @param {[number, number]} range
   */
  function factor(key, [min, max]) {
    return slider({
      label: t(`profiles.${key}`),
      min,
      max,
      step: 0.05,
      value: content[key],
      format: times,
      onChange: (value) => change(/** @type {Partial<ProfileContent>} */ ({ [key]: Math.round(value * 100) / 100 })),
    });
  }

  /** Shows only what the voice has. */
  function showFitting() {
    const count = speakersOf(now.voice);
    speaker.element.hidden = count < 2;
    speaker.input.max = String(count - 1);
    setText(speakerHelp, t("profiles.speaker.text", { count }));
    chance.hidden = voiceOf(now.voice)?.engine !== "sherpa-onnx"; // the others leave nothing to chance
  }

  return {
    element: h(
      "div",
      { class: "form" },
      name.element,
      voice.element,
      speaker.element,
      speed,
      pitch,
      chance,
      h("div", { class: "sample" }, sample.element, sampleError),
    ),
    end: () => samples.stop(),
    focusName: () => {
      name.input.focus();
      name.input.select();
    },
    /** @param {unknown} error */
    fail: (error) => name.fail(error === null ? null : wordsFor(error).message),
    /** @param {ProfileContent} shown */
    show: (shown) => {
      now = shown;
      name.input.value = shown.name;
      name.fail(null);
      voice.select.value = shown.voice;
      speaker.input.value = String(shown.speaker);
      for (const key of /** @type {Factor[]} */ (Object.keys(factors))) factors[key].value = shown[key];
      showFitting();
      samples.stop();
    },
  };
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
