import { button, icon, setIcon } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { errorNotice, notice } from "../../components/notice.js";
import { ReadingText } from "../../components/reading-text.js";
import { Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { clock, languageName, longDate, paragraphFor, size, speakerName, wordsFor } from "../../core/format.js";
import { number, t, times } from "../../core/i18n.js";
import { voices } from "../../core/store.js";
import { player } from "../../player/player.js";
import { loadSentences, voiceOf } from "../../player/track.js";
import { loadDocument } from "../../server/documents.js";
import { ServerProblem } from "../../server/http.js";
import { onServer } from "../../server/events.js";
import { loadItemText } from "../../server/library.js";

/** @typedef {import("../../server/library.js").Item} Item */

/** Milliseconds until the sheet shows that it is loading. */
const loadingDelay = 200;

/** The text of a recording: it follows the playback, and plays from the words that are pressed. */
export class TextSheet extends Sheet {
  #item;
  #play;
  #place = h("div", { class: "text-place" });
  #reading = new ReadingText();
  #text = "";
  /** Whether the times of its words could not be loaded. */
  #isUntimed = false;
  #copy = button({ label: t("text.copy"), icon: "copy", onPress: () => this.#copyText() });
  #start = button({ label: t("do.play"), icon: "play", look: "primary", onPress: () => this.#toggle() });

  /**
   * @param {Item} item
   * @param {{ play: (seconds: number) => void }} actions
   */
  constructor(item, { play }) {
    super({ title: item.name, kind: "side", className: "text-sheet" });
    this.#item = item;
    this.#play = play;
    const facts = [clock(item.duration), t("unit.words", { n: item.words }), item.narration ? voiceOf(item.narration) : t(`origin.${item.origin}`)];
    this.build({
      content: [h("p", { class: "muted text-facts" }, facts.join(" · ")), this.#place],
      actions: [this.#copy, this.#start],
    });
    this.element.dataset.shortcuts = "";
    this.#reading.addEventListener("text-seek", (event) => this.#seek(/** @type {CustomEvent} */ (event).detail.seconds));
  }

  open() {
    super.open();
    const { signal } = this;
    player.phase.follow(() => this.#showButton(), signal);
    player.track.watch(() => this.#showButton(), signal);
    player.time.watch(() => this.#isCurrent && this.#reading.setTime(player.now()), signal);
    onServer("reset", () => this.#isUntimed && this.#show(), signal);
    this.#show();
    return this;
  }

  get #isCurrent() {
    return player.isCurrent(this.#item.id);
  }

  async #copyText() {
    const isCopied = await copyText(this.#text);
    showToast({ text: t(isCopied ? "text.copied" : "text.notCopied") });
  }

  #toggle() {
    if (this.#isCurrent) player.toggle();
    else this.#play(this.#item.place?.seconds ?? 0);
  }

  /** @param {number} seconds */
  #seek(seconds) {
    if (!this.#isCurrent) {
      this.#play(seconds);
      return;
    }
    player.seek(seconds);
    player.play();
  }

  #showButton() {
    const isPlaying = this.#isCurrent && player.isPlaying;
    const label = this.#start.querySelector(".button-label");
    setIcon(this.#start, isPlaying ? "pause" : "play");
    if (label !== null) setText(label, t(isPlaying ? "do.pause" : "do.play"));
  }

  async #show() {
    const { signal } = this;
    const { id } = this.#item;
    const loading = h("p", { class: "muted", role: "status" }, t("text.loading"));
    const waiting = setTimeout(() => fill(this.#place, loading), loadingDelay);
    const again = button({ label: t("do.again"), onPress: () => this.#show() });
    this.#copy.disabled = true;
    this.#isUntimed = false;
    try {
      const [{ text, paragraphs }, { sentences, problem }] = await Promise.all([loadItemText(id, signal), loadSentences(id, signal)]);
      this.#text = text;
      this.#isUntimed = problem !== null;
      this.#reading.show(text, paragraphs, sentences);
      fill(this.#place, this.#isUntimed && untimedNotice(problem, again), this.#reading);
      if (this.#isCurrent) this.#reading.setTime(player.now());
      this.#copy.disabled = false;
    } catch (error) {
      if (!signal.aborted) fill(this.#place, errorNotice(error, again));
    } finally {
      clearTimeout(waiting);
    }
  }
}

/**
 * Says why a text does not follow the playback.
 *
 * @param {unknown} problem
 * @param {HTMLElement} again
 */
function untimedNotice(problem, again) {
  return notice({ text: t("text.untimed"), detail: paragraphFor(problem), kind: "warning", actions: [again] });
}

/** All details of a recording. */
export class InfoSheet extends Sheet {
  #item;
  #facts = h("dl", { class: "facts" });
  /** The description of the source document, until that is loaded. */
  #source = h("span", { role: "status" }, t("state.loading"));

  /** @param {Item} item */
  constructor(item) {
    super({ title: t("info.title"), kind: "side", className: "info-sheet" });
    this.#item = item;
    const note = h("p", { class: "private-note" }, icon("lock"), t("info.private"));
    this.build({ content: [this.#facts, note] });
  }

  open() {
    super.open();
    // A speaker's name comes with the voices.
    voices.follow(() => this.#show(), this.signal);
    if (this.#item.narration?.document) this.#showSource(this.#item.narration.document);
    return this;
  }

  #show() {
    const rows = factsOf(this.#item).map(([key, value]) => fact(t(key), value));
    if (this.#item.narration?.document) rows.push(fact(t("info.document"), this.#source));
    fill(this.#facts, ...rows);
  }

  /** @param {import("../../server/narrations.js").Source} source */
  async #showSource({ id, part }) {
    try {
      const { name } = await loadDocument(id, this.signal);
      const place = `/documents/${encodeURIComponent(id)}?recording=${encodeURIComponent(this.#item.id)}`;
      const link = h("a", { href: place }, name);
      fill(this.#source, link, part ? ` – ${part}` : "");
    } catch (error) {
      if (this.signal.aborted) return;
      const isGone = error instanceof ServerProblem && error.code === "document.not-found";
      fill(this.#source, isGone ? t("info.document.gone") : wordsFor(error).message);
    }
  }
}

/**
 * @param {Item} item
 * @returns {[key: string, value: string][]}
 */
function factsOf(item) {
  const { narration } = item;
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.name", item.name],
    ["info.length", clock(item.duration)],
    ["info.words", number(item.words)],
    ["info.made", longDate(item.created)],
    ["info.origin", narration === null ? t(`origin.${item.origin}`) : null],
    ["info.voice", narration && voiceOf(narration)],
    ["info.speaker", narration && speakerOf(narration)],
    ["info.language", item.language === "und" ? null : languageName(item.language)],
    ["info.speed", narration && times(narration.speed)],
    ["info.pitch", narration && times(narration.pitch)],
    ["info.engine", narration?.engine ?? null],
    ["info.unspoken", narration?.unspoken?.join(" · ") ?? null],
    ["info.size", size(item.size)],
    ["info.sound", t("info.sound.value", { rate: number(item.sampleRate) })],
  ];
  return facts.flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
}

/**
 * The speaker: by name while the voice is installed.
 *
 * @param {NonNullable<Item["narration"]>} narration
 */
function speakerOf({ voice, speaker }) {
  const known = voices.value?.find(({ id }) => id === voice);
  if (known === undefined) return speaker > 0 ? String(speaker) : null;
  return known.speakers > 1 ? speakerName(known, speaker) : null;
}

/**
 * @param {string} name
 * @param {string | Node} value
 */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { dir: "auto" }, value));
}
