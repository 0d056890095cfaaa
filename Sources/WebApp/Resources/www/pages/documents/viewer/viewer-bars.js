import { button } from "../../../components/button.js";
import { searchField, segments, setSegment } from "../../../components/field.js";
import { actionToVoices } from "../../../components/notice.js";
import { Sheet, withdraw } from "../../../components/sheet.js";
import { showNews, showToast } from "../../../components/toast.js";
import { h, setAttribute, setText } from "../../../core/dom.js";
import { duration, paragraphFor, wordsFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { player } from "../../../player/player.js";
import { chapterAt, findPlaces, pageAt } from "../../../server/documents.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listNarrations } from "../../../server/narrations.js";
import { openStopMenu, saySaved, stopAndDiscard, stopAndKeep, stopAndLeave } from "../../list/item-actions.js";
import { sayLeft } from "../batch.js";

/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("../page-pictures.js").Zoom} Zoom */
/** @typedef {import("../../../server/documents.js").Chapter} Chapter */
/** @typedef {import("../../../server/documents.js").Span & { page: number }} Found */

/** Page sizes, as factors of the view's width. */
const factors = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];

/** @typedef {"pages" | "text"} Mode */

/**
 * @typedef {object} ViewerBarActions
 * @property {() => void} openContents
 * @property {(mode: Mode) => void} show
 * @property {(zoom: Zoom) => void} zoom
 * @property {(page: number) => void} goToPage
 */

/** The toolbar above a document; stays in view. */
export class ViewerBar {
  #actions;
  #count;
  #factor = 1;
  /** @type {Zoom} */
  #zoom = "width";
  #page;
  #modes;
  #zooms;
  #hasContents;
  #percent = h("span", { class: "zoom-words numbers", "aria-live": "polite" });
  #fit;

  /**
   * @param {Structure} structure
   * @param {HTMLElement} find
   * @param {ViewerBarActions} actions
   */
  constructor({ kind, pages, chapters }, find, actions) {
    this.#actions = actions;
    this.#count = pages.length;
    this.#hasContents = chapters.length > 0;
    this.#page = h("input", { type: "text", inputmode: "numeric", class: "field page-field numbers", autocomplete: "off", "aria-label": t("viewer.page") });
    this.#page.addEventListener("change", () => this.#typed());
    this.#page.addEventListener("focus", () => this.#page.select());
    const quiet = /** @type {const} */ ({ look: "quiet", iconOnly: true });
    const step = (/** @type {1 | -1} */ by) => () => this.zoomBy(by);
    this.#fit = button({ label: t("viewer.fit.page"), icon: "expand", ...quiet, onPress: () => this.setZoom(this.#zoom === "width" ? "page" : "width") });
    this.#zooms = h(
      "div",
      { class: "zooms", role: "group", "aria-label": t("viewer.zoom") },
      button({ label: t("viewer.zoom.out"), icon: "minus", ...quiet, onPress: step(-1) }),
      this.#percent,
      button({ label: t("viewer.zoom.in"), icon: "plus", ...quiet, onPress: step(1) }),
      this.#fit,
    );
    this.#modes = segments({
      label: t("viewer.mode"),
      options: [{ value: /** @type {Mode} */ ("pages"), label: t("viewer.mode.pages") }, { value: "text", label: t("viewer.mode.text") }],
      value: "pages",
      onChange: actions.show,
    });
    this.element = h(
      "div",
      { class: "viewer-bar", role: "toolbar", "aria-label": t("viewer.tools") },
      this.#hasContents && button({ label: t("viewer.contents"), icon: "chapters", className: "viewer-contents", opens: true, ...quiet, onPress: actions.openContents }),
      kind === "pdf" ? this.#modes : null,
      this.#zooms,
      pages.length < 2 ? null : h("div", { class: "page-place" }, this.#page, h("span", { class: "muted numbers" }, t("viewer.of", { n: pages.length }))),
      find,
    );
  }

  /**
   * The tools for which a narrow page has no room, for the document's menu.
   *
   * @returns {(import("../../../components/sheet.js").MenuItem | "separator")[]}
   */
  get menuItems() {
    if (document.documentElement.dataset.frame !== "narrow") return [];
    const fits = this.#zoom === "width" ? "page" : "width";
    /** @type {(import("../../../components/sheet.js").MenuItem | "separator")[]} */
    const items = this.#hasContents ? [{ label: t("viewer.contents"), icon: "chapters", run: this.#actions.openContents }] : [];
    if (!this.#zooms.hidden) {
      items.push(
        { label: t("viewer.zoom.in"), icon: "plus", hint: this.#percent.textContent ?? "", run: () => this.zoomBy(1) },
        { label: t("viewer.zoom.out"), icon: "minus", run: () => this.zoomBy(-1) },
        { label: t(`viewer.fit.${fits}`), icon: "expand", run: () => this.setZoom(fits) },
      );
    }
    return items.length === 0 ? [] : [...items, "separator"];
  }

  /** @param {Mode} mode */
  showMode(mode) {
    setSegment(this.#modes, mode);
    this.#zooms.hidden = mode === "text";
  }

  /** @param {number} page */
  showPage(page) {
    if (document.activeElement !== this.#page) this.#page.value = String(page);
  }

  /**
   * @param {Zoom} zoom
   * @param {number} factor The resulting width, as a factor of the view's.
   */
  showZoom(zoom, factor) {
    this.#zoom = zoom;
    this.#factor = factor;
    setText(this.#percent, t("viewer.percent", { n: number(factor * 100) }));
    const label = t(zoom === "width" ? "viewer.fit.page" : "viewer.fit.width");
    setAttribute(this.#fit, "aria-label", label);
    setAttribute(this.#fit, "title", label);
  }

  /** @param {1 | -1} by */
  zoomBy(by) {
    const wanted =
      by > 0 ? factors.find((one) => one > this.#factor + 0.01) : [...factors].reverse().find((one) => one < this.#factor - 0.01);
    if (wanted !== undefined) this.setZoom(wanted === 1 ? "width" : wanted);
  }

  /** @param {Zoom} zoom */
  setZoom(zoom) {
    if (!this.#zooms.hidden) this.#actions.zoom(zoom);
  }

  #typed() {
    const page = Math.round(Number(this.#page.value));
    if (page >= 1 && page <= this.#count) this.#actions.goToPage(page);
    else this.#page.value = "";
    this.#page.select();
  }
}

/** The table of contents of a document; the current chapter is marked. */
export class ContentsSheet extends Sheet {
  #pages;
  #choose;
  #list;

  /**
   * @param {Structure} structure
   * @param {number} unit The visible place of the text.
   * @param {(chapter: Chapter) => void} choose
   */
  constructor({ chapters, pages }, unit, choose) {
    super({ title: t("viewer.contents"), kind: "side", className: "contents-sheet" });
    this.#pages = pages;
    this.#choose = choose;
    const current = chapterAt(chapters, unit);
    const first = current ?? chapters[0];
    const entries = chapters.map((chapter) => this.#entry(chapter, chapter === current, chapter === first));
    this.#list = h("ol", { class: "contents-list" }, ...entries);
    this.#list.addEventListener("keydown", (event) => moveInList(event, this.#list));
    this.build({ content: [this.#list] });
  }

  open() {
    super.open();
    this.#list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
    return this;
  }

  /**
   * @param {Chapter} chapter
   * @param {boolean} isCurrent
   * @param {boolean} isFirst Whether it gets the focus first.
   */
  #entry(chapter, isCurrent, isFirst) {
    const { title, level, from } = chapter;
    const onclick = () => {
      this.close();
      this.#choose(chapter);
    };
    return h(
      "li",
      { class: `level-${Math.min(level, 6)}` },
      h(
        "button",
        { type: "button", class: "contents-entry", "aria-current": isCurrent ? "true" : null, autofocus: isFirst, onclick },
        h("span", { class: "chapter-title", dir: "auto" }, title),
        h("span", { class: "muted small numbers" }, String(pageAt(this.#pages, from))),
      ),
    );
  }
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 */
function moveInList(event, list) {
  const entries = [...list.querySelectorAll("button")];
  const at = entries.findIndex((one) => one === document.activeElement);
  /** @type {Record<string, number>} */
  const targets = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 };
  const to = targets[event.key];
  if (to === undefined) return;
  event.preventDefault();
  entries[Math.max(0, Math.min(entries.length - 1, to))]?.focus();
}

/** Milliseconds after the last key until the search. */
const typingRest = 250;

/**
 * @typedef {object} FindListener
 * @property {() => number} from The place in the text where a search starts.
 * @property {(places: readonly Found[], current: Found | null) => void} found Called with the matches; `current` is to
 * be scrolled into view.
 */

/** The search in the document: the number of matches, and buttons for the next and the previous one. */
export class FindBar {
  #id;
  #listener;
  #timer = 0;
  #request = new AbortController();
  /** @type {readonly Found[]} */
  #places = [];
  #isCut = false;
  #at = -1;
  #searched = "";
  #input;
  #count = h("span", { class: "find-count numbers", role: "status" });
  #steps;

  /**
   * @param {string} id Of the document.
   * @param {FindListener} listener
   */
  constructor(id, listener) {
    this.#id = id;
    this.#listener = listener;
    const before = button({ label: t("viewer.find.before"), icon: "chevron-up", look: "quiet", iconOnly: true, onPress: () => this.#step(-1) });
    const next = button({ label: t("viewer.find.next"), icon: "chevron-down", look: "quiet", iconOnly: true, onPress: () => this.#step(1) });
    this.#steps = h("span", { class: "find-steps", hidden: true }, before, next);
    const { element, input } = searchField(t("viewer.find"));
    this.#input = input;
    this.element = h("div", { class: "find-bar", role: "search" }, element, this.#count, this.#steps);
    this.#input.addEventListener("input", () => this.#typed());
    this.#input.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      this.#request.abort();
    }, { once: true });
  }

  /**
   * Searches for words as if they had been typed.
   *
   * @param {string} words
   */
  search(words) {
    this.#input.value = words;
    return this.#search();
  }

  #typed() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(), typingRest);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "Enter" && !event.isComposing) {
      clearTimeout(this.#timer);
      if (this.#input.value.trim() !== this.#searched) this.#search();
      else this.#step(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape" && this.#input.value !== "") {
      this.#input.value = "";
      this.#search();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async #search() {
    const words = this.#input.value.trim();
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#searched = words;
    if (words === "") {
      this.#show([], false);
      return;
    }
    try {
      const { places, isCut } = await findPlaces(this.#id, words, signal);
      if (!signal.aborted) this.#show(places, isCut);
    } catch (error) {
      if (!signal.aborted) setText(this.#count, wordsFor(error).message);
    }
  }

  /**
   * @param {readonly Found[]} places
   * @param {boolean} isCut
   */
  #show(places, isCut) {
    const from = this.#listener.from();
    this.#places = places;
    this.#isCut = isCut;
    const at = places.findIndex((place) => place.from >= from);
    this.#at = places.length === 0 ? -1 : Math.max(0, at);
    this.#steps.hidden = places.length === 0;
    this.#notify();
  }

  /** @param {1 | -1} by */
  #step(by) {
    if (this.#places.length === 0) return;
    this.#at = (this.#at + by + this.#places.length) % this.#places.length;
    this.#notify();
  }

  #notify() {
    const count = this.#places.length;
    if (this.#searched === "") setText(this.#count, "");
    else if (count === 0) setText(this.#count, t("viewer.find.none"));
    else setText(this.#count, t(this.#isCut ? "viewer.find.many" : "viewer.find.count", { at: this.#at + 1, n: count }));
    this.#listener.found(this.#places, this.#places[this.#at] ?? null);
  }
}

/** @typedef {import("../../../server/narrations.js").Narration} Narration */

/** The running narration of a document: its progress, with buttons to listen and to stop. */
export class NarrationStrip {
  #document;
  /** @type {Narration | null} */
  #narration = null;
  #tenth = -1;
  #newest = new NewestState();
  #words = h("p", { class: "strip-words numbers" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("speak.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );

  /** Visible while something else is in the player, which has buttons of its own for what it plays. */
  #listen = button({ label: t("strip.listen"), icon: "play", look: "quiet", onPress: () => this.#narration !== null && player.resumeNarration(this.#narration) });
  #stop = button({ label: t("strip.stop"), icon: "stop", look: "quiet", opens: true, onPress: () => this.#askToStop(this.#stop) });

  /** @param {string} document Its id. */
  constructor(document) {
    this.#document = document;
    const main = h("div", { class: "strip-main" }, this.#words, this.#bar);
    this.#box = h("div", { class: "narration-strip", hidden: true }, main, h("div", { class: "strip-actions" }, this.#listen, this.#stop));
    this.element = h("div", {}, this.#box, this.#status);
  }

  #box;

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("narration", (narration, event) => this.#isOf(narration) && this.#newest.takesEvent(event) && this.#take(narration), signal);
    onServer("reset", () => this.#look(signal), signal);
    player.track.watch(() => this.#offerToListen(), signal);
    this.#look(signal);
  }

  /** @param {AbortSignal} signal */
  async #look(signal) {
    try {
      const narrations = await listNarrations(signal);
      if (!this.#newest.takesAnswer(narrations)) return;
      narrations.filter((one) => this.#isOf(one)).forEach((one) => this.#take(one));
      if (this.#narration !== null && !narrations.some(({ id }) => id === this.#narration?.id)) this.#hide();
    } catch {
      // The next event brings the state.
    }
  }

  /** @param {Narration} narration */
  #isOf(narration) {
    return narration.document?.id === this.#document;
  }

  /** @param {Narration} narration One of the document. */
  #take(narration) {
    const isGoing = narration.state === "speaking" || narration.state === "waiting";
    if (!isGoing && narration.id !== this.#narration?.id) return;
    this.#narration = isGoing ? narration : null;
    withdraw(this.#box, "hidden", !isGoing);
    if (isGoing) this.#show(narration);
    else this.#ended(narration);
  }

  /** @param {Narration} narration */
  #show({ name, state: phase, characters, position, secondsLeft }) {
    const part = characters === 0 ? 0 : Math.min(1, position / characters);
    const left = phase === "speaking" && secondsLeft !== null ? ` · ${t("speak.left", { time: duration(secondsLeft) })}` : "";
    this.#offerToListen();
    const words = `${t(phase === "waiting" ? "strip.waiting" : "strip.speaking", { name })}${left}`;
    setText(this.#words, words);
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    const tenth = Math.floor(part * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    setText(this.#status, t("speak.percent", { n: tenth * 10 }));
  }

  #offerToListen() {
    withdraw(this.#listen, "hidden", this.#narration !== null && player.isCurrent(this.#narration.id), this.#stop);
  }

  /** It ended without reporting anything. */
  #hide() {
    this.#narration = null;
    this.#tenth = -1;
    withdraw(this.#box, "hidden", true);
  }

  /** @param {Narration} narration */
  #ended({ id, state, name, failure, times }) {
    this.#tenth = -1;
    if (state === "finished" && times !== null && times.late > 0) {
      const { captions, late, seconds } = times;
      saySaved({ id, name }, t("strip.late", { n: late, all: number(captions), seconds: number(seconds, 1) }));
    } else if (state === "finished") saySaved({ id, name });
    if (state === "failed") showNews({ icon: "error", text: `${t("strip.failed", { name })} ${paragraphFor(failure)}`, action: actionToVoices(failure) });
  }

  /** @param {Element} anchor */
  #askToStop(anchor) {
    const narration = this.#narration;
    if (narration === null) return;
    const undone = (/** @type {boolean} */ isRecording) => isRecording || this.#sayLeft(narration);
    const stop = (/** @type {boolean} */ keepsPart) => this.#end(() => (keepsPart ? stopAndKeep(narration.id) : stopAndDiscard(narration, undone)));
    openStopMenu({ seconds: narration.seconds, anchor, stop, later: () => this.#leave(narration) });
  }

  /** @param {Narration} narration */
  async #leave(narration) {
    await this.#end(async () => (await stopAndLeave(narration.id)) && this.#sayLeft(narration));
  }

  /** @param {Narration} narration */
  #sayLeft(narration) {
    sayLeft(narration, async () => (await import("../../speak/speaking.js")).speaking.resume(narration.id));
  }

  /** @param {() => Promise<unknown>} stop */
  async #end(stop) {
    try {
      await stop();
    } catch (error) {
      showToast({ icon: "error", text: paragraphFor(error), action: actionToVoices(error) });
    }
  }
}
