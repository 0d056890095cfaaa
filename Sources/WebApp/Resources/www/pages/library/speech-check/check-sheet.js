import { button } from "../../../components/button.js";
import { isBusy, setBusy } from "../../../components/field.js";
import { icon } from "../../../components/icon.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { CheckProgress } from "./check-progress.js";
import { CheckStart } from "./check-start.js";
import { FindingRow } from "./finding-row.js";
import { player } from "../../../player/player.js";
import { NewestState, onServer } from "../../../server/events.js";
import { forgetSpeechCheck, loadSpeechCheck, speakSentence, startSpeechCheck } from "../../../server/speech-check.js";

/** @typedef {import("../../../server/library.js").Item} Item */
/** @typedef {import("../../../server/speech-check.js").SpeechCheck} SpeechCheck */

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
  /** @type {FindingRow | null} The row that was played last. */
  #heard = null;
  /** Whether the title has the focus only until an action is available again. */
  #wantsFocus = false;
  #isSpeaking = false;
  #isSpeakingAll = false;

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
      if (check.item !== this.#item.id || !this.#newest.takesEvent(event)) return;
      if (check.state === this.#shown && check.state === "running") this.#progress.update(check);
      else this.#load();
    }, signal);
    onServer("library", ({ deleted }) => deleted.includes(this.#item.id) && this.close(), signal);
    onServer("reset", () => this.#load(), signal);
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
    for (const row of this.#rows.values()) if (!open.has(row.number) && !row.isMended) row.mend();
    const rows = [...this.#rows.values()].sort((one, other) => one.number - other.number);
    for (const [index, { element }] of rows.entries()) {
      if (this.#list.children[index] !== element) this.#list.insertBefore(element, this.#list.children[index] ?? null);
    }
    this.#showSummary();
    this.#showPlaying();
  }

  /** @param {import("../../../server/speech-check.js").Finding} finding */
  #rowOf(finding) {
    return new FindingRow(finding, { hear: (row) => this.#hear(row), speak: (row) => this.#speak(row) });
  }

  /** The sentences that still do not sound as written. */
  get #open() {
    return [...this.#rows.values()].filter((row) => !row.isMended);
  }

  #summary() {
    const n = this.#open.length;
    if (n > 0) return t("check.found", { n, all: this.#sentences });
    return this.#rows.size > 0 ? t("check.all.mended") : t("check.well", { n: this.#sentences });
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
  #hear(row) {
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
      const before = row.length;
      const { number, start, end, check } = await speakSentence(this.#item.id, row.number);
      for (const one of this.#rows.values()) if (one.isMended && one.number > number) one.move(end - start - before);
      if (check.state === "done") this.#showFindings(check);
      if (row.isMended) row.mend({ start, end });
      const result = t(row.isMended ? "check.spoken.well" : "check.spoken.still", { n: String(number) });
      setText(this.#status, this.#open.length === 0 ? `${result} ${this.#summary()}` : result);
      return true;
    } catch (error) {
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
