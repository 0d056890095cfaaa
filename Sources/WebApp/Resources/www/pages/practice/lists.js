import { button } from "../../components/button.js";
import { detailOf, waitingRows } from "../../components/row-content.js";
import { Rows } from "../../components/rows.js";
import { moreButton, openMenu } from "../../components/sheet.js";
import { DeferredDeletion, showNews, showUndo } from "../../components/toast.js";
import { fill, h, kept, setAttribute, setText } from "../../core/dom.js";
import { duration, languageName, paragraphFor, shortDate } from "../../core/format.js";
import { number, t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { NewestState } from "../../server/events.js";
import { deletePracticeSession, deleteSpeech } from "../../server/practice.js";
import { practise, practiseEntry, sessionAddress, speechAddress } from "../list/item-actions.js";
import { SearchField } from "../list/list-controls.js";

/** @typedef {import("../../server/practice.js").PracticeSummary} PracticeSummary */

/**
 * The name of a session's segments. A hard one is a sentence, whatever it is in the text that is made of them.
 *
 * @param {Pick<PracticeSession, "source" | "settings">} session
 */
export const unitOf = ({ source, settings }) => (source.kind === "hard" ? "sentence" : settings.granularity);

/**
 * The facts of a summary in words; unknown ones are omitted.
 *
 * @param {PracticeSummary} summary
 * @param {PracticeSession["settings"]["granularity"]} unit
 * @returns {{ key: string, words: string }[]} `key`: the catalogue's.
 */
export function summaryFacts({ segments, takes, score, pace, seconds }, unit) {
  return [
    { key: "practice.summary.time", words: duration(seconds) },
    { key: `practice.summary.${unit}`, words: number(segments) },
    ...(takes === 0 ? [] : [{ key: "practice.summary.takes", words: number(takes) }]),
    ...(score === null ? [] : [{ key: "practice.summary.score", words: percent(score) }]),
    ...(pace === null ? [] : [{ key: "practice.summary.pace", words: number(pace) }]),
  ];
}

/**
 * The words about a finished session in which every segment was skipped.
 *
 * @param {Pick<PracticeSession, "summary" | "segments">} session
 * @returns {string} Empty when something was practiced.
 */
export const nothingPractised = ({ summary, segments }) => (summary === null ? t("practice.summary.nothing", { n: segments.known }) : "");

/** @param {number} part From 0 to 1. */
export const percent = (part) => t("practice.percent", { n: Math.round(100 * part) });

/**
 * @typedef {object} SummaryActions
 * @property {() => void} again
 * @property {(segment: number) => void} goTo
 * @property {(segment: number) => string} textOf The words of a segment; empty while unknown.
 */

/** The results of a session, in neutral words. */
export class SummaryView {
  #actions;
  /** @type {Pick<PracticeSession, "summary" | "segments" | "settings" | "source"> | null} */
  #session = null;
  /** The facts on screen. */
  #shown = "";
  #title = h("h2", { id: "practice-summary-title", tabindex: "-1" }, t("practice.summary"));
  #nothing = h("p", { class: "muted" });
  #facts = h("dl", { class: "summary-facts" });
  #marked = h("ul", {});
  /** @type {Map<string, HTMLElement>} The rows of the marked ones. */
  #rows = new Map();
  element;

  /** @param {SummaryActions} actions */
  constructor(actions) {
    this.#actions = actions;
    const again = button({ label: t("practice.restart"), icon: "play", look: "primary", onPress: actions.again });
    this.element = h(
      "section",
      { class: "practice-summary", "aria-labelledby": this.#title.id },
      this.#title,
      this.#nothing,
      this.#facts,
      this.#marked,
      h("div", { class: "summary-actions" }, again, h("a", { class: "button", href: "/practice" }, t("practice.done"))),
    );
  }

  /** @param {Pick<PracticeSession, "summary" | "segments" | "settings" | "source">} session It is finished. */
  show(session) {
    this.#session = session;
    this.refresh();
  }

  /** Shows what is known now; what is already shown, and the focus, stay. */
  refresh() {
    if (this.#session === null) return;
    const { summary } = this.#session;
    const unit = unitOf(this.#session);
    const { best = null, worst = null } = summary ?? {};
    const marked = [best, worst?.number === best?.number ? null : worst].map((one) => one && { ...one, text: this.#actions.textOf(one.number) || t(`practice.segment.${unit}`, { n: one.number }) });
    const nothing = nothingPractised(this.#session);
    const shown = JSON.stringify([summary, unit, marked, nothing]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    setText(this.#nothing, nothing);
    this.#nothing.hidden = summary !== null;
    this.#facts.hidden = this.#marked.hidden = summary === null;
    fill(this.#facts, ...(summary === null ? [] : summaryFacts(summary, unit)).map(({ key, words }) => h("div", {}, h("dt", { class: "muted small" }, t(key)), h("dd", { class: "numbers" }, words))));
    const held = [...this.#marked.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
    const [first, last] = marked;
    fill(this.#marked, first && this.#row("practice.summary.best", first), last && this.#row("practice.summary.worst", last));
    if (held >= 0 && !this.#marked.contains(document.activeElement)) (this.#marked.querySelectorAll("button")[held] ?? this.#title).focus({ preventScroll: true });
  }

  /**
   * @param {string} key
   * @param {{ number: number, score: number, text: string }} result
   */
  #row(key, { number: place, score, text }) {
    const row = kept(this.#rows, `${key} ${place}`, () =>
      h("li", { class: "summary-segment" }, h("div", {}), button({ label: t("practice.summary.go"), onPress: () => this.#actions.goTo(place) })),
    );
    fill(/** @type {Element} */ (row.firstElementChild), h("p", { class: "muted small" }, `${t(key)} · ${percent(score)}`), h("p", { dir: "auto" }, text));
    return row;
  }
}

/** @typedef {import("../../server/practice.js").PracticeSession} PracticeSession */

/**
 * Whether deleting a session loses nothing, according to the server now; `false` when it does not answer.
 *
 * @param {string} id
 * @param {object} server
 * @param {(id: string) => Promise<{ takes: readonly unknown[] }>} server.listTakes
 * @param {(id: string) => Promise<Pick<PracticeSession, "summary">>} server.loadSession
 */
export async function isUnpractised(id, { listTakes, loadSession }) {
  try {
    const [{ takes }, { summary }] = await Promise.all([listTakes(id), loadSession(id)]);
    return takes.length === 0 && (summary === null || (summary.segments === 0 && summary.takes === 0));
  } catch {
    return false;
  }
}

/**
 * Deletes a session once its view has been left, since the view's pending requests would no longer find it.
 *
 * @param {string} id
 * @param {AbortSignal} left Aborted when the view is left, which ends its requests.
 * @param {(id: string) => Promise<void>} remove
 */
export async function deleteOnceLeft(id, left, remove) {
  if (!left.aborted) await new Promise((resolve) => left.addEventListener("abort", resolve, { once: true }));
  await remove(id).catch(() => {}); // it stays in the list
}

const namespace = "http://www.w3.org/2000/svg";

/** The drawing's size in units, and how many sessions it shows. */
const width = 300;
const height = 48;
const maximumDrawn = 30;

/**
 * The scores of sessions, oldest first.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {number[]} From 0 to 1; sessions without a score are omitted.
 */
export function scoresOver(sessions) {
  const known = sessions.flatMap(({ created, summary }) => (summary?.score == null ? [] : [{ created, score: summary.score }]));
  known.sort((one, other) => one.created.localeCompare(other.created));
  return known.map(({ score }) => score).slice(-maximumDrawn);
}

/**
 * The scores over time; nothing for fewer than three, which show no trend.
 *
 * @param {readonly PracticeSession[]} sessions
 * @returns {HTMLElement | null}
 */
function scoreLine(sessions) {
  const scores = scoresOver(sessions);
  const [first, last] = [scores[0], scores[scores.length - 1]];
  if (scores.length < 3 || first === undefined || last === undefined) return null;
  const picture = document.createElementNS(namespace, "svg");
  picture.setAttribute("viewBox", `0 -4 ${width} ${height + 8}`);
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(namespace, "polyline");
  line.setAttribute("points", scores.map((score, index) => `${((index * width) / (scores.length - 1)).toFixed(1)},${((1 - score) * height).toFixed(1)}`).join(" "));
  picture.append(line);
  const words = t("practice.over-time", { n: scores.length, first: percent(first), last: percent(last) });
  return h("figure", { class: "score-line" }, picture, h("figcaption", { class: "muted small" }, words));
}

/** How many are listed at first, and added with each press. */
const step = 8;

/**
 * The sessions that are deleted or waiting to be.
 *
 * @type {DeferredDeletion<string>}
 */
const deletion = new DeferredDeletion({
  delete: async (ids, options) => {
    await Promise.all(ids.map((id) => deletePracticeSession(id, options)));
  },
  failed: (error) => {
    showNews({ icon: "error", text: `${t("practice.session.notDeleted")} ${paragraphFor(error)}` });
  },
});

/** The sessions: those that can be continued, and the results of finished ones. */
export class SessionLists {
  #changed;
  #newest = new NewestState();
  /** @type {readonly PracticeSession[]} */
  #sessions = [];
  #limits = { unfinished: step, history: step };
  /** @type {Map<string, HTMLElement>} The rows by their sessions and titles. */
  #rows = new Map();
  #lists = { unfinished: h("ul", {}), history: h("ul", {}) };
  #more = { unfinished: this.#moreOf("unfinished"), history: this.#moreOf("history") };
  unfinished = h("section", { class: "practice-sessions", hidden: true });
  history = h("section", { class: "practice-sessions practice-history", hidden: true });

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    deletion.watch(() => this.#refresh(), signal);
  }

  /** @param {{ sessions: PracticeSession[] }} list */
  show(list) {
    if (!this.#newest.takesAnswer(list)) return;
    this.#sessions = list.sessions;
    this.#refresh();
  }

  #refresh() {
    const visible = this.#sessions.filter(({ id }) => !deletion.isHidden(id));
    const finished = visible.filter(({ phase }) => phase === "finished");
    this.#fill("unfinished", "practice.unfinished", visible.filter(({ phase }) => phase !== "finished"), null);
    this.#fill("history", "practice.history", finished, scoreLine(finished));
    this.#changed();
  }

  /**
   * @param {"unfinished" | "history"} which
   * @param {string} title The catalogue's key.
   * @param {readonly PracticeSession[]} sessions
   * @param {HTMLElement | null} above
   */
  #fill(which, title, sessions, above) {
    const place = this[which];
    const limit = this.#limits[which];
    const giveFocusBack = rememberRow(place);
    place.hidden = sessions.length === 0;
    fill(this.#lists[which], ...sessions.slice(0, limit).map((one) => this.#row(one)));
    fill(place, h("h2", {}, t(title)), above, this.#lists[which], sessions.length > limit && this.#more[which]);
    giveFocusBack();
  }

  /** @param {"unfinished" | "history"} which */
  #moreOf(which) {
    return button({ label: t("practice.more"), look: "quiet", onPress: () => this.#widen(which) });
  }

  /** @param {"unfinished" | "history"} which */
  #widen(which) {
    this.#limits[which] += step;
    this.#refresh();
  }

  /** @param {PracticeSession} session */
  #row(session) {
    const { id, title, updated } = session;
    const row = kept(this.#rows, `${id} ${title}`, () => {
      const words = [h("span", { class: "session-title", dir: "auto" }, title), h("span", { class: "muted small numbers" })];
      const remove = button({ label: t("practice.session.delete", { title }), icon: "trash", look: "quiet", iconOnly: true, onPress: () => this.#delete(session) });
      return h("li", { class: "session-row", "data-id": id }, h("a", { class: "session-link", href: sessionAddress(id) }, ...words), remove);
    });
    setText(row.querySelectorAll("span")[1], [shortDate(updated), ...factsOf(session)].join(" · "));
    return row;
  }

  /** @param {PracticeSession} session */
  #delete({ id, title }) {
    const pending = deletion.hide([id]);
    showUndo({
      text: t("practice.session.deleted", { title }),
      undo: pending.undo,
      commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
    });
  }
}

/**
 * Remembers which row of a list has the focus, for when the rows have been made again.
 *
 * @param {Element} place
 * @returns {() => void} Focuses that row, or the one in its place; the first of those added, if the button for more had
 * the focus; without any row, the page's title.
 */
function rememberRow(place) {
  const { activeElement } = document;
  if (activeElement === null || !place.contains(activeElement)) return () => {};
  const rowsIn = () => [...place.querySelectorAll(".session-row")];
  const before = rowsIn();
  const row = activeElement.closest(".session-row");
  const at = row === null ? before.length : before.indexOf(row);
  const part = activeElement.closest("button") !== null && row !== null ? "button" : "a";
  return () => {
    const now = rowsIn();
    if (document.activeElement === activeElement && (row !== null || now.length <= before.length)) return;
    const same = now.find((one) => row !== null && one.getAttribute("data-id") === row.getAttribute("data-id"));
    const target = (same ?? now[Math.min(at, now.length - 1)])?.querySelector(part) ?? document.querySelector("main h1");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  };
}

/** @param {PracticeSession} session */
function factsOf(session) {
  const { phase, position, segments, summary } = session;
  if (phase !== "finished") {
    const { known: n, isComplete } = segments;
    const { segment } = position;
    return [isComplete ? t("practice.place", { at: segment, n }) : t(`practice.segment.${unitOf(session)}`, { n: segment })];
  }
  if (summary === null) return [nothingPractised({ summary, segments })];
  const { seconds, takes, score } = summary;
  return [duration(seconds), ...(takes === 0 ? [] : [t("practice.takes.count", { n: takes })]), ...(score === null ? [] : [percent(score)])];
}

/** How many hard sentences are listed. */
const maximumNamed = 3;

/** How many of the later ones are listed. */
const maximumUpcoming = 100;

/** The sentences that were hard to say: those that are due again, and those that wait for their day. */
export class DueCard {
  #words = h("div", { class: "practice-due-words" });
  #go = button({ label: t("practice.due.go"), icon: "practice", onPress: () => practise({ kind: "hard" }) });
  #count = h("summary", { class: "muted small" });
  #upcoming = h("div", {});
  #later = h("details", { class: "practice-due-later" }, this.#count, this.#upcoming);
  element = h("section", { class: "practice-due", hidden: true }, this.#words, this.#go, this.#later);

  /** @param {import("../../server/practice.js").HardSegments} hard */
  show({ due, upcoming }) {
    this.element.hidden = due.length + upcoming.length === 0;
    this.#words.hidden = this.#go.hidden = due.length === 0;
    this.#later.hidden = upcoming.length === 0;
    const later = t("practice.due.later", { n: upcoming.length, when: upcoming[0] ? shortDate(upcoming[0].next) : "" });
    setAttribute(this.element, "aria-label", due.length === 0 ? later : t("practice.due", { n: due.length }));
    fill(
      this.#words,
      h("h2", {}, t("practice.due", { n: due.length })),
      h("ul", { class: "practice-due-list" }, ...due.slice(0, maximumNamed).map((one) => row(one))),
      andMore(due.length - maximumNamed),
    );
    setText(this.#count, later);
    fill(
      this.#upcoming,
      h("ul", { class: "practice-due-list" }, ...upcoming.slice(0, maximumUpcoming).map((one) => row(one, shortDate(one.next)))),
      andMore(upcoming.length - maximumUpcoming),
    );
  }
}

/**
 * @param {import("../../server/practice.js").HardSegment} segment
 * @param {string} [when]
 */
function row({ text, language }, when) {
  return h("li", {}, h("span", { dir: "auto", lang: language }, text), when ? h("span", { class: "muted small numbers" }, ` · ${when}`) : null);
}

/** @param {number} more */
function andMore(more) {
  return more > 0 ? h("p", { class: "muted small" }, t("practice.due.more", { n: more })) : null;
}

/** @typedef {import("../../server/practice.js").Speech} Speech */

/**
 * The speeches that are deleted or waiting to be; it outlives the page, as their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
const speechDeletion = new DeferredDeletion({
  delete: async (ids, options) => {
    await Promise.all(ids.map((id) => deleteSpeech(id, options)));
  },
  failed: (error) => {
    showNews({ icon: "error", text: `${t("practice.speech.notDeleted")} ${paragraphFor(error)}` });
  },
});

/**
 * Whether a speech is deleted, or is hidden until it is.
 *
 * @param {string} id
 */
export const isSpeechDeleted = (id) => speechDeletion.isHidden(id);

/**
 * Hides a speech at once and deletes it when undo is no longer offered.
 *
 * @param {{ id: string, title: string }} speech
 */
export function deleteWithUndo({ id, title }) {
  const pending = speechDeletion.hide([id]);
  showUndo({
    text: t("practice.speech.deleted", { title }),
    undo: pending.undo,
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
}

/**
 * Those whose titles have the words; case and accents do not matter, as in other searches.
 *
 * @template {{ title: string }} Titled
 * @param {readonly Titled[]} all
 * @param {string} words
 */
export function titledWith(all, words) {
  const wanted = plain(words);
  return all.filter(({ title }) => plain(title).includes(wanted));
}

/** @param {string} text */
function plain(text) {
  // There are several apostrophe characters, and two ways to write an accent.
  return text.replace(/[’ʼ]/g, "'").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** The speeches, the last changed first. */
export class SpeechRows {
  #changed;
  #rows = new Rows();
  #newest = new NewestState();
  /** @type {readonly Speech[] | null} */
  #speeches = null;
  #search = new SearchField({
    label: t("practice.search"),
    rest: 0,
    changed: () => this.#refresh(),
    goToList: () => this.#rows.focusRow(0),
  });
  #nothing = h("p", { class: "muted", role: "status" });
  element = h(
    "section",
    { class: "practice-speeches" },
    h("div", { class: "practice-speeches-head" }, h("h2", {}, t("practice.speeches")), this.#search.element),
    this.#rows,
    this.#nothing,
  );

  /** @param {() => void} changed Called when the number of visible ones changes. */
  constructor(changed) {
    this.#changed = changed;
    this.#rows.label = t("practice.speeches");
    this.#rows.source = waitingRows(3);
  }

  /** How many there are. */
  get count() {
    return this.#present.length;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
    this.#search.start(signal);
    this.#rows.addEventListener("row-open", (event) => navigate(speechAddress(detailOf(event).key)), { signal });
    this.#rows.addEventListener("row-menu", (event) => this.#with(detailOf(event).key, (one) => this.#openMenu(one, detailOf(event))), { signal });
    this.#rows.addEventListener("row-delete", (event) => detailOf(event).keys.forEach((key) => this.#with(key, (one) => this.#delete(one))), { signal });
    this.#rows.addEventListener("selection", () => (this.#rows.isSelecting &&= false), { signal });
    speechDeletion.watch(() => this.#refresh(), signal);
  }

  /** @param {{ speeches: Speech[] }} list */
  show(list) {
    if (!this.#newest.takesAnswer(list)) return;
    this.#speeches = list.speeches;
    this.#refresh();
  }

  get #present() {
    return (this.#speeches ?? []).filter(({ id }) => !speechDeletion.isHidden(id));
  }

  /** Those whose titles have the search words. */
  get #visible() {
    return titledWith(this.#present, this.#search.words);
  }

  #refresh() {
    if (this.#speeches === null) return;
    const speeches = this.#visible;
    this.#rows.source = {
      count: speeches.length,
      at: (index) => speeches[index] ?? null,
      key: ({ id }) => id,
      content: (speech) => this.#rowOf(speech),
    };
    setText(this.#nothing, speeches.length === 0 && this.count > 0 ? t("library.none.title") : "");
    this.#changed();
  }

  /**
   * @param {Speech} speech
   * @returns {import("../../components/row-content.js").RowContent}
   */
  #rowOf(speech) {
    const { id, title, language, characters, updated } = speech;
    const go = button({ label: t("practice.go"), icon: "practice", look: "quiet", className: "stays", onPress: () => practise({ kind: "speech", id }) });
    setAttribute(go, "aria-label", t("practice.this.of", { name: title }));
    const more = moreButton({ label: t("library.more", { name: title }), open: (anchor) => this.#openMenu(speech, { anchor }) });
    const date = h("time", { datetime: updated }, shortDate(updated));
    return { title, details: [date, languageName(language), t("practice.characters", { n: characters })], actions: [go, more] };
  }

  /**
   * @param {Speech} speech
   * @param {import("../../components/sheet.js").MenuPlace} where
   */
  #openMenu(speech, { anchor, point }) {
    const { id, title } = speech;
    openMenu(
      [
        practiseEntry({ kind: "speech", id }),
        { label: t("practice.speech.edit"), icon: "edit", run: () => navigate(speechAddress(id)) },
        "separator",
        { label: t("do.delete"), icon: "trash", isDanger: true, run: () => this.#delete(speech) },
      ],
      { label: t("library.more", { name: title }), anchor, point },
    );
  }

  /** @param {Speech} speech */
  #delete(speech) {
    const place = this.#visible.indexOf(speech);
    deleteWithUndo(speech);
    const left = this.#visible.length;
    if (left > 0) {
      this.#rows.focusRow(Math.min(place, left - 1));
      return;
    }
    const title = document.querySelector("main h1");
    if (title instanceof HTMLElement) title.focus({ preventScroll: true });
  }

  /**
   * @param {string} key
   * @param {(speech: Speech) => void} work
   */
  #with(key, work) {
    const speech = this.#visible.find(({ id }) => id === key);
    if (speech !== undefined) work(speech);
  }
}
