import { button } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { confirm } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { clock, shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { recorder } from "./recorder.js";
import { isBusy } from "./recorder-state.js";
import { NewestState, onServer } from "../../server/events.js";
import { assure } from "../../server/proof.js";
import { discardSession, finishSession, listSessions, sessionSoundAddress } from "../../server/recordings.js";

/** @typedef {import("../../server/recordings.js").Session} Session */

/** The unfinished recordings: each can be played, continued, saved or discarded. */
export class UnfinishedList {
  #list = h("ul", { class: "unfinished-rows" });
  /** Why the list could not be loaded. */
  #problem = h("div", {});
  element = h(
    "section",
    { class: "unfinished", "aria-labelledby": "unfinished-title", hidden: true },
    h("h2", { id: "unfinished-title" }, t("unfinished.title")),
    h("p", { class: "muted" }, t("unfinished.text")),
    this.#problem,
    this.#list,
  );
  #newest = new NewestState();
  /** @type {Map<string, Session>} By id, oldest first. */
  #sessions = new Map();
  /** @type {Map<string, UnfinishedRow>} */
  #rows = new Map();
  #life = new AbortController().signal;

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#life = signal;
    onServer("recording", ({ id, session }, event) => this.#newest.takesEvent(event) && this.#change(id, session), signal);
    onServer("reset", () => this.#load(), signal);
    recorder.state.watch(() => this.#show(), signal);
    signal.addEventListener("abort", () => this.#rows.forEach((row) => row.silence()), { once: true });
    this.#load();
  }

  async #load() {
    try {
      const answer = await listSessions(this.#life);
      fill(this.#problem);
      if (this.#newest.takesAnswer(answer)) this.#sessions = new Map(answer.sessions.map((session) => [session.id, session]));
    } catch (error) {
      if (this.#life.aborted) return;
      fill(this.#problem, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
    }
    this.#show();
  }

  /**
   * @param {string} id
   * @param {Session | null} session
   */
  #change(id, session) {
    if (session === null) this.#sessions.delete(id);
    else this.#sessions.set(id, session);
    this.#show();
  }

  #show() {
    if (this.#life.aborted) return;
    const own = recorder.state.value.session?.id;
    const shown = [...this.#sessions.values()].filter(({ id }) => id !== own);
    for (const session of shown) {
      const row = this.#rows.get(session.id) ?? this.#newRow(session);
      row.show(session, isBusy(recorder.state.value));
    }
    for (const [id, row] of this.#rows) {
      if (shown.some((session) => session.id === id)) continue;
      row.leave();
      this.#rows.delete(id);
    }
    this.element.hidden = shown.length === 0 && !this.#problem.hasChildNodes();
  }

  /** @param {Session} session */
  #newRow(session) {
    const row = new UnfinishedRow(session, this.#life);
    this.#rows.set(session.id, row);
    this.#list.append(row.element);
    return row;
  }
}

/** An unfinished recording, or one in progress elsewhere. */
class UnfinishedRow {
  /** @type {Session} */
  #session;
  #life;
  #sound = new Audio();
  #name = h("p", { class: "unfinished-name", dir: "auto" });
  #words = h("p", { class: "muted small numbers" });
  #play = button({ label: t("unfinished.play"), icon: "play", look: "quiet", onPress: () => this.#listen() });
  #resume = button({ label: t("unfinished.resume"), icon: "microphone", onPress: () => recorder.resumeSession(this.#session) });
  #keep = button({ label: t("unfinished.keep"), icon: "check", onPress: () => this.#finish() });
  #discard = button({ label: t("unfinished.discard"), icon: "trash", look: "quiet", onPress: () => this.#remove() });
  #actions = h("div", { class: "unfinished-actions" }, this.#play, this.#resume, this.#keep, this.#discard);
  element = h("li", { class: "unfinished-row" }, h("div", { class: "unfinished-words" }, this.#name, this.#words), this.#actions);

  /**
   * @param {Session} session
   * @param {AbortSignal} life
   */
  constructor(session, life) {
    this.#session = session;
    this.#life = life;
    for (const name of ["play", "pause", "ended"]) this.#sound.addEventListener(name, () => this.#showPlaying());
  }

  /**
   * @param {Session} session
   * @param {boolean} isRecording Whether this page is recording something else.
   */
  show(session, isRecording) {
    this.#session = session;
    const isElsewhere = session.state !== "interrupted";
    setText(this.#name, session.name);
    const state = t(isElsewhere ? "unfinished.elsewhere" : "unfinished.interrupted");
    setText(this.#words, [clock(session.seconds), shortDate(session.created), state].join(" · "));
    for (const action of [this.#resume, this.#keep, this.#discard]) action.hidden = isElsewhere;
    this.#resume.disabled = isRecording;
    this.#play.disabled = this.#keep.disabled = session.samples === 0;
  }

  silence() {
    this.#sound.pause();
    this.#sound.removeAttribute("src");
    // Only this cancels the loading of a session that no longer exists.
    this.#sound.load();
  }

  /** Removes itself; the focus moves to the next row. */
  leave() {
    this.silence();
    const next = this.element.nextElementSibling ?? this.element.previousElementSibling;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (!hadFocus) return;
    const target = next?.querySelector("button:not([hidden])") ?? document.querySelector("main .record-button:not([hidden])") ?? document.querySelector("main h1");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  async #listen() {
    if (!this.#sound.paused) {
      this.#sound.pause();
      return;
    }
    player.pause();
    await attempt(async () => {
      await assure();
      if (!this.#sound.src || this.#sound.ended) this.#sound.src = sessionSoundAddress(this.#session);
      await this.#sound.play();
    }, this.#life);
  }

  #showPlaying() {
    const isPlaying = !this.#sound.paused && !this.#sound.ended;
    const label = this.#play.querySelector(".button-label");
    if (label !== null) fill(label, t(isPlaying ? "do.pause" : "unfinished.play"));
  }

  async #finish() {
    this.silence();
    await attempt(async () => {
      const { id, name } = await finishSession(this.#session.id);
      const play = { label: t("do.play"), run: () => player.playItem(id) };
      showToast({ icon: "check", text: t("recorder.saved", { name }), action: play });
    }, this.#life);
  }

  async #remove() {
    const { id, name, seconds } = this.#session;
    const isSure = await confirm({
      title: t("unfinished.discard.title", { name }),
      detail: t("unfinished.discard.text", { time: clock(seconds) }),
      action: t("unfinished.discard"),
    });
    if (!isSure) return;
    this.silence();
    await attempt(() => discardSession(id), this.#life);
  }
}
