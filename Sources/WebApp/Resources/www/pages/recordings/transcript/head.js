import { button, icon } from "../../../components/button.js";
import { field, searchField, toggleSwitch } from "../../../components/field.js";
import { pageHead } from "../../../components/frame.js";
import { errorNotice } from "../../../components/notice.js";
import { moreButton, Sheet, withdraw } from "../../../components/sheet.js";
import { showUndo } from "../../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../../core/dom.js";
import { longDate } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { changeItem } from "../../../server/library.js";
import { NameField } from "../../list/list-controls.js";
import { findPlaces, keptSpeaker, renamed, shownSpeaker, speakersIn } from "./text.js";

/** @typedef {import("../../../server/library.js").Item} Item */

/**
 * @typedef {object} HeadActions
 * @property {() => void} transcribe
 * @property {() => void} copy The text.
 * @property {() => void} export
 * @property {(anchor: Element) => void} openMenu
 */

/** @param {boolean} hasTranscript */
export function orderWords(hasTranscript) {
  return t(hasTranscript ? "order.title.again" : "order.title");
}

/** The top of a recording's page: its name, which a press changes, and what can be done with it. */
export class TranscriptHead {
  element = this.#made("", []);
  /** @type {Item | null} */
  #item = null;
  #hasTranscript = false;
  #shown = "";
  #actions;
  #order = button({ label: "", icon: "text", opens: true, className: "in-menu", onPress: () => this.#actions.transcribe() });
  #copy = button({ label: t("text.copy"), icon: "copy", className: "in-menu if-wide", onPress: () => this.#actions.copy() });
  #export = button({ label: t("transcript.export"), icon: "export", opens: true, className: "transcript-export", onPress: () => this.#actions.export() });
  #more = moreButton({ label: "", look: "plain", open: (anchor) => this.#actions.openMenu(anchor) });

  /** @param {HeadActions} actions */
  constructor(actions) {
    this.#actions = actions;
  }

  /**
   * @param {Item} item
   * @param {boolean} hasTranscript
   */
  show(item, hasTranscript) {
    this.#item = item;
    this.#hasTranscript = hasTranscript;
    // A name that is being typed stays; what has changed is shown afterwards.
    if (this.#title.querySelector("input") !== null) return;
    const state = `${item.name} ${item.origin} ${hasTranscript}`;
    if (state === this.#shown) return;
    const isNew = this.#shown === "";
    this.#shown = state;
    this.#order.hidden = item.origin === "narrated";
    this.#copy.hidden = !hasTranscript;
    setText(/** @type {Element} */ (this.#order.lastElementChild), orderWords(hasTranscript));
    for (const attribute of ["aria-label", "title"]) setAttribute(this.#more, attribute, t("transcript.more", { name: item.name }));
    setText(this.#title, item.name);
    if (isNew) this.#build(item.name);
  }

  /** @param {string} name */
  #build(name) {
    this.#replace(name, [this.#order, this.#copy, this.#export, this.#more]);
    const title = this.#title;
    title.classList.add("changes");
    title.title = t("transcript.rename");
    title.addEventListener("click", () => this.rename());
  }

  /** @param {string} title Shows that there is no recording. */
  fail(title) {
    this.#shown = "";
    this.#replace(title, []);
  }

  /** Puts a field in place of the name. */
  rename() {
    const item = this.#item;
    const title = this.#title;
    if (item === null || title.querySelector("input") !== null) return;
    const field = new NameField(item, {
      label: t("library.rename.label"),
      rename: (name) => changeItem(item.id, { name }),
      done: (changed) => {
        const now = changed ?? this.#item ?? item;
        title.replaceChildren(now.name);
        this.show(now, this.#hasTranscript);
        this.focus();
      },
    });
    title.replaceChildren(field.element);
    field.focus();
  }

  focus() {
    this.#title.focus({ preventScroll: true });
  }

  get #title() {
    return /** @type {HTMLElement} */ (this.element.querySelector("h1"));
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #replace(title, actions) {
    const hadFocus = this.element.contains(document.activeElement);
    const made = this.#made(title, actions);
    this.element.replaceWith(made);
    this.element = made;
    if (hadFocus) this.focus();
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #made(title, actions) {
    const head = pageHead(title, ...actions);
    head.classList.add("transcript-head");
    const label = t("transcript.back");
    head.querySelector("h1")?.setAttribute("dir", "auto");
    head.prepend(h("a", { class: "button quiet icon-only", href: "/recordings", "aria-label": label, title: label }, icon("chevron-left")));
    return head;
  }
}

/** @typedef {import("./text.js").Place} Place */

/**
 * @typedef {object} FindStripParts
 * @property {(places: readonly Place[], current: Place | null) => void} found Called with the places to highlight.
 */

/** A search field with buttons for the next and previous match, which also step through places of another kind. */
export class FindStrip {
  element;
  #found;
  #text = "";
  /** @type {readonly Place[]} */
  #places = [];
  #current = -1;
  /** Whether the places are search matches. */
  #isSearch = true;
  #field = searchField(t("transcript.find"));
  #count = h("p", { class: "find-count numbers", role: "status" });
  #previous = button({ label: t("transcript.find.previous"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: () => this.#step(-1) });
  #next = button({ label: t("transcript.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#step(1) });

  /** @param {FindStripParts} parts */
  constructor({ found }) {
    this.#found = found;
    this.#field.input.addEventListener("input", () => this.search(this.#field.input.value));
    this.#field.input.addEventListener("keydown", (event) => this.#key(event));
    this.element = h("div", { class: "transcript-find", role: "search" }, this.#field.element, this.#count, this.#previous, this.#next);
    this.#showSteps();
  }

  /** @param {string} text Another text to search; the search words stay. */
  take(text) {
    this.#text = text;
    if (this.#field.input.value !== "") this.search(this.#field.input.value);
    else this.leave();
  }

  focus() {
    this.#field.input.focus();
    this.#field.input.select();
  }

  /** @param {string} words */
  search(words) {
    if (this.#field.input.value !== words) this.#field.input.value = words;
    this.#isSearch = true;
    this.#places = findPlaces(this.#text, words);
    this.#current = this.#places.length > 0 ? 0 : -1;
    this.#show();
    if (words.trim() !== "" && this.#places.length === 0) setText(this.#count, t("transcript.find.none"));
  }

  /**
   * Steps through other places, such as uncertain words.
   *
   * @param {readonly Place[]} places
   */
  visit(places) {
    const isSame = !this.#isSearch && this.#places === places;
    this.#field.input.value = "";
    this.#isSearch = false;
    this.#places = places;
    this.#current = isSame ? (this.#current + 1) % places.length : 0;
    this.#show();
  }

  leave() {
    this.#places = [];
    this.#current = -1;
    this.#show();
  }

  /** @param {1 | -1} by */
  #step(by) {
    if (this.#places.length === 0) return;
    this.#current = (this.#current + by + this.#places.length) % this.#places.length;
    this.#show();
  }

  #show() {
    const place = this.#places[this.#current] ?? null;
    this.#found(this.#isSearch ? this.#places : [], place);
    const count = { n: this.#current + 1, all: String(this.#places.length) };
    const word = place === null ? "" : this.#text.slice(place.from, place.to);
    const words = this.#isSearch ? t("transcript.find.count", count) : t("transcript.uncertain.at", { ...count, word });
    setText(this.#count, place === null ? "" : words);
    this.#showSteps();
  }

  #showSteps() {
    const isEmpty = this.#places.length === 0;
    for (const step of [this.#previous, this.#next]) step.hidden = isEmpty;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.#step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.#field.input.value !== "") {
      event.preventDefault();
      this.search("");
    }
  }
}

/**
 * @typedef {object} ReplaceActions
 * @property {(words: string) => number} count How often they occur.
 * @property {(words: string) => void} next Goes to the next place.
 * @property {(words: string, others: string) => void} replace Replaces them everywhere.
 */

/** Finds words while a transcript is edited, and replaces them everywhere. */
export class ReplaceStrip {
  #actions;
  #find = field({ label: t("transcript.replace.find"), onInput: () => this.renew(), onEnter: () => this.#next() });
  #others = field({ label: t("transcript.replace.with"), onEnter: () => this.#replace() });
  #count = h("p", { class: "small muted numbers", role: "status" });
  #all = button({ label: t("transcript.replace.all"), icon: "check", onPress: () => this.#replace() });
  element = h(
    "div",
    { class: "replace-strip", role: "search", "aria-label": t("transcript.replace") },
    this.#find.element,
    this.#others.element,
    button({ label: t("transcript.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#next() }),
    this.#all,
    this.#count,
  );

  /** @param {ReplaceActions} actions */
  constructor(actions) {
    this.#actions = actions;
    this.renew();
  }

  /** @param {string} words Puts them into the field; empty leaves what is there. */
  begin(words) {
    if (words.trim() !== "") this.#find.input.value = words.trim();
    this.renew();
    const input = words.trim() === "" ? this.#find.input : this.#others.input;
    input.focus();
    input.select();
  }

  /** Counts again. */
  renew() {
    const words = this.#find.input.value;
    const count = words.trim() === "" ? 0 : this.#actions.count(words);
    withdraw(this.#all, "disabled", count === 0, this.#find.input);
    setText(this.#count, words.trim() === "" ? "" : t("transcript.replace.count", { n: count }));
  }

  #next() {
    if (this.#find.input.value.trim() !== "") this.#actions.next(this.#find.input.value);
  }

  #replace() {
    if (this.#all.disabled) return;
    this.#actions.replace(this.#find.input.value, this.#others.input.value);
    this.renew();
  }
}

/** @typedef {import("../../../server/transcriptions.js").Transcript} Transcript */
/** @typedef {import("../../../server/transcriptions.js").TranscriptVersion} TranscriptVersion */
/** @typedef {import("../../../server/transcriptions.js").EditedSegment} EditedSegment */

/**
 * The origin of a version in words.
 *
 * @param {Pick<TranscriptVersion, "recognizer" | "recognizerName" | "base"> & Partial<Pick<TranscriptVersion, "speakers" | "changes" | "isDraft">>} version
 */
export function makerOf(version) {
  if (!version.speakers) return writerOf(version);
  const found = t("speakers.found", { n: version.speakers });
  return version.recognizer === null ? found : `${writerOf(version)}, ${found}`;
}

/** @param {Pick<TranscriptVersion, "recognizer" | "recognizerName" | "base"> & Partial<Pick<TranscriptVersion, "changes" | "isDraft">>} version */
function writerOf({ recognizer, recognizerName, base, changes, isDraft }) {
  if (recognizer !== null) {
    const name = recognizerName ?? recognizer;
    return isDraft ? t("transcript.by.draft", { name }) : name;
  }
  if (base !== null && changes) {
    const words = changes.words === 0 ? [] : [t("transcript.changed", { n: changes.words })];
    const all = [...words, ...changes.speakers.map(shownSpeaker)];
    if (all.length > 0) return all.join(", ");
  }
  return t(base === null ? "transcript.by.writer" : "transcript.by.person");
}

/**
 * @typedef {object} VersionActions
 * @property {(id: string) => void} show
 * @property {(id: string) => void} compare
 * @property {(id: string) => Promise<TranscriptVersion[]>} makeCurrent
 * @property {(id: string) => { undo: () => void, finish: (options?: { keepalive?: boolean }) => Promise<void> }} remove
 */

/** The versions of a transcript: each can be shown, compared, made current or deleted. */
export class VersionsSheet extends Sheet {
  #actions;
  #shown;
  /** @type {readonly TranscriptVersion[]} */
  #versions;
  #list = h("ul", { class: "versions" });
  #problem = h("div", {});

  /**
   * @param {readonly TranscriptVersion[]} versions Newest first.
   * @param {string} shown The id of the one on screen.
   * @param {VersionActions} actions
   */
  constructor(versions, shown, actions) {
    super({ title: t("transcript.versions"), kind: "side", className: "versions-sheet" });
    this.#versions = versions;
    this.#shown = shown;
    this.#actions = actions;
    this.build({ content: [this.#problem, this.#list] });
    this.#fill();
  }

  #fill() {
    fill(this.#list, ...this.#versions.map((version) => this.#row(version)));
  }

  /** @param {TranscriptVersion} version */
  #row(version) {
    const { id, number, created, words, isCurrent, range } = version;
    const isShown = id === this.#shown;
    const name = t("transcript.version", { n: number });
    const facts = [longDate(created), t("unit.words", { n: words }), range === null ? null : t("transcript.version.part")];
    const act = (/** @type {string} */ key, /** @type {() => void} */ onPress) => {
      const one = button({ label: t(key), onPress });
      one.setAttribute("aria-label", t("transcript.version.do", { action: t(key), name }));
      return one;
    };
    return h(
      "li",
      { class: isShown ? "version shown" : "version" },
      h("p", { class: "version-name" }, `${name} · ${makerOf(version)}`),
      h("p", { class: "muted small" }, facts.filter((fact) => fact !== null).join(" · ")),
      isCurrent ? h("p", { class: "version-current small" }, icon("check"), t("transcript.version.current")) : null,
      h(
        "div",
        { class: "version-actions" },
        isShown ? null : act("transcript.version.show", () => this.#leave(() => this.#actions.show(id))),
        isShown ? null : act("transcript.version.compare", () => this.#leave(() => this.#actions.compare(id))),
        isCurrent ? null : act("transcript.version.choose", () => this.#choose(id)),
        act("do.delete", () => this.#remove(version)),
      ),
    );
  }

  /** @param {() => void} then Called after the focus has returned, and may move it. */
  #leave(then) {
    this.closed.then(then);
    this.close();
  }

  /** @param {string} id */
  async #choose(id) {
    fill(this.#problem);
    try {
      this.#versions = await this.#actions.makeCurrent(id);
      this.#fill();
      this.#list.querySelector("button")?.focus();
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {TranscriptVersion} version */
  #remove({ id, number }) {
    const pending = this.#actions.remove(id);
    this.close();
    showUndo({
      text: t("transcript.version.deleted", { n: number }),
      undo: pending.undo,
      commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
    });
  }
}

/**
 * @param {string} key
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 */
export function optionRow(key, isOn, onChange) {
  const label = t(key);
  return h("div", { class: "transcript-option" }, h("span", {}, label), toggleSwitch({ label, isOn, onChange }));
}

/** The name of the speaker, here or everywhere. */
export class SpeakerSheet extends Sheet {
  #transcript;
  #stretch;
  #save;
  #field;
  #problem = h("div", {});

  /**
   * @param {Transcript} transcript
   * @param {{ first: number, last: number }} stretch The indices of its segments.
   * @param {Element} anchor
   * @param {object} options
   * @param {(segments: EditedSegment[]) => Promise<void>} options.save Saves them as a new version.
   * @param {boolean} options.lacksModels Whether the models for finding speakers are missing.
   */
  constructor(transcript, stretch, anchor, { save, lacksModels }) {
    super({ title: t("transcript.speaker.title"), anchor, className: "speaker-sheet" });
    this.#transcript = transcript;
    this.#stretch = stretch;
    this.#save = save;
    const names = h("datalist", { id: newId("speakers") }, ...speakersIn(transcript.segments).map((name) => h("option", { value: shownSpeaker(name) })));
    const { speaker } = transcript.segments[stretch.first];
    const shown = shownSpeaker(speaker ?? "");
    const everywhere = speaker === null ? t("transcript.speaker.all") : t("transcript.speaker.everywhere", { name: shown });
    this.#field = field({
      label: t("transcript.speaker"),
      value: shown,
      attributes: { list: names.id, maxlength: 80, autofocus: "" },
      onEnter: () => this.#take(false),
    });
    this.build({
      content: [
        this.#field.element,
        names,
        this.#problem,
        h("p", { class: "muted small" }, t("transcript.speaker.hint")),
        ...(lacksModels ? [h("p", { class: "muted small" }, t("speakers.missing"))] : []),
      ],
      actions: [
        button({ label: everywhere, onPress: () => this.#take(true) }),
        button({ label: t("transcript.speaker.here"), look: "primary", onPress: () => this.#take(false) }),
      ],
    });
  }

  /** @param {boolean} isEverywhere */
  async #take(isEverywhere) {
    const name = keptSpeaker(this.#field.input.value.trim());
    fill(this.#problem);
    try {
      await this.#save(renamed(this.#transcript.segments, this.#stretch, name, isEverywhere));
      this.close();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }
}
