import { button, icon } from "../../components/button.js";
import { isBusy, setBusy, slider } from "../../components/field.js";
import { errorNotice, notice, voicesLink } from "../../components/notice.js";
import { focusTitle, Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, loadStyle } from "../../core/dom.js";
import { duration, languageName, paragraphFor, titled, wordsFor } from "../../core/format.js";
import { profileName, t, times } from "../../core/i18n.js";
import { addressWithReturn, navigate } from "../../core/router.js";
import { profiles, state, voices } from "../../core/store.js";
import { voiceOf } from "../../player/track.js";
import { changeProfile, chooseProfile, listVoices, loadProfiles } from "../../server/voices.js";
import { groupVoices, languageBeside, sampleButton, samples, sampleText, speakerField } from "../speaker-choice.js";
import { session } from "./session.js";

/** @typedef {import("../../server/voices.js").Profile} Profile */
/** @typedef {import("../../core/store.js").TitledVoice} Voice */

/** The small sheets under the text, each with a sample of the choice. */

const sample = (/** @type {object} */ change = {}) => ({ ...session.effectiveSettings, text: sampleText(session.text), ...change });

/**
 * Calls `show` now and whenever a value is another one, not whenever it was loaded: a press or the focus may be on it.
 *
 * @template Value
 * @param {import("../../core/store.js").Cell<Value>} cell
 * @param {(value: Value) => void} show
 * @param {AbortSignal} signal
 */
function followNews(cell, show, signal) {
  /** @type {string | undefined} */
  let before;
  cell.follow((value) => {
    const now = JSON.stringify(value);
    if (now !== before) show(value);
    before = now;
  }, signal);
}

/**
 * Requests what has not come with the page, and says why while that fails.
 *
 * @template Value
 * @param {import("../../core/store.js").Cell<Value | null>} cell
 * @param {() => Promise<Value>} load
 * @param {Element} place Receives the reason.
 * @param {AbortSignal} signal
 */
async function bring(cell, load, place, signal) {
  if (cell.value !== null) return;
  try {
    const value = await load();
    if (signal.aborted) return; // the library may be closed
    if (cell.value === null) cell.set(value);
  } catch (error) {
    const again = button({ label: t("do.again"), onPress: () => bring(cell, load, place, signal) });
    if (!signal.aborted && cell.value === null) fill(place, errorNotice(error, again));
  }
}

/**
 * Takes the reason away once the value is there, whoever loaded it; the title gets the focus of its button.
 *
 * @param {Element} place
 */
function clear(place) {
  const hadFocus = place.contains(document.activeElement);
  fill(place);
  if (hadFocus) focusTitle();
}

/** The voices to choose from, and the speakers of the chosen one. */
class VoicesSheet extends Sheet {
  #problem = h("div", {});
  #list = h("div", { class: "choices", role: "radiogroup", "aria-label": t("speak.voice") });
  #speakers = h("div", { class: "speakers" });
  /** The voice that was chosen when the sheet opened; it stays first while it is open. */
  #first = session.effectiveSettings.voice;
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
    // They may still be loading.
    followNews(voices, () => this.#show(), this.signal);
    profiles.watch(() => this.#first === undefined && this.#show(), this.signal);
    this.signal.addEventListener("abort", () => samples.stop());
    const more = button({ label: t("voices.go.more"), icon: "voice", look: "quiet", onPress: () => this.#goToVoices() });
    this.build({ content: [h("div", { class: "sheet-search" }, this.#field), this.#problem, this.#list], actions: [this.#speakers, more] });
    bring(voices, async () => titled(await listVoices(this.signal)), this.#problem, this.signal);
  }

  #show() {
    this.#first ??= session.effectiveSettings.voice;
    const { activeElement: active } = document;
    const focused = active instanceof HTMLElement && this.#list.contains(active) ? active.dataset.id : undefined;
    if (voices.value !== null) clear(this.#problem);
    fill(this.#list, ...voiceRows({ wanted: this.#field.value, first: this.#first }, () => this.#show()));
    fill(this.#speakers, speakerChoice());
    if (focused !== undefined) focusChoice(focused);
  }

  #goToVoices() {
    this.close();
    navigate(addressWithReturn("/voices"));
  }
}

/**
 * The voices that match the search, in groups: the previously chosen one, favorites, installed voices, and the
 * built-in ones by language.
 *
 * @param {{ wanted: string, first: string | undefined }} options
 * @param {() => void} changed
 */
function voiceRows({ wanted, first }, changed) {
  if (voices.value === null) return [];
  const words = wanted.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const all = voices.value.filter((voice) => {
    const described = `${voice.name} ${voice.id} ${languageName(voice.language)}`.toLocaleLowerCase();
    return words.every((word) => described.includes(word));
  });
  if (all.length === 0) return [h("p", { class: "muted" }, t(voices.value.length > 0 ? "speak.voice.none" : "speak.voice.absent"))];
  const before = all.filter(({ id }) => id === first);
  const others = groupVoices(all.filter(({ id }) => id !== first));
  const groups = [
    { title: t("voices.group.chosen"), voices: before },
    ...others.filter(({ isMixed }) => isMixed),
    { title: t("voices.engine.builtIn"), voices: others.filter(({ isMixed }) => !isMixed).flatMap((one) => one.voices) },
  ].filter((one) => one.voices.length > 0);
  const chosen = session.effectiveSettings.voice;
  const inTabOrder = all.some(({ id }) => id === chosen) ? chosen : groups[0]?.voices[0]?.id;
  return groups.map(({ title, voices: group }) => {
    const rows = group.map((voice) => voiceRow(voice, voice.id === chosen, voice.id === inTabOrder, changed));
    return h("div", { class: "choice-group", role: "group", "aria-label": title }, h("p", { class: "choice-heading", "aria-hidden": "true" }, title), ...rows);
  });
}

/**
 * @param {Voice} voice
 * @param {boolean} isChosen
 * @param {boolean} isInTabOrder
 * @param {() => void} changed
 */
function voiceRow(voice, isChosen, isInTabOrder, changed) {
  const { fullTitle: title } = voice;
  const detail = [languageBeside(voice, title), engineName(voice.engine), voice.speakers > 1 ? t("speak.voice.speakers", { n: voice.speakers }) : ""];
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
    h("span", { class: "choice-words" }, title, h("span", { class: "choice-detail" }, detail.filter(Boolean).join(" · "))),
    icon("check", { className: isChosen ? "" : "absent" }),
  );
  const others = isChosen ? {} : { speaker: 0, text: undefined };
  const listen = sampleButton(() => sample({ voice: voice.id, ...others }), {
    label: t("sample.of", { name: title }),
    iconOnly: true,
  });
  return h("div", { class: "choice-row" }, choice, listen.element);
}

/** @param {string} engine */
function engineName(engine) {
  return t(engine === "espeak-ng" ? "speak.engine.builtIn" : "speak.engine.natural");
}

/** @param {string} id */
function focusChoice(id) {
  for (const one of document.querySelectorAll(".voices-sheet .choice")) {
    if (one instanceof HTMLElement && one.dataset.id === id) one.focus();
  }
}

/** A choice among the speakers of the chosen voice, if it has several. */
function speakerChoice() {
  const { voice, speaker = 0 } = session.effectiveSettings;
  const known = voices.value?.find(({ id }) => id === voice);
  if (known === undefined || known.speakers < 2) return null;
  const choose = (/** @type {number} */ chosen) => {
    samples.stop();
    session.choose({ voice, speaker: chosen }); // its number is of no other voice
  };
  return speakerField(known, { value: speaker, onChange: choose }).element;
}

/** The profiles to choose from; overrides can be saved in the profile. */
class ProfilesSheet extends Sheet {
  #problem = h("div", {});
  #list = h("div", { class: "choices", role: "radiogroup", "aria-label": t("speak.profile") });

  /** @param {Element} anchor */
  constructor(anchor) {
    super({ title: t("speak.profile"), anchor });
    followNews(profiles, (known) => this.#show(known), this.signal); // they may still be loading
    this.signal.addEventListener("abort", () => samples.stop());
    this.#list.addEventListener("keydown", moveInChoices);
    const { profile, isChanged } = session.effectiveSettings;
    const edit = button({ label: t("speak.profile.edit"), icon: "settings", look: "quiet", onPress: () => this.#goToProfiles() });
    const keep = isChanged && profile !== null ? [this.#keepButton(profile)] : [];
    this.build({ content: [h("div", { class: "sheet-stack" }, this.#problem, this.#list)], actions: [edit, ...keep] });
    bring(profiles, () => loadProfiles(this.signal), this.#problem, this.signal);
  }

  open() {
    super.open();
    /** @type {HTMLElement | null} */ (this.#list.querySelector("[aria-checked=true]"))?.focus();
    return this;
  }

  /** @param {import("../../server/voices.js").Profiles | null} known */
  #show(known) {
    const choose = (/** @type {string} */ id) => this.#choose(id);
    if (known !== null) clear(this.#problem);
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
      showToast({ text: paragraphFor(error), icon: "error" });
    }
  }

  async #keep() {
    this.close();
    const { profile } = session.effectiveSettings;
    if (profile === null) return;
    try {
      const saved = await changeProfile(profile.id, session.settings.value);
      const now = profiles.value;
      if (now !== null) profiles.set({ ...now, profiles: now.profiles.map((one) => (one.id === saved.id ? saved : one)) });
      session.settings.set({});
      showToast({ text: t("speak.profile.kept", { name: profileName(saved) }), icon: "check" });
    } catch (error) {
      showToast({ text: paragraphFor(error), icon: "error" });
    }
  }
}

/**
 * @param {Profile} profile
 * @param {boolean} isChosen
 * @param {(id: string) => void} choose
 */
function profileRow(profile, isChosen, choose) {
  const { speed, pitch } = profile;
  const choice = h(
    "button",
    { type: "button", class: "choice", role: "radio", "aria-checked": String(isChosen), tabindex: isChosen ? "0" : "-1", onclick: () => choose(profile.id) },
    h(
      "span",
      { class: "choice-words" },
      profileName(profile),
      h("span", { class: "choice-detail" }, `${voiceOf(profile)} · ${t("speak.speed")} ${times(speed)} · ${t("speak.pitch")} ${times(pitch)}`),
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
 * Arrows move between radio buttons, as in a form; Space or Enter chooses.
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

/** A slider with a sample of its effect. */
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

class SpeedSheet extends RangeSheet {
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

class PitchSheet extends RangeSheet {
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

/**
 * Opens the sheet that changes the voice, profile, speed or pitch.
 *
 * @param {import("../speak.js").SheetName} name
 * @param {Element} anchor
 */
export async function openSheetOf(name, anchor) {
  await Promise.all(["/styles/sheet.css", "/styles/fields.css", "/styles/slider.css"].map(loadStyle));
  const kinds = { voice: VoicesSheet, profile: ProfilesSheet, speed: SpeedSheet, pitch: PitchSheet };
  new kinds[name](anchor).open();
}

/** @typedef {import("../../server/narrations.js").Narration} Narration */

/** @param {"again" | "makeDocument" | "continue" | "discardUnfinished"} step The user's decision. */
const decide = async (step) => (await import("./speaking.js")).speaking[step]();

/** @param {Element} anchor */
const chooseVoice = async (anchor) => openSheetOf("voice", anchor);

const keepPart = async () => (await import("./speaking.js")).speaking.stop(true);

/**
 * A notice about the text or its voice.
 *
 * @param {"over" | "near" | "stand-in" | "unspoken"} kind
 * @param {string} text
 */
export function noticeOfText(kind, text) {
  const actions = kind === "stand-in" ? [voicesLink()] : kind === "over" ? [documentButton()] : [];
  const element = notice({ text, kind: kind === "over" ? "error" : "warning", actions });
  element.dataset.kind = kind;
  element.setAttribute("role", "status");
  return element;
}

function documentButton() {
  const label = t("speak.over.document");
  const element = button({ label, icon: "document", opens: true, onPress: () => make() });
  const make = async () => {
    if (isBusy(element)) return;
    setBusy(element, label);
    try {
      await decide("makeDocument");
    } finally {
      setBusy(element, null);
    }
  };
  return element;
}

/** @type {{ about: unknown, element: HTMLElement } | null} The last notice with actions. */
let shown = null;

/**
 * The notice on screen, if it is about the same: a press or the focus may be on it.
 *
 * @param {unknown} about
 * @param {() => HTMLElement} make
 */
function noticeAbout(about, make) {
  if (shown === null || shown.about !== about || !shown.element.isConnected) shown = { about, element: make() };
  return shown.element;
}

/**
 * A notice of an error, with the actions that resolve it.
 *
 * @param {unknown} problem
 */
export function problemNotice(problem) {
  return noticeAbout(problem, () => errorNotice(problem, ...wayOut(problem)));
}

/**
 * @param {unknown} problem
 * @returns {HTMLElement[]}
 */
function wayOut(problem) {
  const code = /** @type {{ code?: string }} */ (problem).code ?? "";
  if (/voice|profile|engine|speech\.unknown/.test(code)) {
    const another = button({ label: t("speak.another.voice"), opens: true, onPress: ({ target }) => chooseVoice(document.querySelector(".chip-voice") ?? /** @type {Element} */ (target)) });
    return [another, voicesLink()];
  }
  if (code === "server.unreachable") return [button({ label: t("do.again"), onPress: () => decide("again") })];
  return [];
}

/** @param {unknown} error Why the library cannot save the text being written. */
export function unkeptNotice(error) {
  const element = notice({ text: t("speak.draft.unkept"), detail: paragraphFor(error), kind: "warning" });
  element.removeAttribute("role"); // its container is a live region
  return element;
}

/** @param {Narration} narration */
export function unfinishedNotice(narration) {
  return noticeAbout(narration, () => unfinished(narration));
}

/** @param {Narration} narration */
function unfinished(narration) {
  const words = narration.failure === null ? null : wordsFor(narration.failure);
  const isOfVoice = /^(voice|engine)\./.test(narration.failure?.code ?? "");
  const made = narration.seconds > 0 ? t("speak.unfinished.detail", { made: duration(narration.seconds) }) : "";
  return notice({
    text: words?.message ?? t("speak.unfinished", { name: narration.name }),
    detail: words === null ? made : `${words.suggestion ?? t("error.again")} ${made}`.trim(),
    kind: words === null ? "info" : "error",
    actions: [
      button({ label: t("speak.continue"), look: "primary", onPress: () => decide("continue") }),
      narration.seconds > 0 ? button({ label: t("speak.keep-part"), onPress: keepPart }) : null,
      isOfVoice ? voicesLink() : null,
      button({ label: t("speak.discard"), look: "quiet", onPress: () => decide("discardUnfinished") }),
    ],
  });
}
