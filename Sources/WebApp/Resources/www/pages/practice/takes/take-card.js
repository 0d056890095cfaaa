import { button } from "../../../components/button.js";
import { setIcon } from "../../../components/icon.js";
import { attempt } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { percent } from "../session/summary-view.js";
import { markedPieces, wordCounts } from "./marked-words.js";
import { canBeHeard } from "./take-list.js";
import { paceWords, pauseWords, takeDrawing } from "./take-drawing.js";
import { problemOf, stateWords } from "./take-words.js";

/** @typedef {import("./take-list.js").TakeEntry} TakeEntry */
/** @typedef {import("./marked-words.js").MarkedPiece} MarkedPiece */

/** Seconds to play before and after a word. */
const around = 0.06;

/** The ways to listen to a take. */
const ways = /** @type {const} */ (["model", "take", "both"]);

/** @typedef {(typeof ways)[number]} Way */

/** A take: playback compared with its model, its words, and its pitch and pace. */
export class TakeCard {
  key;
  #take;
  #connection;
  #actions;
  #title = h("p", { class: "take-title" });
  #score = h("span", { class: "take-score numbers" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  #listen = ways.map((way) => button({ label: t(`practice.listen.${way}`), icon: "play", className: "take-way", onPress: () => this.#play(way) }));
  #hard = button({ label: t("practice.hard.mark"), icon: "warning", look: "quiet", onPress: () => this.#markHard() });
  #body = h("div", { class: "take-body" });
  /** The elements of the take. */
  #shown = "";
  element;

  /**
   * @param {TakeEntry} take
   * @param {import("../session/session-connection.js").SessionConnection} connection
   * @param {import("./take-panel.js").TakePanelActions & { remove: () => void }} actions
   */
  constructor(take, connection, actions) {
    this.key = take.key;
    this.#take = take;
    this.#connection = connection;
    this.#actions = actions;
    const remove = button({ label: t("practice.take.delete"), icon: "trash", look: "quiet", iconOnly: true, onPress: actions.remove });
    this.element = h(
      "article",
      { class: "take-card" },
      h("header", { class: "take-head" }, this.#title, this.#score),
      this.#body,
      h("div", { class: "take-ways", role: "group", "aria-label": t("practice.listen") }, ...this.#listen, this.#hard, remove),
      this.#status,
    );
  }

  show() {
    const { state, score, segment, problem, mark } = this.#take;
    setText(this.#title, t("practice.segment", { n: segment }));
    setText(this.#score, mark === null ? stateWords(this.#take) : percent(mark));
    this.#showHard();
    const now = this.#actions.textOf(segment);
    const text = this.#take.text || now;
    this.#showWays(canBeHeard(this.#take), now === "" || now === text);
    const shown = JSON.stringify([state, text, problem === null]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const trouble = problemOf(this.#take, () => this.#connection.takes.finish(this.#take));
    fill(this.#body, trouble, ...(score === null ? [h("p", { class: "take-words", dir: "auto" }, text)] : this.#scored(text, score)));
    if (state === "scored" && score !== null) setText(this.#status, this.#announcement(score));
  }

  /**
   * @param {boolean} hasTake Whether the take can be played.
   * @param {boolean} hasModel Whether its model can: another segmentation has other segments.
   */
  #showWays(hasTake, hasModel) {
    this.#listen.forEach((one, index) => {
      const way = ways[index];
      one.hidden = (way !== "model" && !hasTake) || (way !== "take" && !hasModel);
    });
  }

  /** @param {string | null} name What is playing. */
  showPlaying(name) {
    this.#listen.forEach((one, index) => setIcon(one, name === this.#name(ways[index] ?? "model") ? "stop" : "play"));
  }

  /**
   * @param {string} text
   * @param {import("../../../server/practice.js").TakeScore} score
   */
  #scored(text, score) {
    const hasWords = score.words.length > 0;
    const facts = [paceWords(score.pace), pauseWords(score.pauses)].filter((words) => words !== "");
    const pieces = hasWords ? markedPieces(text, score).map((piece) => this.#piece(piece)) : [text];
    return [
      h("p", { class: "take-words", dir: "auto", lang: this.#connection.session.language }, ...pieces),
      hasWords ? wordKey(score) : null,
      h("p", { class: "take-facts small muted numbers" }, facts.join(" ")),
      takeDrawing(score),
    ].filter((one) => one !== null);
  }

  /** @param {MarkedPiece} piece */
  #piece(piece) {
    if (piece.kind === "plain") return piece.text;
    const heard = piece.kind === "different" && piece.word.heard ? piece.word.heard : "";
    const words = piece.kind === "said" ? "" : ` (${t(`practice.word.${piece.kind}`)}${heard === "" ? "" : `: ${heard}`})`;
    return h(
      "button",
      { type: "button", class: `take-word ${piece.kind}`, title: heard === "" ? null : t("practice.word.heard", { words: heard }), onclick: () => this.#playWord(piece) },
      piece.text,
      words === "" ? null : h("span", { class: "visually-hidden" }, words),
    );
  }

  /** @param {import("../../../server/practice.js").TakeScore} score */
  #announcement(score) {
    return score.score === null ? t("practice.take.done") : t("practice.take.scored", { score: percent(score.score) });
  }

  /** @param {Way} way */
  #name(way) {
    return `${this.key} ${way}`;
  }

  /** @param {Way} way */
  async #play(way) {
    const name = this.#name(way);
    const { playback } = this.#connection;
    if (playback.playing.value === name) {
      playback.stop();
      return;
    }
    await attempt(async () => {
      await this.#actions.rest();
      const { segment, rate, score } = this.#take;
      const model = way === "take" ? null : await this.#connection.modelSound(segment, rate);
      const take = way === "model" ? null : await this.#connection.takeSound(this.#take);
      if (model !== null && take !== null) playback.playBoth(name, model, take, score?.words ?? []);
      else if (model ?? take) playback.play(name, /** @type {AudioBuffer} */ (model ?? take));
    });
  }

  /**
   * Plays a word as the user said it; a missed one as the model says it.
   *
   * @param {Exclude<MarkedPiece, { kind: "plain" }>} piece
   */
  #playWord(piece) {
    return attempt(async () => {
      await this.#actions.rest();
      const { segment, rate } = this.#take;
      const own = piece.kind === "extra" ? piece.extra : piece.word;
      const { modelStart = null, modelEnd = null } = piece.kind === "extra" ? {} : piece.word;
      const name = `${this.key} word`;
      if (own.start !== null && own.end !== null && canBeHeard(this.#take)) {
        this.#connection.playback.play(name, await this.#connection.takeSound(this.#take), { from: Math.max(0, own.start - around), to: own.end + around });
      } else if (modelStart !== null && modelEnd !== null) {
        this.#connection.playback.play(name, await this.#connection.modelSound(segment, rate), { from: Math.max(0, modelStart - around), to: modelEnd + around });
      }
    });
  }

  #showHard() {
    const isHard = this.#actions.isHard(this.#take.segment);
    setAttribute(this.#hard, "aria-pressed", String(isHard));
  }

  async #markHard() {
    const { segment } = this.#take;
    await attempt(() => this.#actions.markHard(segment, !this.#actions.isHard(segment)));
    this.#showHard();
  }
}

/**
 * The legend of the marks, with the number of each.
 *
 * @param {import("../../../server/practice.js").TakeScore} score
 */
function wordKey(score) {
  const counts = wordCounts(score);
  const kinds = /** @type {const} */ (["said", "missed", "different", "extra"]);
  return h(
    "ul",
    { class: "word-key small" },
    ...kinds.filter((kind) => counts[kind] > 0).map((kind) => h("li", {}, h("span", { class: `take-word ${kind}`, "aria-hidden": "true" }, t(`practice.word.${kind}`)), h("span", { class: "visually-hidden" }, t(`practice.word.${kind}`)), ` ${counts[kind]}`)),
  );
}
