import { button, icon } from "../../../components/button.js";
import { nameField, selectField, setBusy } from "../../../components/field.js";
import { pageHead } from "../../../components/frame.js";
import { errorNotice } from "../../../components/notice.js";
import { moreButton, openMenu } from "../../../components/sheet.js";
import { showNews, showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { languageName, ownLanguages, paragraphFor, wordsFor } from "../../../core/format.js";
import { language, number, t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { Cell, onReturn, voices } from "../../../core/store.js";
import { onServer } from "../../../server/events.js";
import { canOutlivePage, changeSpeech, createSpeech, loadSpeech, longestSpeech } from "../../../server/practice.js";
import { practise, speechAddress } from "../../list/item-actions.js";
import { deleteWithUndo, isSpeechDeleted } from "../lists.js";

const letters = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The number of characters as a reader counts them: accents and flags do not count separately. The server counts the
 * same.
 *
 * @param {string} text
 */
export function characterCount(text) {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text.length;
  let count = 0;
  for (const _ of letters.segment(text)) count += 1;
  return count;
}

/** @typedef {import("../../../server/practice.js").Speech} Speech */
/** @typedef {import("../../../server/practice.js").SpeechContent} SpeechContent */

/**
 * The state of the text: `empty` and `tooLong` are not sent; `failed` is sent again with the next change or retry.
 *
 * @typedef {"saved" | "waiting" | "saving" | "failed" | "tooLong" | "empty"} SavingState
 */

/**
 * @typedef {object} SaverParts
 * @property {(content: SpeechContent) => Promise<Speech>} create
 * @property {(id: string, content: SpeechContent, base?: string) => Promise<Speech>} change Refuses with the code
 *   `speech.changed` when there is another speech than the one that was changed at `base`.
 * @property {(id: string) => Promise<Speech>} load
 * @property {(id: string) => boolean} isDeleted Whether a missing speech was deleted here, with its unsaved text.
 * @property {() => void} apart Called when what is written becomes a speech of its own, because another page has changed
 *   or deleted the one that it was made from.
 * @property {(speech: Speech) => void} created Called once, when a new speech has been saved for the first time.
 * @property {number} [rest] Milliseconds after the last change until it is sent.
 */

/**
 * Saves a speech while it is being written: one request at a time, and never one that would be refused. What another page
 * or a command has changed in it is not replaced.
 */
export class SpeechSaver {
  #parts;
  /** @type {string | null} */
  #id;
  /** @type {SpeechContent | null} Content not sent yet. */
  #pending = null;
  /** @type {SpeechContent | null} Content being sent. */
  #underWay = null;
  /** @type {SpeechContent | null} Content that is too long to be sent. */
  refused = null;
  #timer = 0;
  /** @type {Promise<void> | null} */
  #sending = null;
  /** @type {Cell<SavingState>} */
  state;
  /** @type {Set<string>} Texts that a request without an answer may have saved. */
  #doubted = new Set();
  /** @type {Speech | null} As the server last had it, as far as this page knows. */
  #seen;
  /** @type {unknown} Why it could not be saved. */
  problem = null;

  /**
   * @param {string | null} id `null` for a new one.
   * @param {SaverParts} parts
   * @param {Speech | null} seen As it was loaded.
   */
  constructor(id, parts, seen = null) {
    this.#id = id;
    this.#seen = seen;
    this.#parts = parts;
    this.state = new Cell(/** @type {SavingState} */ (id === null ? "empty" : "saved"));
  }

  /** The speech's id; `null` until it has been saved once. */
  get id() {
    return this.#id;
  }

  /** The speech that the text was made from; `null` for none. */
  get seen() {
    return this.#seen;
  }

  /** Content that could be saved and is not, as far as is known; `null` for none. */
  get unkept() {
    return this.#pending ?? this.#underWay;
  }

  /** Whether unloading the page now would lose something: a last-moment request has limited size. */
  get wouldLose() {
    const { unkept } = this;
    if (this.state.value === "tooLong" || this.state.value === "failed") return true;
    const isBehind = this.#pending !== null && this.#underWay !== null;
    return isBehind || (unkept !== null && !canOutlivePage(unkept));
  }

  /** @param {SpeechContent} content */
  take(content) {
    clearTimeout(this.#timer);
    const state = stateOf(content);
    this.#pending = state === "waiting" ? content : null;
    this.refused = state === "tooLong" ? content : null;
    this.state.set(state);
    if (state === "waiting") this.#timer = setTimeout(() => this.#run(), this.#parts.rest ?? 700);
  }

  /**
   * Sends pending content at once.
   *
   * @returns {Promise<boolean>} Whether all is saved.
   */
  async flush() {
    clearTimeout(this.#timer);
    await this.#run();
    return this.#pending === null && this.state.value === "saved";
  }

  /**
   * Compares the speech with what this page knows, since another page may have changed it.
   *
   * @param {Speech} speech As the server has it now.
   * @returns {"same" | "newer" | "apart"} `newer`: it was changed elsewhere, and nothing here is unsaved; `apart`: it
   *   was, and what is unsaved here will become a speech of its own, so that neither replaces the other.
   */
  receive(speech) {
    const seen = this.#seen;
    // While something is being sent, this may be just that.
    if (seen === null || speech.id !== this.#id || this.#sending !== null || speech.updated < seen.updated) return "same";
    if (this.#isLikeSeen(speech) || this.#isOwn(speech)) {
      this.#seen = speech;
      return "same";
    }
    if (this.#pending === null && this.refused === null) return "newer";
    this.#id = this.#seen = null;
    return "apart";
  }

  #run() {
    if (this.#pending === null && this.#sending === null) return Promise.resolve();
    return (this.#sending ??= this.#send());
  }

  async #send() {
    for (let content = this.#pending; content !== null; content = this.#pending) {
      this.#pending = null;
      this.#underWay = content;
      if (this.refused === null) this.state.set("saving");
      try {
        await this.#keep(content);
      } catch (error) {
        this.problem = error;
        this.#pending ??= content;
        this.#underWay = null;
        if (this.refused === null) this.state.set("failed");
        break;
      }
      this.#underWay = null;
      if (this.state.value === "saving") this.state.set("saved");
    }
    this.#sending = null; // at once: what comes next must be sent again
  }

  /** @param {SpeechContent} content */
  async #keep(content) {
    while (this.#id !== null) {
      this.#doubted.add(content.text);
      try {
        this.#know(await this.#parts.change(this.#id, content, this.#seen?.updated));
        return;
      } catch (error) {
        const { code } = /** @type {{ code?: string }} */ (error);
        if (code === "speech.changed") {
          await this.#compare(this.#id);
        } else if (code === "speech.not-found") {
          if (this.#parts.isDeleted(this.#id)) return;
          this.#part();
        } else {
          throw error;
        }
      }
    }
    const speech = await this.#parts.create(content);
    this.#id = speech.id;
    this.#know(speech);
    this.#parts.created(speech);
  }

  /** @param {Speech} speech As the server has it now. */
  #know(speech) {
    this.#seen = speech;
    this.#doubted.clear();
  }

  /**
   * After a change was refused: takes over when this page's own was, and leaves the speech to whoever else has changed it.
   *
   * @param {string} id
   */
  async #compare(id) {
    const speech = await this.#parts.load(id);
    if (this.#isLikeSeen(speech) || this.#isOwn(speech)) this.#seen = speech;
    else this.#part();
  }

  /** Makes the text a speech of its own. */
  #part() {
    this.#id = this.#seen = null;
    this.#doubted.clear();
    this.#parts.apart();
  }

  /** @param {Speech} speech As the server has it now. */
  #isLikeSeen({ title, text }) {
    return title === this.#seen?.title && text === this.#seen?.text;
  }

  /**
   * Whether a speech has what this page has written, though no answer said that it was saved.
   *
   * @param {Speech} speech As the server has it now.
   */
  #isOwn(speech) {
    return speech.text !== undefined && this.#doubted.has(speech.text);
  }
}

/**
 * @param {SpeechContent} content
 * @returns {"waiting" | "tooLong" | "empty"}
 */
function stateOf({ text }) {
  if (text.trim() === "") return "empty";
  return characterCount(text) > longestSpeech ? "tooLong" : "waiting";
}

/** @typedef {{ language: string }} Speaker */

/**
 * The languages for a speech: those of the voices, and its present one, in alphabetical order.
 *
 * @param {readonly (Speaker & { title: string, quality: string | null })[]} voices
 * @param {string} present
 * @returns {{ value: string, label: string }[]} `value`: a BCP 47 tag, without duplicates.
 */
export function languageChoices(voices, present) {
  const tags = [...new Set([present, ...voices.map((voice) => voice.language)])];
  const names = tags.map(languageName);
  const choices = tags.map((value, at) => {
    const name = names[at] ?? value;
    // Dialects have the name of their language; the built-in voice of each has one of its own.
    const isAlone = names.indexOf(name) === names.lastIndexOf(name);
    const voice = isAlone ? undefined : voices.find((one) => one.language === value && one.quality === null);
    return { value, label: voice === undefined ? name : `${name} – ${voice.title}` };
  });
  return choices.sort((one, other) => one.label.localeCompare(other.label, language.value));
}

/**
 * The likely language of a new speech: the first of the user's languages that a voice speaks.
 *
 * @param {readonly Speaker[]} voices
 * @param {readonly string[]} preferred Best first.
 */
export function likelyLanguage(voices, preferred) {
  const spoken = voices.map((voice) => voice.language);
  for (const wanted of preferred) {
    const exact = spoken.find((tag) => tag.toLowerCase() === wanted.toLowerCase());
    const near = spoken.find((tag) => tag.toLowerCase().split("-")[0] === wanted.toLowerCase().split("-")[0]);
    const found = exact ?? near;
    if (found !== undefined) return found;
  }
  return preferred[0] ?? "en";
}

/** @type {Set<SpeechSaver>} Those whose page was left before all was saved. */
const left = new Set();

/**
 * Content that is not saved.
 *
 * @typedef {object} Unsaved
 * @property {string | null} id The speech that it belongs to; `null` for a new one.
 * @property {SpeechContent} content
 * @property {Speech | null} seen The speech that it was made from.
 */

/** @type {Map<string | null, Unsaved>} Texts too long to be saved whose page was left; `null`: of a new speech. */
const refused = new Map();

let isWatched = false;

function watch() {
  if (isWatched) return;
  isWatched = true;
  const always = new AbortController().signal;
  const isRefused = () => [...refused.keys()].some((id) => id === null || !isSpeechDeleted(id));
  addEventListener("beforeunload", (event) => (left.size > 0 || isRefused()) && event.preventDefault());
  onReturn(() => left.forEach((saver) => saver.flush().then((isKept) => isKept && left.delete(saver))), always);
}

/**
 * Saves the rest of a speech whose page is left. A failure is shown, and the content stays here until it succeeds; what
 * is too long stays until the speech is edited again.
 *
 * @param {SpeechSaver} saver
 */
async function keepAfterLeaving(saver) {
  if (saver.refused !== null) {
    keepRefused(saver, saver.refused);
    showToast({ icon: "info", text: t("practice.speech.unkept") });
    return;
  }
  if (saver.unkept === null) return;
  watch();
  left.add(saver);
  if (await saver.flush()) {
    left.delete(saver);
    return;
  }
  if (!left.has(saver)) return; // it is being edited again
  const { message } = wordsFor(saver.problem);
  showToast({ icon: "error", text: `${t("practice.speech.unkept")} ${message}`, action: { label: t("do.again"), run: () => keepAfterLeaving(saver) } });
}

/**
 * Keeps what is too long of a speech whose page is left.
 *
 * @param {SpeechSaver} saver
 * @param {SpeechContent} content
 */
function keepRefused({ id, seen }, content) {
  watch();
  refused.set(id, { id, content, seen });
}

/**
 * The content of a speech that was too long when its page was left; the caller takes it over.
 *
 * @param {string | null} id `null` for a new one.
 */
function takeRefused(id) {
  const unsaved = refused.get(id) ?? null;
  refused.delete(id);
  return unsaved;
}

/** @param {string} id */
const leftOf = (id) => [...left].find((saver) => saver.id === id);

/** @param {string} id A speech whose page was left before all was saved, perhaps. */
async function saveLeft(id) {
  const saver = leftOf(id);
  if (saver !== undefined && (await saver.flush())) left.delete(saver);
}

/**
 * The unsaved content of a speech whose page was left; the caller takes over saving it.
 *
 * @param {string} id
 * @param {AbortSignal} signal A caller that has gone meanwhile takes nothing over.
 * @returns {Promise<{ unsaved: Unsaved | null, isSaved: boolean }>} `isSaved`: it was saved just now.
 */
async function takeUnkept(id, signal) {
  const saver = leftOf(id);
  if (saver === undefined) return { unsaved: null, isSaved: false };
  const isKept = await saver.flush();
  if (signal.aborted && !isKept) return { unsaved: null, isSaved: false };
  left.delete(saver);
  const { unkept, seen } = saver;
  return { unsaved: isKept || unkept === null ? null : { id: saver.id, content: unkept, seen }, isSaved: isKept };
}

function sayApart() {
  showNews({ icon: "warning", text: t("practice.speech.apart"), seconds: 20 });
}

/** `<echo-speech-editor>`: the editor of a speech, which saves while the user types. */
export class SpeechEditor extends HTMLElement {
  /** @type {string | null} `null` for a new one. */
  speechId = null;
  #life = new AbortController();
  #saver = this.#newSaver(null);
  #language = "en";
  #title = nameField({
    label: t("practice.speech.title"),
    hint: t("practice.speech.title.hint"),
    isOptional: true,
    onInput: () => this.#typed(),
  });
  /** The last valid title, saved with the text while the field has an invalid one. */
  #lastTitle = "";
  #text = h("textarea", { class: "field speech-text", dir: "auto", spellcheck: "true", "aria-label": t("practice.speech.text"), placeholder: t("practice.speech.placeholder") });
  #counter = h("p", { class: "speech-counter numbers small" });
  #saved = h("p", { class: "speech-saved muted small", role: "status" });
  #problem = h("div", { class: "speech-problem" });
  #languages = h("div", { class: "speech-language" });
  #go = button({ label: t("practice.go"), icon: "practice", look: "primary", onPress: () => this.#practise() });
  #place = h("div", { class: "speech-place" });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, this.#head(), this.#place);
    this.#text.addEventListener("input", () => this.#typed(), { signal });
    addEventListener("pagehide", () => this.#saver.flush(), { signal });
    addEventListener("beforeunload", (event) => this.#saver.wouldLose && event.preventDefault(), { signal });
    voices.watch(() => this.#showLanguages(), signal);
    for (const kind of /** @type {const} */ (["speeches", "reset"])) onServer(kind, () => this.#lookElsewhere(), signal);
    if (this.speechId === null) this.#showNew();
    else this.#load(this.speechId);
  }

  disconnectedCallback() {
    this.#life.abort();
    keepAfterLeaving(this.#saver);
  }

  /** For a new speech, which is edited at once. */
  focusTitle() {
    if (this.speechId === null) this.#text.focus({ preventScroll: true });
    else this.querySelector("h1")?.focus({ preventScroll: true });
  }

  #showNew() {
    const unsaved = takeRefused(null);
    this.#show(unsaved && { id: null, ...unsaved.content });
    if (unsaved !== null) this.#typed();
  }

  /** @param {string} id */
  async #load(id) {
    const { signal } = this.#life;
    try {
      // First: what is being saved since the page was left belongs to what is shown.
      await saveLeft(id);
      const loaded = await loadSpeech(id, signal);
      const rest = await takeUnkept(id, signal);
      if (signal.aborted) return;
      const speech = rest.isSaved ? await loadSpeech(id, signal) : loaded;
      if (signal.aborted) return;
      const unsaved = takeRefused(id) ?? rest.unsaved;
      if (unsaved === null) {
        this.#show(speech, speech);
      } else {
        // Saved as made from what it was made from: another page may have changed the speech since.
        this.#show({ id: unsaved.id, ...unsaved.content }, unsaved.seen);
        this.#typed();
      }
    } catch (error) {
      const all = h("a", { class: "button", href: "/practice" }, t("practice.back"));
      if (!signal.aborted) fill(this.#place, errorNotice(error, all));
    }
  }

  /** Takes over what another page has saved of the speech. */
  async #lookElsewhere() {
    const saver = this.#saver;
    const { signal } = this.#life;
    if (saver.id === null) return;
    const speech = await loadSpeech(saver.id, signal).catch(() => null); // the next event looks again
    if (speech === null || signal.aborted || this.#saver !== saver) return;
    const change = saver.receive(speech);
    if (change === "apart") sayApart();
    if (change !== "newer") return;
    const focused = this.contains(document.activeElement) ? document.activeElement : null;
    this.#show(speech, speech);
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /**
   * @param {({ id: string | null, text?: string } & Omit<SpeechContent, "text">) | null} speech What is shown.
   * @param {Speech | null} seen As the server has it.
   */
  #show(speech, seen = null) {
    this.#saver = this.#newSaver(speech?.id ?? null, seen);
    this.#title.input.value = this.#lastTitle = speech?.title ?? "";
    this.#text.value = speech?.text ?? "";
    this.#language = speech?.language ?? likelyLanguage(voices.value ?? [], ownLanguages());
    this.#showLanguages();
    this.#count();
    this.#saver.state.follow(() => this.#showState(), this.#life.signal);
    const foot = h("div", { class: "speech-foot" }, h("div", { class: "speech-said" }, this.#saved, this.#problem), this.#counter, this.#go);
    fill(this.#place, h("div", { class: "speech-top" }, this.#title.element, this.#languages), this.#text, foot);
  }

  /**
   * @param {string | null} id
   * @param {Speech | null} seen
   */
  #newSaver(id, seen = null) {
    return new SpeechSaver(id, {
      // The page may be unloaded at any time.
      create: (content) => createSpeech(content, { keepalive: true }),
      change: (id, content, base) => changeSpeech(id, content, { keepalive: true, base }),
      load: loadSpeech,
      isDeleted: (id) => !this.isConnected && isSpeechDeleted(id),
      apart: sayApart,
      created: (speech) => this.#created(speech),
    }, seen);
  }

  /** @param {Speech} speech A new one, which now has an address. */
  #created(speech) {
    if (!this.isConnected) return;
    this.speechId = speech.id;
    this.dataset.address = speechAddress(speech.id);
    navigate(this.dataset.address, { replace: true });
  }

  // Header

  #head() {
    const label = t("practice.back");
    const title = t(this.speechId === null ? "practice.speech.new" : "practice.speech");
    const name = () => this.#title.input.value || t("practice.speech");
    const more = moreButton({ label: t("practice.speech.more"), look: "plain", open: (anchor) => this.#openMenu(anchor, name()) });
    const head = pageHead(title, more);
    head.classList.add("practice-head");
    head.prepend(h("a", { class: "button quiet icon-only", href: "/practice", "aria-label": label, title: label }, icon("chevron-left")));
    document.title = `${title} · EchoText`;
    return head;
  }

  /**
   * @param {Element} anchor
   * @param {string} title
   */
  #openMenu(anchor, title) {
    const remove = () => {
      const { id, refused } = this.#saver;
      // It goes with the speech, and comes back with it.
      if (id !== null && refused !== null) keepRefused(this.#saver, refused);
      this.#saver.refused = null;
      navigate("/practice", { replace: true }); // the way back would lead to what goes in a moment
      if (id !== null) deleteWithUndo({ id, title });
    };
    openMenu([{ label: t("do.delete"), icon: "trash", isDanger: true, run: remove }], { label: t("practice.speech.more"), anchor });
  }

  #showLanguages() {
    if (this.#languages.contains(document.activeElement)) return;
    const options = languageChoices(voices.value ?? [], this.#language);
    const choose = (/** @type {string} */ tag) => {
      this.#language = tag;
      this.#typed();
    };
    fill(this.#languages, selectField({ label: t("practice.speech.language"), groups: [{ options }], value: this.#language, onChange: choose }).element);
    setAttribute(this.#text, "lang", this.#language);
  }

  // Writing

  #typed() {
    this.#count();
    setAttribute(this.#text, "lang", this.#language);
    if (this.#title.check()) this.#lastTitle = this.#title.input.value;
    this.#saver.take({ title: this.#lastTitle, text: this.#text.value, language: this.#language });
  }

  #count() {
    const count = characterCount(this.#text.value);
    const isTooLong = count > longestSpeech;
    setText(this.#counter, t("practice.counter", { n: number(count), most: number(longestSpeech) }));
    setAttribute(this.#counter, "data-over", isTooLong);
    setAttribute(this.#text, "aria-invalid", isTooLong ? "true" : null);
  }

  #showState() {
    const { state, problem } = this.#saver;
    const over = characterCount(this.#text.value) - longestSpeech;
    setText(this.#saved, state.value === "tooLong" || state.value === "failed" ? "" : t(`practice.saving.${state.value}`));
    this.#go.disabled = state.value === "tooLong" || this.#text.value.trim() === "";
    if (state.value === "tooLong") this.#sayTooLong(t("practice.tooLong", { n: over }));
    else if (state.value === "failed") fill(this.#problem, h("p", { class: "field-error", role: "alert" }, icon("error"), paragraphFor(problem)));
    else fill(this.#problem);
  }

  /** @param {string} words Announced once, and not again with each key. */
  #sayTooLong(words) {
    const shown = this.#problem.querySelector("span");
    if (shown === null) {
      fill(this.#problem, h("p", { class: "field-error", role: "alert" }, icon("error"), h("span", {}, words)));
      return;
    }
    setAttribute(/** @type {Element} */ (shown.parentElement), "aria-live", "off");
    setText(shown, words);
  }

  async #practise() {
    setBusy(this.#go, t("practice.asking"));
    const isKept = await this.#saver.flush();
    const { id } = this.#saver;
    if (isKept && id !== null) await practise({ kind: "speech", id });
    setBusy(this.#go, null);
  }
}

customElements.define("echo-speech-editor", SpeechEditor);
