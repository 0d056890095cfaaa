import { actionToVoices } from "../../components/notice.js";
import { confirm, openMenu } from "../../components/sheet.js";
import { DeferredDeletion, showNews, showToast, showUndo } from "../../components/toast.js";
import { loadStyle } from "../../core/dom.js";
import { duration, paragraphFor, wordsFor } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { player } from "../../player/player.js";
import { ServerProblem } from "../../server/http.js";
import { deleteItems, loadItem } from "../../server/library.js";
import { discardNarration, loadNarration, removeFromBatch, stopNarration } from "../../server/narrations.js";
import { session } from "../speak/session.js";

/** @typedef {import("../../server/practice.js").PracticeSource} PracticeSource */

/**
 * Creates a session and opens it; a toast says why it failed.
 *
 * @param {PracticeSource} source
 * @param {Omit<import("../../server/practice.js").SessionOrder, "source">} [options]
 * @returns {Promise<boolean>} Whether it was created.
 */
export async function practise(source, options = {}) {
  try {
    const { createPracticeSession } = await import("../../server/practice.js");
    const { id } = await createPracticeSession({ source, ...options });
    navigate(sessionAddress(id));
    return true;
  } catch (error) {
    const { message, suggestion } = wordsFor(error);
    showToast({ icon: "error", text: [message, suggestion].filter(Boolean).join(" "), action: wayOut(error) });
    return false;
  }
}

/** @param {unknown} error */
function wayOut(error) {
  const { code = "" } = /** @type {{ code?: string }} */ (error ?? {});
  return actionToVoices(code === "practice.no-voice" ? { code: "voice.missing" } : error);
}

/**
 * The menu entry that practices something.
 *
 * @param {PracticeSource} source
 * @returns {import("../../components/sheet.js").MenuItem}
 */
export function practiseEntry(source) {
  return { label: t("practice.this"), icon: "practice", run: () => practise(source) };
}

/**
 * Opens a text on the Speak page; the text being written there can be restored.
 *
 * @param {string} text
 */
export function takeToSpeak(text) {
  if (session.isBusy) {
    showToast({ text: t("speak.busy") });
    return;
  }
  const before = session.stage.value.kind === "writing" ? session.text : "";
  const show = (/** @type {string} */ shown) => {
    session.begin(shown);
    navigate("/speak");
  };
  show(text);
  if (before.trim() === "" || before === text) return;
  showToast({ text: t("history.replaced"), seconds: 10, action: { label: t("do.undo"), run: () => (session.isBusy ? t("speak.busy") : show(before)) } });
}

/** @param {string} id */
export const sessionAddress = (id) => `/practice/sessions/${encodeURIComponent(id)}`;

/** @param {string} id `new` for one not written yet. */
export const speechAddress = (id) => `/practice/speeches/${encodeURIComponent(id)}`;

/** The sheet's styles and those that it shares with others. */
const styles = ["/styles/fields.css", "/styles/transcript.css", "/styles/recognizers.css", "/styles/speech-check.css"];

/**
 * Opens the check of a narration's speech.
 *
 * @param {import("../../server/library.js").Item} item
 */
export async function openSpeechCheck(item) {
  const [{ SpeechCheckSheet }] = await Promise.all([import("../library/speech-check-sheet.js"), ...styles.map(loadStyle)]);
  new SpeechCheckSheet(item).open();
}

/**
 * The maximum number of recordings whose deletion can be undone. More need a confirmation first: a request that
 * outlives the page is limited to 64 KiB.
 */
const maximumToUndo = 1_000;

/**
 * The recordings that are deleted or waiting to be; it outlives the pages that list them, as their undo does.
 *
 * @type {DeferredDeletion<string>}
 */
export const itemDeletion = new DeferredDeletion({
  delete: deleteItems,
  failed: (error, { length }, name) =>
    showNews({ icon: "error", text: `${t("library.notDeleted", { n: length, name })} ${paragraphFor(error)}` }),
});
player.isDeletedHere = (id) => itemDeletion.isHidden(id);

/**
 * Hides recordings at once and deletes them when undo is no longer offered. Asks before deleting more than can be
 * restored.
 *
 * @param {string[]} ids
 * @param {string} nameOfOne The recording's name, if it is only one.
 * @param {() => void} [undone] Called when they have been restored.
 * @returns {Promise<boolean>} Whether they are hidden.
 */
export async function deleteRecordings(ids, nameOfOne, undone = () => {}) {
  if (ids.length === 0) return false;
  if (ids.length > maximumToUndo) {
    if (!(await isSureToDelete(ids.length))) return false;
    itemDeletion.hide(ids).finish();
    return true;
  }
  const pending = itemDeletion.hide(ids, nameOfOne);
  showUndo({
    text: t("library.deleted", { n: ids.length, name: nameOfOne }),
    undo: () => {
      pending.undo();
      undone();
    },
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
  return true;
}

/** @param {number} count */
function isSureToDelete(count) {
  return confirm({
    title: t("library.delete.title", { n: count }),
    detail: t("library.delete.text"),
    action: t("do.delete"),
  });
}

/**
 * An unfinished narration, or a batch entry that has not started.
 *
 * @typedef {object} Left
 * @property {string | null} id Of the narration.
 * @property {number | null} entry Of the batch entry.
 * @property {string} name
 */

/** @type {Map<string, Left>} Those that are discarded or waiting to be, by key. */
const left = new Map();

/** @param {Pick<Left, "id" | "entry">} narration */
export function keyOf({ id, entry }) {
  return id ?? `entry ${entry}`;
}

/**
 * The unfinished narrations that are discarded or waiting to be; it outlives the pages that list them, as their undo
 * does.
 *
 * @type {DeferredDeletion<string>}
 */
export const narrationDeletion = new DeferredDeletion({
  delete: async (keys, { keepalive }) => {
    for (const narration of keys.flatMap((key) => left.get(key) ?? [])) {
      const { id, entry } = narration;
      if (id !== null) {
        if (!(await unlessEnded(() => discardNarration(id, { keepalive })))) await sayCompleted(narration);
      } else if (entry !== null) await removeFromBatch(entry, { keepalive });
    }
  },
  failed: (error, [key]) => {
    showNews({ icon: "error", text: `${t("left.notDiscarded", { name: left.get(key)?.name ?? "" })} ${paragraphFor(error)}` });
  },
});

/**
 * Hides an unfinished narration at once, and discards it when undo is no longer offered.
 *
 * @param {Left} narration
 * @param {() => void} [undone] Called when it has been restored.
 */
export function discard(narration, undone = () => {}) {
  const key = keyOf(narration);
  left.set(key, narration);
  if (narration.id !== null) player.forget(narration.id);
  const pending = narrationDeletion.hide([key]);
  showUndo({
    text: t("left.discarded", { name: narration.name }),
    undo: () => {
      pending.undo();
      undone();
    },
    commit: (isLeaving) => pending.finish({ keepalive: isLeaving }),
  });
}

/**
 * Stops a narration and saves the spoken part as a recording.
 *
 * @param {string} id
 * @returns {Promise<boolean>} Whether that is only a part; a narration that was complete is already a recording.
 */
export async function stopAndKeep(id) {
  return unlessEnded(() => stopNarration(id, "keep"));
}

/**
 * Stops a narration so that it can be continued later.
 *
 * @param {string} id
 * @returns {Promise<boolean>} Whether it can be; a narration that has completed meanwhile is a recording.
 */
export async function stopAndLeave(id) {
  return (await unlessEnded(() => stopNarration(id, "leave"))) && unlessEnded(() => loadNarration(id));
}

/**
 * Stops a narration and discards the spoken part, with undo for a while. A narration that has completed meanwhile is a
 * recording, which is deleted in the same way.
 *
 * @param {{ id: string, name: string }} narration
 * @param {(isRecording: boolean) => void} [undone] Called when it has been restored.
 */
export async function stopAndDiscard({ id, name }, undone = () => {}) {
  const isRecording = !(await stopAndLeave(id));
  player.forget(id);
  if (isRecording) {
    await deleteRecordings([id], name, () => undone(true));
  } else {
    discard({ id, entry: null, name }, () => undone(false));
  }
}

/**
 * Runs something on a narration that may have ended meanwhile.
 *
 * @param {() => Promise<unknown>} work
 * @returns {Promise<boolean>} Whether it had not ended: one that has is a recording, or is gone.
 */
async function unlessEnded(work) {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ServerProblem) || error.code !== "job.not-found") throw error;
    return false;
  }
}

/** @param {Left} narration A narration that was to be discarded and has ended: says so if it has become a recording. */
async function sayCompleted({ id, name }) {
  const item = await loadItem(id ?? "").catch(() => null);
  if (item !== null) showNews({ icon: "info", text: t("left.saved", { name }) });
}

/**
 * Asks what to do with the spoken part: save it as a recording, or discard it. When nothing was spoken yet, it stops at
 * once.
 *
 * @param {object} choice
 * @param {number} choice.seconds Spoken so far.
 * @param {Element} choice.anchor The button that stops.
 * @param {(keepsPart: boolean) => void} choice.stop
 * @param {() => void} [choice.later] Leaves it unfinished; shown only when given.
 */
export function openStopMenu({ seconds, anchor, stop, later }) {
  if (seconds === 0 && later === undefined) {
    stop(false);
    return;
  }
  const kept = { label: t("stop.keep", { made: duration(seconds) }), icon: /** @type {const} */ ("check"), run: () => stop(true) };
  const left = later === undefined ? [] : [{ label: t("stop.later"), icon: /** @type {const} */ ("history"), run: later }];
  openMenu(
    [
      ...(seconds === 0 ? [] : [kept]),
      ...left,
      { label: t("stop.discard"), icon: "trash", isDanger: true, run: () => stop(false) },
    ],
    { label: t("stop.title"), anchor },
  );
}

/**
 * Takes back that a narration has become a recording: deletes that, with undo for a while.
 *
 * @param {{ id: string, name: string }} narration
 * @param {() => void} [undone] Called when it has been restored.
 * @returns {Promise<boolean>} Whether it is hidden.
 */
export function undoSaved({ id, name }, undone) {
  player.forget(id);
  return deleteRecordings([id], name, undone);
}

/** The recording that was last said to be saved. */
let lastSaid = "";

/**
 * Says once that a narration has become a recording, and offers undo.
 *
 * @param {{ id: string, name: string }} narration
 * @param {string} [warning] What is not as it should be.
 */
export function saySaved(narration, warning) {
  const { id, name } = narration;
  if (id === lastSaid) return;
  lastSaid = id;
  const text = [t("strip.saved", { name }), warning].filter(Boolean).join(" ");
  const action = { label: t("do.undo"), run: () => undoSaved(narration) };
  const isThere = () => !itemDeletion.isHidden(id);
  showNews({ icon: warning ? "warning" : "check", text, seconds: warning ? 30 : 10, isUndo: true, action }, isThere);
}
