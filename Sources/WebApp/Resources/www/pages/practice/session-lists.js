import { button } from "../../components/button.js";
import { showToast, showUndo } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { wordsFor } from "../../core/error-words.js";
import { duration, shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { DeferredDeletion } from "../deferred-deletion.js";
import { sessionAddress } from "./practise-this.js";
import { percent } from "./session/summary-view.js";
import { scoreLine } from "./score-line.js";
import { NewestState } from "../../server/events.js";
import { deletePracticeSession } from "../../server/practice.js";

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
