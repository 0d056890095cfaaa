import { button } from "../../components/button.js";
import { moreButton, openMenu } from "../../components/menu.js";
import { detailOf, waitingRows } from "../../components/row-content.js";
import { Rows } from "../../components/rows.js";
import { showToast, showUndo } from "../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../core/dom.js";
import { duration, languageName, shortDate, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { NewestState } from "../../server/events.js";
import { deletePracticeSession, deleteSpeech } from "../../server/practice.js";
import { DeferredDeletion } from "../deferred-deletion.js";
import { practise, practiseEntry, sessionAddress, speechAddress } from "../list/item-actions.js";
import { percent, scoreLine } from "./session/summary-view.js";

/** @typedef {import("../../server/practice.js").PracticeSession} PracticeSession */

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
    showToast({ icon: "error", text: `${t("practice.session.notDeleted")} ${wordsFor(error).message}` });
  },
});

/** The sessions: those that can be continued, and the results of finished ones. */
export class SessionLists {
  #changed;
  #newest = new NewestState();
  /** @type {readonly PracticeSession[]} */
  #sessions = [];
  #limits = { unfinished: step, history: step };
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
    place.hidden = sessions.length === 0;
    const more = button({ label: t("practice.more"), look: "quiet", onPress: () => this.#widen(which) });
    fill(place, h("h2", {}, t(title)), above, h("ul", {}, ...sessions.slice(0, limit).map((one) => this.#row(one))), sessions.length > limit && more);
  }

  /** @param {"unfinished" | "history"} which */
  #widen(which) {
    this.#limits[which] += step;
    this.#refresh();
  }

  /** @param {PracticeSession} session */
  #row(session) {
    const { id, title, updated } = session;
    const remove = button({ label: t("practice.session.delete", { title }), icon: "trash", look: "quiet", iconOnly: true, onPress: () => this.#delete(session) });
    return h(
      "li",
      { class: "session-row" },
      h(
        "a",
        { class: "session-link", href: sessionAddress(id) },
        h("span", { class: "session-title", dir: "auto" }, title),
        h("span", { class: "muted small numbers" }, [shortDate(updated), ...factsOf(session)].join(" · ")),
      ),
      remove,
    );
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

/** @param {PracticeSession} session */
function factsOf({ phase, position, segments, summary }) {
  if (phase !== "finished" || !summary) {
    const { known: n, isComplete } = segments;
    return [t(isComplete ? "practice.place" : "practice.place.open", { at: position.segment, n })];
  }
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
    const later = t("practice.due.later", { n: upcoming.length });
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
export const speechDeletion = new DeferredDeletion({
  delete: async (ids, options) => {
    await Promise.all(ids.map((id) => deleteSpeech(id, options)));
  },
  failed: (error) => {
    showToast({ icon: "error", text: `${t("practice.speech.notDeleted")} ${wordsFor(error).message}` });
  },
});

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

/** The speeches, the last changed first. */
export class SpeechRows {
  #changed;
  #rows = new Rows();
  #newest = new NewestState();
  /** @type {readonly Speech[] | null} */
  #speeches = null;
  element = h("section", { class: "practice-speeches" }, h("h2", {}, t("practice.speeches")), this.#rows);

  /** @param {() => void} changed Called when the number of visible ones changes. */
  constructor(changed) {
    this.#changed = changed;
    this.#rows.label = t("practice.speeches");
    this.#rows.source = waitingRows(3);
  }

  /** How many are visible. */
  get count() {
    return this.#visible.length;
  }

  /** @param {AbortSignal} signal */
  start(signal) {
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

  get #visible() {
    return (this.#speeches ?? []).filter(({ id }) => !speechDeletion.isHidden(id));
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
    this.#changed();
  }

  /**
   * @param {Speech} speech
   * @returns {import("../../components/row-content.js").RowContent}
   */
  #rowOf(speech) {
    const { id, title, language, characters, updated } = speech;
    const go = button({
      label: t("practice.this.of", { name: title }),
      icon: "practice",
      look: "quiet",
      iconOnly: true,
      onPress: () => practise({ kind: "speech", id }),
    });
    const more = moreButton({ label: t("library.more", { name: title }), open: (anchor) => this.#openMenu(speech, { anchor }) });
    const date = h("time", { datetime: updated }, shortDate(updated));
    return { title, details: [date, languageName(language), t("practice.characters", { n: characters })], actions: [go, more] };
  }

  /**
   * @param {Speech} speech
   * @param {import("../../components/menu.js").MenuPlace} where
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
    if (this.count > 0) this.#rows.focusRow(Math.min(place, this.count - 1));
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
