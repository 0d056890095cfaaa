import { button, icon } from "../../../components/button.js";
import { pageHead } from "../../../components/frame.js";
import { moreButton, openMenu } from "../../../components/menu.js";
import { actionToVoices, errorNotice, notice } from "../../../components/notice.js";
import { attempt, showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { duration, languageName, noticeWords, size, wordsFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { addShortcuts } from "../../../core/shortcuts.js";
import { player } from "../../../player/player.js";
import { loadDocument, loadStructure } from "../../../server/documents.js";
import { NewestState, onServer } from "../../../server/events.js";
import { listNarrations, stopNarration } from "../../../server/narrations.js";
import { practiseEntry } from "../../list/item-actions.js";
import { openStopMenu, stopAndDiscard, stopAndKeep } from "../../list/narration-deletion.js";
import { ChoiceSheet } from "../choice/choice-sheet.js";
import { deleteAsked, listenTo } from "../document-row.js";
import { ShareSheet } from "../share-sheet.js";
import { DocumentView } from "./document-view.js";

/** @typedef {import("../../../server/documents.js").Document} Document */
/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("../../../server/narrations.js").Narration} Narration */

/** `<echo-document-viewer>`: one document, to view, read along and narrate. */
export class DocumentViewer extends HTMLElement {
  documentId = "";
  #life = new AbortController();
  /** @type {Document | null} */
  #document = null;
  /** @type {DocumentView | null} */
  #view = null;
  #place = h("div", { class: "viewer-place" });

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
    const hadFocus = this.firstElementChild?.contains(document.activeElement) ?? false;
    document.title = `${shown.name} · EchoText`;
    const label = t("library.more", { name: shown.name });
    const more = moreButton({ label, look: "plain", open: (anchor) => this.#openMenu(shown, anchor) });
    const listen = button({ label: t("documents.listen"), icon: "play", look: "primary", onPress: () => listenTo(shown, this.#life.signal) });
    const generate = button({ label: t("documents.generate"), opens: true, onPress: () => new ChoiceSheet(shown).open() });
    this.firstElementChild?.replaceWith(this.#head(shown.name, [more, generate, listen]));
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

/** The running narration of a document: its progress, with buttons to listen and to stop. */
class NarrationStrip {
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

  /** @param {string} document Its id. */
  constructor(document) {
    this.#document = document;
    const listen = button({ label: t("strip.listen"), icon: "play", look: "quiet", onPress: () => this.#narration !== null && player.playNarration(this.#narration) });
    const stop = button({ label: t("strip.stop"), icon: "stop", look: "quiet", opens: true, onPress: () => this.#askToStop(stop) });
    this.#box = h("div", { class: "narration-strip", hidden: true }, h("div", { class: "strip-main" }, this.#words, this.#bar), listen, stop);
    this.element = h("div", {}, this.#box, this.#status);
  }

  #box;

  /** @param {AbortSignal} signal */
  start(signal) {
    onServer("narration", (narration, event) => this.#isOf(narration) && this.#newest.takesEvent(event) && this.#take(narration), signal);
    onServer("reset", () => this.#look(signal), signal);
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
    this.#box.hidden = !isGoing;
    if (isGoing) this.#show(narration);
    else this.#ended(narration);
  }

  /** @param {Narration} narration */
  #show({ name, state: phase, characters, position, secondsLeft }) {
    const part = characters === 0 ? 0 : Math.min(1, position / characters);
    const left = phase === "speaking" && secondsLeft !== null ? ` · ${t("speak.left", { time: duration(secondsLeft) })}` : "";
    const words = `${t(phase === "waiting" ? "strip.waiting" : "strip.speaking", { name })}${left}`;
    setText(this.#words, words);
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(part * 100)));
    const tenth = Math.floor(part * 10);
    if (tenth === this.#tenth) return;
    this.#tenth = tenth;
    setText(this.#status, t("speak.percent", { n: tenth * 10 }));
  }

  /** It ended without reporting anything. */
  #hide() {
    this.#narration = null;
    this.#tenth = -1;
    this.#box.hidden = true;
  }

  /** @param {Narration} narration */
  #ended({ state, name, failure, times }) {
    this.#tenth = -1;
    if (state === "finished" && times !== null && times.late > 0) {
      const { captions, late, seconds } = times;
      const words = t("strip.late", { n: late, all: number(captions), seconds: number(seconds, 1) });
      showToast({ icon: "warning", text: `${t("strip.saved", { name })} ${words}`, seconds: 30 });
    } else if (state === "finished") showToast({ icon: "check", text: t("strip.saved", { name }) });
    if (state === "failed") showToast({ icon: "error", text: `${t("strip.failed", { name })} ${wordsFor(failure).message}`, action: actionToVoices(failure) });
  }

  /** @param {Element} anchor */
  #askToStop(anchor) {
    const narration = this.#narration;
    if (narration === null) return;
    const stop = (/** @type {boolean} */ keepsPart) => this.#end(() => (keepsPart ? stopAndKeep(narration.id) : stopAndDiscard(narration)));
    openStopMenu({ seconds: narration.seconds, anchor, stop, later: () => this.#leave(narration) });
  }

  /** @param {Narration} narration */
  async #leave({ id, name }) {
    if (!(await this.#end(() => stopNarration(id, "leave")))) return;
    const run = async () => {
      const { speaking } = await import("../../speak/speaking.js");
      await attempt(() => speaking.resume(id));
    };
    showToast({ icon: "history", text: t("strip.left", { name }), action: { label: t("speak.continue"), run }, seconds: 10 });
  }

  /**
   * @param {() => Promise<unknown>} stop
   * @returns {Promise<boolean>} Whether it has been stopped.
   */
  async #end(stop) {
    try {
      await stop();
      return true;
    } catch (error) {
      showToast({ icon: "error", text: wordsFor(error).message, action: actionToVoices(error) });
      return false;
    }
  }
}

customElements.define("echo-document-viewer", DocumentViewer);
