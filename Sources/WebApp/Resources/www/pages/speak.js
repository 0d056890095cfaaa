import { button, icon } from "../components/button.js";
import { pageHead } from "../components/frame.js";
import { fill, h, loadStyle, painted, setAttribute, setText } from "../core/dom.js";
import { profileName, t, times } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { isConnected, profiles, state, voices } from "../core/store.js";
import { session } from "./speak/session.js";

/** @typedef {"voice" | "profile" | "speed" | "pitch"} SheetName */

/** Milliseconds after a key until the words are counted again. */
const countAfter = 120;

/** The size limit of a text file: 4 MB. */
const largestFile = 4_000_000;

/**
 * The view's callbacks to the page.
 *
 * @typedef {object} WritingListener
 * @property {() => void} typed The text changed a moment ago.
 * @property {() => void} generate
 * @property {() => void} startOver
 * @property {(file: File) => void} dropped Called with a text file of an acceptable size.
 */

/** The field for the text, and the row under it that says how it will be spoken. */
class WritingView {
  field = h("textarea", {
    class: "speak-text",
    placeholder: t("speak.placeholder"),
    "aria-label": t("speak.text"),
    spellcheck: "true",
    dir: "auto",
  });
  chips;
  actions;
  #count;
  #listener;
  #clear;
  #generate;
  #timer = 0;

  /**
   * @param {WordCount} count
   * @param {WritingListener} listener
   * @param {AbortSignal} signal
   */
  constructor(count, listener, signal) {
    this.#count = count;
    this.#listener = listener;
    this.#clear = button({ label: t("speak.clear"), icon: "close", look: "quiet", className: "speak-clear", onPress: () => listener.startOver() });
    this.#generate = button({ label: t("speak.generate"), look: "primary", className: "generate", onPress: () => listener.generate() });
    this.actions = h("div", { class: "speak-actions" }, this.#clear, this.#generate);
    this.chips = settingsChips(signal);
    this.field.value = session.text;
    this.field.addEventListener("input", () => this.#typed(), { signal });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) listener.generate();
    }, { signal });
    // Captured, so that text files do not reach the listeners that import every file.
    addEventListener("dragenter", (event) => this.#dragged(event), { signal, capture: true });
    addEventListener("dragover", (event) => this.#dragged(event), { signal, capture: true });
    addEventListener("dragleave", (event) => event.relatedTarget === null && this.#markDrop(false), { signal });
    addEventListener("drop", (event) => this.#drop(event), { signal, capture: true });
    // The scrollbar takes room from the text. Leaving that room out makes lines break in the same places as when
    // reading.
    const watcher = new ResizeObserver(() => this.field.style.setProperty("--scrollbar", `${this.field.offsetWidth - this.field.clientWidth}px`));
    watcher.observe(this.field);
    signal.addEventListener("abort", () => [clearTimeout(this.#timer), watcher.disconnect()], { once: true });
  }

  /** Shows the session's text. */
  refill() {
    this.field.value = session.text;
    this.field.focus();
  }

  /** Updates whether the text can be generated, and whether there is anything to clear. */
  update() {
    const isAsking = session.stage.value.kind === "asking";
    setAttribute(this.#generate, "aria-busy", isAsking ? "true" : null);
    setText(/** @type {Element} */ (this.#generate.lastElementChild), t(isAsking ? "speak.asking" : "speak.generate"));
    setAttribute(this.#generate, "aria-disabled", this.#count.words === 0 || this.#count.isOver || isAsking ? "true" : null);
    this.#clear.hidden = session.text === "";
  }

  #typed() {
    session.text = this.field.value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#listener.typed(), countAfter);
    if (session.problem.value !== null) session.problem.set(null);
  }

  /** @param {DragEvent} event */
  #dragged(event) {
    const { dataTransfer } = event;
    const [item] = dataTransfer?.items ?? [];
    if (dataTransfer === null || dataTransfer.items.length !== 1 || item?.kind !== "file" || !isText(item.type)) return;
    event.preventDefault();
    dataTransfer.dropEffect = "copy";
    this.#markDrop(true);
  }

  /** @param {boolean} isOver Whether a file is dragged over the page. */
  #markDrop(isOver) {
    this.field.classList.toggle("dropping", isOver);
  }

  /**
   * Accepts one file of an acceptable size that says to be a text; others are taken as on every page.
   *
   * @param {DragEvent} event
   */
  #drop(event) {
    this.#markDrop(false);
    const [file, second] = event.dataTransfer?.files ?? [];
    if (file === undefined || second !== undefined || !isText(file.type) || file.size > largestFile) return;
    event.preventDefault();
    this.#listener.dropped(file);
  }
}

/** @param {string} type A media type. */
function isText(type) {
  return type.startsWith("text/");
}

/**
 * Voice, profile, speed and pitch of the next text.
 *
 * @param {AbortSignal} signal
 */
function settingsChips(signal) {
  const voice = chip("voice", t("speak.voice"));
  const profile = chip("profile", t("speak.profile"));
  const speed = chip("speed", t("speak.speed"));
  const pitch = chip("pitch", t("speak.pitch"));
  const update = () => {
    const settings = session.effectiveSettings;
    voice.show(voiceWords(settings));
    profile.show(settings.profile === null ? "…" : profileName(settings.profile) + (settings.isChanged ? "*" : ""));
    profile.element.title = settings.isChanged ? t("speak.profile.changed") : "";
    speed.show(factor(settings.speed));
    pitch.show(factor(settings.pitch));
  };
  for (const cell of [session.settings, profiles, voices]) /** @type {typeof profiles} */ (cell).follow(update, signal);
  return h("div", { class: "chips" }, voice.element, profile.element, speed.element, pitch.element);
}

/** @param {typeof session.effectiveSettings} settings */
function voiceWords({ voice, speaker = 0, profile }) {
  const all = voices.value;
  if (all === null) return "…";
  const known = all.find(({ id }) => id === voice);
  if (known !== undefined) return known.fullTitle + (known.speakers > 1 ? `, ${known.speakerNames?.[speaker] ?? speaker}` : "");
  if (voice === undefined) return t("speak.voice.no");
  return profile?.voice === voice ? t("voice.missing", { name: profile.voiceName }) : t("profiles.missing");
}

/** @param {number} [value] */
function factor(value) {
  return value === undefined && profiles.value === null ? "…" : times(value ?? 1);
}

/**
 * A button that shows a value and opens the sheet that changes it.
 *
 * @param {SheetName} picture The kind of value, which is its icon's name too.
 * @param {string} label
 */
function chip(picture, label) {
  const value = h("span", { class: "chip-value numbers" });
  const element = h(
    "button",
    { type: "button", class: `chip chip-${picture}`, "aria-haspopup": "dialog" },
    icon(picture),
    h("span", { class: "chip-label" }, label),
    value,
    icon("chevron-down", { className: "chip-arrow" }),
  );
  element.addEventListener("click", async () => (await import("./speak/sheets.js")).openSheetOf(picture, element));
  return { element, show: (/** @type {string} */ text) => setText(value, text) };
}

/** A word is an ideograph or a kana, or a run from a letter or digit to white space or one of those. */
const ideograph = "(?=\\p{Alphabetic})[\\p{Ideographic}\\u3041-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9d]";
const word = new RegExp(`${ideograph}|[\\p{Alphabetic}\\p{N}](?:(?!${ideograph})\\P{White_Space})*`, "gu");

/**
 * The number of words in a text, counted as on the server (`String.wordCount`).
 *
 * @param {string} text
 * @returns {number}
 */
export function countWords(text) {
  let count = 0;
  for (word.lastIndex = 0; word.test(text); ) count += 1;
  return count;
}

/** The fraction of the limit from which on the remaining words are shown. */
const nearLimit = 0.9;

/** The number of words next to the page's title; while writing, with the limit. */
class WordCount {
  /** Empty before the page is painted: a browser is slow to format its first number. */
  element = h("p", { class: "word-counter numbers" });
  /** The last count. */
  words = 0;
  #isWriting = true;
  #isPainted = false;

  constructor() {
    painted().then(() => {
      this.#isPainted = true;
      this.#notify();
    });
  }

  get limit() {
    return state.value?.wordLimit ?? 10_000;
  }

  get isOver() {
    return this.words > this.limit;
  }

  get isNear() {
    return !this.isOver && this.words >= this.limit * nearLimit;
  }

  /** @param {boolean} isWriting */
  update(isWriting) {
    this.words = countWords(session.text);
    this.#isWriting = isWriting;
    this.#notify();
    this.element.classList.toggle("near", isWriting && this.isNear);
    this.element.classList.toggle("over", isWriting && this.isOver);
  }

  #notify() {
    if (!this.#isPainted) return;
    const { words, limit } = this;
    setText(this.element, this.#isWriting ? t("speak.words", { n: words, limit }) : t("unit.words", { n: words }));
  }
}

/** @typedef {typeof import("./speak/sheets.js")} Notices */

/** @type {Notices | null} */
let notices = null;

/** Loads the notices of errors, which the first view does not need. */
async function bringNotices() {
  notices ??= await import("./speak/sheets.js");
}

/** The notices between the text and the row: errors and their remedies. */
class BelowText {
  element = h("div", { class: "speak-below" });
  /** Says that the library cannot save the text, whatever other notices there are. */
  unkept = h("div", { class: "speak-unkept", role: "status" });
  #count;

  /** @param {WordCount} count */
  constructor(count) {
    this.#count = count;
  }

  update() {
    const complain = this.#complaint();
    if (complain === null) this.#fillWithPromise();
    else if (notices === null) bringNotices().then(() => this.update(), () => {}); // loaded with the module that speaks, when the server is back
    else complain(notices);
  }

  /** Nothing is shown before the notices are loaded. */
  showUnkept() {
    const error = session.unkept.value;
    fill(this.unkept, error !== null && notices?.unkeptNotice(error));
  }

  /**
   * The notice of an error.
   *
   * @returns {((notices: Notices) => void) | null} `null` without an error.
   */
  #complaint() {
    const { kind, narration } = session.stage.value;
    const { words, limit } = this.#count;
    const problem = session.problem.value;
    if (problem !== null) return ({ problemNotice }) => fill(this.element, problemNotice(problem));
    if (kind === "unfinished" && narration !== null) return ({ unfinishedNotice }) => fill(this.element, unfinishedNotice(narration));
    const [unspoken] = narration?.unspoken ?? [];
    if (kind !== "writing") return unspoken === undefined ? null : this.#once("unspoken", t("speak.unspoken", { text: unspoken }));
    if (this.#count.isOver) return this.#once("over", t("speak.over", { n: words - limit, limit }));
    if (this.#count.isNear) return this.#once("near", t("speak.near", { n: limit - words, limit }));
    const isStandIn = profiles.value?.isStandIn === true && session.settings.value.voice === undefined;
    return isStandIn ? this.#once("stand-in", t("profiles.standIn")) : null;
  }

  /** Says where the text is stored, while it is empty. */
  #fillWithPromise() {
    const isEmpty = session.stage.value.kind === "writing" && this.#count.words === 0;
    fill(this.element, isEmpty && h("p", { class: "speak-private" }, icon("lock"), t("speak.private")));
  }

  /**
   * Leaves an existing notice alone, so that typing does not announce it again.
   *
   * @param {"over" | "near" | "stand-in" | "unspoken"} kind
   * @param {string} text
   * @returns {(notices: Notices) => void}
   */
  #once(kind, text) {
    return ({ noticeOfText }) => {
      const present = this.element.firstElementChild;
      if (present instanceof HTMLElement && present.dataset.kind === kind) setText(/** @type {Element} */ (present.querySelector("p")), text);
      else fill(this.element, noticeOfText(kind, text));
    };
  }
}

/** @typedef {import("../server/narrations.js").Narration} Narration */
/** @typedef {import("./speak/session.js").Stage} Stage */

/** Loads the module that speaks, and the words for its failure. */
async function bringSpeaking() {
  const [{ speaking }] = await Promise.all([import("./speak/speaking.js"), bringNotices()]);
  return speaking;
}

const bringReading = () => Promise.all([import("./speak/reading-view.js"), loadStyle("/styles/reading-text.css")]);

/** The address of an empty page. */
const newText = "/speak/new";

/** @param {import("../components/toast.js").Toast} toast */
const announce = async (toast) => (await import("../components/toast.js")).showToast(toast);

/** `<echo-speak-page>`: a text is written here, spoken, and read along. */
export class SpeakPage extends HTMLElement {
  #life = new AbortController();
  /** Ends one stage. */
  #stageLife = new AbortController();
  #shown = "";
  #hasTakenUp = false;
  #count = new WordCount();
  #below = new BelowText(this.#count);
  #body = h("div", { class: "speak-body" });
  #row = h("div", { class: "speak-row" });
  #door = h("div", { class: "speak-door" });
  #unfinished = h("div", { class: "speak-unfinished" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /** @type {WritingView | null} */
  #writing = null;
  /** @type {import("./speak/reading-view.js").RunningRow | null} */
  #running = null;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    fill(this, pageHead(t("speak.title"), this.#count.element), this.#body, this.#below.unkept, this.#below.element, this.#row, this.#unfinished, this.#door, this.#status);
    session.stage.follow((stage) => this.#show(stage), signal);
    session.written.watch((text) => this.#writing && this.#writing.field.value !== text && this.#refill(), signal);
    session.problem.watch(() => this.#below.update(), signal);
    session.unkept.follow(() => this.#below.showUnkept(), signal);
    profiles.watch(() => this.#below.update(), signal);
    this.addEventListener("address", () => this.#takeAddress(), { signal });
    if (location.pathname === newText) this.#takeAddress();
    isConnected.watch((yes) => yes && !this.#hasTakenUp && this.#takeUp(), signal);
    painted().then(() => this.#takeUp());
  }

  /** Resumes the view of a running narration; a failed load is retried when the server is back. */
  async #takeUp() {
    try {
      const speaking = await bringSpeaking();
      this.#below.update();
      this.#below.showUnkept();
      const hasTakenUp = await speaking.takeUp(bringReading);
      const { showUnfinished } = await import("./list/unfinished-narrations.js");
      await showUnfinished(this.#unfinished, this.#life.signal);
      await (await import("./speak/front-door.js")).showFrontDoor(this.#door, this.#life.signal);
      this.#hasTakenUp = hasTakenUp;
    } catch {
      // Writing still works.
    }
  }

  disconnectedCallback() {
    this.#unfinished.replaceChildren();
    this.#door.replaceChildren();
    this.#life.abort();
    this.#stageLife.abort();
  }

  #takeAddress() {
    if (location.pathname !== newText) {
      this.#refill();
      return;
    }
    navigate("/speak", { replace: true });
    if (session.isBusy) announce({ text: t("speak.busy") });
    else this.#startOver();
  }

  /** @param {Stage} stage */
  #show(stage) {
    const kind = stage.kind === "asking" ? "writing" : stage.kind;
    const key = `${kind} ${stage.narration?.id ?? ""}`;
    const hasChanged = key !== this.#shown;
    if (hasChanged) {
      this.#shown = key;
      this.#stageLife.abort();
      this.#stageLife = new AbortController();
      this.dataset.stage = kind;
      if (kind === "writing") this.#showWriting();
      else this.#showReading(/** @type {Narration} */ (stage.narration));
      this.#count.update(kind === "writing");
    }
    this.#update(stage);
    if (hasChanged) this.#focusSoon();
  }

  /** @param {Stage} stage */
  #update(stage) {
    this.#writing?.update();
    if (stage.kind === "speaking" && stage.narration !== null) this.#running?.update(stage.narration);
    this.#below.update();
  }

  /** Focuses the new field, or the next element when the focused one is gone. */
  #focusSoon() {
    if (this.#writing !== null && !matchMedia("(hover: none)").matches) {
      this.#writing.field.focus({ preventScroll: true });
      return;
    }
    if (document.activeElement !== document.body && document.activeElement !== null) return;
    const target = this.#row.querySelector("[data-first]") ?? this.#below.element.querySelector("button");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  #showCount() {
    this.#count.update(["writing", "asking"].includes(session.stage.value.kind));
    this.#writing?.update();
    this.#below.update();
  }

  // Writing

  #showWriting() {
    const listener = {
      typed: () => this.#showCount(),
      generate: () => this.#generate(),
      startOver: () => this.#startOver(),
      dropped: (/** @type {File} */ file) => this.#takeFile(file),
    };
    const writing = new WritingView(this.#count, listener, this.#stageLife.signal);
    this.#writing = writing;
    this.#running = null;
    fill(this.#body, writing.field);
    fill(this.#row, writing.chips, writing.actions);
  }

  #generate() {
    session.text = this.#writing?.field.value ?? session.text;
    this.#showCount();
    if (this.#count.words === 0) {
      this.#status.textContent = t("speak.nothing");
      this.#writing?.field.focus();
    } else if (!this.#count.isOver) {
      bringSpeaking().then((speaking) => speaking.generate(), () => (this.#status.textContent = t("frame.offline")));
    }
  }

  /** @param {File} file One whose name says that it is a text. */
  async #takeFile(file) {
    try {
      const { takeFiles } = await import("./drops/dropped-files.js");
      const isAsked = session.text.trim() !== "";
      await takeFiles([file], { isAsked, speak: () => this.#readFile(file) });
    } catch {
      this.#status.textContent = t("frame.offline");
    }
  }

  /** @param {File} file A text file in any encoding. */
  async #readFile(file) {
    try {
      const read = await (await bringSpeaking()).read(file);
      if (read === null) return;
      if (session.isBusy || !this.isConnected) announce({ text: t("speak.dropped.not") });
      else this.#replace(read.text, read.message, read.isRemarkable);
    } catch {
      this.#status.textContent = t("frame.offline");
    }
  }

  /** Clears the page. */
  #startOver() {
    this.#replace("", t("speak.cleared"));
  }

  /**
   * Replaces the text, with undo.
   *
   * @param {string} text
   * @param {string} message
   * @param {boolean} isRemarkable Whether to say it in any case.
   */
  #replace(text, message, isRemarkable = false) {
    const before = session.text;
    const isLoss = before.trim() !== "" && session.stage.value.kind === "writing";
    session.begin(text);
    this.#refill();
    const run = () => {
      if (session.isBusy) return t("speak.busy");
      session.begin(before);
      return this.#refill();
    };
    if (isLoss || isRemarkable) announce({ text: message, seconds: 10, action: isLoss ? { label: t("do.undo"), run } : undefined });
  }

  #refill() {
    this.#writing?.refill();
    this.#showCount();
  }

  // Reading

  /** @param {Narration} narration */
  async #showReading(narration) {
    const { signal } = this.#stageLife;
    this.#writing = null;
    this.#running = null;
    const [{ showReading }] = await bringReading();
    if (signal.aborted) return;
    const places = {
      body: this.#body,
      row: this.#row,
      startOver: () => this.#startOver(),
      announce: (/** @type {string} */ words) => (this.#status.textContent = words),
    };
    this.#running = showReading(narration, places, signal);
    this.#update(session.stage.value);
    this.#focusSoon();
  }
}

customElements.define("echo-speak-page", SpeakPage);
