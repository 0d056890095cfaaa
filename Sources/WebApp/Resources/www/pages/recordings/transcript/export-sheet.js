import { button, icon } from "../../../components/button.js";
import { download } from "../../../components/download.js";
import { isBusy, segments, setBusy } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, loadStyle, newId, setText } from "../../../core/dom.js";
import { size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import {
  checkDownload,
  exportAddress,
  fileAddress,
  loadItem,
  orderAddress,
  prepareMade,
  soundFormats,
} from "../../../server/library.js";
import { listRecognizers, listTranscripts, startTranscription, transcriptExportAddress } from "../../../server/transcriptions.js";
import { fileDeletion, formatChoice, watchedDownload } from "../../item-files.js";
import { habit, keepHabit } from "../../list/list-controls.js";
import { adviceOn } from "../../recognizers/offers.js";
import { isGoing, transcriptionJobs } from "../transcription-jobs.js";
import { optionRow } from "./head.js";

/** @typedef {import("../../../server/transcriptions.js").TranscriptFormat} TranscriptFormat */
/** @typedef {import("../../../server/library.js").SoundFormat | "m4b" | "epub" | "chapters" | "file"} SoundFile `file`: as it came. */
/** @typedef {"transcript" | "sound" | "both"} Content */

/** @type {readonly TranscriptFormat[]} */
const textFormats = ["txt", "md", "docx", "srt", "vtt", "csv", "json"];
/** @type {readonly SoundFile[]} */
const soundFiles = [...soundFormats, "m4b", "epub", "chapters"];

/** @type {readonly Content[]} */
const contents = ["transcript", "sound", "both"];
const switches = /** @type {const} */ (["off", "on"]);

/** The settings of the library that keep the last choices. */
const kept = /** @type {const} */ ({
  content: "page.export-content",
  text: "page.export-text",
  sound: "page.export-sound",
  withTimes: "page.export-times",
  byWord: "page.export-words",
});

/** The last choices. */
function remembered() {
  return {
    content: habit(kept.content, contents),
    text: habit(kept.text, textFormats),
    sound: habit(kept.sound, /** @type {SoundFile[]} */ ([...soundFiles, "file"])),
    withTimes: habit(kept.withTimes, switches) === "on",
    byWord: habit(kept.byWord, switches) === "on",
  };
}

/**
 * @param {TranscriptFormat} format
 * @returns {[string, string]}
 */
const wordsOfText = (format) => [t(`transcript.format.${format}`), t(`transcript.format.${format}.text`)];

/** The sheet that exports a recording: its transcript, its sound or both. It stays open, so that there can be several files. */
export class RecordingExportSheet extends Sheet {
  #item;
  #version;
  #last = remembered();
  /** @type {number | null} Bytes of the file that it was imported from, as far as that is known to be kept. */
  #fileSize = null;
  #choices = h("div", {});
  /** The button that deletes the imported file, where there is one. */
  #drop = h("div", { hidden: true });
  #problem = h("div", { class: "export-problem" });
  #status = h("p", { class: "small", role: "status" });
  #save = button({ label: t("export.download"), icon: "export", look: "primary", onPress: () => this.#start() });

  /**
   * @param {string} item The recording's id.
   * @param {string | null} version The transcript's id; `null` without one.
   */
  constructor(item, version) {
    super({ title: t("transcript.export"), kind: "side", className: "export-sheet" });
    this.#item = item;
    this.#version = version;
    this.build({
      content: [
        ...(version === null ? [] : [this.#contents()]),
        this.#choices,
        this.#drop,
        this.#problem,
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
        this.#status,
      ],
      actions: [this.#save],
    });
    this.#show();
    this.#findFile();
  }

  async #findFile() {
    try {
      this.#fileSize = (await loadItem(this.#item, this.signal)).fileSize;
    } catch {
      return; // without it, the file is not offered
    }
    if (this.#fileSize === null) return;
    this.#offerDeletion(this.#fileSize);
    this.#showChoices();
  }

  /** @returns {SoundFile} */
  get #sound() {
    return this.#last.sound === "file" && this.#fileSize === null ? "mp3" : this.#last.sound;
  }

  /**
   * @param {SoundFile} format
   * @returns {[string, string]}
   */
  #wordsOfSound(format) {
    return [t(`export.${format}`), t(`export.${format}.text`, { size: size(this.#fileSize ?? 0) })];
  }

  /** @returns {Content} */
  get #content() {
    return this.#version === null ? "sound" : this.#last.content;
  }

  #contents() {
    const options = contents.map((value) => ({ value, label: t(`recording.export.${value}`) }));
    const change = (/** @type {Content} */ content) => this.#keep({ content });
    return h("div", { class: "export-ways" }, segments({ label: t("recording.export.content"), options, value: this.#content, onChange: change }));
  }

  /** @param {Partial<ReturnType<typeof remembered>>} choice */
  #keep(choice) {
    Object.assign(this.#last, choice);
    for (const [name, value] of Object.entries(choice)) {
      keepHabit(kept[/** @type {keyof typeof kept} */ (name)], typeof value === "string" ? value : switches[Number(value)]);
    }
    this.#show();
  }

  #show() {
    fill(this.#problem);
    setText(this.#status, "");
    this.#showChoices();
  }

  #showChoices() {
    const hasText = this.#content !== "sound";
    const hasSound = this.#content !== "transcript";
    const times = () => optionRow("transcript.export.times", this.#last.withTimes, (withTimes) => this.#keep({ withTimes }));
    const words = () => optionRow("transcript.export.words", this.#last.byWord, (byWord) => this.#keep({ byWord }));
    this.#drop.hidden = !hasSound || this.#fileSize === null;
    const soundsOffered = this.#fileSize === null ? soundFiles : [.../** @type {const} */ (["file"]), ...soundFiles];
    const focused = /** @type {HTMLInputElement | null} */ (this.#choices.querySelector(":focus"))?.value;
    fill(
      this.#choices,
      hasText && formats(t("recording.export.transcript"), wordsOfText, textFormats, this.#last.text, (text) => this.#keep({ text })),
      hasText && ["txt", "md", "docx"].includes(this.#last.text) && times(),
      hasText && this.#last.text === "csv" && words(),
      hasSound && formats(t("recording.export.sound"), (one) => this.#wordsOfSound(one), soundsOffered, this.#sound, (sound) => this.#keep({ sound })),
    );
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.#choices.querySelector(`input[value="${focused}"]`))?.focus();
  }

  /** @param {number} bytes */
  #offerDeletion(bytes) {
    const deleted = () => {
      this.#fileSize = null;
      this.#show();
      setText(this.#status, t("storage.file.deleted"));
      this.#save.focus();
    };
    const failed = (/** @type {unknown} */ error) => this.signal.aborted || fill(this.#problem, errorNotice(error));
    fill(this.#drop, fileDeletion(this.#item, bytes, { deleted, failed }));
  }

  async #start() {
    if (isBusy(this.#save)) return;
    fill(this.#problem);
    setText(this.#status, "");
    setBusy(this.#save, t("export.preparing"));
    try {
      if (this.#content !== "sound") await this.#saveText();
      if (this.#content !== "transcript") await this.#saveSound();
      setText(this.#status, t("recording.export.begun"));
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#save, null);
    }
  }

  async #saveText() {
    if (this.#version === null) return;
    const address = transcriptExportAddress(this.#version, this.#last.text, { times: this.#last.withTimes || undefined, byWord: this.#last.byWord || undefined });
    await checkDownload(address, this.signal);
    download(address);
  }

  async #saveSound() {
    const format = this.#sound;
    const order = format === "file" ? null : await prepareMade(this.#item, { format });
    if (order !== null) {
      watchedDownload(orderAddress(order), order, { isMadeFirst: format !== "epub" && format !== "chapters", isOrder: true });
      return;
    }
    const address = format === "file" ? fileAddress(this.#item) : exportAddress(this.#item, { format });
    await checkDownload(address, this.signal);
    watchedDownload(address, this.#item);
  }
}

/**
 * @template {string} Format
 * @param {string} title
 * @param {(format: Format) => [name: string, detail: string]} words
 * @param {readonly Format[]} all
 * @param {Format} chosen
 * @param {(format: Format) => void} onChange
 */
function formats(title, words, all, chosen, onChange) {
  const group = newId("format");
  return h(
    "div",
    { class: "formats", role: "radiogroup", "aria-label": title },
    h("h3", { class: "formats-title" }, title),
    ...all.map((format) => {
      const [name, detail] = words(format);
      return formatChoice({ group, format, name, detail, isChosen: format === chosen, onChange });
    }),
  );
}

/** @typedef {import("../../../server/library.js").Item} Item */

/**
 * Opens the sheet that orders a transcription.
 *
 * @param {Item} item
 */
export async function openOrder(item) {
  const [{ OrderSheet }, version] = await Promise.all([
    import("./order-sheet.js"),
    currentVersion(item),
    loadStyle("/styles/fields.css"),
    loadStyle("/styles/transcript.css"),
    loadStyle("/styles/recognizers.css"),
  ]);
  new OrderSheet(item, version, () => {}).open();
}

/**
 * Opens the sheet that exports a recording and its transcript.
 *
 * @param {Item} item
 */
export async function openExport(item) {
  const [version] = await Promise.all([
    currentVersion(item),
    loadStyle("/styles/library.css"),
    loadStyle("/styles/transcript.css"),
  ]);
  new RecordingExportSheet(item.id, version).open();
}

/**
 * @param {Item} item
 * @returns {Promise<string | null>} The id of the transcript's current version.
 */
async function currentVersion({ id, isTranscribed }) {
  if (!isTranscribed) return null;
  return (await listTranscripts(id)).find(({ isCurrent }) => isCurrent)?.id ?? null;
}

/**
 * Has recordings transcribed as the settings say, one after the other; those that are being transcribed stay as they are. Where
 * there is no recogniser, or only the basic one, it asks first.
 *
 * @param {readonly string[]} ids
 * @returns {Promise<boolean>} Whether they are transcribed.
 * @throws {import("../../../server/http.js").ServerProblem} The first failure; those before it are begun.
 */
export async function transcribeMany(ids) {
  if (!(await isRecognizerFit())) return false;
  const present = new Set(transcriptionJobs.all.value.filter(isGoing).map(({ item }) => item));
  const wanted = ids.filter((id) => !present.has(id));
  for (const id of wanted) await startTranscription(id, {});
  showToast({ icon: "text", text: t("jobs.begun", { n: wanted.length }) });
  return true;
}

/** @returns {Promise<boolean>} Whether there is a good recogniser, or a person wants the basic one; otherwise it leads to others. */
async function isRecognizerFit() {
  const advice = adviceOn(await listRecognizers());
  if (advice === null) return true;
  const get = button({ label: t(`recognizers.${advice}.action`), look: "primary", onPress: () => sheet.close("get") });
  const use = button({ label: t("order.start.basic"), onPress: () => sheet.close("use") });
  const sheet = new Sheet({
    title: t("order.title"),
    className: "question",
    content: ["notice", "do"].map((part) => h("p", {}, t(`recognizers.${advice}.${part}`))),
    actions: advice === "basic" ? [use, get] : [get],
  }).open();
  get.focus();
  const answer = await sheet.closed;
  if (answer === "get") navigate("/recordings/recognizers");
  return answer === "use";
}
