import { button, setIcon } from "../../../components/button.js";
import { errorNotice } from "../../../components/notice.js";
import { withdraw } from "../../../components/sheet.js";
import { attempt, DeferredDeletion, showNews, showUndo } from "../../../components/toast.js";
import { fill, h, kept, setAttribute, setText } from "../../../core/dom.js";
import { clock, duration, paragraphFor, wordsFor } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { percent, unitOf } from "../lists.js";
import {
  canBeHeard,
  commonRange,
  contourPath,
  loudnessHeight,
  markedPieces,
  pitchHeight,
  pitchRange,
  spokenPart,
  transposition,
  valuesOf,
  wordCounts,
} from "./take-list.js";

/** @typedef {import("../../../server/practice.js").TakeScore} TakeScore */

const namespace = "http://www.w3.org/2000/svg";

/** Width and height in units; the drawing scales to its container. */
const width = 600;
const height = 120;

/**
 * The pitch and the loudness of a take over those of the model: a picture, with a description for screen readers.
 *
 * @param {Pick<TakeScore, "pitch" | "loudness" | "pauses" | "pace">} score
 * @returns {HTMLElement}
 */
function takeDrawing({ pitch, loudness, pauses, pace }) {
  const ranges = { take: pitchRange(pitch.take), model: pitchRange(pitch.model) };
  const own = transposition(ranges.take, ranges.model);
  const moved = ranges.take && { low: own * ranges.take.low, high: own * ranges.take.high };
  const heightOf = pitchHeight(commonRange(moved, ranges.model));
  const parts = { take: spokenPart(pitch.take, pitch.step), model: spokenPart(pitch.model, pitch.step) };
  const seconds = Math.max(...Object.values(parts).map(({ from, to }) => (to - from) * pitch.step), 0);
  const box = { seconds, width, height };
  const path = (/** @type {"take" | "model"} */ whose, /** @type {readonly (number | null)[]} */ values, /** @type {(value: number) => number} */ of) =>
    contourPath(valuesOf(values, parts[whose]), pitch.step, of, box);
  const picture = drawing(
    line(path("take", loudness.take, loudnessHeight), "line loudness take"),
    line(path("model", loudness.model, loudnessHeight), "line loudness model"),
    line(path("model", pitch.model, heightOf), "line pitch model"),
    line(path("take", pitch.take, (hertz) => heightOf(own * hertz)), "line pitch take"),
  );
  const key = ["pitch take", "pitch model", "loudness take", "loudness model"].map((lines) =>
    h("li", { class: lines }, t(`practice.drawing.${lines.replace(" ", ".")}`)),
  );
  return h(
    "figure",
    { class: "take-drawing" },
    h("figcaption", {}, t("practice.drawing")),
    h("div", { role: "img", "aria-label": drawingWords({ ranges, pauses, pace }) }, picture),
    h("ul", { class: "drawing-key small muted" }, ...key),
  );
}

/**
 * The drawing in words.
 *
 * @param {object} known
 * @param {{ take: { low: number, high: number } | null, model: { low: number, high: number } | null }} known.ranges
 * @param {TakeScore["pauses"]} known.pauses
 * @param {TakeScore["pace"]} known.pace
 */
function drawingWords({ ranges, pauses, pace }) {
  const rangeWords = (/** @type {{ low: number, high: number } | null} */ range) =>
    range === null ? t("practice.drawing.none") : t("practice.drawing.range", { low: Math.round(range.low), high: Math.round(range.high) });
  return [
    t("practice.drawing.yours", { range: rangeWords(ranges.take) }),
    t("practice.drawing.models", { range: rangeWords(ranges.model) }),
    paceWords(pace),
    pauseWords(pauses),
  ].filter((words) => words !== "").join(" ");
}

/** @param {TakeScore["pace"]} pace */
function paceWords({ take, model }) {
  if (take === null || model === null) return "";
  return t("practice.pace.both", { take: Math.round(take), model: Math.round(model) });
}

/** @param {TakeScore["pauses"]} pauses */
function pauseWords({ take, model }) {
  const longest = take.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  const count = t("practice.pauses", { n: take.length, model: model.length });
  return longest < 1 ? count : `${count} ${t("practice.pauses.longest", { time: duration(longest) })}`;
}

/** @param {...SVGElement} lines */
function drawing(...lines) {
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("preserveAspectRatio", "none");
  picture.append(...lines);
  return picture;
}

/**
 * @param {string} path
 * @param {string} className
 */
function line(path, className) {
  const element = document.createElementNS(namespace, "path");
  element.setAttribute("d", path);
  element.setAttribute("class", className);
  element.setAttribute("vector-effect", "non-scaling-stroke");
  return element;
}

/** @typedef {import("./take-list.js").TakeEntry} TakeEntry */

/**
 * The state of a take without a score.
 *
 * @param {TakeEntry} take
 */
function stateWords({ state }) {
  return state === "sending" || state === "scoring" ? t("practice.take.scoring") : state === "failed" ? t("practice.take.failed") : "";
}

/**
 * Why a take has no score, and what can be done.
 *
 * @param {TakeEntry} take
 * @param {() => void} again
 */
function problemOf(take, again) {
  if (take.state === "failed") return errorNotice(take.problem, button({ label: t("do.again"), onPress: again }));
  const reason = take.score?.reason ?? null;
  if (take.score === null || take.score.score !== null || reason === null) return null;
  const { message, suggestion } = wordsFor({ code: `practice.score.${reason}` });
  return h("p", { class: "take-reason muted" }, [message, suggestion].filter(Boolean).join(" "));
}

/** @typedef {import("./take-list.js").MarkedPiece} MarkedPiece */

/** Seconds to play before and after a word. */
const around = 0.06;

/** The ways to listen to a take. */
const ways = /** @type {const} */ (["model", "take", "both"]);

/** @typedef {(typeof ways)[number]} Way */

/** A take: playback compared with its model, its words, and its pitch and pace. */
class TakeCard {
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
  /** Whether its model can be played: another segmentation has other segments. */
  #hasModel = true;
  element;

  /**
   * @param {TakeEntry} take
   * @param {import("../session/session-connection.js").SessionConnection} connection
   * @param {TakePanelActions & { remove: () => void }} actions
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
    setText(this.#title, t(`practice.segment.${unitOf(this.#connection.session)}`, { n: segment }));
    setText(this.#score, mark === null ? stateWords(this.#take) : percent(mark));
    this.#showHard();
    const now = this.#actions.textOf(segment);
    const text = this.#take.text || now;
    this.#hasModel = now === "" || now === text;
    const hasTake = canBeHeard(this.#take);
    this.#showWays(hasTake);
    const shown = JSON.stringify([state, text, problem === null, hasTake, this.#hasModel]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const hadFocus = this.#body.contains(document.activeElement);
    const trouble = problemOf(this.#take, () => this.#connection.takes.finish(this.#take));
    fill(this.#body, trouble, ...(score === null ? [h("p", { class: "take-words", dir: "auto" }, text)] : this.#scored(text, score)));
    if (hadFocus && !this.#body.contains(document.activeElement)) this.focus();
    if (state === "scored" && score !== null) setText(this.#status, this.#announcement(score));
  }

  /** Focuses the first way to listen, or what follows it. */
  focus() {
    const target = this.element.querySelector(".take-ways > :not([hidden])");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  /** @param {boolean} hasTake Whether the take can be played. */
  #showWays(hasTake) {
    this.#listen.forEach((one, index) => {
      const way = ways[index];
      one.hidden = (way !== "model" && !hasTake) || (way !== "take" && !this.#hasModel);
    });
    this.#hard.hidden = !this.#hasModel; // the number is that of another segment
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
    const isHeard = this.#soundOf(piece) !== null;
    const title = heard === "" ? null : t("practice.word.heard", { words: heard });
    return h(
      isHeard ? "button" : "span",
      { type: isHeard && "button", class: `take-word ${piece.kind}`, title, onclick: isHeard && (() => this.#playWord(piece)) },
      piece.text,
      words === "" ? null : h("span", { class: "visually-hidden" }, words),
    );
  }

  /**
   * Where a word is heard: as the user said it, or else as the model says it.
   *
   * @param {Exclude<MarkedPiece, { kind: "plain" }>} piece
   * @returns {{ whose: "take" | "model", start: number, end: number } | null} `null` when nobody knows its time.
   */
  #soundOf(piece) {
    const own = piece.kind === "extra" ? piece.extra : piece.word;
    if (own.start !== null && own.end !== null && canBeHeard(this.#take)) return { whose: "take", start: own.start, end: own.end };
    const { modelStart = null, modelEnd = null } = piece.kind === "extra" ? {} : piece.word;
    return this.#hasModel && modelStart !== null && modelEnd !== null ? { whose: "model", start: modelStart, end: modelEnd } : null;
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

  /** @param {Exclude<MarkedPiece, { kind: "plain" }>} piece */
  #playWord(piece) {
    return attempt(async () => {
      await this.#actions.rest();
      const { segment, rate } = this.#take;
      const word = this.#soundOf(piece);
      if (word === null) return;
      const sound = await (word.whose === "take" ? this.#connection.takeSound(this.#take) : this.#connection.modelSound(segment, rate));
      this.#connection.playback.play(`${this.key} word`, sound, { from: Math.max(0, word.start - around), to: word.end + around });
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

/**
 * A take that is deleted or waiting to be; what it was is forgotten once it is gone or shown again.
 *
 * @typedef {{ remove: ((options: { keepalive: boolean }) => Promise<void>) | null }} Deleted
 */

/** It outlives the session's view, as the undo does. */
const deletion = new DeferredDeletion({
  delete: async (/** @type {Deleted[]} */ takes, options) => {
    await Promise.all(takes.map(({ remove }) => remove?.(options)));
    takes.forEach(forget);
  },
  failed: (error, takes) => {
    takes.forEach(forget);
    showNews({ icon: "error", text: `${t("practice.take.notDeleted")} ${paragraphFor(error)}` });
  },
});

/** @param {Deleted} take */
function forget(take) {
  take.remove = null;
}

/** @type {WeakMap<TakeEntry, Deleted>} */
const deletedHere = new WeakMap();

/** @type {Map<string, Deleted>} Those that the server had: a session that is opened again has other entries for them. */
const deletedById = new Map();

/** @param {TakeEntry} take */
function isDeleted(take) {
  const known = [deletedHere.get(take), deletedById.get(take.id ?? "")];
  return known.some((one) => one !== undefined && deletion.isHidden(one));
}

/**
 * Hides a take at once and deletes it when undo is no longer offered: nobody can say it again in the same way.
 *
 * @param {TakeEntry} take
 * @param {import("./take-list.js").TakeList} list
 */
function deleteWithUndo(take, list) {
  /** @type {Deleted} */
  const one = { remove: (options) => list.remove(take, options) };
  deletedHere.set(take, one);
  if (take.id !== null) deletedById.set(take.id, one);
  const pending = deletion.hide([one]);
  const undo = () => {
    pending.undo();
    forget(one);
  };
  showUndo({ text: t("practice.take.deleted"), undo, commit: (isLeaving) => pending.finish({ keepalive: isLeaving }) });
}

/** How many earlier takes are listed at first, and added with each press. */
const step = 30;

/**
 * @typedef {object} TakePanelActions
 * @property {(segment: number) => string} textOf
 * @property {() => Promise<void>} rest Pauses practice, since something else is going to play.
 * @property {(segment: number, isHard: boolean) => Promise<void>} markHard
 * @property {(segment: number) => boolean} isHard
 */

/** The user's takes: the last one with its words, and the earlier ones. */
export class TakePanel {
  #connection;
  #actions;
  #place = h("div", { class: "take-place" });
  #earlier = h("ol", { class: "take-list" });
  #wider = button({ label: t("practice.more"), look: "quiet", onPress: () => this.#widen() });
  #more = h("details", { class: "take-earlier" }, h("summary", {}, t("practice.takes.earlier")), this.#earlier, this.#wider);
  element = h("section", { class: "take-panel", "aria-label": t("practice.takes"), hidden: true }, h("h2", {}, t("practice.takes")), this.#place, this.#more);
  /** @type {TakeCard | null} */
  #card = null;
  /** @type {number | null} The key of the selected take; the newest when `null`. */
  #chosen = null;
  #newest = 0;
  /** How many earlier takes are listed. */
  #limit = step;
  /** @type {Map<string, HTMLElement>} The rows of the earlier ones, by key. */
  #rows = new Map();

  /**
   * @param {import("../session/session-connection.js").SessionConnection} connection
   * @param {TakePanelActions} actions
   */
  constructor(connection, actions) {
    this.#connection = connection;
    this.#actions = actions;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#connection.takes.takes.follow(() => this.refresh(), signal);
    deletion.watch(() => this.refresh(), signal);
    this.#connection.playback.playing.watch((name) => this.#card?.showPlaying(name), signal);
  }

  /** Shows the takes that are not deleted, and what is known of segments now. */
  refresh() {
    this.#show(this.#connection.takes.takes.value.filter((take) => !isDeleted(take)));
  }

  /** @param {readonly TakeEntry[]} takes */
  #show(takes) {
    const [newest] = takes;
    withdraw(this.element, "hidden", newest === undefined);
    if (newest === undefined) return;
    // A take of another tab does not replace the one that is shown.
    if (newest.key > this.#newest) this.#chosen = newest.wave === null && this.#card !== null ? (this.#chosen ?? this.#card.key) : null;
    this.#newest = Math.max(this.#newest, newest.key);
    const shown = takes.find(({ key }) => key === this.#chosen) ?? newest;
    if (this.#card?.key !== shown.key) {
      const hadFocus = this.#place.contains(document.activeElement);
      this.#card = new TakeCard(shown, this.#connection, { ...this.#actions, remove: () => deleteWithUndo(shown, this.#connection.takes) });
      fill(this.#place, this.#card.element);
      this.#card.show();
      if (hadFocus) this.#card.focus();
    } else {
      this.#card.show();
    }
    const others = takes.filter((take) => take !== shown);
    this.#more.hidden = others.length === 0;
    const held = [...this.#earlier.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    fill(this.#earlier, ...others.slice(0, this.#limit).map((take) => this.#row(take)));
    withdraw(this.#wider, "hidden", others.length <= this.#limit, this.#earlier.querySelector("li:last-child button"));
    if (held < 0 || this.#earlier.contains(document.activeElement)) return;
    this.#earlier.querySelectorAll("button")[held]?.focus({ preventScroll: true });
  }

  /** @param {TakeEntry} take */
  #row(take) {
    const { key, text, segment, mark, seconds } = take;
    const row = kept(this.#rows, String(key), () => {
      const words = [h("span", { class: "take-row-words", dir: "auto" }), h("span", { class: "muted small numbers" })];
      return h("li", {}, h("button", { type: "button", class: "take-row", onclick: () => this.#choose(key) }, ...words));
    });
    const [words, facts] = row.querySelectorAll("span");
    setText(words, text || this.#actions.textOf(segment) || t(`practice.segment.${unitOf(this.#connection.session)}`, { n: segment }));
    setText(facts, [clock(seconds), mark === null ? stateWords(take) : percent(mark)].filter(Boolean).join(" · "));
    return row;
  }

  /** @param {number} key */
  #choose(key) {
    this.#chosen = key;
    const take = this.#connection.takes.takes.value.find((one) => one.key === key);
    if (take?.state === "stored") this.#connection.takes.finish(take);
    this.refresh();
    this.#place.querySelector("button")?.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  #widen() {
    this.#limit += step;
    this.refresh();
  }
}
