import { button, icon } from "../../components/button.js";
import { selectField, setSwitch, toggleSwitch } from "../../components/field.js";
import { notice } from "../../components/notice.js";
import { confirm, withdraw } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../core/dom.js";
import { clock, duration, ownLanguages, wordsFor } from "../../core/format.js";
import { locale, t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isConnected, setting, settings } from "../../core/store.js";
import { player } from "../../player/player.js";
import { onServer } from "../../server/events.js";
import { changeSetting } from "../../server/settings.js";
import { microphones, part, soundSwitches } from "./microphone.js";
import { isLeft, isLive, lowDisk } from "./recorder-state.js";
import { downloadSound, lostMarksWords, missedTime, recorder } from "./recorder.js";

/** The peak from which on sound is clipped. */
const tooLoud = 0.985;

/** Milliseconds for which a peak stays marked. */
const hold = 1_200;

/** The microphone's level: a bar for the mean and a mark for the peak. Nothing is measured while it is hidden. */
class LevelMeter {
  #mean = h("div", { class: "level-mean" });
  #peak = h("div", { class: "level-peak" });
  #isMeasuring = false;
  #highest = 0;
  #since = 0;
  element = h("div", { class: "level", role: "img", "aria-label": t("recorder.level") }, this.#mean, this.#peak);

  /** @param {AbortSignal} signal */
  start(signal) {
    const look = () => this.#measure(!signal.aborted && document.visibilityState === "visible" && recorder.state.value.phase === "recording");
    document.addEventListener("visibilitychange", look, { signal });
    recorder.state.follow(look, signal);
    recorder.level.watch((level) => this.#show(level), signal);
    signal.addEventListener("abort", look, { once: true });
  }

  /** @param {boolean} isMeasuring */
  #measure(isMeasuring) {
    if (isMeasuring === this.#isMeasuring) return;
    this.#isMeasuring = isMeasuring;
    recorder.meter(isMeasuring);
    if (!isMeasuring) this.#show({ peak: 0, rms: 0 });
  }

  /** @param {import("./capture.js").Level} level */
  #show({ peak, rms }) {
    const now = performance.now();
    if (peak >= this.#highest || now - this.#since > hold || peak === 0) [this.#highest, this.#since] = [peak, now];
    this.#mean.style.setProperty("--part", part(rms).toFixed(3));
    this.#peak.style.setProperty("--part", part(this.#highest).toFixed(3));
    setAttribute(this.element, "data-loud", this.#highest >= tooLoud);
  }
}

/** Whether there is anything that a server that was started again does not have. */
function hasRest() {
  return recorder.state.value.unsent > 0 || recorder.unsentMarks > 0;
}

/** Saves what a server that was started again does not have of a recording that has ended. */
async function saveRest() {
  if (hasRest()) downloadSound(await recorder.unsentSound());
}

/**
 * Ends a recording whose rest was saved, once a person has seen to it: whether a browser has kept a file it does not say.
 *
 * @param {string} file Its name.
 */
async function leaveSaved(file) {
  const question = { title: t("recorder.left.sure", { file }), detail: t("recorder.left.sure.text"), action: t("recorder.left.sure.yes") };
  if (await confirm(question)) await recorder.leave();
}

/** Saves what the server does not have as a sound file, and asks whether to end the recording. */
async function saveUnsent() {
  downloadSound(await recorder.unsentSound());
  const isOver = await confirm({ title: t("recorder.unsent.title"), detail: t("recorder.unsent.text"), action: t("recorder.unsent.end") });
  if (!isOver) return;
  await recorder.leave();
  showToast({ icon: "info", text: t("recorder.unsent.ended") });
}

/** @typedef {import("./recorder-state.js").RecorderState} RecorderState */
/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/** Maximum characters of live transcript shown. */
const longestHeard = 400;

/** The recorder at the top of the recordings. */
export class RecorderCard {
  #main = button({ label: t("recorder.record"), className: "record-button", onPress: () => this.toggle() });
  #time = h("p", { class: "recorder-time numbers", role: "timer", "aria-label": t("recorder.time"), "aria-live": "off" });
  #words = h("p", { class: "recorder-words muted" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #meter = new LevelMeter();
  #pause = button({ label: t("recorder.pause"), icon: "pause", onPress: () => this.#pauseOrResume() });
  #mark = button({ label: t("recorder.mark"), icon: "flag", onPress: () => this.#markNow() });
  #stop = button({ label: t("recorder.stop"), icon: "stop", look: "primary", onPress: () => this.toggle() });
  /** The live transcript so far. */
  #heard = h("p", { class: "recorder-heard", dir: "auto" });
  #notices = h("div", { class: "recorder-notices" });
  #options = new RecorderOptions();
  /** @type {Map<string, { key: string, element: HTMLElement }>} The notices on screen, by what they are about. */
  #shown = new Map();
  #said = "";
  /** Says that no recognizer is here, or only the basic one; its room is kept, so that nothing moves when that is known. */
  #advice = h("p", { class: "recorder-advice small", role: "status" });
  element = h(
    "section",
    { class: "recorder", "aria-label": t("recorder.title") },
    h(
      "div",
      { class: "recorder-main" },
      this.#main,
      h("div", { class: "recorder-middle" }, this.#time, this.#meter.element, this.#words, this.#advice),
      h("div", { class: "recorder-actions" }, this.#pause, this.#mark, this.#stop),
    ),
    this.#heard,
    this.#notices,
    this.#options.element,
    this.#status,
  );

  constructor() {
    this.#main.prepend(h("span", { class: "record-dot", "aria-hidden": "true" }));
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#meter.start(signal);
    this.#options.start(signal);
    recorder.state.follow((state) => this.#show(state), signal);
    this.#followRecognizers(signal);
    onServer("heard", ({ item, segments }) => item === recorder.state.value.session?.id && this.#showSegments(segments), signal);
  }

  /** @param {AbortSignal} signal */
  async #followRecognizers(signal) {
    const { adviceOn, followRecognizers, showAdvice } = await import("../recognizers/offers.js");
    followRecognizers((recognizers) => {
      showAdvice(this.#advice, adviceOn(recognizers));
      this.#options.offerLanguages(recognizers);
    }, signal);
  }

  /** @param {readonly { text: string }[]} segments */
  #showSegments(segments) {
    const words = segments.map(({ text }) => text).filter((text) => text !== "");
    if (words.length > 0) setText(this.#heard, [this.#heard.textContent, ...words].join(" ").trim().slice(-longestHeard));
  }

  /** Starts a recording, or ends the present one. */
  async toggle() {
    const hadFocus = this.element.contains(document.activeElement);
    if (recorder.state.value.phase === "idle") await beginRecording();
    else await endRecording();
    if (hadFocus) this.#focus(recorder.state.value);
  }

  #pauseOrResume() {
    if (recorder.state.value.phase === "paused") recorder.resume();
    else recorder.pause();
  }

  #markNow() {
    recorder.mark();
    setText(this.#status, t("recorder.marked", { time: clock(recorder.state.value.seconds) }));
  }

  /** @param {RecorderState} state */
  #show(state) {
    const { phase } = state;
    const isPaused = phase === "paused";
    setAttribute(this.element, "data-phase", phase);
    this.#main.hidden = isLive(state) || phase === "saving";
    this.#main.disabled = phase === "asking";
    this.#pause.hidden = this.#mark.hidden = this.#stop.hidden = !isLive(state);
    this.#time.hidden = this.#meter.element.hidden = phase === "idle" || phase === "asking";
    setText(this.#time, clock(state.seconds));
    setText(this.#words, wordsOf(state));
    const label = t(isPaused ? "recorder.resume" : "recorder.pause");
    const shown = this.#pause.querySelector(".button-label");
    if (shown !== null && shown.textContent !== label) {
      shown.textContent = label;
      this.#pause.querySelector("svg")?.replaceWith(icon(isPaused ? "microphone" : "pause"));
    }
    this.#options.element.hidden = phase !== "idle" && phase !== "asking";
    withdraw(this.#advice, "hidden", phase !== "idle", this.#stop);
    if (!isLive(state)) setText(this.#heard, "");
    this.#say(phase);
    this.#showNotices(state);
  }

  /** @param {RecorderState["phase"]} phase Announced on a change. */
  #say(phase) {
    if (phase === this.#said) return;
    if (this.#said !== "") setText(this.#status, t(`recorder.phase.${phase}`));
    this.#said = phase;
  }

  /**
   * Shows the notices. One whose numbers alone have changed is not announced again, and its buttons keep the focus.
   *
   * @param {RecorderState} state
   */
  #showNotices(state) {
    const before = this.#shown;
    const hadFocus = this.#notices.contains(document.activeElement);
    this.#shown = new Map();
    for (const { key, about = key, make } of noticesOf(state)) {
      const now = before.get(about) ?? { key, element: make() };
      if (now.key !== key) {
        now.key = key;
        now.element.removeAttribute("role");
        const [present, words] = [now.element, make()].map((one) => one.querySelector(".notice-words"));
        if (words) present?.replaceWith(words);
      }
      this.#shown.set(about, now);
    }
    fill(this.#notices, ...[...this.#shown.values()].map(({ element }) => element));
    if (hadFocus && !this.#notices.contains(document.activeElement)) this.#focus(state);
  }

  /** @param {RecorderState} state */
  #focus(state) {
    const end = isLeft(state) ? this.#notices.querySelector("button") : null;
    (end ?? (isLive(state) ? this.#stop : this.#main)).focus({ preventScroll: true });
  }
}

/**
 * A notice of a recording.
 *
 * @typedef {object} CardNotice
 * @property {string} key Changes with its words.
 * @property {string} [about] Stays while its numbers alone change; default: the key.
 * @property {() => HTMLElement} make
 */

/** The most milliseconds that a recording waits for the settings. */
const longestWait = 10_000;

/** Waits for the settings, which the first press may precede, while the server can be reached. */
async function settingsKnown() {
  if (settings.value.size > 0 || !isConnected.value) return;
  const wait = new AbortController();
  await new Promise((resolve) => {
    settings.watch(resolve, wait.signal);
    isConnected.watch((yes) => yes || resolve(null), wait.signal);
    setTimeout(resolve, longestWait);
  });
  wait.abort();
}

async function beginRecording() {
  player.pause();
  await settingsKnown();
  const spoken = setting("recording.language", "");
  await recorder.begin({ name: newName(), language: spoken === "" ? undefined : spoken });
}

/** Ends the present recording, and says where it is. */
export async function endRecording() {
  let missed = 0;
  const life = new AbortController();
  recorder.state.follow((state) => (missed = Math.max(missed, state.missed)), life.signal); // some may be lost while it is saved
  const item = await recorder.stop().finally(() => life.abort());
  if (isLeft(recorder.state.value)) await saveRest();
  if (item === null) return;
  const open = { label: t("jobs.open"), run: () => navigate(`/recordings/${encodeURIComponent(item.id)}`) };
  const saved = t("recorder.saved", { name: item.name });
  if (missed === 0) showToast({ icon: "check", text: saved, action: open });
  else showToast({ icon: "warning", text: `${saved}. ${t("recorder.missed", { time: missedTime(missed) })}`, seconds: 20, action: open });
}

/** A name for a recording that starts now. */
function newName() {
  const now = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date());
  return t("recorder.name", { date: now });
}

/** @param {RecorderState} state */
function wordsOf(state) {
  const { phase, device, session } = state;
  if (phase === "idle") return t("recorder.words.idle");
  if (phase === "asking") return t("recorder.words.asking");
  if (isLeft(state)) return t("recorder.words.left");
  if (phase === "saving") return t("recorder.words.saving");
  const marks = session?.marks.length ?? 0;
  const paused = phase === "paused" ? t("recorder.phase.paused") : null;
  return [paused, device, marks === 0 ? null : t("recorder.marks", { n: marks })].filter(Boolean).join(" · ");
}

/**
 * The notice that the user needs about a recording.
 *
 * @param {RecorderState} state
 * @returns {CardNotice[]}
 */
function noticesOf(state) {
  const { note, phase, waiting, problem, remaining, unsent, missed, lostMarks } = state;
  /** @type {CardNotice[]} */
  const all = [];
  const about = `waits-${phase}-${waiting}`;
  if (isLeft(state)) all.push({ key: `left-${duration(unsent)}`, about: `left-${hasRest()}`, make: () => leftNotice(state) });
  else if (waiting !== null) all.push({ key: `${about}-${duration(unsent)}`, about, make: () => waitNotice(state) });
  else if (problem !== null) all.push({ key: `problem-${wordsFor(problem).message}`, make: () => problemNotice(problem) });
  if (note !== null) all.push({ key: `note-${note}`, make: () => noteNotice(note) });
  if (missed > 0) all.push({ key: `missed-${missed}`, about: "missed", make: () => missedNotice(missed) });
  if (lostMarks.length > 0) all.push({ key: `marks-${lostMarks.length}`, about: "marks", make: () => lostMarksNotice(lostMarks) });
  if (remaining !== null && remaining < lowDisk) {
    const minutes = Math.floor(remaining / 60);
    all.push({ key: `disk-${minutes}`, make: () => notice({ kind: "warning", text: t("recorder.disk", { n: minutes }), detail: t("recorder.disk.do") }) });
  }
  return all;
}

/** @param {RecorderState} state Some of its sound is pending in the browser. */
function waitNotice({ phase, waiting, unsent, problem }) {
  const { message, suggestion } = wordsFor(problem);
  const text = waiting === "refused" ? message : t(`recorder.${phase === "saving" ? "saving" : "waits"}.${waiting}`, { time: duration(unsent) });
  const detail = waiting === "refused" ? suggestion : t(waiting === "restarted" ? "recorder.waits.restarted.do" : "recorder.waits.do");
  const save = button({ label: t("recorder.unsent.save"), icon: "export", onPress: () => saveUnsent() });
  return notice({ kind: "warning", text, detail, actions: [save] });
}

/** @param {RecorderState} state It has ended, and EchoText was started again. */
function leftNotice({ unsent, session }) {
  const name = session?.name ?? "";
  const again = button({ label: t("recorder.left.again"), icon: "export", look: "quiet", onPress: () => saveRest() });
  const file = `${t("recorder.unsent.file", { name })}.wav`;
  const done = button({ label: t("do.done"), onPress: () => (hasRest() ? leaveSaved(file) : recorder.leave()) });
  if (!hasRest()) return notice({ text: t("recorder.left.whole"), detail: t("recorder.left.whole.do", { name }), actions: [done] });
  const text = unsent > 0 ? t("recorder.left", { time: duration(unsent), file }) : t("recorder.left.marks", { n: recorder.unsentMarks, file });
  return notice({ kind: "warning", text, detail: t("recorder.left.do", { name }), actions: [again, done] });
}

/** @param {unknown} problem Why nothing is recorded. */
function problemNotice(problem) {
  const { message, suggestion } = wordsFor(problem);
  return notice({ kind: "error", text: message, detail: suggestion });
}

/** @param {NonNullable<RecorderState["note"]>} note */
function noteNotice(note) {
  const isHarmless = note === "switched" || note === "found";
  return notice({ kind: isHarmless ? "info" : "warning", text: t(`recorder.note.${note}`), detail: t(`recorder.note.${note}.do`) });
}

/** @param {number} seconds Of sound that is missing. */
function missedNotice(seconds) {
  return notice({ kind: "warning", text: t("recorder.missed", { time: missedTime(seconds) }), detail: t("recorder.missed.do") });
}

/** @param {RecorderState["lostMarks"]} marks */
function lostMarksNotice(marks) {
  const seen = button({ label: t("do.done"), onPress: () => recorder.forgetLostMarks() });
  return notice({ kind: "error", text: lostMarksWords(marks), detail: t("recorder.marks.lost.do"), actions: [seen] });
}

/** The user's choices for the next recording: microphone, language, and the browser's sound processing. */
class RecorderOptions {
  #input = h("div", { class: "recorder-input" });
  #language = h("div", { class: "recorder-language" });
  /** @type {readonly Recognizer[] | null} `null` until they are known. */
  #recognizers = null;
  #switches = soundSwitches.map(([name, standard]) => optionSwitch(name, standard));
  element = h(
    "div",
    { class: "recorder-options" },
    this.#input,
    this.#language,
    h("details", { class: "recorder-sound" }, h("summary", {}, t("recorder.sound")), ...this.#switches.map(({ element }) => element)),
  );

  /** @param {AbortSignal} signal */
  start(signal) {
    settings.follow(() => this.#show(), signal);
    navigator.mediaDevices?.addEventListener("devicechange", () => this.#showInputs(), { signal });
    recorder.state.watch(({ phase }) => phase === "idle" && this.#showInputs(), signal);
  }

  /** @param {readonly Recognizer[]} recognizers Their languages are offered. */
  offerLanguages(recognizers) {
    this.#recognizers = recognizers;
    this.#showLanguages();
  }

  #show() {
    this.#showInputs();
    this.#showLanguages();
    for (const { show } of this.#switches) show();
  }

  async #showInputs() {
    const chosen = setting("recording.input", "");
    const names = (await microphones()).map(({ label }) => label).filter((label) => label !== "");
    const options = [...new Set([...names, ...(chosen === "" ? [] : [chosen])])].map((name) => ({ value: name, label: name }));
    const groups = [{ options: [{ value: "", label: t("recorder.input.usual") }, ...options] }];
    replaceSelect(this.#input, t("recorder.input"), groups, chosen, "recording.input");
  }

  async #showLanguages() {
    const { recordingLanguages } = await import("../recognizers/offers.js");
    const chosen = setting("recording.language", "");
    const own = ownLanguages().map(stem);
    replaceSelect(this.#language, t("recorder.language"), recordingLanguages(this.#recognizers, [...own, chosen]), chosen, "recording.language");
  }
}

/** @param {string} tag */
function stem(tag) {
  return tag.split("-")[0] ?? tag;
}

/**
 * Renders a choice unless it is unchanged, because the user may have it open.
 *
 * @param {HTMLElement} place
 * @param {string} label
 * @param {readonly { label?: string, options: readonly { value: string, label: string }[] }[]} groups
 * @param {string} value
 * @param {string} name The setting's name.
 */
function replaceSelect(place, label, groups, value, name) {
  const key = JSON.stringify([groups, value]);
  if (place.dataset.key === key || place.contains(document.activeElement)) return;
  place.dataset.key = key;
  const { element, select } = selectField({ label, groups, value, onChange: (chosen) => keep(name, chosen, () => (select.value = value)) });
  fill(place, element);
}

/**
 * @param {string} name
 * @param {string} standard
 */
function optionSwitch(name, standard) {
  const id = newId("option");
  const title = t(`setting.${name}`);
  /** How many presses are not answered yet; until then the settings may have older values. */
  let underWay = 0;
  const control = toggleSwitch({
    label: title,
    isOn: setting(name, standard) === "on",
    describedBy: id,
    onChange: async (isOn) => {
      underWay += 1;
      const isKept = await keep(name, isOn ? "on" : "off");
      underWay -= 1;
      // Settings that are not known yet come with this one in them.
      if (!isKept || settings.value.size > 0) show();
    },
  });
  const show = () => underWay === 0 && setSwitch(control, setting(name, standard) === "on");
  const element = h(
    "div",
    { class: "recorder-option" },
    h("div", {}, h("p", {}, title), h("p", { class: "muted small", id }, t(`setting.${name}.text`))),
    control,
  );
  return { element, show };
}

/**
 * @param {string} name
 * @param {string} value
 * @param {() => void} [refused] Shows the old value again.
 */
async function keep(name, value, refused) {
  const isKept = await attempt(async () => {
    const changed = await changeSetting(name, value);
    if (settings.value.size > 0) settings.set(new Map([...settings.value, [name, changed]]));
  });
  if (!isKept) refused?.();
  return isKept;
}
