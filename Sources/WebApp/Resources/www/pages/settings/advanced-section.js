import { button, icon } from "../../components/button.js";
import { field, isBusy, setBusy } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { confirm, Sheet, withdraw } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { fill, h, newId, setAttribute, setText } from "../../core/dom.js";
import { paragraphFor, size, wordsFor } from "../../core/format.js";
import { locale, number, t } from "../../core/i18n.js";
import { state } from "../../core/store.js";
import { listDocuments } from "../../server/documents.js";
import { onServer } from "../../server/events.js";
import { listItems, orderAddress, prepareExportOfAll, soundFormats } from "../../server/library.js";
import { listPracticeSessions, listSpeeches } from "../../server/practice.js";
import {
  changeDictionary,
  clearSpeech,
  deleteImportedFiles,
  eraseEverything,
  libraryKinds,
  loadDictionary,
  loadStorage,
} from "../../server/settings.js";
import { formatList, watchedDownload } from "../item-files.js";
import { programsGroup } from "./programs.js";
import { line, settingGroup, settingRow } from "./setting-row.js";

/**
 * The dictionary with what two writers have changed in the same one; an entry that both have changed is there twice.
 *
 * @param {string} base What both began with.
 * @param {string} mine
 * @param {string} theirs
 */
export function mergeDictionaries(base, mine, theirs) {
  if (mine === base) return theirs;
  const lines = (/** @type {string} */ text) => text.split(/\r?\n/);
  const [before, here, there] = [new Set(lines(base)), new Set(lines(mine)), new Set(lines(theirs))];
  const isBlank = (/** @type {string} */ line) => line.trim() === "";
  const merged = lines(mine).filter((line) => isBlank(line) || there.has(line) || !before.has(line));
  const added = lines(theirs).filter((line) => !isBlank(line) && !before.has(line) && !here.has(line));
  merged.splice(merged.at(-1) === "" ? merged.length - 1 : merged.length, 0, ...added);
  return merged.join("\n");
}

/**
 * Saves the dictionary while it is being written: in order, and one request at a time. It outlives its sheet, and what
 * another page or a command writes at the same time stays.
 */
export class DictionarySaver {
  /** The list on the server, as far as this page knows. */
  kept = "";
  /** @type {string | null} What is written and not saved; a sheet that is opened again shows it. */
  left = null;
  /** @type {((sent: string, kept: string) => void) | null} Called when what was sent was saved with what others wrote. */
  merged = null;
  #save;
  #load;
  /** @type {Map<string, string>} What was written here, by the list that a failed request may have made of it. */
  #doubted = new Map();
  /** Whether the server has refused the last list: one that it has already is sent then too, and answered. */
  #isRefused = false;
  /** @type {string | null} What is to be sent next. */
  #next = null;
  /** @type {Promise<void> | null} */
  #sending = null;

  /**
   * @param {(text: string, base: string) => Promise<unknown>} save Refuses with the code `settings.changed` when there is
   *   another list than `base`.
   * @param {() => Promise<string>} load
   */
  constructor(save, load) {
    this.#save = save;
    this.#load = load;
  }

  /** @param {string} text The list on the server; what others have changed in it comes into what is left here. */
  loaded(text) {
    const base = this.#doubted.get(text) ?? this.kept;
    if (this.left !== null && base !== text) this.left = mergeDictionaries(base, this.left, text);
    this.#settle(text);
  }

  /** @param {string} text */
  #settle(text) {
    this.kept = text;
    this.#doubted.clear();
    this.#isRefused = false;
    if (this.left === text) this.left = null;
  }

  /** @param {string} text What is written now. */
  write(text) {
    this.left = this.#isKept(text) ? null : text;
  }

  /**
   * Saves a list, after what is under way. Of several that wait only the last is sent.
   *
   * @param {string} text
   * @throws Why the last of them was refused.
   */
  async keep(text) {
    if (this.#sending === null && this.#isKept(text)) return;
    this.#next = text;
    await (this.#sending ??= this.#send());
  }

  async #send() {
    let problem = null;
    for (let text = this.#next; text !== null; text = this.#next) {
      this.#next = problem = null;
      try {
        this.#take(text, await this.#saveMerged(text));
      } catch (error) {
        problem = error;
      }
    }
    this.#sending = null; // at once: what comes next must be sent again
    if (problem !== null) throw problem;
  }

  /**
   * @param {string} text
   * @returns {Promise<string>} What is saved: `text`, with what others have changed since it was loaded.
   */
  async #saveMerged(text) {
    for (let [list, base] = [text, this.kept]; ; ) {
      const isNew = !this.#doubted.has(list);
      this.#doubted.set(list, text);
      try {
        await this.#save(list, base);
        return list;
      } catch (error) {
        const { code, status = 0 } = /** @type {{ code?: string, status?: number }} */ (error);
        const isChanged = code === "settings.changed";
        this.#isRefused = isChanged || (status >= 400 && status < 500);
        if (isChanged || (isNew && this.#isRefused)) this.#doubted.delete(list);
        if (!isChanged) throw error;
        const theirs = await this.#load();
        list = mergeDictionaries(this.#doubted.get(theirs) ?? base, list, theirs);
        base = theirs;
      }
    }
  }

  /**
   * @param {string} sent
   * @param {string} kept
   */
  #take(sent, kept) {
    if (this.left === sent) this.left = null;
    if (kept !== sent) {
      if (this.left !== null) this.left = mergeDictionaries(sent, this.left, kept);
      if (this.#next !== null) this.#next = mergeDictionaries(sent, this.#next, kept);
    }
    this.#settle(kept);
    if (kept !== sent) this.merged?.(sent, kept);
  }

  /** @param {string} text */
  #isKept(text) {
    return text === this.kept && !this.#isRefused && this.#doubted.size === 0 && this.#sending === null;
  }
}

/**
 * The size of the library, the imported files with a button to delete them, the cached speech with one to
 * clear it, and the folders.
 *
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
function storageGroups(signal) {
  const bytes = h("p", { class: "setting-text" });
  const taken = h("p", { class: "setting-text" });
  const kinds = h("ul", { class: "setting-text storage-kinds" });
  const library = path();
  const voices = path();
  const recognizers = path();
  const files = h("p", { class: "setting-text" });
  /** Bytes of the files that recordings were imported from. */
  let fileBytes = 0;
  const drop = button({ label: t("storage.files.delete"), icon: "trash", className: "dangerous", onPress: () => deleteFiles() });
  const clear = button({ label: t("advanced.cache.clear"), icon: "trash", onPress: () => forget() });
  const show = async () => {
    try {
      const storage = await loadStorage(signal);
      const isEmpty = storage.speechBytes === 0;
      setText(bytes, isEmpty ? t("advanced.cache.empty") : t("advanced.cache.size", { size: size(storage.speechBytes) }));
      showSize(storage.libraryBytes);
      fill(library, storage.library ?? "");
      fill(voices, storage.voices);
      fill(recognizers, storage.recognizers);
      withdraw(clear, "disabled", isEmpty);
    } catch (error) {
      if (!signal.aborted) fill(bytes, errorNotice(error));
    }
  };
  const showSize = (/** @type {import("../../server/api.js").LibraryBytes} */ all) => {
    const total = Object.values(all).reduce((sum, one) => sum + one, 0);
    setText(taken, t("storage.total", { size: size(total) }));
    fileBytes = all.importedFiles ?? 0;
    setText(files, t(fileBytes === 0 ? "storage.files.none" : "storage.files.text", { size: size(fileBytes) }));
    withdraw(drop, "disabled", fileBytes === 0);
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

/** The variables of the environment that name the folders. */
const folderVariables = "ECHOTEXT_LIBRARY, ECHOTEXT_VOICES, ECHOTEXT_RECOGNIZERS";

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
    line({ title: t("advanced.folder.move"), text: t("advanced.folder.move.text", { names: folderVariables }), control: null }),
  );
}

/**
 * @param {import("../../server/api.js").LibraryBytes} bytes What the library takes, by kind.
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
  return h("p", { class: "setting-text", dir: "ltr", translate: "no" });
}

/**
 * @param {AbortSignal} signal
 * @returns {HTMLElement[]}
 */
export function advancedSection(signal) {
  return [
    settingGroup(
      t("settings.group.making"),
      settingRow("speech.lanes", signal, { format: (lanes) => (lanes === 0 ? t("setting.speech.lanes.auto") : number(lanes)) }),
      line({
        title: t("advanced.dictionary"),
        text: t("advanced.dictionary.text"),
        control: button({ label: t("advanced.dictionary.action"), opens: true, onPress: () => new DictionarySheet().open() }),
      }),
      h("p", { class: "setting-text" }, t("advanced.chunks")),
    ),
    ...storageGroups(signal),
    programsGroup(signal),
    settingGroup(
      t("settings.group.data"),
      line({
        title: t("advanced.export"),
        text: t("advanced.export.text"),
        control: button({ label: t("advanced.export.action"), opens: true, onPress: () => new ExportAllSheet().open() }),
      }),
      line({
        title: t("advanced.erase"),
        text: t("advanced.erase.text"),
        control: button({
          label: t("advanced.erase.action"),
          opens: true,
          className: "dangerous",
          onPress: () => new EraseSheet().open(),
        }),
      }),
    ),
  ];
}

const hasPasscode = () => (state.value?.vault.protection ?? "device") !== "device";

/** @param {() => void} onEnter */
function passcodeField(onEnter, onInput = () => {}) {
  return field({ label: t("erase.passcode"), type: "password", autocomplete: "current-password", onInput, onEnter });
}

/**
 * How many entries a dictionary has: its lines but blank ones and comments.
 *
 * @param {string} text
 */
export function entriesOf(text) {
  return text.split(/\r?\n/).filter((line) => /^\s*[^\s#]/.test(line)).length;
}

/** @returns {Promise<string>} What the library has; of speeches, practice and pronunciations only what there is. */
async function contentsInWords() {
  const [narrations, recordings, documents, { speeches }, { sessions }, entries] = await Promise.all([
    listItems({ origin: ["narrated"], limit: 1 }),
    listItems({ origin: ["recorded", "imported"], limit: 1 }),
    listDocuments({ limit: 1 }),
    listSpeeches(),
    listPracticeSessions(),
    loadDictionary(),
  ]);
  /** @type {[string, number][]} */
  const further = [
    ["count.speeches", speeches.length],
    ["count.sessions", sessions.length],
    ["practice.takes.count", sessions.reduce((sum, { summary }) => sum + (summary?.takes ?? 0), 0)],
    ["count.entries", entriesOf(entries)],
  ];
  const words = further.filter(([, n]) => n > 0).map(([key, n]) => t(key, { n }));
  const always = [
    t("count.narrations", { n: narrations.total }),
    t("count.recordings", { n: recordings.total }),
    t("count.documents", { n: documents.total }),
  ];
  return new Intl.ListFormat(locale()).format([...always, ...words]);
}

/**
 * Says what is affected, with how many of each kind.
 *
 * @param {Element} place
 * @param {"advanced.export.count" | "erase.text"} words
 */
async function showCount(place, words) {
  try {
    setText(place, t(words, { all: await contentsInWords() }));
  } catch (error) {
    setText(place, wordsFor(error).message);
  }
}

/** The sheet that exports the whole library as one zip. */
class ExportAllSheet extends Sheet {
  /** @type {import("../../server/library.js").ExportFormat} */
  #format = "flac";
  #passcode = hasPasscode() ? passcodeField(() => this.#start()) : null;
  #text = h("p", {});
  #problem = h("div", { class: "sheet-problem" });
  #download = button({ label: t("advanced.export.download"), icon: "export", look: "primary", onPress: () => this.#start() });

  constructor() {
    super({ title: t("advanced.export"), kind: "side", className: "export-sheet" });
    this.build({
      content: [
        this.#text,
        formatList(this.#format, (format) => (this.#format = format), (format) => soundFormats.some((sound) => sound === format)),
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
        ...(this.#passcode === null ? [] : [this.#passcode.element]),
        this.#problem,
      ],
      actions: [this.#download],
    });
  }

  open() {
    super.open();
    showCount(this.#text, "advanced.export.count");
    return this;
  }

  async #start() {
    if (isBusy(this.#download)) return;
    fill(this.#problem);
    setBusy(this.#download, t("passcode.working"));
    try {
      const order = await prepareExportOfAll(this.#format, this.#passcode?.input.value);
      watchedDownload(orderAddress(order), order, { isOrder: true });
      this.close();
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#download, null);
    }
  }
}

/** The sheet that erases everything. That cannot be undone, so a phrase must be typed to confirm. */
class EraseSheet extends Sheet {
  #words = t("erase.words");
  #text = h("p", {});
  #problem = h("div", { class: "sheet-problem" });
  #typed = field({ label: t("erase.typed", { words: this.#words }), onInput: () => this.#update(), onEnter: () => this.#erase() });
  #passcode = hasPasscode() ? passcodeField(() => this.#erase(), () => this.#update()) : null;
  #go = button({ label: t("erase.action"), look: "danger", onPress: () => this.#erase() });

  constructor() {
    super({ title: t("erase.title"), className: "erase-sheet" });
    const exportFirst = () => {
      this.close();
      new ExportAllSheet().open();
    };
    const link = h("button", { type: "button", class: "link-button", onclick: exportFirst }, t("erase.export"));
    const { element: typed } = this.#typed;
    this.build({
      content: [h("div", { class: "form" }, this.#text, link, typed, this.#passcode?.element, this.#problem)],
      actions: [button({ label: t("do.cancel"), onPress: () => this.close() }), this.#go],
    });
    this.#update();
  }

  open() {
    super.open();
    this.#typed.input.focus();
    showCount(this.#text, "erase.text");
    return this;
  }

  get #isSure() {
    const said = this.#typed.input.value.trim().toLocaleLowerCase();
    return said === this.#words && this.#passcode?.input.value !== "";
  }

  #update() {
    this.#go.disabled = !this.#isSure;
  }

  async #erase() {
    if (!this.#isSure || isBusy(this.#go)) return;
    fill(this.#problem);
    setBusy(this.#go, t("erase.working"));
    try {
      await eraseEverything(this.#passcode?.input.value);
      this.close();
      showToast({ text: t("erase.done") });
    } catch (error) {
      fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#go, null);
    }
  }
}

/** Milliseconds after the last key until the list is saved. */
const typingRest = 600;

const dictionary = new DictionarySaver(changeDictionary, loadDictionary);
let isDictionaryGuarded = false;

/** Asks before the page is left with entries that are not saved. */
function guardDictionary() {
  if (isDictionaryGuarded) return;
  isDictionaryGuarded = true;
  addEventListener("beforeunload", (event) => dictionary.left !== null && event.preventDefault());
}

/**
 * Saves what a closed sheet has left. A failure is shown, and the entries stay here for the next sheet.
 *
 * @param {string} text
 */
async function keepLeftDictionary(text) {
  try {
    await dictionary.keep(text);
  } catch (error) {
    const action = { label: t("advanced.dictionary.action"), run: () => void new DictionarySheet().open() };
    showToast({ icon: "error", text: `${t("dictionary.unkept")} ${paragraphFor(error)}`, seconds: 20, action });
  }
}

/** The sheet of the dictionary; its text is saved as soon as it is valid. */
class DictionarySheet extends Sheet {
  #status = h("p", { class: "dictionary-status muted small", role: "status" });
  #problem = h("div", { class: "sheet-problem" });
  #area = h("textarea", {
    id: newId("dictionary"),
    class: "field dictionary-field",
    rows: 14,
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: t("dictionary.example"),
    disabled: true,
  });
  #revert = button({ label: t("dictionary.revert"), icon: "undo", look: "quiet", onPress: () => this.#takeBack() });
  /** The list when the sheet was opened. */
  #before = "";
  /** Counts the loads that follow changes: only the last one is shown. */
  #loads = 0;
  /** Counts what is written: only the failure of the last is shown. */
  #edits = 0;
  #timer = 0;

  constructor() {
    super({ title: t("dictionary.title"), kind: "side", className: "dictionary-sheet" });
    this.#revert.hidden = true;
    guardDictionary();
    dictionary.merged = (sent, kept) => this.#merge(sent, kept);
    this.#area.addEventListener("input", () => {
      this.#edits += 1;
      dictionary.write(this.#area.value);
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#keep(), typingRest);
    });
    this.signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      dictionary.merged = null;
      if (dictionary.left !== null && !this.#area.disabled) keepLeftDictionary(this.#area.value);
    });
    this.build({
      content: [
        h("p", { class: "muted" }, t("dictionary.text")),
        h("label", { for: this.#area.id, class: "visually-hidden" }, t("dictionary.label")),
        this.#area,
        this.#problem,
        this.#status,
      ],
      actions: [this.#revert, button({ label: t("do.done"), look: "primary", onPress: () => this.close() })],
    });
  }

  open() {
    super.open();
    for (const name of /** @type {const} */ (["settings", "reset"])) onServer(name, () => this.#follow(), this.signal);
    this.#load();
    return this;
  }

  /** Shows a list that was changed elsewhere, unless this one is being edited. */
  async #follow() {
    const isAtRest = () => !this.#area.disabled && this.#area.value === dictionary.kept && dictionary.left === null;
    if (!isAtRest()) return;
    const load = (this.#loads += 1);
    const shown = dictionary.kept;
    const text = await loadDictionary(this.signal).catch(() => shown); // the next change loads it again
    if (load !== this.#loads || !isAtRest() || dictionary.kept !== shown || text === shown) return;
    if (this.#revert.hidden) this.#before = text;
    dictionary.loaded(text);
    this.#area.value = text;
    withdraw(this.#revert, "hidden", text === this.#before, this.#area);
  }

  /**
   * Shows what was written elsewhere beside what is written here.
   *
   * @param {string} sent
   * @param {string} kept
   */
  #merge(sent, kept) {
    if (this.#area.disabled) return;
    const { selectionStart, selectionEnd } = this.#area;
    this.#before = mergeDictionaries(sent, this.#before, kept);
    this.#area.value = mergeDictionaries(sent, this.#area.value, kept);
    if (this.#area === document.activeElement) this.#area.setSelectionRange(selectionStart, selectionEnd);
    withdraw(this.#revert, "hidden", this.#area.value === this.#before, this.#area);
  }

  async #load() {
    try {
      this.#before = await loadDictionary(this.signal);
      dictionary.loaded(this.#before);
      this.#area.value = dictionary.left ?? this.#before;
      this.#area.disabled = false;
      this.#area.focus();
      if (dictionary.left !== null) this.#keep();
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error, again));
    }
  }

  #takeBack() {
    this.#edits += 1;
    this.#area.value = this.#before;
    dictionary.write(this.#before);
    this.#keep();
  }

  async #keep() {
    clearTimeout(this.#timer);
    const [text, edit] = [this.#area.value, this.#edits];
    withdraw(this.#revert, "hidden", text === this.#before, this.#area);
    if (dictionary.left === null) return;
    setText(this.#status, t("dictionary.keeping"));
    try {
      await dictionary.keep(text);
      if (dictionary.left !== null) return; // more was written meanwhile
      fill(this.#problem);
      setAttribute(this.#area, "aria-invalid", null);
      setText(this.#status, t("dictionary.kept"));
    } catch (error) {
      if (edit !== this.#edits) return;
      setText(this.#status, "");
      setAttribute(this.#area, "aria-invalid", "true");
      fill(this.#problem, errorNotice(error));
    }
  }
}
