import { button } from "../../components/button.js";
import { icon } from "../../components/icon.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, openSheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, setText } from "../../core/dom.js";
import { t, wordsFor } from "../../core/i18n.js";
import { player } from "../../player/player.js";
import { addToBatch, cancelBatch, dismissBatch, loadBatch, removeFromBatch, startBatch } from "../../server/batch.js";
import { onServer } from "../../server/events.js";

/** @typedef {import("../../server/batch.js").Batch} Batch */
/** @typedef {import("../../server/batch.js").BatchEntry} BatchEntry */

/** How many entries are shown at once; a batch of every chapter of a book can have thousands. */
const step = 200;

/** Opens what the batch has made, makes, and will make, with what failed and why. */
export function openBatchSheet() {
  if (document.querySelector("dialog.batch-sheet") !== null) return;
  const life = new AbortController();
  const { signal } = life;
  const problem = h("div", { class: "batch-problem" });
  const count = h("p", { class: "muted small", role: "status" });
  const list = h("ul", { class: "batch-list", "aria-label": t("batch.title") });
  let limit = step;
  const more = button({
    label: t("batch.more"),
    look: "quiet",
    onPress: () => {
      limit += step;
      load();
    },
  });
  const cancel = button({ label: t("batch.cancel"), onPress: () => askToCancel() });
  const start = button({ label: t("batch.start"), look: "primary", onPress: () => attempt(startBatch) });
  const dismiss = button({ label: t("batch.dismiss"), onPress: () => attempt(dismissBatch) });
  const sheet = openSheet({
    title: t("batch.title"),
    kind: "side",
    className: "batch-sheet",
    content: [count, problem, list, more],
    actions: [dismiss, cancel, start],
    onClose: () => life.abort(),
  });
  onServer("batch", load, signal);
  onServer("reset", load, signal);
  load();

  async function load() {
    await attempt(() => loadBatch(signal));
  }

  async function askToCancel() {
    const isSure = await confirm({ title: t("batch.cancel.title"), detail: t("batch.cancel.text"), action: t("batch.cancel.do") });
    if (isSure) await attempt(cancelBatch);
  }

  /** @param {() => Promise<Batch>} change */
  async function attempt(change) {
    try {
      const batch = await change();
      if (signal.aborted) return;
      fill(problem);
      show(batch);
    } catch (error) {
      if (!signal.aborted) fill(problem, errorNotice(error));
    }
  }

  /** @param {Batch} batch */
  function show({ entries, total, done, failed, isRunning, isFinished, failure }) {
    if (failure !== null) fill(problem, errorNotice(failure));
    setText(count, total === 0 ? t("batch.none") : t("batch.state", { n: total, done, failed }));
    const focus = list.contains(document.activeElement) ? document.activeElement?.closest("li")?.dataset.id : undefined;
    fill(list, ...entries.slice(0, limit).map((entry) => rowOf(entry, () => attempt(() => removeFromBatch(entry.id)), sheet.close)));
    if (focus !== undefined && !list.contains(document.activeElement)) giveFocus(focus);
    more.hidden = entries.length <= limit;
    cancel.hidden = isFinished || total === 0;
    start.hidden = isRunning || isFinished || total === 0;
    dismiss.hidden = done + failed === 0;
  }

  /** @param {string} id Of the entry that had it. */
  function giveFocus(id) {
    const target = list.querySelector(`[data-id="${id}"] button`) ?? list.querySelector("button") ?? sheet.element.querySelector("h2");
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
 * Has documents spoken one after another.
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
