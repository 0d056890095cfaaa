import { button, icon } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, withdraw } from "../../components/sheet.js";
import { attempt, showNews, showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { clock, duration, shortDate, size, wordsFor } from "../../core/format.js";
import { isKnown, number, t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { isOpen, setting, state as serverState } from "../../core/store.js";
import { player } from "../../player/player.js";
import { NewestState, onServer } from "../../server/events.js";
import { loadItem } from "../../server/library.js";
import { discardSession, finishSession, listSessions, sessionSoundAddress } from "../../server/recordings.js";
import { assure } from "../../server/send-file.js";
import { codeOf, isBusy } from "./recorder-state.js";
import { recorder } from "./recorder.js";
import { soundImports } from "./sound-import-queue.js";
import { transcriptionJobs } from "./transcription-jobs.js";

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

  /** @returns {Promise<void>} */
  async #load() {
    try {
      const answer = await listSessions(this.#life);
      // An event about one of them is newer.
      if (!this.#newest.takesAnswer(answer)) return this.#load();
      fill(this.#problem);
      this.#sessions = new Map(answer.sessions.map((session) => [session.id, session]));
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
    const { name, seconds, created, isUnreadable, isOfFile } = session;
    const isElsewhere = session.state !== "interrupted";
    setText(this.#name, name);
    const state = t(isElsewhere ? "unfinished.elsewhere" : isOfFile ? "unfinished.import" : "unfinished.interrupted");
    const words = isUnreadable ? [shortDate(created), t("unfinished.damaged")] : [clock(seconds), shortDate(created), state];
    setText(this.#words, words.join(" · "));
    this.#play.hidden = isUnreadable;
    this.#discard.hidden = isElsewhere;
    this.#keep.hidden = isElsewhere || isUnreadable;
    this.#resume.hidden = this.#keep.hidden || isOfFile;
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
    leave(this.element, "main .record-button:not([hidden])");
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
      const item = await finishSession(this.#session.id);
      const isTranscribed = setting("transcription.after-recording", "on") === "on";
      const open = { label: t("jobs.open"), run: () => navigate(`/recordings/${encodeURIComponent(item.id)}`) };
      const action = isTranscribed ? open : { label: t("order.title"), run: () => transcribe([item]) };
      showToast({ icon: "check", text: t("recorder.saved", { name: item.name }), seconds: 12, action });
    }, this.#life);
  }

  async #remove() {
    const { id, name, seconds, isUnreadable } = this.#session;
    const isSure = await confirm({
      title: t("unfinished.discard.title", { name }),
      detail: t(isUnreadable ? "unfinished.damaged" : "unfinished.discard.text", { time: clock(seconds) }),
      action: t("unfinished.discard"),
    });
    if (!isSure) return;
    this.silence();
    await attempt(() => discardSession(id), this.#life);
  }
}

/**
 * Removes a row; the focus moves to the next one.
 *
 * @param {HTMLElement} row
 * @param {string} selector Where the focus moves after the last row; else to the page's heading.
 */
function leave(row, selector) {
  const next = row.nextElementSibling ?? row.previousElementSibling;
  const hadFocus = row.contains(document.activeElement);
  row.remove();
  if (!hadFocus) return;
  const target = next?.querySelector(":is(button, a):not([hidden])") ?? document.querySelector(selector) ?? document.querySelector("main h1");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** @typedef {import("./sound-import-queue.js").SoundImport} SoundImport */
/** @typedef {import("../../server/library.js").Item} Item */

/** The sound files that are being imported or were refused. */
export class SoundImportList {
  #list = h("ul", { class: "sound-imports", "aria-label": t("recordings.imports") });
  #clear = button({ label: t("import.clear"), look: "quiet", onPress: () => this.#dismissAll() });
  #offer = new TranscriptionOffer();
  element = h("div", { hidden: true }, this.#offer.element, this.#clear, this.#list);
  /** @type {Map<number, ImportRow>} */
  #rows = new Map();
  /** How many of the present files have become recordings, which a message says. */
  #become = 0;

  /** @param {AbortSignal} signal */
  start(signal) {
    soundImports.all.follow((all) => this.#show(all), signal);
    soundImports.offered.follow(() => this.#update(), signal);
    onServer("library", ({ deleted }) => soundImports.withdraw(deleted), signal);
    serverState.watch(() => !isOpen() && soundImports.forget(), signal);
  }

  /** @param {readonly SoundImport[]} all */
  #show(all) {
    for (const one of all) {
      const row = this.#rows.get(one.id) ?? this.#newRow(one);
      row.show(one);
    }
    for (const [id, row] of this.#rows) {
      if (all.some((one) => one.id === id)) continue;
      row.leave();
      this.#rows.delete(id);
    }
    this.#update();
    this.#clear.hidden = all.filter(({ state }) => ["refused", "rest", "done"].includes(state)).length < 2;
    for (const one of all.filter(({ id, state }) => state === "done" && soundImports.report(id))) {
      const { id, rest, notices, twin } = one;
      if (twin !== null) continue; // its row says so, and asks
      if (rest === null) this.#announce(one);
      else showNews({ icon: "check", text: t("recorder.saved", { name: rest.name }) });
      if (notices.length === 0) queueMicrotask(() => soundImports.drop(id));
    }
    if (all.every(({ state }) => state === "done" || state === "refused")) this.#become = 0;
  }

  #update() {
    this.#offer.show(soundImports.offered.value);
    this.element.hidden = soundImports.all.value.length === 0 && soundImports.offered.value.length === 0;
  }

  /** @param {SoundImport} one It has become a recording: the offer to transcribe it says so, else a message. */
  #announce({ file, item }) {
    if (item !== null && setting("transcription.after-import", "off") !== "on") {
      soundImports.offer(item);
      return;
    }
    this.#become += 1;
    showNews({ icon: "check", text: t("recordings.imported", { n: this.#become, name: file.name }) });
  }

  #dismissAll() {
    soundImports.clear();
    /** @type {HTMLElement | null} */ (document.querySelector("main h1"))?.focus({ preventScroll: true });
  }

  /** @param {SoundImport} one */
  #newRow(one) {
    const row = new ImportRow(one);
    this.#rows.set(one.id, row);
    this.#list.append(row.element);
    return row;
  }
}

/** @param {readonly Item[]} items At least one; a sheet asks how a single one is transcribed. */
function transcribe(items) {
  return attempt(async () => {
    const { openOrder, transcribeMany } = await import("./transcript/doors.js");
    const ids = items.map(({ id }) => id);
    const isBegun = ids.length > 1 && (await transcribeMany(ids));
    // A command may have transcribed it meanwhile.
    const only = ids.length === 1 ? await loadItem(ids[0]) : null;
    if (only !== null) await openOrder(only);
    if (isBegun || only?.isTranscribed) soundImports.withdraw(ids);
  });
}

/** Also while another page is open. */
transcriptionJobs.all.watch((jobs) => soundImports.withdraw(jobs.map(({ item }) => item)), new AbortController().signal);

/** Offers to transcribe what was imported, until it is transcribed or declined. */
class TranscriptionOffer {
  #words = h("p", { role: "status" });
  #transcribe = button({ label: t("order.title"), icon: "text", onPress: () => transcribe([...soundImports.offered.value]) });
  element = h(
    "div",
    { class: "sound-import-offer", hidden: true },
    this.#words,
    this.#transcribe,
    button({ label: t("recordings.offer.decline"), look: "quiet", onPress: () => this.#decline() }),
  );

  /** @param {readonly Item[]} items */
  show(items) {
    const n = items.length;
    withdraw(this.element, "hidden", n === 0);
    setText(this.#words, n === 0 ? "" : t("recordings.offer", { n, name: items[0].name }));
    const label = this.#transcribe.querySelector(".button-label");
    if (label !== null) setText(label, t(n > 1 ? "recordings.transcribe.all" : "order.title"));
  }

  #decline() {
    soundImports.withdraw(soundImports.offered.value.map(({ id }) => id));
  }
}

/** A sound file that is being imported. */
class ImportRow {
  #words = h("p", { class: "muted small" });
  #bar = h("div", { class: "progress", role: "progressbar", "aria-valuemin": "0", "aria-valuemax": "100" }, h("div", { class: "progress-part" }));
  #mark = h("span", { class: "sound-import-mark" });
  #again;
  #keep;
  #twin;
  #open = h("a", { class: "button", hidden: true }, t("import.open"));
  #join;
  #apart;
  #tracks = h("div", { class: "sound-import-tracks", hidden: true });
  #drop;
  #id;

  /** @param {SoundImport} one */
  constructor({ id, file }) {
    this.#id = id;
    this.#bar.setAttribute("aria-label", t("import.progress", { name: file.name }));
    this.#again = button({ label: t("do.again"), look: "quiet", onPress: () => soundImports.again(id) });
    this.#keep = button({ label: t("import.keepPart"), look: "quiet", onPress: () => soundImports.keepPart(id) });
    this.#twin = button({ label: t("import.keepTwin"), look: "quiet", onPress: () => soundImports.keepTwin(id) });
    this.#join = button({ label: t("recordings.rest.join"), onPress: () => soundImports.join(id) });
    this.#apart = button({ label: t("recordings.rest.apart"), look: "quiet", onPress: () => soundImports.importApart(id) });
    const label = t("import.drop", { name: file.name });
    this.#drop = button({ label, icon: "close", look: "quiet", iconOnly: true, onPress: () => soundImports.drop(id) });
    this.element = h(
      "li",
      { class: "sound-import" },
      this.#mark,
      h("div", { class: "sound-import-main" }, h("p", { class: "sound-import-name", dir: "auto" }, file.name), this.#words, this.#bar, this.#tracks),
      this.#join,
      this.#apart,
      this.#keep,
      this.#again,
      this.#open,
      this.#twin,
      this.#drop,
    );
  }

  /** Removes itself; the focus moves to the next row. */
  leave() {
    leave(this.element, "main h1");
  }

  /**
   * The bar is endless while the server reads, since it does not say how far it is.
   *
   * @param {SoundImport} one
   */
  show({ state, part, problem, rest, notices, twin }) {
    const isAsked = state === "rest";
    const isRefused = state === "refused";
    const isDone = state === "done";
    setAttribute(this.element, "data-state", state);
    fill(this.#mark, icon(isRefused ? "error" : isDone || isAsked ? "info" : "library"));
    setAttribute(this.#words, "role", isRefused || isAsked || twin !== null ? "alert" : null);
    const ended = twin === null ? notices.map(noticeWords).join(" ") : t("recordings.twin", { name: twin.name });
    const stateWords = isDone ? ended : progressWords(state, part);
    setText(this.#words, isRefused ? refusalWords(problem) : isAsked && rest !== null ? restWords(rest, problem) : stateWords);
    this.#bar.hidden = isRefused || isDone || isAsked || state === "waiting";
    this.#bar.style.setProperty("--part", String(part));
    setAttribute(this.#bar, "data-endless", state === "reading" ? "" : null);
    setAttribute(this.#bar, "aria-valuenow", state === "reading" ? null : String(Math.round(part * 100)));
    this.#again.hidden = !isRefused;
    this.#keep.hidden = !isRefused || !isDamaged(problem);
    this.#twin.hidden = twin === null;
    const finished = (isAsked ? rest?.finished : undefined) ?? null;
    const recording = twin?.id ?? finished;
    this.#open.hidden = recording === null;
    setAttribute(this.#open, "href", recording === null ? null : `/recordings/${encodeURIComponent(recording)}`);
    this.#apart.hidden = !isAsked || rest?.isSoundless === true;
    this.#join.hidden = !isAsked || finished !== null;
    if (isDone && this.#tracks.hidden) this.#offerTracks(notices);
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && activeElement.hidden && this.element.contains(activeElement)) this.#drop.focus({ preventScroll: true });
  }

  /** @param {SoundImport["notices"]} notices */
  #offerTracks(notices) {
    const others = notices.flatMap(({ count = 1, track = 1 }) => range(Math.min(count, mostTracks)).filter((number) => number !== track));
    const press = (/** @type {number} */ number) => soundImports.takeTrack(this.#id, number);
    fill(this.#tracks, ...others.map((n) => button({ label: t("import.track", { n }), look: "quiet", onPress: () => press(n) })));
    this.#tracks.hidden = others.length === 0;
  }
}

/** The most sound tracks of a file that are offered. */
const mostTracks = 8;

/** @param {number} count */
const range = (count) => Array.from({ length: count }, (_, index) => index + 1);

/**
 * A file cannot be added where the recording continued without this sound, or ended.
 *
 * @param {NonNullable<SoundImport["rest"]>} rest
 * @param {unknown} problem Why the file could not be added to it, or `null`.
 */
function restWords({ name, finished, isSoundless }, problem) {
  if (finished !== undefined) return t("recordings.rest.finished", { name });
  if (problem === null) return t(isSoundless ? "recordings.rest.marks" : "recordings.rest", { name });
  const isOther = ["recording.chunk-missing", "recording.chunk-taken", "recording.not-found", "recording.discarded"].includes(codeOf(problem));
  return isOther ? t("recordings.rest.other", { name }) : refusalWords(problem);
}

/** @param {unknown} problem */
function isDamaged(problem) {
  return codeOf(problem) === "sound-file.damaged";
}

/** @param {import("../../server/recordings.js").SoundNotice} notice */
function noticeWords({ code, message, count, track, statedSeconds, seconds, limit }) {
  const key = `notice.${code}`;
  if (!isKnown(key)) return message;
  const words = { stated: duration(statedSeconds ?? 0), kept: duration(seconds ?? 0), limit: size(limit ?? 0) };
  return t(key, { n: count ?? 1, track: track ?? 1, ...words });
}

/** @param {unknown} problem */
function refusalWords(problem) {
  const { message, suggestion } = wordsFor(problem);
  return suggestion === null ? message : `${message} ${suggestion}`;
}

/**
 * @param {SoundImport["state"]} state
 * @param {number} part
 */
function progressWords(state, part) {
  if (state === "sending") return t("import.sending", { n: number(part * 100) });
  if (state === "joining") return t("recordings.rest.joining", { n: number(part * 100) });
  return t(state === "waiting" ? "import.waiting" : "recordings.importing");
}

/** The button that opens the picker for sound files. */
export function soundImportButton() {
  const input = h("input", {
    type: "file",
    multiple: true, // of any name: where they go is known by what is in them
    class: "visually-hidden",
    tabindex: "-1",
    "aria-hidden": "true",
  });
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    attempt(async () => (await import("../drops/dropped-files.js")).takeFiles(files, { isForSound: true }));
    input.value = "";
  });
  const label = t("recordings.file");
  const made = button({ label, icon: "text", onPress: () => input.click() });
  made.title = label; // where only its icon is seen
  return h("span", { class: "sound-import-button" }, made, input);
}
