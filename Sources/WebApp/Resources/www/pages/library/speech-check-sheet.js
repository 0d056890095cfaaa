import { button, icon, setIcon } from "../../components/button.js";
import { isBusy, selectField, setBusy } from "../../components/field.js";
import { errorNotice, wayToVoices } from "../../components/notice.js";
import { focusTitle, Sheet } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { clock, languageName, markedParts } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { NewestState, onServer } from "../../server/events.js";
import { loadItemTimings } from "../../server/library.js";
import {
  forgetSpeechCheck,
  listRecognizers,
  loadSpeechCheck,
  speakSentence,
  startSpeechCheck,
} from "../../server/transcriptions.js";
import { areShown, isFit, offersIn, sheetCards } from "../recognizers/offers.js";

/** @typedef {import("../../server/transcriptions.js").SpeechCheckProgress} Progress */

/** The progress of a check. */
class CheckProgress {
  element;
  #words = h("p", {});
  #found = h("p", { class: "muted small" });
  #announced = h("p", { class: "visually-hidden", role: "status" });
  #bar = h(
    "div",
    { class: "progress", role: "progressbar", "aria-label": t("check.progress"), "aria-valuemin": "0", "aria-valuemax": "100" },
    h("div", { class: "progress-part" }),
  );
  #tenth = 0;

  constructor() {
    this.element = h(
      "div",
      { class: "check-progress" },
      this.#words,
      this.#bar,
      this.#found,
      h("p", { class: "muted small" }, t("check.goes-on")),
      this.#announced,
    );
  }

  /** @param {Progress} check A queued or running check. */
  update({ state, progress, heard, sentences, found, recognizerName }) {
    const percent = number(progress * 100);
    const words = { heard, all: sentences, percent, name: recognizerName ?? "" };
    setText(this.#words, state === "queued" ? t("check.queued") : t("check.running", words));
    setText(this.#found, state === "queued" ? "" : t(found === 0 ? "check.none-so-far" : "check.found-so-far", { n: found }));
    this.#bar.style.setProperty("--part", String(progress));
    setAttribute(this.#bar, "aria-valuenow", String(Math.round(progress * 100)));
    const tenth = Math.floor(progress * 10);
    if (tenth > this.#tenth) setText(this.#announced, t("check.percent", { n: tenth * 10 }));
    this.#tenth = tenth;
  }
}

/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../server/transcriptions.js").Recognizer} Recognizer */

/**
 * @typedef {object} StartListener
 * @property {(canStart: boolean) => void} ready Whether a recognizer for the language is installed.
 * @property {() => void} come Called when the recognizer downloaded here is installed.
 */

/** The introduction to a check: what it does and which recognizer it uses, or which ones can be downloaded. */
class CheckStart {
  element = h("div", { class: "check-start" });
  /** @type {string | undefined} The id of the recognizer to use. */
  recognizer;
  #item;
  #listener;
  #signal;
  #choice = h("div", {});
  #offers = h("div", {});
  /** Whether a download was started here. */
  #isAwaiting = false;
  /** @type {Set<string> | null} The recognizers installed before it. */
  #known = null;

  /**
   * @param {Item} item
   * @param {StartListener} listener
   * @param {AbortSignal} signal
   */
  constructor(item, listener, signal) {
    this.#item = item;
    this.#listener = listener;
    this.#signal = signal;
    fill(
      this.element,
      h("p", {}, t("check.intro")),
      this.#choice,
      this.#offers,
      h("p", { class: "private-note" }, icon("lock"), t("order.private")),
    );
    for (const name of /** @type {const} */ (["voices", "settings"])) onServer(name, () => this.element.isConnected && this.load(), signal);
  }

  async load() {
    try {
      const known = (await listRecognizers(this.#signal)).filter((one) => isFit(one, this.#item.language));
      if (this.#signal.aborted) return;
      const come = this.#isAwaiting ? known.find(({ id }) => !this.#known?.has(id)) : undefined;
      this.#known ??= new Set(known.map(({ id }) => id));
      this.recognizer = come?.id ?? this.recognizer ?? known[0]?.id;
      this.#show(known);
      this.#listener.ready(known.length > 0);
      if (come !== undefined) {
        this.#isAwaiting = false;
        this.#listener.come();
      } else if (known.some(({ engine }) => engine !== "pocketSphinx")) {
        fill(this.#offers);
      } else if (!this.#isAwaiting) {
        await this.#offer(known.length === 0);
      }
    } catch (error) {
      if (this.#signal.aborted) return;
      delete this.#choice.dataset.shown;
      fill(this.#choice, errorNotice(error));
    }
  }

  /** @param {Recognizer[]} known */
  #show(known) {
    const options = known.map(({ id, name }) => ({ value: id, label: name }));
    const value = this.recognizer ?? "";
    // The choice may be open.
    const shown = JSON.stringify(options);
    if (this.#choice.dataset.shown === shown) return;
    this.#choice.dataset.shown = shown;
    const onChange = (/** @type {string} */ id) => (this.recognizer = id);
    const choice = known.length > 1 ? selectField({ label: t("order.recognizer"), groups: [{ options }], value, onChange }).element : null;
    const { language } = this.#item;
    const none = language === "und" ? t("order.none") : t("check.none", { language: languageName(language) });
    fill(this.#choice, known.length === 0 ? h("p", { class: "check-none" }, none) : choice);
  }

  /** @param {boolean} isBare Whether there is none for the language. */
  async #offer(isBare) {
    const { offers, isOffline } = await offersIn(this.#item.language, this.#signal);
    if (this.#signal.aborted || this.#isAwaiting || areShown(this.#offers, offers, `${isBare} ${isOffline}`)) return;
    const begun = () => (this.#isAwaiting = true);
    const { language, duration: seconds } = this.#item;
    const all = h("a", { class: "button", href: "/recordings/recognizers" }, t("recognizers.title"));
    const hadFocus = this.#offers.contains(document.activeElement);
    fill(
      this.#offers,
      offers.length > 0 && h("p", { class: "muted" }, t(isBare ? "order.none.detail" : "order.better")),
      ...sheetCards(offers, isOffline, { language, seconds, begun }, this.#signal),
      isBare && offers.length === 0 && all,
    );
    if (hadFocus) focusTitle();
  }
}

/** @typedef {import("../../server/transcriptions.js").Finding} Finding */

/**
 * @typedef {object} FindingActions
 * @property {(row: FindingRow) => void} play
 * @property {(row: FindingRow) => void} speak
 */

/** A sentence that does not sound as written, or did not until it was spoken again. */
class FindingRow {
  element;
  /** Whether it sounds as written since it was spoken again. */
  isFixed = false;
  #finding;
  #head = h("p", { class: "finding-head" });
  #words = h("dl", { class: "finding-words" });
  #problem = h("div", {});
  #playButton;
  #speak;

  /**
   * @param {Finding} finding
   * @param {FindingActions} actions
   */
  constructor(finding, actions) {
    this.#finding = finding;
    this.#playButton = button({ label: "", icon: "play", onPress: () => actions.play(this) });
    this.#speak = button({ label: t("check.speak"), icon: "again", onPress: () => actions.speak(this) });
    const name = t("check.sentence", { n: String(finding.number) });
    setAttribute(this.#speak, "aria-label", `${t("check.speak")}: ${name}`);
    this.element = h(
      "li",
      { class: "finding" },
      this.#head,
      this.#words,
      this.#problem,
      h("div", { class: "finding-actions" }, this.#playButton, this.#speak),
    );
    this.update(finding);
  }

  get number() {
    return this.#finding.number;
  }

  /** Seconds. */
  get start() {
    return this.#finding.start;
  }

  /** @param {number} seconds Where it begins now. */
  set start(seconds) {
    this.#finding = { ...this.#finding, start: seconds };
  }

  /** @param {Finding} finding The present finding. */
  update(finding) {
    this.#finding = finding;
    this.isFixed = false;
    const { number, kind, text, heard, differences, isSpokenAgain } = finding;
    const sign = h("span", { class: "finding-kind" }, icon("warning"), t(`check.kind.${kind}`));
    fill(this.#head, sign, ` · ${t("check.sentence", { n: String(number) })}`);
    const said = differences.map(({ heardFrom, heardTo }) => ({ from: heardFrom, to: heardTo }));
    fill(
      this.#words,
      line("check.written", marked(text, differences, "del")),
      line("check.heard", heard === "" ? [h("span", { class: "muted" }, t("check.heard.nothing"))] : marked(heard, said, "ins")),
      isSpokenAgain && line("check.respoken", [t("check.respoken.still")]),
    );
    this.#show();
  }

  /** Shows that it now sounds as written. */
  markFixed() {
    this.isFixed = true;
    const { number, text } = this.#finding;
    const sign = h("span", { class: "finding-kind" }, icon("check"), t("check.fixed"));
    fill(this.#head, sign, ` · ${t("check.sentence", { n: String(number) })}`);
    fill(this.#words, line("check.written", [text]));
    this.#show();
  }

  /** @param {boolean} isHeard Whether it is playing. */
  showPlaying(isHeard) {
    setIcon(this.#playButton, isHeard ? "pause" : "play");
    setText(/** @type {Element} */ (this.#playButton.lastElementChild), isHeard ? t("do.pause") : t("check.hear", { time: clock(this.start) }));
  }

  /** @param {"speaking" | "waiting" | "ready"} state `waiting`: another sentence is being spoken. */
  showSpeaking(state) {
    setBusy(this.#speak, state === "speaking" ? t("check.speaking") : null);
    this.#speak.disabled = state === "waiting";
    if (state === "speaking") fill(this.#problem);
  }

  /** @param {unknown} error Why it was not spoken again. */
  fail(error) {
    fill(this.#problem, errorNotice(error, wayToVoices(error)));
  }

  #show() {
    this.element.classList.toggle("fixed", this.isFixed);
    this.showPlaying(false);
  }
}

/**
 * @param {string} key
 * @param {(Node | string)[]} words
 */
function line(key, words) {
  return h("div", {}, h("dt", {}, t(key)), h("dd", { dir: "auto" }, ...words));
}

/**
 * A text with its differences marked, also in words for screen readers.
 *
 * @param {string} text
 * @param {{ from: number, to: number }[]} marks
 * @param {"del" | "ins"} tag
 * @returns {(Node | string)[]}
 */
function marked(text, marks, tag) {
  const name = t(tag === "del" ? "check.only.written" : "check.only.heard");
  return markedParts(text, marks).map((part) =>
    part.isMarked ? h(tag, {}, h("span", { class: "visually-hidden" }, `${name}: `), part.text) : part.text,
  );
}

/** @param {NonNullable<import("../../server/transcriptions.js").SpokenSentence["times"]>} times */
function sayLate({ captions, late, seconds }) {
  showToast({ icon: "warning", text: t("strip.late", { n: late, all: number(captions), seconds: number(seconds, 1) }) });
}

/**
 * Whether a sentence may have been spoken again, perhaps as long as before: only the recognizer failed, or it is not known.
 *
 * @param {unknown} error
 */
function mayBeSpoken(error) {
  const { status = 0, code = "" } = /** @type {{ status?: number, code?: string }} */ (error ?? {});
  return status === 0 || status >= 500 || code.startsWith("recognition.");
}

/** @typedef {import("../../server/transcriptions.js").SpeechCheck} SpeechCheck */

/** The check of a narration: the sheet starts, follows and stops it, and plays and respeaks the findings. */
export class SpeechCheckSheet extends Sheet {
  #item;
  #newest = new NewestState();
  #place = h("div", { class: "check-place" });
  #list = h("ol", { class: "findings" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #start = button({ label: t("check.start"), icon: "check", look: "primary", onPress: () => this.#begin() });
  #again = button({ label: t("check.again"), onPress: () => this.#showStart() });
  #stop = button({ label: t("job.cancel"), icon: "stop", onPress: () => this.#forget() });
  #all = button({ label: t("check.all"), icon: "again", look: "primary", onPress: () => this.#pressAll() });
  #before;
  #progress = new CheckProgress();
  /** @type {SpeechCheck["state"] | "unknown"} */
  #shown = "unknown";
  /** The number of sentences in the narration. */
  #sentences = 0;
  /** @type {Map<number, FindingRow>} By sentence number. */
  #rows = new Map();
  /** Counts the questions for the times of the rows: only the answer to the last one is shown. */
  #questions = 0;
  /** @type {FindingRow | null} The row that was played last. */
  #heard = null;
  /** Whether the title has the focus only until an action is available again. */
  #wantsFocus = false;
  #isSpeaking = false;
  #isSpeakingAll = false;
  /** Whether the narration was deleted: until the sheet is closed, its check is announced to end, and is gone. */
  #isDeleted = false;

  /** @param {Item} item A narration. */
  constructor(item) {
    super({ title: t("check.title"), kind: "side", className: "speech-check-sheet" });
    this.#item = item;
    const { signal } = this;
    this.#before = new CheckStart(
      item,
      {
        ready: (canStart) => this.#shown === "none" && this.#offer(canStart ? [this.#start] : []),
        come: () => this.#shown === "none" && this.#begin(),
      },
      signal,
    );
    const name = h("p", { class: "muted check-name", dir: "auto" }, item.name);
    this.build({
      content: [name, this.#place, this.#list, this.#status],
      actions: [this.#again, this.#stop, this.#start, this.#all],
    });
    this.element.dataset.shortcuts = "";
    this.#offer([]);
    this.#listen(signal);
    this.#load();
  }

  /** @param {AbortSignal} signal */
  #listen(signal) {
    onServer("speechCheck", (check, event) => {
      if (this.#isDeleted || check.item !== this.#item.id || !this.#newest.takesEvent(event)) return;
      if (check.state === this.#shown && check.state === "running") this.#progress.update(check);
      else this.#load();
    }, signal);
    onServer("library", ({ deleted }) => {
      if (!deleted.includes(this.#item.id)) return;
      this.#isDeleted = true;
      this.close();
    }, signal);
    onServer("reset", () => this.#isDeleted || this.#load(), signal);
    player.phase.watch(() => this.#showPlaying(), signal);
    player.track.watch(() => this.#showPlaying(), signal);
  }

  async #load() {
    try {
      const check = await loadSpeechCheck(this.#item.id, this.signal);
      if (this.#newest.takesAnswer(check)) this.#show(check);
    } catch (error) {
      if (!this.signal.aborted) this.#fail(error, button({ label: t("do.again"), onPress: () => this.#load() }));
    }
  }

  // States

  /** @param {SpeechCheck} check */
  #show(check) {
    if (this.signal.aborted) return;
    const isOther = check.state !== this.#shown;
    this.#shown = check.state;
    this.#sentences = check.sentences;
    if (check.state !== "done") this.#clear();
    if (check.state === "none") {
      if (isOther) this.#showStart();
    } else if (check.state === "queued" || check.state === "running") {
      if (isOther) fill(this.#place, this.#progress.element);
      this.#progress.update(check);
      this.#offer([this.#stop]);
    } else if (check.state === "failed") {
      this.#fail(check.failure);
      this.#offer([this.#again]);
    } else if (check.state === "done") {
      this.#showFindings(check);
      if (isOther) setText(this.#status, this.#summary());
    }
  }

  #clear() {
    this.#rows.clear();
    fill(this.#list);
    this.#heard = null;
    this.#isSpeakingAll = false;
  }

  /**
   * @param {unknown} error
   * @param {HTMLElement[]} actions
   */
  #fail(error, ...actions) {
    fill(this.#place, errorNotice(error, ...actions));
  }

  /** @param {HTMLElement[]} actions The enabled actions; the focus moves to the last when its own is gone. */
  #offer(actions) {
    const active = document.activeElement;
    const title = this.element.querySelector("h2");
    const had = this.#wantsFocus ? active === title : active?.closest(".sheet-actions") != null && this.element.contains(active);
    for (const one of [this.#again, this.#stop, this.#start, this.#all]) one.hidden = !actions.includes(one);
    const isGone = active === title || (active instanceof HTMLElement && active.hidden);
    this.#wantsFocus = had && actions.length === 0;
    if (had && isGone) (actions.at(-1) ?? title)?.focus();
  }

  /** Shows the introduction; the findings of an earlier check are cleared when another begins. */
  #showStart() {
    this.#shown = "none";
    this.#clear();
    fill(this.#place, this.#before.element);
    this.#offer([]);
    this.#before.load();
  }

  async #begin() {
    if (isBusy(this.#start)) return;
    setBusy(this.#start, t("order.starting"));
    try {
      const check = await startSpeechCheck(this.#item.id, this.#before.recognizer);
      if (this.#newest.takesAnswer(check)) this.#show(check);
    } catch (error) {
      if (!this.signal.aborted) this.#fail(error, button({ label: t("do.again"), onPress: () => this.#showStart() }));
    } finally {
      setBusy(this.#start, null);
    }
  }

  async #forget() {
    await attempt(() => forgetSpeechCheck(this.#item.id), this.signal);
    this.#load();
  }

  // Findings

  /** @param {SpeechCheck} check */
  #showFindings({ findings }) {
    const open = new Set(findings.map(({ number }) => number));
    for (const finding of findings) {
      const row = this.#rows.get(finding.number);
      if (row === undefined) this.#rows.set(finding.number, this.#rowOf(finding));
      else row.update(finding);
    }
    for (const row of this.#rows.values()) if (!open.has(row.number) && !row.isFixed) row.markFixed();
    const rows = [...this.#rows.values()].sort((one, other) => one.number - other.number);
    for (const [index, { element }] of rows.entries()) {
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    }
    this.#showSummary();
    this.#showPlaying();
    this.#showTimes();
  }

  /**
   * Shows where the sentences begin now: those that are well are not in the check any more, and what follows one that is
   * spoken again moves, though not by its growth where captions keep their times.
   */
  async #showTimes() {
    if (this.#rows.size === 0) return;
    const question = (this.#questions += 1);
    try {
      const { sentences } = await loadItemTimings(this.#item.id, this.signal);
      if (question !== this.#questions) return;
      for (const row of this.#rows.values()) row.start = sentences[row.number - 1]?.start ?? row.start;
      this.#showPlaying();
    } catch {
      // They stay as they were; the next change asks again.
    }
  }

  /** @param {import("../../server/transcriptions.js").Finding} finding */
  #rowOf(finding) {
    return new FindingRow(finding, { play: (row) => this.#play(row), speak: (row) => this.#speak(row) });
  }

  /** The sentences that still do not sound as written. */
  get #open() {
    return [...this.#rows.values()].filter((row) => !row.isFixed);
  }

  #summary() {
    const n = this.#open.length;
    if (n > 0) return t("check.found", { n, all: this.#sentences });
    return this.#rows.size > 0 ? t("check.all.fixed") : t("check.well", { n: this.#sentences });
  }

  #showSummary() {
    const isWell = this.#open.length === 0;
    fill(
      this.#place,
      h("p", { class: isWell ? "check-summary well" : "check-summary" }, isWell ? icon("check") : null, this.#summary()),
      isWell ? null : h("p", { class: "muted small" }, t("check.note")),
    );
    this.#offer(isWell && !this.#isSpeakingAll ? [this.#again] : [this.#again, this.#all]);
  }

  /** @param {FindingRow} row */
  #play(row) {
    const isPlaying = this.#heard === row && player.isCurrent(this.#item.id) && player.isPlaying;
    if (isPlaying) {
      player.pause();
      return;
    }
    this.#heard = row;
    // Its sound may differ from the one that was loaded.
    attempt(() => player.playItem(this.#item.id, row.start), this.signal);
  }

  #showPlaying() {
    const isOn = player.isCurrent(this.#item.id) && player.isPlaying;
    for (const row of this.#rows.values()) row.showPlaying(isOn && row === this.#heard);
  }

  // Speaking again

  /**
   * @param {FindingRow} row
   * @returns {Promise<boolean>} Whether it was spoken.
   */
  async #speak(row) {
    if (this.#isSpeaking) return false;
    this.#isSpeaking = true;
    for (const one of this.#rows.values()) one.showSpeaking(one === row ? "speaking" : "waiting");
    try {
      const { number, times, unspoken, check } = await speakSentence(this.#item.id, row.number);
      // Captions that begin at their own times stay there, and the recording is as long as before.
      if (times !== null) player.resound(this.#item.id);
      if (times !== null && times.late > 0) sayLate(times);
      if (unspoken.length > 0) showToast({ icon: "warning", text: t("speak.unspoken", { text: unspoken.join(" · ") }) });
      if (check.state === "done") this.#showFindings(check);
      const result = t(row.isFixed ? "check.spoken.well" : "check.spoken.still", { n: String(number) });
      setText(this.#status, this.#open.length === 0 ? `${result} ${this.#summary()}` : result);
      return true;
    } catch (error) {
      if (mayBeSpoken(error)) {
        player.resound(this.#item.id);
        this.#showTimes();
      }
      if (!this.signal.aborted) row.fail(error);
      return false;
    } finally {
      this.#isSpeaking = false;
      for (const one of this.#rows.values()) one.showSpeaking("ready");
      this.#showPlaying();
    }
  }

  /** Speaks all of them again, or stops after the current one. */
  async #pressAll() {
    if (this.#isSpeakingAll) {
      this.#isSpeakingAll = false;
      return;
    }
    if (this.#isSpeaking) return;
    this.#isSpeakingAll = true;
    const rows = this.#open;
    const label = /** @type {Element} */ (this.#all.querySelector(".button-label"));
    for (const [index, row] of rows.entries()) {
      setText(label, t("check.all.stop", { n: index + 1, all: rows.length }));
      if (!(await this.#speak(row)) || !this.#isSpeakingAll || this.signal.aborted) break;
    }
    this.#isSpeakingAll = false;
    setText(label, t("check.all"));
    if (this.#shown === "done") this.#showSummary();
  }
}
