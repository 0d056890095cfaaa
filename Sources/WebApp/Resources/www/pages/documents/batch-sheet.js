import { button, icon } from "../../components/button.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { paragraphFor, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { NewestState, onServer } from "../../server/events.js";
import { ServerProblem } from "../../server/http.js";
import {
  addToBatch,
  cancelBatch,
  dismissBatch,
  loadBatch,
  loadNarration,
  removeFromBatch,
  retryInBatch,
  startBatch,
} from "../../server/narrations.js";
import { narrationDeletion, openStopMenu, stopAndDiscard, stopAndKeep } from "../list/narration-deletion.js";

/** @typedef {import("../../server/narrations.js").Batch} Batch */
/** @typedef {import("../../server/narrations.js").BatchEntry} BatchEntry */

/** How many entries are shown at once; a batch of every chapter of a book can have thousands. */
const step = 200;

/** Opens the batch, unless it is open. */
export function openBatch() {
  if (document.querySelector("dialog.batch-sheet") === null) new BatchSheet().open();
}

/** The entries of the batch: done, started, waiting and failed. */
class BatchSheet extends Sheet {
  /** Why the user's last request was refused. */
  #problem = h("div", { class: "batch-problem" });
  /** Why the batch is stopped, or cannot be read. */
  #standing = h("div", { class: "batch-problem" });
  #count = h("p", { class: "muted small", role: "status" });
  #list = h("ul", { class: "batch-list", "aria-label": t("batch.title") });
  #limit = step;
  /** @type {string | null} The narration of the started entry. */
  #begun = null;
  #newest = new NewestState();
  #more = button({ label: t("batch.more"), look: "quiet", onPress: () => this.#showMore() });
  #cancel = button({ label: t("batch.cancel"), onPress: () => this.#askToCancel() });
  #start = button({ label: t("batch.start"), look: "primary", onPress: () => this.#attempt(startBatch) });
  #dismiss = button({ label: t("batch.dismiss"), onPress: () => this.#attempt(dismissBatch) });

  constructor() {
    super({ title: t("batch.title"), kind: "side", className: "batch-sheet" });
    this.build({
      content: [this.#count, this.#problem, this.#standing, this.#list, this.#more],
      actions: [this.#dismiss, this.#cancel, this.#start],
    });
  }

  open() {
    super.open();
    onServer("batch", () => this.#load(), this.signal);
    onServer("reset", () => this.#load(), this.signal);
    narrationDeletion.watch(() => this.#load(), this.signal);
    this.#load();
    return this;
  }

  async #load() {
    try {
      this.#take(await loadBatch(this.signal));
    } catch (error) {
      if (!this.signal.aborted) fill(this.#standing, errorNotice(error));
    }
  }

  #showMore() {
    this.#limit += step;
    this.#load();
  }

  async #askToCancel() {
    const begun = this.#begun;
    if (begun !== null && (await this.#askToStop(begun, this.#cancel, cancelBatch))) return;
    const isSure = await confirm({ title: t("batch.cancel.title"), detail: t("batch.cancel.text"), action: t("batch.cancel.do") });
    if (isSure) await this.#attempt(cancelBatch);
  }

  /**
   * Asks what to do with the spoken part of the started entry.
   *
   * @param {string} narration
   * @param {Element} anchor
   * @param {() => Promise<Batch>} takeOut
   * @returns {Promise<boolean>} Whether the user was asked, or has left; `false` when the narration has ended
   * meanwhile.
   */
  async #askToStop(narration, anchor, takeOut) {
    const begun = await loadNarration(narration, this.signal).catch(() => null);
    if (begun === null || this.signal.aborted) return this.signal.aborted;
    const stop = (/** @type {boolean} */ keepsPart) =>
      this.#attempt(async () => {
        const batch = await takeOut().catch((error) => this.#unlessOut(error));
        await (keepsPart ? stopAndKeep(narration) : stopAndDiscard(begun));
        return batch;
      });
    openStopMenu({ seconds: begun.seconds, anchor, stop, later: () => this.#attempt(takeOut) });
    return true;
  }

  /**
   * Ignores that an entry has left the batch, for example because its narration was saved or discarded elsewhere.
   *
   * @param {unknown} error
   */
  async #unlessOut(error) {
    if (!(error instanceof ServerProblem) || error.code !== "batch.entry-not-found") throw error;
    return loadBatch(this.signal);
  }

  /** @param {() => Promise<Batch>} change */
  async #attempt(change) {
    fill(this.#problem);
    try {
      this.#take(await change());
    } catch (error) {
      if (this.signal.aborted) showToast({ icon: "error", text: paragraphFor(error) });
      else fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {Batch} batch */
  #take(batch) {
    if (!this.signal.aborted && this.#newest.takesAnswer(batch)) this.#show(batch);
  }

  /** @param {Batch} batch */
  #show({ entries, total, done, failed, isRunning, isFinished, failure }) {
    this.#begun = entries.find(({ state }) => state === "begun")?.narration ?? null;
    fill(this.#standing, failure === null ? null : errorNotice(failure));
    setText(this.#count, total === 0 ? t("batch.none") : t("batch.state", { n: total, done, failed }));
    const list = this.#list;
    const focus = list.contains(document.activeElement) ? document.activeElement?.closest("li")?.dataset.id : undefined;
    const shown = entries.filter(({ narration }) => narration === null || !narrationDeletion.isHidden(narration));
    fill(list, ...shown.slice(0, this.#limit).map((entry) => this.#rowOf(entry)));
    if (focus !== undefined && !list.contains(document.activeElement)) this.#giveFocus(focus);
    this.#more.hidden = shown.length <= this.#limit;
    this.#cancel.hidden = isFinished || total === 0;
    this.#start.hidden = isRunning || isFinished || total === 0;
    this.#dismiss.hidden = done + failed === 0;
  }

  /** @param {BatchEntry} entry */
  #rowOf(entry) {
    const takeOut = () => removeFromBatch(entry.id);
    const remove = async (/** @type {Element} */ anchor) => {
      const { state, narration } = entry;
      const isAsked = state === "begun" && narration !== null && (await this.#askToStop(narration, anchor, takeOut));
      if (!isAsked) this.#attempt(takeOut);
    };
    return rowOf(entry, { remove, retry: () => this.#attempt(() => retryInBatch(entry.id)), close: () => this.close() });
  }

  /** @param {string} id The entry that had it. */
  #giveFocus(id) {
    const button = this.#list.querySelector(`[data-id="${id}"] button`) ?? this.#list.querySelector("button");
    const target = button ?? this.element.querySelector("h2");
    if (target instanceof HTMLElement) target.focus({ preventScroll: true });
  }
}

/**
 * @param {BatchEntry} entry
 * @param {object} actions
 * @param {(anchor: Element) => void} actions.remove
 * @param {() => void} actions.retry
 * @param {() => void} actions.close
 */
function rowOf(entry, { remove, retry, close }) {
  const { id, name, part, state, failure, narration } = entry;
  const reason = failure === null ? null : reasonOf(failure);
  const play = () => {
    close();
    player.playItem(narration ?? "");
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
    state === "failed"
      ? button({ label: t("batch.retry", { name }), icon: "again", look: "quiet", iconOnly: true, onPress: retry })
      : null,
    button({
      label: t(state === "waiting" || state === "begun" ? "batch.cancel.one" : "batch.dismiss.one", { name }),
      icon: "close",
      look: "quiet",
      iconOnly: true,
      onPress: ({ currentTarget }) => remove(/** @type {Element} */ (currentTarget)),
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

/** @type {Readonly<Record<BatchEntry["state"], import("../../components/button.js").IconName>>} */
const marks = { waiting: "history", begun: "speak", done: "check", failed: "error" };

/**
 * Adds documents to the batch and starts it.
 *
 * @param {import("../../server/narrations.js").BatchOrder[]} documents
 * @param {import("../../server/narrations.js").BatchOptions} [options]
 * @returns {Promise<boolean>} Whether it started; if not, the reason has been shown.
 */
export async function beginBatch(documents, options = {}) {
  if (documents.length === 0) return false;
  try {
    const { current, total } = await addToBatch(documents, options);
    showToast({ icon: "speak", text: t("batch.begun", { n: Math.max(1, total - current + 1) }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: paragraphFor(error) });
    return false;
  }
}
