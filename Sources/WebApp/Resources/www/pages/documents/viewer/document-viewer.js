import { button, icon } from "../../../components/button.js";
import { pageHead } from "../../../components/frame.js";
import { errorNotice, notice } from "../../../components/notice.js";
import { moreButton, openMenu, withdraw } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { languageName, noticeWords, paragraphFor, size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { Cell } from "../../../core/store.js";
import { player } from "../../../player/player.js";
import { spokenAt, timeOfPlace } from "../../../player/track.js";
import { loadDocument, loadDocumentText, loadStructure, pageAt, placesOf, previewSelection, spokenUnit } from "../../../server/documents.js";
import { onServer } from "../../../server/events.js";
import { loadItem } from "../../../server/library.js";
import { listNarrations } from "../../../server/narrations.js";
import { practiseEntry } from "../../list/item-actions.js";
import { habit, keepHabit } from "../../list/list-controls.js";
import { ChoiceSheet } from "../choice/choice-sheet.js";
import { deleteAsked, listenTo } from "../document-row.js";
import { PagePictures, passwordQuestion, rememberPassword } from "../page-pictures.js";
import { ShareSheet } from "../share-sheet.js";
import { DocumentText } from "../text/document-text.js";
import { ContentsSheet, FindBar, NarrationStrip, ViewerBar } from "./viewer-bars.js";

/** @typedef {import("../../../server/documents.js").Piece} Piece */
/** @typedef {import("../../../server/documents.js").Span} Span */
/** @typedef {import("../../../player/track.js").Track} Track */

/** @typedef {{ sentence: Span[], word: Span[] }} Heard The places of the spoken sentence and word in the document. */

/** Maps the player's time to places of a document, and pressed places to the player's time. */
class Following {
  /** @type {Cell<Heard | null>} `null` while the player has nothing of this document. */
  heard = new Cell(/** @type {Heard | null} */ (null));
  #id;
  /** @type {{ track: string, pieces: Piece[] } | null} */
  #spoken = null;
  #asked = "";
  #frame = 0;
  /** @type {[unknown, unknown]} The sentence and word reported last. */
  #reported = [null, null];

  /** @param {string} id Of the document. */
  constructor(id) {
    this.#id = id;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    player.track.follow((track) => this.#take(track, signal), signal);
    player.transcript.watch(() => this.#plan(), signal);
    player.phase.watch(() => this.#plan(), signal);
    player.time.watch(() => this.#plan(), signal);
    signal.addEventListener("abort", () => cancelAnimationFrame(this.#frame), { once: true });
  }

  /**
   * Moves the player to a place of the document, if the player has it.
   *
   * @param {number} unit
   * @returns {boolean} Whether it did.
   */
  seek(unit) {
    const spoken = this.#spoken === null ? null : spokenUnit(this.#spoken.pieces, unit);
    const seconds = spoken === null ? null : timeOfPlace(player.transcript.value?.sentences ?? [], spoken);
    if (seconds === null) return false;
    player.seek(seconds);
    return true;
  }

  /**
   * @param {Track | null} track
   * @param {AbortSignal} signal
   */
  async #take(track, signal) {
    const asked = track === null ? "" : track.id;
    if (asked === this.#asked) return;
    this.#asked = asked;
    this.#spoken = null;
    this.#notify(null, null, null);
    if (track === null) return;
    try {
      const source = await sourceOf(track, signal);
      if (source?.id !== this.#id || this.#asked !== asked) return;
      const { pieces } = await previewSelection(this.#id, source.selection ?? {}, signal);
      if (this.#asked !== asked || signal.aborted) return;
      this.#spoken = { track: track.id, pieces };
      await player.needTranscript();
      this.#plan();
    } catch {
      // Then the document does not follow the player; the player shows its error.
    }
  }

  #plan() {
    if (this.#frame !== 0 || this.#spoken === null) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#look();
      if (player.phase.value === "playing") this.#plan();
    });
  }

  #look() {
    const transcript = player.transcript.value;
    if (this.#spoken === null || transcript?.id !== this.#spoken.track) return;
    const { sentence, word } = spokenAt(transcript.sentences, player.now());
    if (this.heard.value !== null && sentence === this.#reported[0] && word === this.#reported[1]) return;
    this.#notify(sentence, word, this.#spoken.pieces);
  }

  /**
   * @param {Span | null} sentence In the spoken text.
   * @param {Span | null} word
   * @param {readonly Piece[] | null} pieces `null` when nothing is playing.
   */
  #notify(sentence, word, pieces) {
    this.#reported = [sentence, word];
    if (pieces === null) {
      if (this.heard.value !== null) this.heard.set(null);
      return;
    }
    this.heard.set({
      sentence: sentence === null ? [] : placesOf(pieces, sentence),
      word: word === null ? [] : placesOf(pieces, word),
    });
  }
}

/**
 * The document and the selection that a track speaks. A narration that is not listed any more has become a recording.
 *
 * @param {Track} track
 * @param {AbortSignal} signal
 */
async function sourceOf({ kind, id }, signal) {
  const narrations = kind === "recording" ? [] : await listNarrations(signal);
  const narration = narrations.find((one) => one.id === id) ?? (await loadItem(id, signal)).narration;
  return narration?.document ?? null;
}

/** @typedef {import("../../../server/documents.js").Document} Document */
/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
/** @typedef {import("../text/text-parts.js").Cut} Cut */
/** @typedef {import("./viewer-bars.js").Mode} Mode */

/** The browser's storage key for the way of viewing documents; it reveals nothing about the user. */
const memory = "page.document-view";

/** The roles that repeat on pages and are not part of the text itself. */
const hidden = new Set(["header", "footer", "pageNumber"]);

/** A document's pages or text, with the tools above them. */
class DocumentView {
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
      if (!this.#signal.aborted) showToast({ icon: "error", text: paragraphFor(error) });
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
    withdraw(this.#back, "hidden", true);
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

/** `<echo-document-viewer>`: one document, to view, read along and narrate. */
export class DocumentViewer extends HTMLElement {
  documentId = "";
  #life = new AbortController();
  /** @type {Document | null} */
  #document = null;
  /** @type {DocumentView | null} */
  #view = null;
  #place = h("div", { class: "viewer-place" });

  #more = moreButton({ label: "", look: "plain", open: (anchor) => this.#document && this.#openMenu(this.#document, anchor) });
  #listen = button({ label: t("documents.listen"), icon: "play", look: "primary", onPress: () => this.#document && listenTo(this.#document, this.#life.signal) });
  #generate = button({ label: t("documents.generate"), opens: true, onPress: () => this.#document && new ChoiceSheet(this.#document).open() });

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("document-viewer");
    const strip = new NarrationStrip(this.documentId);
    this.replaceChildren(this.#head(t("state.loading"), []), strip.element, this.#place);
    strip.start(signal);
    this.addEventListener("address", () => this.#view?.goToAddress(), { signal });
    onServer("documents", ({ changed, deleted }) => {
      if (deleted.includes(this.documentId)) this.#load();
      else if (changed.includes(this.documentId)) this.#refreshHead();
    }, signal);
    onServer("reset", () => this.#refreshHead(), signal);
    addShortcuts(
      [
        { keys: "+", label: "viewer.zoom.in", group: "lists", run: () => this.#view?.bar.zoomBy(1) },
        { keys: "-", label: "viewer.zoom.out", group: "lists", run: () => this.#view?.bar.zoomBy(-1) },
        { keys: "0", label: "viewer.fit.width", group: "lists", run: () => this.#view?.bar.setZoom("width") },
        { keys: "9", label: "viewer.fit.page", group: "lists", run: () => this.#view?.bar.setZoom("page") },
      ],
      signal,
    );
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  focusTitle() {
    this.querySelector("h1")?.focus({ preventScroll: true });
  }

  async #load() {
    const { signal } = this.#life;
    const waiting = setTimeout(() => fill(this.#place, h("p", { class: "muted", role: "status" }, t("state.loading"))), 200);
    try {
      const [document, structure] = await Promise.all([loadDocument(this.documentId, signal), loadStructure(this.documentId, signal)]);
      if (!signal.aborted) this.#show(document, structure);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      clearTimeout(waiting);
    }
  }

  /**
   * @param {Document} shown
   * @param {Structure} structure
   */
  #show(shown, structure) {
    this.#document = shown;
    this.#showHead(shown);
    this.#view = new DocumentView(shown, structure, this.#life.signal);
    const notes = structure.notices.map((one) => notice({ text: noticeWords(one), kind: "warning" }));
    fill(this.#place, h("p", { class: "viewer-facts muted small" }, factsOf(shown)), ...notes, this.#view.element);
    this.#view.begin();
  }

  /** @param {Document} shown */
  #showHead(shown) {
    document.title = `${shown.name} · EchoText`;
    for (const attribute of ["aria-label", "title"]) setAttribute(this.#more, attribute, t("library.more", { name: shown.name }));
    if (this.contains(this.#more)) {
      setText(/** @type {Element} */ (this.querySelector("h1")), shown.name);
      return;
    }
    const hadFocus = this.firstElementChild?.contains(document.activeElement) ?? false;
    this.firstElementChild?.replaceWith(this.#head(shown.name, [this.#more, this.#generate, this.#listen]));
    if (hadFocus) this.focusTitle();
  }

  async #refreshHead() {
    try {
      const now = await loadDocument(this.documentId, this.#life.signal);
      if (JSON.stringify(now) === JSON.stringify(this.#document)) return;
      this.#document = now;
      this.#showHead(now);
    } catch (error) {
      // After any other error the old title stays; the next visit requests it again.
      if (/** @type {{ status?: number }} */ (error).status === 404) this.#load();
    }
  }

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #head(title, actions) {
    const head = pageHead(title, ...actions);
    const back = h("a", { class: "button quiet icon-only", href: "/documents", "aria-label": t("viewer.back"), title: t("viewer.back") }, icon("chevron-left"));
    head.querySelector("h1")?.setAttribute("dir", "auto");
    head.prepend(back);
    return head;
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#view = null;
    const isGone = /** @type {{ status?: number }} */ (error).status === 404;
    this.firstElementChild?.replaceWith(this.#head(t(isGone ? "viewer.gone" : "viewer.closed"), []));
    const again = button({ label: t("do.again"), onPress: () => this.#load() });
    const all = h("a", { class: "button", href: "/documents" }, t("viewer.back"));
    const remove = button({ label: t("do.delete"), icon: "trash", onPress: () => this.#delete() });
    fill(this.#place, errorNotice(error, ...(isGone ? [all] : [again, remove])));
  }

  /**
   * @param {Document} shown
   * @param {Element} anchor
   */
  #openMenu(shown, anchor) {
    openMenu(
      [
        ...(this.#view?.bar.menuItems ?? []),
        practiseEntry({ kind: "document", id: shown.id }),
        { label: t("library.menu.share"), icon: "share", run: () => new ShareSheet(shown).open() },
        "separator",
        { label: t("do.delete"), icon: "trash", isDanger: true, run: () => this.#delete() },
      ],
      { label: t("library.more", { name: shown.name }), anchor },
    );
  }

  async #delete() {
    if (await deleteAsked([this.documentId], this.#document?.name ?? t("documents.unnamed"))) navigate("/documents", { replace: true });
  }
}

/** @param {Document} document */
function factsOf({ kind, pages, words, size: bytes, author, language }) {
  const facts = [t(`documents.kind.${kind}`), t("documents.pages", { n: pages }), t("unit.words", { n: words }), size(bytes)];
  if (author !== null) facts.unshift(author);
  if (language !== null) facts.push(languageName(language));
  return facts.join(" · ");
}

customElements.define("echo-document-viewer", DocumentViewer);
