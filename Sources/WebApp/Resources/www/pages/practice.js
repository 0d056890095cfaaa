import { button } from "../components/button.js";
import { pageHead } from "../components/frame.js";
import { empty, errorNotice } from "../components/notice.js";
import { withdraw } from "../components/sheet.js";
import { fill, h, loadStyle, setText } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { navigate } from "../core/router.js";
import { onServer } from "../server/events.js";
import { listHardSegments, listPracticeSessions, listSpeeches } from "../server/practice.js";
import { speechAddress } from "./list/item-actions.js";
import { ListPage, partAt } from "./list/list-page.js";
import { DueCard, SessionLists, SpeechRows } from "./practice/lists.js";

/**
 * The target of an address below the page's own.
 *
 * @typedef {{ kind: "speech" | "session", id: string }} PracticePlace
 */

/**
 * @param {string} path
 * @returns {PracticePlace | null} `null` for the list.
 */
export function placeIn(path) {
  const [folder = "", id = ""] = (partAt(path, "/practice") ?? "").split("/");
  const kind = folder === "speeches" ? "speech" : folder === "sessions" ? "session" : null;
  return kind === null || id === "" ? null : { kind, id };
}

/** `<echo-practice-list>`: what to practice again, sessions in progress, the speeches, and the results of practice. */
class PracticeList extends HTMLElement {
  #life = new AbortController();
  #due = new DueCard();
  #sessions = new SessionLists(() => this.#showEmpty());
  #speeches = new SpeechRows(() => this.#showEmpty());
  #problem = h("div", { class: "practice-problem" });
  #empty = h("div", {});
  #leftOut = h("p", { class: "muted small", role: "status", hidden: true });
  /** How many cannot be read. */
  #unreadable = { speeches: 0, sessions: 0 };
  #isLoaded = false;

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.classList.add("practice-list");
    fill(
      this,
      pageHead(t("practice.title"), button({ label: t("practice.speech.new"), icon: "plus", look: "primary", onPress: newSpeech })),
      this.#problem,
      this.#due.element,
      this.#sessions.unfinished,
      this.#speeches.element,
      this.#empty,
      this.#sessions.history,
      this.#leftOut,
    );
    this.#speeches.start(signal);
    this.#sessions.start(signal);
    onServer("speeches", () => this.#loadSpeeches(), signal);
    onServer("practice", () => this.#loadSessions(), signal);
    onServer("reset", () => this.#load(), signal);
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  async #load() {
    const done = await Promise.all([this.#loadSpeeches(), this.#loadSessions()]);
    this.#isLoaded = done.every(Boolean);
    this.#showEmpty();
  }

  #loadSpeeches() {
    return this.#attempt(async (signal) => {
      const list = await listSpeeches(signal);
      this.#speeches.show(list);
      this.#showLeftOut({ speeches: list.unreadable });
    });
  }

  #loadSessions() {
    return this.#attempt(async (signal) => {
      const [sessions, hard] = await Promise.all([listPracticeSessions(signal), listHardSegments(signal)]);
      this.#sessions.show(sessions);
      this.#showLeftOut({ sessions: sessions.unreadable });
      this.#due.show(hard);
    });
  }

  /**
   * @param {(signal: AbortSignal) => Promise<void>} work
   * @returns {Promise<boolean>} Whether it succeeded.
   */
  async #attempt(work) {
    const { signal } = this.#life;
    try {
      await work(signal);
      fill(this.#problem);
      return true;
    } catch (error) {
      if (!signal.aborted) fill(this.#problem, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
      return false;
    }
  }

  /** @param {{ speeches?: number, sessions?: number }} counts Those that are known now. */
  #showLeftOut(counts) {
    Object.assign(this.#unreadable, counts);
    const n = this.#unreadable.speeches + this.#unreadable.sessions;
    this.#leftOut.hidden = n === 0;
    setText(this.#leftOut, n === 0 ? "" : t("list.unreadable", { n }));
  }

  #showEmpty() {
    const isEmpty = this.#isLoaded && this.#speeches.count === 0;
    this.toggleAttribute("data-empty", isEmpty);
    withdraw(this.#speeches.element, "hidden", isEmpty);
    if (isEmpty !== this.#empty.hasChildNodes()) fill(this.#empty, isEmpty ? nothingYet() : null);
  }
}

function newSpeech() {
  navigate(speechAddress("new"));
}

function nothingYet() {
  return empty({
    icon: "practice",
    text: t("practice.empty.title"),
    detail: t("practice.empty.text"),
    action: button({ label: t("practice.empty.action"), look: "primary", onPress: newSpeech }),
  });
}

customElements.define("echo-practice-list", PracticeList);

/** `<echo-practice-page>`: the speeches and sessions; or a speech being written; or a session being practiced. */
export class PracticePage extends ListPage {
  constructor() {
    super({
      address: "/practice",
      list: new PracticeList(),
      view() {
        const place = placeIn(location.pathname);
        return place === null ? null : viewOf(place);
      },
      back: t("practice.back"),
    });
  }
}

/** @param {PracticePlace} place */
async function viewOf({ kind, id }) {
  if (kind === "session") {
    const [{ PracticeSessionView }] = await Promise.all([
      import("./practice/session/session-view.js"),
      loadStyle("/styles/practice-session.css"),
      loadStyle("/styles/slider.css"),
    ]);
    const view = new PracticeSessionView();
    view.sessionId = id;
    return view;
  }
  const { SpeechEditor } = await import("./practice/speeches/speech-editor.js");
  const view = new SpeechEditor();
  view.speechId = id === "new" ? null : id;
  return view;
}

customElements.define("echo-practice-page", PracticePage);
