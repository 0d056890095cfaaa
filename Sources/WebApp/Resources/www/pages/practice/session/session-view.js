import { button, icon } from "../../../components/button.js";
import { pageHead } from "../../../components/frame.js";
import { errorNotice, notice, wayToVoices } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { fill, h, loadStyle, setText } from "../../../core/dom.js";
import { languageName, wordsFor } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { voices } from "../../../core/store.js";
import { NewestState, onServer } from "../../../server/events.js";
import {
  createPracticeSession,
  deletePracticeSession,
  listTakes,
  loadPracticeSession,
  markHard,
} from "../../../server/practice.js";
import { sessionAddress } from "../../list/item-actions.js";
import { deleteOnceLeft, isUnpractised, SummaryView } from "../lists.js";
import { TakePanel } from "../takes/take-panel.js";
import { voiceName } from "./driver.js";
import { SessionConnection } from "./session-connection.js";
import { SessionPanel } from "./session-panel.js";

/** Whether the user has agreed in this visit: switching it off and on again does not ask twice. */
let hasAgreed = false;

/**
 * Asks before echoes are recorded, and says when and where. The focus starts on the button that declines.
 *
 * @param {() => void} [asking] Called before it asks; not when the user has agreed already.
 * @returns {Promise<boolean>} `false` also when the sheet is dismissed.
 */
async function agreesToRecording(asking) {
  if (hasAgreed) return true;
  asking?.();
  const stay = button({ label: t("practice.consent.refuse"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: t("practice.consent.allow"), look: "primary", onPress: () => sheet.close("yes") });
  const sheet = new Sheet({
    title: t("practice.consent.title"),
    className: "question",
    content: [h("p", {}, t("practice.consent.text")), h("p", { class: "private-note" }, icon("info"), t("practice.consent.private"))],
    actions: [stay, go],
  }).open();
  stay.focus();
  hasAgreed = (await sheet.closed) === "yes";
  return hasAgreed;
}

/** @typedef {import("../../../server/practice.js").PracticeSession} PracticeSession */
/** @typedef {import("../../../server/practice.js").PracticeSettings} PracticeSettings */

/** `<echo-practice-session>`: a text that is being practiced. */
export class PracticeSessionView extends HTMLElement {
  sessionId = "";
  #life = new AbortController();
  /** @type {SessionConnection | null} */
  #connection = null;
  /** @type {SessionPanel | null} */
  #panel = null;
  /** @type {TakePanel | null} */
  #takes = null;
  /** @type {SummaryView | null} */
  #summary = null;
  #facts = h("p", { class: "muted small practice-facts" });
  #notices = h("div", { class: "practice-notices" });
  /** @type {Map<string, HTMLElement>} The notices by what they are about. */
  #about = new Map();
  #newestTakes = new NewestState();
  #place = h("div", { class: "practice-place" });

  connectedCallback() {
    this.#life = new AbortController();
    fill(this, this.#head("", []), this.#facts, this.#notices, this.#place);
    this.#load();
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  focusTitle() {
    this.querySelector("h1")?.focus({ preventScroll: true });
  }

  // Loading

  async #load() {
    const { signal } = this.#life;
    const waiting = setTimeout(() => fill(this.#place, h("p", { class: "muted", role: "status" }, t("state.loading"))), 200);
    try {
      const [session] = await Promise.all([loadPracticeSession(this.sessionId, signal), loadStyle("/styles/reading-text.css")]);
      if (!signal.aborted) this.#show(session);
    } catch (error) {
      if (!signal.aborted) this.#fail(error);
    } finally {
      clearTimeout(waiting);
    }
  }

  /** @param {PracticeSession} session */
  #show(session) {
    const { signal } = this.#life;
    const connection = new SessionConnection(session, {
      failed: (error) => this.#say(error),
      unheard: (error) => this.#sayUnheard(error),
      pulse: (kind) => this.#panel?.pulse(kind),
      summarized: (now) => this.#summarize(now),
      segmentsChanged: () => this.#refresh(),
    }, signal);
    this.#connection = connection;
    this.#showHead(session);
    const mark = async (/** @type {number} */ segment, /** @type {boolean} */ isHard) => {
      await markHard(session.id, segment, isHard);
      connection.texts.markHard(segment, isHard);
    };
    this.#panel = new SessionPanel(connection, { change: (change) => this.#change(change), leave: () => navigate("/practice"), markHard: mark });
    this.#takes = new TakePanel(connection, {
      textOf: (segment) => connection.texts.at(segment)?.text ?? "",
      isHard: (segment) => connection.texts.at(segment)?.isHard ?? false,
      rest: () => connection.driver.rest(),
      markHard: mark,
    });
    this.#summary = new SummaryView({
      again: () => connection.toggle(),
      goTo: (segment) => connection.goTo(segment),
      textOf: (segment) => connection.texts.at(segment)?.text ?? "",
    });
    fill(this.#place, this.#panel.element, this.#takes.element);
    this.#panel.start(signal);
    this.#takes.start(signal);
    if (session.recognizer === null && session.settings.records) this.#sayNoRecognizer(session);
    for (const name of /** @type {const} */ (["practice", "reset"])) onServer(name, () => this.#loadTakes(connection), signal);
    this.#ahead(connection);
    if (session.phase === "finished") this.#summarize(session);
  }

  /**
   * Preloads what a press will need at once.
   *
   * @param {SessionConnection} connection
   */
  async #ahead(connection) {
    const { signal } = this.#life;
    const { position, settings } = connection.session;
    await Promise.allSettled([
      connection.texts.need(position.segment),
      connection.sounds.load(position.segment, settings.rate).catch((error) => !signal.aborted && this.#say(error)),
      this.#loadTakes(connection),
    ]);
  }

  /**
   * Lists the takes of earlier visits and other tabs, or says why they are missing.
   *
   * @param {SessionConnection} connection
   */
  async #loadTakes(connection) {
    const { signal } = this.#life;
    const { id, settings } = connection.session;
    const before = connection.takes.ids;
    try {
      const answer = await listTakes(id, signal);
      if (signal.aborted || !this.#newestTakes.takesAnswer(answer)) return;
      connection.takes.addStored(answer.takes, settings.rate, before);
      this.#notify("takes", null);
    } catch (error) {
      const isGone = /** @type {{ status?: number }} */ (error).status === 404; // the connection says so
      const again = button({ label: t("do.again"), onPress: () => this.#loadTakes(connection) });
      if (!signal.aborted && !isGone) this.#notify("takes", errorNotice(error, again));
    }
  }

  #refresh() {
    this.#panel?.refresh();
    this.#takes?.refresh();
    this.#summary?.refresh();
  }

  /** @param {unknown} error */
  #fail(error) {
    const isGone = /** @type {{ status?: number }} */ (error).status === 404;
    const again = button({ label: t("do.again"), onPress: () => this.#load() });
    const all = h("a", { class: "button", href: "/practice" }, t("practice.back"));
    this.firstElementChild?.replaceWith(this.#head(t(isGone ? "practice.gone" : "practice.closed"), []));
    fill(this.#place, errorNotice(error, isGone ? all : again));
  }

  // Header

  /**
   * @param {string} title
   * @param {HTMLElement[]} actions
   */
  #head(title, actions) {
    const head = pageHead(title, ...actions);
    const label = t("practice.back");
    head.classList.add("practice-head");
    head.querySelector("h1")?.setAttribute("dir", "auto");
    head.prepend(h("a", { class: "button quiet icon-only", href: "/practice", "aria-label": label, title: label }, icon("chevron-left")));
    return head;
  }

  /** @param {PracticeSession} session */
  #showHead({ title, language, voice }) {
    const hadFocus = this.firstElementChild?.contains(document.activeElement) ?? false;
    document.title = `${title} · EchoText`;
    const settings = button({ label: t("practice.settings"), icon: "settings", iconOnly: true, opens: true, onPress: () => this.#openSettings() });
    this.firstElementChild?.replaceWith(this.#head(title, [settings]));
    voices.follow((all) => {
      setText(this.#facts, [languageName(language), voiceName(all, voice)].filter(Boolean).join(" · "));
    }, this.#life.signal);
    if (hadFocus) this.focusTitle();
  }

  // Settings

  async #openSettings() {
    const connection = this.#connection;
    if (connection === null) return;
    const { PracticeSettingsSheet } = await import("./sheets.js");
    if (this.#life.signal.aborted) return; // the view was left meanwhile
    new PracticeSettingsSheet({
      session: () => connection.session,
      change: (change) => this.#change(change),
      changeVoice: (voice, speaker) => this.#changeVoice(voice, speaker),
    }).open();
  }

  /** @param {Partial<PracticeSettings>} change */
  async #change(change) {
    const connection = this.#connection;
    if (connection === null) return;
    if (change.records !== true) return this.#set(connection, change);
    const { driver } = connection;
    /** @type {Promise<void> | null} */
    let resting = null;
    // The user reads the question instead of repeating.
    if (await agreesToRecording(() => (resting = driver.isRunning ? driver.rest() : null))) {
      await this.#set(connection, change);
      if (connection.session.recognizer === null) this.#sayNoRecognizer(connection.session);
    }
    if (resting === null) return;
    await resting;
    if (!this.#life.signal.aborted && connection.session.phase === "paused") await connection.toggle();
  }

  /**
   * @param {SessionConnection} connection
   * @param {Partial<PracticeSettings>} change
   */
  async #set(connection, change) {
    const lasting = change.records === false ? ["takes"] : ["takes", "recognizer"];
    for (const about of [...this.#about.keys()]) if (!lasting.includes(about)) this.#notify(about, null);
    await connection.set(change);
  }

  /**
   * Continues with another voice, in a new session that replaces this one.
   *
   * @param {string} voice
   * @param {number} speaker
   */
  async #changeVoice(voice, speaker) {
    const { signal } = this.#life;
    const connection = /** @type {SessionConnection} */ (this.#connection);
    const { position, id } = connection.session;
    const settings = connection.chosenSettings;
    const made = await createPracticeSession({ source: { kind: "session", id }, settings, voice, speaker, from: position.segment });
    const isEmpty = connection.takes.takes.value.length === 0 && (await isUnpractised(id, { listTakes, loadSession: loadPracticeSession }));
    navigate(sessionAddress(made.id), { replace: true });
    if (isEmpty) await deleteOnceLeft(id, signal, deletePracticeSession);
  }

  // Announcements

  /**
   * Shows a notice beside those about something else.
   *
   * @param {string} about Its subject; it replaces an earlier one about the same.
   * @param {HTMLElement | null} element `null` where it is so no more.
   */
  #notify(about, element) {
    if (element === null) this.#about.delete(about);
    else this.#about.set(about, element);
    fill(this.#notices, ...this.#about.values());
  }

  /** @param {unknown} error */
  #say(error) {
    const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
    this.#notify(`problem ${code}`, errorNotice(error, wayToVoices(error)));
  }

  /** @param {unknown} error Why the session continues without a microphone. */
  #sayUnheard(error) {
    const { message, suggestion } = wordsFor(error);
    const detail = [t("practice.unheard"), suggestion].filter(Boolean).join(" ");
    this.#notify("microphone", notice({ kind: "error", text: message, detail }));
  }

  /** @param {PracticeSession} session */
  #sayNoRecognizer({ language }) {
    const { message, suggestion } = wordsFor({ code: "practice.score.noRecognizer" });
    const go = h("a", { class: "button", href: "/recordings/recognizers" }, t("practice.recognizers"));
    this.#notify("recognizer", notice({ text: `${languageName(language)}: ${message}`, detail: suggestion, actions: [go] }));
  }

  /** @param {PracticeSession} session It is finished. */
  #summarize(session) {
    if (this.#summary === null) return;
    this.#summary.show(session);
    this.#panel?.showSummary(this.#summary.element);
  }
}

customElements.define("echo-practice-session", PracticeSessionView);
