import { button } from "../../components/button.js";
import { errorNotice, failureNotice, wayToVoices } from "../../components/notice.js";
import { attempt, DeferredDeletion, showNews, showUndo } from "../../components/toast.js";
import { fill, h, kept, loadStyle, setText } from "../../core/dom.js";
import { clock, paragraphFor, shortDate, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { NewestState, onServer } from "../../server/events.js";
import { keepDraft, listUnfinished, loadDrafts, retryInBatch, stopNarration } from "../../server/narrations.js";
import { session } from "../speak/session.js";
import { speaking } from "../speak/speaking.js";
import { discard, keyOf, narrationDeletion, saySaved } from "./item-actions.js";

/** @typedef {import("../../server/narrations.js").Unfinished} Unfinished */

/**
 * Shows the unfinished narrations in a part of a page, and on Speak the texts that were being written.
 *
 * @param {Element} place Empty; receives the lists, which are hidden while there are none.
 * @param {AbortSignal} signal The life of the page.
 */
export async function showUnfinished(place, signal) {
  try {
    await loadStyle("/styles/unfinished.css");
  } catch (error) {
    if (!signal.aborted) fill(place, failureNotice(error, () => (fill(place), showUnfinished(place, signal))));
    return;
  }
  if (signal.aborted || place.hasChildNodes()) return;
  const list = new UnfinishedNarrations();
  if (place.closest("echo-speak-page") !== null) {
    const drafts = new DraftsLeft();
    place.append(drafts.element);
    drafts.start(signal);
  }
  place.append(list.element);
  list.start(signal);
}

/** The narrations that are neither running nor recordings: each can be continued, saved or discarded. */
class UnfinishedNarrations {
  #list = h("ul", { class: "unfinished-rows" });
  #problem = h("div", {});
  #title = h("h2", { id: "narrations-left-title" }, t("left.title"));
  element = h(
    "section",
    { class: "unfinished unfinished-left narrations-left", "aria-labelledby": "narrations-left-title", hidden: true },
    this.#title,
    this.#problem,
    this.#list,
  );
  #newest = new NewestState();
  /** @type {Unfinished[]} */
  #narrations = [];
  /** @type {Map<string, UnfinishedRow>} */
  #rows = new Map();
  #failures = 0;
  #life = new AbortController().signal;

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#life = signal;
    onServer("narration", ({ id, state }) => {
      const isSpoken = state === "speaking" || state === "waiting";
      if (!isSpoken || this.#narrations.some((one) => one.id === id)) this.#load();
    }, signal);
    onServer("batch", ({ failed }) => {
      if (failed !== this.#failures) this.#load();
      this.#failures = failed;
    }, signal);
    onServer("reset", () => this.#load(), signal);
    narrationDeletion.watch(() => this.#show(), signal);
    session.stage.watch(() => this.#show(), signal);
    this.#load();
  }

  async #load() {
    try {
      const narrations = await listUnfinished(this.#life);
      if (!this.#newest.takesAnswer(narrations)) return;
      this.#narrations = narrations;
      fill(this.#problem);
      this.#show();
    } catch (error) {
      if (this.#life.aborted) return;
      fill(this.#problem, errorNotice(error, button({ label: t("do.again"), onPress: () => this.#load() })));
      this.#show();
    }
  }

  #show() {
    if (this.#life.aborted) return;
    const shown = this.#narrations.filter((one) => !narrationDeletion.isHidden(keyOf(one)) && !isShownAbove(one, this.element));
    for (const [key, row] of this.#rows) {
      if (shown.some((one) => keyOf(one) === key)) continue;
      row.leave();
      this.#rows.delete(key);
    }
    const focused = document.activeElement;
    shown.forEach((one, place) => {
      const row = this.#rows.get(keyOf(one)) ?? new UnfinishedRow(() => this.#load(), this.#life);
      this.#rows.set(keyOf(one), row);
      row.show(one);
      if (this.#list.children[place] !== row.element) this.#list.insertBefore(row.element, this.#list.children[place] ?? null);
    });
    const isAnotherAbove = this.#narrations.some((one) => isShownAbove(one, this.element));
    setText(this.#title, shown.length === 0 ? t("left.title") : t(isAnotherAbove ? "left.more" : "left.count", { n: shown.length }));
    this.element.hidden = shown.length === 0 && !this.#problem.hasChildNodes();
    this.#stand();
    // Elements that are moved lose the focus.
    if (focused instanceof HTMLElement && this.element.contains(focused)) focused.focus({ preventScroll: true });
  }

  /** On Speak, moves above the text of an unfinished narration: below a long one, nobody would find the others. */
  #stand() {
    const place = this.element.closest(".speak-unfinished");
    const isAbove = session.stage.value.kind === "unfinished";
    const next = place?.parentElement?.querySelector(isAbove ? ".speak-body" : ".speak-door");
    if (next && next.previousElementSibling !== place) next.before(/** @type {Element} */ (place));
  }
}

/**
 * Whether the Speak page itself offers to continue a narration, with its text.
 *
 * @param {Unfinished} narration
 * @param {Element} list
 */
function isShownAbove({ id }, list) {
  const { kind, narration } = session.stage.value;
  return kind === "unfinished" && narration?.id === id && list.closest("echo-speak-page") !== null;
}

/** The row of a narration. */
class UnfinishedRow {
  /** @type {Unfinished | null} */
  #narration = null;
  #changed;
  #life;
  #name = h("p", { class: "unfinished-name", dir: "auto" });
  #state = h("span", { class: "unfinished-state" });
  #words = h("span", { class: "muted numbers" });
  #reason = h("p", { class: "small" });
  #continue = button({ label: t("speak.continue"), icon: "resume", onPress: () => this.#resume() });
  #keep = button({ label: t("speak.keep-part"), icon: "check", onPress: () => this.#finish() });
  #discard = button({ label: t("speak.discard"), icon: "trash", look: "quiet", onPress: () => this.#narration && discard(this.#narration) });
  #way = h("span", { class: "unfinished-way" });
  #actions = h("div", { class: "unfinished-actions" }, this.#way, this.#continue, this.#keep, this.#discard);
  element = h("li", { class: "unfinished-row" }, h("div", { class: "unfinished-words" }, this.#name, h("p", { class: "small" }, this.#state, " ", this.#words), this.#reason), this.#actions);

  /**
   * @param {() => void} changed Requests the list again.
   * @param {AbortSignal} life
   */
  constructor(changed, life) {
    this.#changed = changed;
    this.#life = life;
  }

  /** @param {Unfinished} narration */
  show(narration) {
    const { name, reason, failure, seconds, created } = narration;
    this.#narration = narration;
    setText(this.#name, name);
    setText(this.#state, t(`left.${reason}`));
    const parts = [partOf(narration), seconds > 0 ? t("left.seconds", { made: clock(seconds) }) : "", created === null ? "" : shortDate(created)];
    setText(this.#words, parts.filter((part) => part !== "").join(" · "));
    const words = failure === null ? null : wordsFor(failure);
    setText(this.#reason, words === null ? "" : [words.message, words.suggestion].filter(Boolean).join(" "));
    this.#reason.hidden = words === null;
    const way = wayToVoices(failure);
    if ((way !== null) !== this.#way.hasChildNodes()) fill(this.#way, way);
    this.#way.hidden = way === null; // an empty one would indent the others
    setText(/** @type {Element} */ (this.#continue.lastElementChild), t(reason === "failed" ? "do.again" : "speak.continue"));
    this.#keep.hidden = seconds === 0;
    for (const one of [this.#continue, this.#keep, this.#discard]) one.setAttribute("aria-label", `${one.textContent} – ${name}`);
  }

  /** Removes itself; the focus moves to the next row, or to what stands beside the list. */
  leave() {
    const next = this.element.nextElementSibling ?? this.element.previousElementSibling;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.remove();
    if (!hadFocus) return;
    const target = next?.querySelector("button:not([hidden])") ?? besideList();
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }

  async #resume() {
    const { id, entry } = /** @type {Unfinished} */ (this.#narration);
    await attempt(async () => {
      if (entry !== null) await retryInBatch(entry);
      else if (id !== null) await speaking.resume(id);
    }, this.#life);
    this.#changed();
  }

  async #finish() {
    const { id, name } = /** @type {Unfinished} */ (this.#narration);
    if (id === null) return;
    await attempt(async () => {
      await stopNarration(id, "keep");
      saySaved({ id, name });
    }, this.#life);
    this.#changed();
  }
}

/** @typedef {import("../../server/narrations.js").Draft} Draft */

/** How many characters of a text its row shows. */
const shownCharacters = 80;

/** @param {string} text @returns {string} Its beginning, on one line. */
function beginningOf(text) {
  const line = text.trim().replace(/\s+/g, " ");
  const start = [...line.slice(0, 2 * shownCharacters)].slice(0, shownCharacters).join("");
  return start === line ? line : `${start.trimEnd()}…`;
}

/**
 * The key of a text: another browser may write on under the same name.
 *
 * @param {Draft} draft
 */
const keyOfDraft = ({ page, text }) => JSON.stringify({ page, text });

/**
 * The texts that are discarded or waiting to be, by their keys; it outlives the page that lists them, as their undo
 * does.
 *
 * @type {DeferredDeletion<string>}
 */
const draftDeletion = new DeferredDeletion({
  delete: async (keys, options) => {
    // A text that was written on since stays; when the page is left, there is no time to ask.
    const there = options.keepalive ? keys : (await loadDrafts()).map(keyOfDraft);
    for (const key of keys) if (there.includes(key)) await keepDraft({ page: JSON.parse(key).page, text: "" }, options);
    if (!keys.every((key) => there.includes(key))) speaking.lookForDrafts().catch(() => {});
  },
  failed: (error) => showNews({ icon: "error", text: paragraphFor(error) }),
});

/** The texts that tabs were writing which are closed by now: each can be restored or discarded. */
class DraftsLeft {
  #title = h("h2", { id: "drafts-left-title" });
  #list = h("ul", { class: "unfinished-rows" });
  element = h(
    "section",
    { class: "unfinished unfinished-left drafts-left", "aria-labelledby": "drafts-left-title", hidden: true },
    h("div", { role: "status" }, this.#title),
    this.#list,
  );
  /** @type {Map<string, HTMLElement>} */
  #rows = new Map();
  #life = new AbortController().signal;

  /** @param {AbortSignal} life */
  start(life) {
    this.#life = life;
    speaking.draftsLeft.watch(() => this.#show(), life);
    draftDeletion.watch(() => this.#show(), life);
    onServer("reset", () => this.#look(), life);
    this.#show();
    this.#look();
  }

  #look() {
    speaking.lookForDrafts().catch(() => {}); // it shows what it knows until the server answers again
  }

  #show() {
    const shown = speaking.draftsLeft.value.filter((draft) => !draftDeletion.isHidden(keyOfDraft(draft)));
    const focused = [...this.#list.children].findIndex((row) => row.contains(document.activeElement));
    fill(this.#list, ...shown.map((draft) => kept(this.#rows, keyOfDraft(draft), () => this.#row(draft))));
    setText(this.#title, shown.length === 0 ? "" : t("speak.draft.before", { n: shown.length }));
    this.element.hidden = shown.length === 0;
    if (focused < 0 || this.#list.contains(document.activeElement)) return;
    const next = this.#list.children[Math.min(focused, shown.length - 1)]?.querySelector("button") ?? besideList();
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  }

  /** @param {Draft} draft */
  #row(draft) {
    const name = beginningOf(draft.text);
    const restore = button({ label: t("speak.draft.take"), icon: "undo", onPress: () => attempt(() => speaking.restoreDraft(draft), this.#life) });
    const drop = button({ label: t("speak.discard"), icon: "trash", look: "quiet", onPress: () => discardDraft(draft, name) });
    for (const one of [restore, drop]) one.setAttribute("aria-label", `${one.textContent} – ${name}`);
    return h(
      "li",
      { class: "unfinished-row" },
      h("p", { class: "unfinished-words", dir: "auto" }, name),
      h("div", { class: "unfinished-actions" }, restore, drop),
    );
  }
}

/**
 * Hides a text at once, and discards it when undo is no longer offered.
 *
 * @param {Draft} draft
 * @param {string} name
 */
function discardDraft(draft, name) {
  const { undo, finish } = draftDeletion.hide([keyOfDraft(draft)]);
  showUndo({ text: t("speak.draft.discarded", { name }), undo, commit: (isLeaving) => finish({ keepalive: isLeaving }) });
}

/** On Speak: the row of what is spoken, the notice of what is unfinished, or the text. Elsewhere the title. */
function besideList() {
  const hasScreenKeyboard = matchMedia("(hover: none)").matches;
  const places = [".running", ".saved", ".speak-below button", ...(hasScreenKeyboard ? [] : [".speak-text"])];
  return document.querySelector(`echo-speak-page :is(${places})`) ?? document.querySelector("main h1");
}

/** @param {Unfinished} narration */
function partOf({ characters, position }) {
  if (characters === null || characters === 0) return "";
  return t("left.part", { n: Math.floor((100 * position) / characters) });
}
