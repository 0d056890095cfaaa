import { button } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { showToast } from "../../../components/toast.js";
import { fill, h } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { habit, keepHabit } from "../../../core/habit.js";
import { t } from "../../../core/i18n.js";
import { pageAt } from "../places.js";
import { DocumentText } from "../text/document-text.js";
import { Following } from "./following.js";
import { PagePictures } from "./page-pictures.js";
import { passwordQuestion, rememberPassword } from "./passwords.js";
import { ContentsSheet, FindBar, ViewerBar } from "./viewer-bar.js";
import { player } from "../../../player/player.js";
import { loadDocumentText, previewSelection } from "../../../server/documents.js";
import { loadItem } from "../../../server/library.js";

/** @typedef {import("../../../server/documents.js").Document} Document */
/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
/** @typedef {import("../text/text-section.js").Cut} Cut */
/** @typedef {import("./viewer-bar.js").Mode} Mode */

/** The browser's storage key for the way of viewing documents; it reveals nothing about the user. */
const memory = "page.document-view";

/** The roles that repeat on pages and are not part of the text itself. */
const hidden = new Set(["header", "footer", "pageNumber"]);

/** A document's pages or text, with the tools above them. */
export class DocumentView {
  #document;
  #structure;
  #signal;
  #following;
  #find;
  #text = new DocumentText();
  #pictures = new PagePictures();
  /** @type {Mode} */
  #mode;
  /** Whether the spoken words are scrolled into view. */
  #follows = true;
  #back = h("div", { class: "reading-back" }, button({ label: t("reading.follow"), icon: "text", onPress: () => this.#follow() }));
  #problem = h("div", { class: "viewer-problem" });
  #place = h("div", { class: "viewer-content" });

  /**
   * @param {Document} document
   * @param {Structure} structure
   * @param {AbortSignal} signal
   */
  constructor(document, structure, signal) {
    this.#document = document;
    this.#structure = structure;
    this.#signal = signal;
    this.#following = new Following(document.id);
    this.#mode = structure.kind === "pdf" ? habit(memory, ["pages", "text"]) : "text";
    this.#find = new FindBar(document.id, {
      from: () => this.unit,
      found: (places, current) => this.#showFound(places, current),
    });
    this.bar = new ViewerBar(structure, this.#find.element, {
      openContents: () => new ContentsSheet(structure, this.unit, (chapter) => this.#goTo(chapter)).open(),
      show: (mode) => this.#choose(mode),
      zoom: (zoom) => {
        const { page } = this.#pictures;
        this.#pictures.zoom = zoom;
        if (zoom === "page") this.#pictures.goToPage(page);
        this.bar.showZoom(zoom, this.#pictures.factor);
      },
      goToPage: (page) => this.#goTo(structure.pages[page - 1]),
    });
    this.#back.hidden = true;
    this.element = h("div", { class: "viewer" }, this.bar.element, this.#problem, this.#place, this.#back);
  }

  /** The visible place of the text. */
  get unit() {
    return this.#mode === "text" ? this.#text.unit : (this.#structure.pages[this.#pictures.page - 1]?.from ?? 0);
  }

  /** Starts it; called once the element is in the page. */
  begin() {
    const signal = this.#signal;
    this.#text.addEventListener("text-moved", () => this.bar.showPage(pageAt(this.#structure.pages, this.#text.unit)), { signal });
    this.#text.addEventListener("text-place", (event) => this.#pressed(event), { signal });
    this.#pictures.addEventListener("page-moved", () => {
      this.bar.showPage(this.#pictures.page);
      this.bar.showZoom(this.#pictures.zoom, this.#pictures.factor);
    }, { signal });
    this.#pictures.addEventListener("pictures-locked", (event) => this.#askPassword(/** @type {CustomEvent} */ (event).detail), { signal });
    for (const name of ["wheel", "touchmove"]) {
      document.addEventListener(name, () => this.#movedByHand(), { signal, passive: true });
    }
    this.#show(this.#mode);
    this.bar.showPage(1);
    this.#find.start(signal);
    this.#following.heard.watch(() => this.#showHeard(), signal);
    this.#following.start(signal);
    this.goToAddress();
  }

  /** Scrolls to the place, the words or the recording in the address. */
  async goToAddress() {
    const wanted = new URLSearchParams(location.search);
    const recording = wanted.get("recording");
    const at = wanted.get("at");
    const words = wanted.get("words");
    if (recording !== null) {
      this.#show("text");
      await this.#goToRecording(recording);
    } else if (at !== null && /^\d+$/.test(at)) {
      this.#show("text");
      await this.#text.goTo({ from: Number(at), to: Number(at) + 1 });
      if (words) await this.#find.search(words);
    }
  }

  /** @param {string} id Of the recording. */
  async #goToRecording(id) {
    this.#follows = true;
    this.#back.hidden = true;
    if (player.isCurrent(id) && this.#following.heard.value !== null) {
      this.#reveal(true);
      return;
    }
    try {
      const source = (await loadItem(id, this.#signal)).narration?.document;
      if (source?.id !== this.#document.id) return;
      const { pieces } = await previewSelection(this.#document.id, source.selection ?? {}, this.#signal);
      if (pieces[0] !== undefined && this.#following.heard.value === null) await this.#text.goTo(pieces[0]);
    } catch (error) {
      if (!this.#signal.aborted) showToast({ icon: "error", text: wordsFor(error).message });
    }
  }

  /** @param {Mode} mode The mode that the user chose. */
  #choose(mode) {
    const { unit } = this;
    keepHabit(memory, mode);
    this.#show(mode);
    if (unit > 0) this.#goTo({ from: unit, to: unit + 1 });
  }

  /** @param {Mode} mode */
  #show(mode) {
    const shown = mode === "text" ? this.#text : this.#pictures;
    this.#mode = mode;
    this.bar.showMode(mode);
    if (shown.parentNode === this.#place) return;
    fill(this.#place, shown);
    if (mode === "pages") {
      this.#pictures.show(this.#document.id, this.#structure.pages);
    } else {
      this.#text.show({
        spans: [{ from: 0, to: this.#structure.length }].filter(({ to }) => to > 0),
        load: (span, signal) => loadDocumentText(this.#document.id, span, signal),
        cuts: cutsIn,
        failed: (error) => fill(this.#problem, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#again() }))),
      });
    }
  }

  #again() {
    const { unit } = this;
    fill(this.#problem);
    fill(this.#place);
    this.#show(this.#mode);
    this.#goTo({ from: unit, to: unit + 1 });
  }

  /** @param {Span} span */
  #goTo(span) {
    this.#stopFollowing();
    if (this.#mode === "text") this.#text.goTo(span);
    else this.#pictures.goToPage(pageAt(this.#structure.pages, span.from));
  }

  /**
   * @param {readonly (Span & { page: number })[]} places
   * @param {(Span & { page: number }) | null} current
   */
  #showFound(places, current) {
    this.#text.mark("found", places, 2);
    this.#text.mark("found-now", current === null ? [] : [current], 3);
    if (current === null) return;
    this.#stopFollowing();
    if (this.#mode === "text") this.#text.goTo(current, { onlyIfAway: true });
    else this.#pictures.goToPage(current.page);
  }

  /** @param {Event} event */
  #pressed(event) {
    const { unit } = /** @type {CustomEvent<{ unit: number }>} */ (event).detail;
    if (this.#following.heard.value === null) return;
    if (this.#following.seek(unit)) this.#follow();
    else showToast({ text: t("reading.ahead"), seconds: 3 });
  }

  #showHeard() {
    const heard = this.#following.heard.value;
    this.#text.mark("spoken-sentence", heard?.sentence ?? []);
    this.#text.mark("spoken-word", heard?.word ?? [], 1);
    if (heard === null) this.#back.hidden = true;
    else if (this.#follows) this.#reveal(false);
  }

  /** @param {boolean} always Even when it is in view. */
  #reveal(always) {
    const place = this.#following.heard.value?.sentence[0];
    if (place === undefined) return;
    if (this.#mode === "text") {
      this.#text.goTo(place, { smooth: true, onlyIfAway: !always });
    } else {
      const page = pageAt(this.#structure.pages, place.from);
      if (always || page !== this.#pictures.page) this.#pictures.goToPage(page);
    }
  }

  #follow() {
    this.#follows = true;
    this.#back.hidden = true;
    this.#reveal(true);
  }

  /** Stops following when the user looks elsewhere. */
  #stopFollowing() {
    if (this.#following.heard.value === null) return;
    this.#follows = false;
    this.#back.hidden = false;
  }

  #movedByHand() {
    if (this.#follows && document.querySelector("dialog[open]") === null) this.#stopFollowing();
  }

  /** @param {{ code: string, words: string }} problem Why there are no pictures. */
  #askPassword({ code, words }) {
    if (this.#problem.querySelector("input") !== null) return;
    const leave = () => fill(this.#problem);
    const question = passwordQuestion({
      open: (password) => {
        leave();
        rememberPassword(this.#document.id, password);
        this.#pictures.again();
      },
      showText: () => {
        leave();
        this.#choose("text");
      },
    });
    fill(this.#problem, question.element);
    if (code === "document.password-wrong") question.refuse(words);
  }
}

/**
 * Hides repeated text, and marks notes beside the text.
 *
 * @param {TextPart} part
 * @returns {Cut[]}
 */
function cutsIn({ marks }) {
  return marks.map(({ from, to, index, role }) => ({
    from,
    to,
    look: hidden.has(role) ? "hidden" : "aside",
    key: `mark-${index}`,
    label: t(`role.${role}`),
  }));
}
