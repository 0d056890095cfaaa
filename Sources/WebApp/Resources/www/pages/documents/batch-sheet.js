import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { t, wordsFor } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { addToBatch, cancelBatch, dismissBatch, loadBatch, removeFromBatch, startBatch } from "../../server/batch.js";
import { NewestState, onServer } from "../../server/events.js";

/** @typedef {import("../../server/batch.js").Batch} Batch */
/** @typedef {import("../../server/batch.js").BatchEntry} BatchEntry */

/** How many entries are shown at once; a batch of every chapter of a book can have thousands. */
const step = 200;

/** Opens the batch, unless it is open. */
export function openBatch() {
  if (document.querySelector("dialog.batch-sheet") === null) new BatchSheet().open();
}

/** The entries of the batch: done, begun, waiting and failed. */
class BatchSheet extends Sheet {
  #problem = h("div", { class: "batch-problem" });
  #count = h("p", { class: "muted small", role: "status" });
  #list = h("ul", { class: "batch-list", "aria-label": t("batch.title") });
  #limit = step;
  #newest = new NewestState();
  #more = button({ label: t("batch.more"), look: "quiet", onPress: () => this.#showMore() });
  #cancel = button({ label: t("batch.cancel"), onPress: () => this.#askToCancel() });
  #start = button({ label: t("batch.start"), look: "primary", onPress: () => this.#attempt(startBatch) });
  #dismiss = button({ label: t("batch.dismiss"), onPress: () => this.#attempt(dismissBatch) });

  constructor() {
    super({ title: t("batch.title"), kind: "side", className: "batch-sheet" });
    this.build({
      content: [this.#count, this.#problem, this.#list, this.#more],
      actions: [this.#dismiss, this.#cancel, this.#start],
    });
  }

  open() {
    super.open();
    onServer("batch", () => this.#load(), this.signal);
    onServer("reset", () => this.#load(), this.signal);
    this.#load();
    return this;
  }

  async #load() {
    await this.#attempt(() => loadBatch(this.signal));
  }

  #showMore() {
    this.#limit += step;
    this.#load();
  }

  async #askToCancel() {
    const isSure = await confirm({ title: t("batch.cancel.title"), detail: t("batch.cancel.text"), action: t("batch.cancel.do") });
    if (isSure) await this.#attempt(cancelBatch);
  }

  /** @param {() => Promise<Batch>} change */
  async #attempt(change) {
    try {
      const batch = await change();
      if (this.signal.aborted) return;
      fill(this.#problem);
      if (this.#newest.takesAnswer(batch)) this.#show(batch);
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {Batch} batch */
  #show({ entries, total, done, failed, isRunning, isFinished, failure }) {
    if (failure !== null) fill(this.#problem, errorNotice(failure));
    setText(this.#count, total === 0 ? t("batch.none") : t("batch.state", { n: total, done, failed }));
    const list = this.#list;
    const focus = list.contains(document.activeElement) ? document.activeElement?.closest("li")?.dataset.id : undefined;
    fill(list, ...entries.slice(0, this.#limit).map((entry) => this.#rowOf(entry)));
    if (focus !== undefined && !list.contains(document.activeElement)) this.#giveFocus(focus);
    this.#more.hidden = entries.length <= this.#limit;
    this.#cancel.hidden = isFinished || total === 0;
    this.#start.hidden = isRunning || isFinished || total === 0;
    this.#dismiss.hidden = done + failed === 0;
  }

  /** @param {BatchEntry} entry */
  #rowOf(entry) {
    return rowOf(entry, () => this.#attempt(() => removeFromBatch(entry.id)), () => this.close());
  }

  /** @param {string} id Of the entry that had it. */
  #giveFocus(id) {
    const button = this.#list.querySelector(`[data-id="${id}"] button`) ?? this.#list.querySelector("button");
    const target = button ?? this.element.querySelector("h2");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/**
 * @param {BatchEntry} entry
 * @param {() => void} remove
 * @param {() => void} close
 */
function rowOf(entry, remove, close) {
  const { id, name, part, state, failure, narration } = entry;
  const reason = failure === null ? null : reasonOf(failure);
  const play = () => {
    close();
    player.playItems([narration ?? ""]);
  };
  return h(
    "li",
    { class: "batch-entry", "data-id": String(id), "data-state": state },
    h("span", { class: "batch-mark" }, icon(marks[state])),
    h(
      "div",
      { class: "batch-main" },
      h("p", { class: "batch-entry-name", dir: "auto" }, name),
      h("p", { class: "muted small" }, [t(`batch.state.${state}`), part].filter(Boolean).join(" · ")),
      reason === null ? null : h("p", { class: "batch-reason" }, reason.message, reason.suggestion === null ? "" : ` ${reason.suggestion}`),
    ),
    state === "done" && narration !== null
      ? button({ label: t("batch.play", { name }), icon: "play", look: "quiet", iconOnly: true, onPress: play })
      : null,
    button({
      label: t(state === "waiting" || state === "begun" ? "batch.cancel.one" : "batch.dismiss.one", { name }),
      icon: "close",
      look: "quiet",
      iconOnly: true,
      onPress: remove,
    }),
  );
}

/**
 * @param {NonNullable<BatchEntry["failure"]>} failure
 * @returns {{ message: string, suggestion: string | null }}
 */
function reasonOf(failure) {
  if (failure.code !== "speech.nothing-to-say") return wordsFor(failure);
  return { message: t("batch.nothing"), suggestion: t("batch.nothing.do") };
}

/** @type {Readonly<Record<BatchEntry["state"], import("../../components/icon.js").IconName>>} */
const marks = { waiting: "history", begun: "speak", done: "check", failed: "error" };

/**
 * Adds documents to the batch and starts it.
 *
 * @param {import("../../server/batch.js").BatchOrder[]} documents
 * @param {{ byChapter?: boolean }} [options]
 * @returns {Promise<boolean>} Whether it was begun; if not, the reason has been shown.
 */
export async function beginBatch(documents, options = {}) {
  if (documents.length === 0) return false;
  try {
    const { current, total } = await addToBatch(documents, options);
    showToast({ icon: "speak", text: t("batch.begun", { n: Math.max(1, total - current + 1) }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: wordsFor(error).message });
    return false;
  }
}
