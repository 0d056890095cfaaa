import { button } from "../../components/button.js";
import { copyText } from "../../components/download.js";
import { icon, setIcon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { ReadingText } from "../../components/reading-text.js";
import { Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { clock, languageName, longDate, size } from "../../core/format.js";
import { number, t, times } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { loadItemText, loadItemTimings } from "../../server/library.js";

/** @typedef {import("../../server/library.js").Item} Item */

/** Milliseconds before the sheet shows that it is loading. */
const patience = 200;

/** The text of a recording: it reads along while the recording plays, and plays from the words that are pressed. */
export class TextSheet extends Sheet {
  #item;
  #play;
  #place = h("div", { class: "text-place" });
  #reading = new ReadingText();
  #text = "";
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
    const facts = [clock(item.duration), t("unit.words", { n: item.words }), item.voiceName].join(" · ");
    this.build({
      content: [h("p", { class: "muted text-facts" }, facts), this.#place],
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
    const waiting = setTimeout(() => fill(this.#place, loading), patience);
    this.#copy.disabled = true;
    try {
      const [words, timings] = await Promise.all([loadItemText(id, signal), timesOf(id, signal)]);
      this.#text = words;
      this.#reading.show(words, timings);
      fill(this.#place, this.#reading);
      if (this.#isCurrent) this.#reading.setTime(player.now());
      this.#copy.disabled = false;
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#show() });
      if (!signal.aborted) fill(this.#place, errorNotice(error, again));
    } finally {
      clearTimeout(waiting);
    }
  }
}

/**
 * The times of sentences; empty when they cannot be loaded, since the text can be read without.
 *
 * @param {string} id
 * @param {AbortSignal} signal
 */
async function timesOf(id, signal) {
  try {
    return (await loadItemTimings(id, signal)).sentences;
  } catch {
    return [];
  }
}

/** Everything that is known of a recording. */
export class InfoSheet extends Sheet {
  /** @param {Item} item */
  constructor(item) {
    const list = h("dl", { class: "facts" }, ...factsOf(item).map(([key, value]) => fact(t(key), value)));
    const note = h("p", { class: "private-note" }, icon("lock"), t("info.private"));
    super({ title: t("info.title"), kind: "side", className: "info-sheet", content: [list, note] });
  }
}

/**
 * @param {Item} item
 * @returns {[key: string, value: string][]}
 */
function factsOf(item) {
  /** @type {[key: string, value: string | null][]} */
  const facts = [
    ["info.name", item.name],
    ["info.length", clock(item.duration)],
    ["info.words", number(item.words)],
    ["info.made", longDate(item.created)],
    ["info.voice", item.voiceName],
    ["info.speaker", item.speaker > 0 ? String(item.speaker) : null],
    ["info.language", languageName(item.language)],
    ["info.speed", times(item.speed)],
    ["info.pitch", times(item.pitch)],
    ["info.engine", item.engine],
    ["info.document", item.document?.part == null ? null : String(item.document.part)],
    ["info.size", size(item.size)],
    ["info.sound", t("info.sound.value", { rate: number(item.sampleRate) })],
  ];
  return facts.flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
}

/**
 * @param {string} name
 * @param {string} value
 */
function fact(name, value) {
  return h("div", { class: "fact" }, h("dt", {}, name), h("dd", { dir: "auto" }, value));
}
