import { button } from "../../../components/button.js";
import { moreButton, openMenu } from "../../../components/menu.js";
import { Rows } from "../../../components/rows.js";
import { detailOf, waitingRows } from "../../../components/rows/row-content.js";
import { showToast, showUndo } from "../../../components/toast.js";
import { h } from "../../../core/dom.js";
import { wordsFor } from "../../../core/error-words.js";
import { languageName, shortDate } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { DeferredDeletion } from "../../deferred-deletion.js";
import { practise, practiseEntry, speechAddress } from "../practise-this.js";
import { NewestState } from "../../../server/events.js";
import { deleteSpeech } from "../../../server/speeches.js";

/** @typedef {import("../../../server/speeches.js").Speech} Speech */

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
   * @returns {import("../../../components/rows/row-content.js").RowContent}
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
   * @param {import("../../../components/menu.js").MenuPlace} where
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
