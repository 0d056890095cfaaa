import { button, icon } from "../../components/button.js";
import { isBusy, nameField, selectField, setBusy, slider } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, Sheet } from "../../components/sheet.js";
import { attempt, showToast, whenFree } from "../../components/toast.js";
import { fill, h, kept, loadStyle, setAttribute, setText } from "../../core/dom.js";
import { languageName, paragraphFor, speakerName, wordsFor } from "../../core/format.js";
import { t, times } from "../../core/i18n.js";
import { isOpen, profiles, state, voices } from "../../core/store.js";
import { player } from "../../player/player.js";
import { NewestState, onServer } from "../../server/events.js";
import { ServerProblem } from "../../server/http.js";
import {
  addToBatch,
  cancelBatch,
  continueNarration,
  dismissBatch,
  loadBatch,
  loadNarration,
  removeFromBatch,
  retryInBatch,
  startBatch,
} from "../../server/narrations.js";
import { narrationDeletion, openStopMenu, saySaved, stopAndDiscard, stopAndKeep, stopAndLeave } from "../list/item-actions.js";
import { sampleButton, samples, speakerField, voiceGroups } from "../speaker-choice.js";
import { imports } from "./import-queue.js";

/** @typedef {import("../../server/narrations.js").Batch} Batch */
/** @typedef {import("../../server/narrations.js").BatchCount} BatchCount */
/** @typedef {import("../../server/narrations.js").BatchEntry} BatchEntry */

/**
 * The documents' part on every page: the batch counter, and what is shown while files are dragged over the page.
 *
 * @param {HTMLElement} top The slot above the page.
 * @param {AbortSignal} signal
 */
export async function stand(top, signal) {
  await loadStyle("/styles/batch.css");
  if (signal.aborted) return;
  const counter = new BatchCounter();
  top.replaceChildren(counter.element);
  counter.start(signal);
  showDrops(signal);
  const n = imports.takeForgotten();
  if (n > 0) whenFree(() => showToast({ icon: "warning", text: t("import.forgotten", { n }), seconds: 20 }));
  state.watch(() => !isOpen() && imports.forget(), signal);
  signal.addEventListener("abort", () => !isOpen() && imports.forget(), { once: true });
}

/** The progress of the batch at the top of every page, while it runs or something of it that was not spoken is not dismissed. */
class BatchCounter {
  #words = h("span", { class: "batch-words numbers" });
  #name = h("span", { class: "batch-name", dir: "auto" });
  #mark = h("span", { class: "batch-mark" });
  /** Announces a change of the words. */
  #status = h("p", { class: "visually-hidden", role: "status" });
  #newest = new NewestState();
  #bar;

  constructor() {
    const open = h(
      "button",
      { type: "button", class: "batch-open", "aria-haspopup": "dialog", onclick: () => openBatch() },
      this.#mark,
      this.#words,
      this.#name,
      icon("chevron-right"),
    );
    this.#bar = h("div", { class: "batch-counter", hidden: true }, open);
    this.element = h("div", { class: "batch-place" }, this.#bar, this.#status);
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("batch", (batch, event) => {
      if (!this.#newest.takesEvent(event)) return;
      // No event has the words that could not be spoken.
      if (batch.isFinished) this.#look(signal, batch);
      else this.#show(batch, batch.entry);
    }, signal);
    onServer("reset", () => this.#look(signal), signal);
    this.#look(signal);
  }

  /**
   * @param {AbortSignal} signal
   * @param {BatchCount | null} [known] Shown where more cannot be loaded; without it, the next event brings the state.
   */
  async #look(signal, known = null) {
    try {
      const batch = await loadBatch(signal);
      if (signal.aborted || !this.#newest.takesAnswer(batch)) return;
      const [unspoken] = batch.entries.flatMap((entry) => entry.unspoken);
      this.#show(batch, batch.entries.find(({ state }) => state === "begun") ?? null, unspoken);
    } catch {
      if (known !== null && !signal.aborted) this.#show(known, null);
    }
  }

  /**
   * @param {BatchCount} batch
   * @param {BatchEntry | null} entry
   * @param {string} [unspoken] The first words of what could not be spoken of one.
   */
  #show({ total, failed, current, isFinished, isRunning }, entry, unspoken) {
    const isOver = isFinished || total === 0;
    this.#bar.hidden = total === 0 || (isOver && failed === 0 && unspoken === undefined);
    const key = isRunning ? "batch.counter" : "batch.resting";
    const words = isOver ? wordsAtEnd(total, failed, unspoken) : t(key, { n: current, all: total });
    setText(this.#words, words);
    setText(this.#name, isOver ? "" : (entry?.name ?? ""));
    const kind = isOver || failed > 0 ? "warning" : "speak";
    setAttribute(this.#bar, "data-kind", kind);
    if (this.#mark.dataset.kind !== kind) {
      this.#mark.dataset.kind = kind;
      this.#mark.replaceChildren(icon(kind));
    }
    const isNews = this.#status.dataset.words !== words;
    const wasRunning = this.#status.dataset.running === "true";
    this.#status.dataset.words = words;
    this.#status.dataset.running = String(!isOver);
    if (isNews && (!isOver || wasRunning)) setText(this.#status, words);
  }
}

/**
 * @param {number} total
 * @param {number} failed
 * @param {string} [unspoken]
 */
function wordsAtEnd(total, failed, unspoken) {
  if (failed === 0 && unspoken !== undefined) return t("speak.unspoken", { text: unspoken });
  return failed === 0 ? t("batch.finished", { n: total }) : t("batch.failed", { n: failed });
}

/**
 * Shows over the page that files can be dropped, while some are dragged over it.
 *
 * @param {AbortSignal} signal
 */
function showDrops(signal) {
  const veil = h("div", { class: "drop-veil" }, h("p", {}, icon("document"), t("import.drop.here")));
  document.body.append(veil);
  signal.addEventListener("abort", () => veil.remove(), { once: true });
}

/** How many entries are shown at once; a batch of every chapter of a book can have thousands. */
const step = 200;

/** Opens the batch, unless it is open. */
function openBatch() {
  if (document.querySelector("dialog.batch-sheet") === null) new BatchSheet().open();
}

/** The entries of the batch: done, started, waiting and failed. */
class BatchSheet extends Sheet {
  /** Why the user's last request was refused. */
  #problem = h("div", { class: "batch-problem" });
  /** Why the batch is stopped, or cannot be read. */
  #standing = h("div", { class: "batch-problem" });
  #count = h("p", { class: "muted small", role: "status" });
  #list = h("ul", { class: "batch-list", "aria-label": t("batch.title") });
  #limit = step;
  /** @type {readonly BatchEntry[]} */
  #entries = [];
  /** @type {Map<string, HTMLElement>} The entries' rows and buttons, which stay whatever becomes of an entry. */
  #parts = new Map();
  /** @type {string | null} The narration of the started entry. */
  #begun = null;
  #newest = new NewestState();
  #more = button({ label: t("batch.more"), look: "quiet", onPress: () => this.#showMore() });
  #cancel = button({ label: t("batch.cancel"), onPress: () => this.#askToCancel() });
  #start = button({ label: t("batch.start"), look: "primary", onPress: () => this.#attempt(startBatch) });
  #dismiss = button({ label: t("batch.dismiss"), onPress: () => this.#attempt(dismissBatch) });

  constructor() {
    super({ title: t("batch.title"), kind: "side", className: "batch-sheet" });
    this.build({
      content: [this.#count, this.#problem, this.#standing, this.#list, this.#more],
      actions: [this.#dismiss, this.#cancel, this.#start],
    });
  }

  open() {
    super.open();
    onServer("batch", () => this.#load(), this.signal);
    onServer("reset", () => this.#load(), this.signal);
    narrationDeletion.watch(() => this.#load(), this.signal);
    this.#load();
    return this;
  }

  async #load() {
    try {
      this.#take(await loadBatch(this.signal));
    } catch (error) {
      if (!this.signal.aborted) fill(this.#standing, errorNotice(error));
    }
  }

  #showMore() {
    this.#limit += step;
    this.#load();
  }

  async #askToCancel() {
    const begun = this.#begun;
    if (begun !== null && (await this.#askToStop(begun, this.#cancel, cancelBatch))) return;
    const isSure = await confirm({ title: t("batch.cancel.title"), detail: t("batch.cancel.text"), action: t("batch.cancel.do") });
    if (isSure) await this.#attempt(cancelBatch);
  }

  /**
   * Asks what to do with the spoken part of the started entry.
   *
   * @param {string} narration
   * @param {Element} anchor
   * @param {() => Promise<Batch>} takeOut
   * @returns {Promise<boolean>} Whether the user was asked, or has left; `false` when the narration has ended
   * meanwhile.
   */
  async #askToStop(narration, anchor, takeOut) {
    const begun = await loadNarration(narration, this.signal).catch(() => null);
    if (begun === null || this.signal.aborted) return this.signal.aborted;
    const stop = (/** @type {boolean} */ keepsPart) =>
      this.#attempt(async () => {
        const batch = await takeOut().catch((error) => this.#unlessOut(error));
        if (!keepsPart) await stopAndDiscard(begun);
        else if (await stopAndKeep(narration)) saySaved(begun);
        return batch;
      });
    const resume = async () => player.resumeNarration(await continueNarration(narration));
    const later = () =>
      this.#attempt(async () => {
        const batch = await takeOut().catch((error) => this.#unlessOut(error));
        if (await stopAndLeave(narration)) sayLeft(begun, resume);
        return batch;
      });
    openStopMenu({ seconds: begun.seconds, anchor, stop, later });
    return true;
  }

  /**
   * Ignores that an entry has left the batch, for example because its narration was saved or discarded elsewhere.
   *
   * @param {unknown} error
   */
  async #unlessOut(error) {
    if (!(error instanceof ServerProblem) || error.code !== "batch.entry-not-found") throw error;
    return loadBatch(this.signal);
  }

  /** @param {() => Promise<Batch>} change */
  async #attempt(change) {
    fill(this.#problem);
    try {
      this.#take(await change());
    } catch (error) {
      if (this.signal.aborted) showToast({ icon: "error", text: paragraphFor(error) });
      else fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {Batch} batch */
  #take(batch) {
    if (!this.signal.aborted && this.#newest.takesAnswer(batch)) this.#show(batch);
  }

  /** @param {Batch} batch */
  #show({ entries, total, done, failed, isRunning, isFinished, failure }) {
    this.#entries = entries;
    this.#begun = entries.find(({ state }) => state === "begun")?.narration ?? null;
    fill(this.#standing, failure === null ? null : errorNotice(failure));
    setText(this.#count, total === 0 ? t("batch.none") : t("batch.state", { n: total, done, failed }));
    const list = this.#list;
    const focus = list.contains(document.activeElement) ? document.activeElement?.closest("li")?.dataset.id : undefined;
    const shown = entries.filter(({ narration }) => narration === null || !narrationDeletion.isHidden(narration));
    fill(list, ...shown.slice(0, this.#limit).map((entry) => this.#rowOf(entry)));
    if (focus !== undefined && !list.contains(document.activeElement)) this.#giveFocus(focus);
    const pressed = [this.#more, this.#cancel, this.#start, this.#dismiss].find((one) => one === document.activeElement);
    this.#more.hidden = shown.length <= this.#limit;
    this.#cancel.hidden = isFinished || total === 0;
    this.#start.hidden = isRunning || isFinished || total === 0;
    this.#dismiss.hidden = done + failed === 0;
    if (pressed?.hidden === true) this.element.querySelector("h2")?.focus({ preventScroll: true });
  }

  /** @param {BatchEntry} entry */
  #rowOf(entry) {
    const { id, name, state, narration } = entry;
    const tool = (/** @type {import("../../components/button.js").IconName} */ picture, /** @type {string} */ key, /** @type {(event: MouseEvent) => void} */ onPress) => {
      const one = kept(this.#parts, `${picture} ${id}`, () => button({ label: "", icon: picture, look: "quiet", iconOnly: true, onPress }));
      for (const attribute of ["aria-label", "title"]) setAttribute(one, attribute, t(key, { name }));
      return one;
    };
    const play = () => {
      this.close();
      player.playItem(narration ?? "");
    };
    const isLeft = state === "waiting" || state === "begun";
    const row = kept(this.#parts, String(id), () => h("li", { class: "batch-entry", "data-id": String(id) }));
    setAttribute(row, "data-state", state);
    fill(
      row,
      h("span", { class: "batch-mark" }, icon(marks[state])),
      wordsOf(entry),
      state === "done" && narration !== null && tool("play", "batch.play", play),
      state === "failed" && tool("again", "batch.retry", () => this.#attempt(() => retryInBatch(id))),
      tool("close", isLeft ? "batch.cancel.one" : "batch.dismiss.one", ({ currentTarget }) => this.#remove(id, /** @type {Element} */ (currentTarget))),
    );
    return row;
  }

  /**
   * @param {BatchEntry["id"]} id
   * @param {Element} anchor
   */
  async #remove(id, anchor) {
    const { state, narration = null } = this.#entries.find((one) => one.id === id) ?? {};
    const takeOut = () => removeFromBatch(id);
    const isAsked = state === "begun" && narration !== null && (await this.#askToStop(narration, anchor, takeOut));
    if (!isAsked) this.#attempt(takeOut);
  }

  /** @param {string} id The entry that had it. */
  #giveFocus(id) {
    const button = this.#list.querySelector(`[data-id="${id}"] button`) ?? this.#list.querySelector("button");
    const target = button ?? this.element.querySelector("h2");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/** @param {BatchEntry} entry */
function wordsOf({ name, part, state, failure, unspoken }) {
  const reason = failure === null ? null : reasonOf(failure);
  return h(
    "div",
    { class: "batch-main" },
    h("p", { class: "batch-entry-name", dir: "auto" }, name),
    h("p", { class: "muted small" }, [t(`batch.state.${state}`), part].filter(Boolean).join(" · ")),
    reason === null ? null : h("p", { class: "batch-reason" }, reason.message, reason.suggestion === null ? "" : ` ${reason.suggestion}`),
    ...unspoken.map((text) => h("p", { class: "batch-reason", dir: "auto" }, t("speak.unspoken", { text }))),
  );
}

/**
 * @param {NonNullable<BatchEntry["failure"]>} failure
 * @returns {{ message: string, suggestion: string | null }}
 */
function reasonOf(failure) {
  if (failure.code !== "speech.nothing-to-say") return wordsFor(failure);
  return { message: t("batch.nothing"), suggestion: t("batch.nothing.do") };
}

/** @type {Readonly<Record<BatchEntry["state"], import("../../components/button.js").IconName>>} */
const marks = { waiting: "history", begun: "speak", done: "check", failed: "error" };

/**
 * Adds documents to the batch and starts it.
 *
 * @param {import("../../server/narrations.js").BatchOrder[]} documents
 * @param {import("../../server/narrations.js").BatchOptions} [options]
 * @returns {Promise<boolean>} Whether it started; if not, the reason has been shown.
 */
export async function beginBatch(documents, options = {}) {
  if (documents.length === 0) return false;
  try {
    const { current, total } = await addToBatch(documents, options);
    showToast({ icon: "speak", text: t("batch.begun", { n: Math.max(1, total - current + 1) }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: paragraphFor(error) });
    return false;
  }
}

/** @typedef {import("../../server/documents.js").SpokenSettings} SpokenSettings */
/** @typedef {import("../../server/voices.js").Profile} Profile */

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
  /** @type {import("../../server/voices.js").VoiceSettings} */
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
  /** @type {readonly import("../../components/field.js").Slider[]} Speed and pitch. */
  #factors = [];

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

  /** The settings that were changed here. @returns {SpokenSettings} */
  get settings() {
    const name = this.#name?.input.value.trim() ?? "";
    return name === "" ? this.#changed : { ...this.#changed, name };
  }

  /** Whether the name and what was typed as speed and pitch are valid; if not, the field shows why. */
  check() {
    const isNamed = this.#name === null || this.#name.check();
    if (isNamed && this.#factors.every((one) => one.check())) return true;
    this.element.open = true;
    if (!isNamed) this.#name?.input.focus();
    else this.#factors.every((one) => one.check()); // a field in closed details takes no focus
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
    this.#factors = [speed, pitch];
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

  /** @param {import("../../server/voices.js").VoiceSettings} change */
  #change(change) {
    this.#changed = { ...this.#changed, ...change };
    samples.stop();
    const { voice, voiceName = "", speaker = 0, speed = 1, pitch = 1 } = { ...this.#profile, ...this.#changed };
    const known = voices.value?.find(({ id }) => id === voice);
    const chosen = known !== undefined && known.speakers > 1 ? [speakerName(known, speaker)] : [];
    const name = known === undefined ? voiceName : [known.fullTitle, ...chosen].join(", ");
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

/**
 * Says that a narration was left, and offers to continue it.
 *
 * @param {{ name: string }} narration
 * @param {() => Promise<unknown>} resume
 */
export function sayLeft({ name }, resume) {
  const action = { label: t("speak.continue"), run: () => attempt(resume) };
  showToast({ icon: "history", text: t("strip.left", { name }), action, seconds: 10 });
}
