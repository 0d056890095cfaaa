import { button } from "../../components/button.js";
import { isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h } from "../../core/dom.js";
import { size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { line, settingGroup, settingRow } from "./setting-row.js";
import { onServer } from "../../server/events.js";
import { clearSpeech, deleteImportedFiles, libraryKinds, loadStorage } from "../../server/storage.js";

/**
 * What the library takes of the disk, the imported files with a button to delete them, the cached speech with one to
 * clear it, and the folders.
 *
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function storageGroups(signal) {
  const bytes = h("p", { class: "setting-text", role: "status" });
  const taken = h("p", { class: "setting-text", role: "status" });
  const kinds = h("ul", { class: "setting-text storage-kinds" });
  const library = path();
  const voices = path();
  const recognizers = path();
  const files = h("p", { class: "setting-text", role: "status" });
  /** Bytes of the files that recordings were imported from. */
  let fileBytes = 0;
  const drop = button({ label: t("storage.files.delete"), icon: "trash", className: "dangerous", onPress: () => deleteFiles() });
  const clear = button({ label: t("advanced.cache.clear"), icon: "trash", onPress: () => forget() });
  const show = async () => {
    try {
      const storage = await loadStorage(signal);
      const isEmpty = storage.speechBytes === 0;
      fill(bytes, isEmpty ? t("advanced.cache.empty") : t("advanced.cache.size", { size: size(storage.speechBytes) }));
      showSize(storage.libraryBytes);
      fill(library, storage.library ?? "");
      fill(voices, storage.voices);
      fill(recognizers, storage.recognizers);
      clear.disabled = isEmpty;
    } catch (error) {
      if (!signal.aborted) fill(bytes, errorNotice(error));
    }
  };
  const showSize = (/** @type {Record<string, number>} */ all) => {
    const total = Object.values(all).reduce((sum, one) => sum + one, 0);
    fill(taken, t("storage.total", { size: size(total) }));
    fileBytes = all.importedFiles ?? 0;
    fill(files, t(fileBytes === 0 ? "storage.files.none" : "storage.files.text", { size: size(fileBytes) }));
    drop.disabled = fileBytes === 0;
    fill(kinds, ...kindRows(all));
  };
  const forget = async () => {
    if (!isBusy(clear) && (await remove(clear, clearSpeech, t("advanced.cache.cleared")))) await show();
  };
  const deleteFiles = async () => {
    if (isBusy(drop)) return;
    const question = { title: t("storage.files.delete.title", { size: size(fileBytes) }), detail: t("storage.files.delete.text"), action: t("do.delete") };
    if ((await confirm(question)) && (await remove(drop, deleteImportedFiles, t("storage.files.deleted")))) await show();
  };
  show();
  // Narrations add to the cached speech, and a command may clear it.
  for (const name of /** @type {const} */ (["library", "reset"])) onServer(name, show, signal);
  return [
    settingGroup(
      t("settings.group.room"),
      line({ title: t("storage.title"), text: h("div", {}, taken, kinds), control: null }),
      settingRow("recording.keep-files", signal, { range: [0, 4_000], step: 100 }),
      line({ title: t("storage.files"), text: files, control: drop }),
    ),
    settingGroup(
      t("advanced.cache"),
      settingRow("speech.cache", signal, { range: [0, 5_000], step: 100 }),
      line({ title: t("advanced.cache.now"), text: bytes, control: clear }),
    ),
    folderGroup(library, voices, recognizers),
  ];
}

/**
 * @param {HTMLElement} library
 * @param {HTMLElement} voices
 * @param {HTMLElement} recognizers
 */
function folderGroup(library, voices, recognizers) {
  return settingGroup(
    t("settings.group.folders"),
    line({ title: t("advanced.folder.library"), text: library, control: null }),
    line({ title: t("advanced.folder.voices"), text: voices, control: null }),
    line({ title: t("advanced.folder.recognizers"), text: recognizers, control: null }),
    line({ title: t("advanced.folder.exports"), text: t("advanced.folder.exports.text"), control: null }),
  );
}

/**
 * @param {Record<string, number>} bytes What the library takes, by kind.
 * @returns {HTMLElement[]} A row for each kind that takes anything.
 */
function kindRows(bytes) {
  const shown = libraryKinds.filter((kind) => (bytes[kind] ?? 0) > 0);
  return shown.map((kind) => h("li", {}, t(`storage.kind.${kind}`, { size: size(bytes[kind] ?? 0) })));
}

/**
 * Removes something by a button, which is busy meanwhile.
 *
 * @param {HTMLButtonElement} control
 * @param {() => Promise<unknown>} work
 * @param {string} words What is said when it is done.
 * @returns {Promise<boolean>} Whether it was done; else the reason was said.
 */
async function remove(control, work, words) {
  setBusy(control, t("passcode.working"));
  const isDone = await attempt(work);
  setBusy(control, null);
  if (isDone) showToast({ icon: "check", text: words });
  return isDone;
}

/** An element for the path of a folder. */
function path() {
  return h("p", { class: "setting-text folder-path", dir: "ltr", translate: "no" });
}
