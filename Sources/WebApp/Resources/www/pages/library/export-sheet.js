import { button, icon } from "../../components/button.js";
import { canShareFile } from "../../components/download.js";
import { isBusy, segments, selectField, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { showToast } from "../../components/toast.js";
import { fill, h, newId } from "../../core/dom.js";
import { t } from "../../core/i18n.js";
import { setting } from "../../core/store.js";
import {
  checkDownload,
  checkExport,
  eachOf,
  exportAddress,
  exportItem,
  fileAddress,
  giveCover,
  loadFile,
  loadItem,
  loadOrder,
  orderAddress,
  prepareExport,
  prepareFiles,
  prepareMade,
  soundFormats,
} from "../../server/library.js";
import { fileDeletion, formatChoice, watchedDownload } from "../item-files.js";
import { habit, keepHabit } from "../list/list-controls.js";
import { JoinedDetails } from "./joined-details.js";

/** @typedef {import("../../server/library.js").ExportFormat} ExportFormat */
/** @typedef {import("../../server/library.js").SoundFormat} SoundFormat */
/** @typedef {import("../../server/library.js").WordFormat} WordFormat */

/** @type {readonly WordFormat[]} */
const wordFormats = ["txt", "md", "docx", "srt", "vtt", "csv", "json"];

/** @param {ExportFormat} format Transcripts have it, and texts that were read aloud do not. */
const isOfTranscripts = (format) => ["md", "docx", "csv"].includes(format);

/** @param {ExportFormat} format */
const nameOf = (format) => (isOfTranscripts(format) ? t(`transcript.format.${format}`) : t(`export.${format}`));

/** @param {ExportFormat} format */
const detailOf = (format) => (isOfTranscripts(format) ? t(`transcript.format.${format}.text`) : t(`export.${format}.text`));

/**
 * The formats of recordings, the best known first.
 *
 * @type {readonly { title: string, formats: readonly ExportFormat[] }[]}
 */
const exportFormats = Object.freeze([
  { title: "export.group.sound", formats: soundFormats },
  { title: "export.group.book", formats: ["m4b", "epub", "chapters"] },
  { title: "export.group.text", formats: wordFormats },
]);

/** @param {ExportFormat} format */
const isSound = (format) => format === "m4b" || soundFormats.some((one) => one === format);

/** @param {ExportFormat} format */
const hasRoomForCover = (format) => format === "m4b" || format === "m4a";

/** The settings of the library that keep the last choices; how transcripts are written is that of a single one's too. */
const kept = /** @type {const} */ ({
  each: "page.export-file",
  joined: "page.export-joined",
  sound: "page.export-chapters",
  beside: "page.export-beside",
  times: "page.export-times",
  byWord: "page.export-words",
});

/** @type {readonly ExportFormat[]} */
const eachFormats = [...soundFormats, "m4b", "epub", "chapters", ...wordFormats];
/** @type {readonly ExportFormat[]} */
const joinedFormats = ["m4b", ...soundFormats];
const switches = /** @type {const} */ (["off", "on"]);

/** The last choices. */
function remembered() {
  const beside = (localStorage.getItem(kept.beside) ?? setting(kept.beside, "")).split(" ");
  return {
    /** The format for one file per recording. */
    each: habit(kept.each, eachFormats),
    /** The format for one file of all. */
    joined: habit(kept.joined, joinedFormats),
    /** @type {SoundFormat} The format of the chapters in a zip. */
    sound: habit(kept.sound, soundFormats),
    beside: new Set(wordFormats.filter((one) => beside.includes(one))),
    /** Whether paragraphs of transcripts say when they begin. */
    times: habit(kept.times, switches) === "on",
    /** Whether a table has a row for each word. */
    byWord: habit(kept.byWord, switches) === "on",
  };
}

/**
 * The sheet that exports recordings: one as a file, several as one zip or joined into one file.
 */
export class ExportSheet extends Sheet {
  #ids;
  #isRecorded;
  #last = remembered();
  #isJoined = false;
  /** Whether the files are wanted that the recordings were imported from. */
  #isFiles = false;
  #details;
  #book = h("div", { class: "export-options" });
  #formats = h("div", {});
  #options = h("div", { class: "export-options" });
  #times = optionRow(t("transcript.export.times"), this.#last.times, (times) => this.#write("times", times));
  #byWord = optionRow(t("transcript.export.words"), this.#last.byWord, (byWord) => this.#write("byWord", byWord));
  #problem = h("div", { class: "export-problem" });
  #status = h("p", { class: "visually-hidden", role: "status" });
  /**
   * Loaded files: the browser lets a page share only right after a press.
   *
   * @type {File[]}
   */
  #ready = [];
  /** Counts the choices: files requested before the last one are not shared. */
  #choices = 0;
  #save = button({ label: t("export.download"), icon: "export", look: "primary", onPress: () => this.#attempt(this.#save, () => this.#startDownload()) });
  #share = button({ label: t("export.share"), icon: "share", onPress: () => this.#attempt(this.#share, () => this.#startSharing()) });

  /**
   * @param {string[]} ids Of recordings.
   * @param {{ hasFiles?: boolean, isRecorded?: boolean, title?: string }} options `hasFiles`: whether any was imported from a file
   * that may be kept; `isRecorded`: whether people speak in them, so that there are transcripts.
   */
  constructor(ids, { hasFiles = false, isRecorded = false, title = ids.length === 1 ? t("export.title.one") : t("export.title.many", { n: ids.length }) } = {}) {
    const isOne = ids.length === 1;
    super({ title, kind: "side", className: "export-sheet" });
    this.#ids = ids;
    this.#isRecorded = isRecorded;
    this.#details = new JoinedDetails(ids, () => this.#forgetReady());
    this.build({
      content: [
        ...(isOne && !hasFiles ? [] : [this.#ways(isOne, hasFiles)]),
        this.#book,
        this.#formats,
        this.#options,
        this.#times,
        this.#byWord,
        this.#problem,
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
        this.#status,
      ],
      actions: canShareFile("sound.wav", "audio/wav") ? [this.#share, this.#save] : [this.#save],
    });
    this.#showFormats();
  }

  /**
   * The choice between one file per recording, one for all, and the imported files.
   *
   * @param {boolean} isOne
   * @param {boolean} hasFiles
   */
  #ways(isOne, hasFiles) {
    const change = (/** @type {string} */ way) => {
      this.#isJoined = way === "joined";
      this.#isFiles = way === "files";
      this.#showFormats();
      if (this.#isJoined) this.#details.load(this.signal);
    };
    const options = [
      { value: "each", label: t(isOne ? "export.converted" : "export.each") },
      ...(isOne ? [] : [{ value: "joined", label: t("export.joined") }]),
      ...(hasFiles ? [{ value: "files", label: t(isOne ? "export.file" : "export.files") }] : []),
    ];
    return h("div", { class: "export-ways" }, segments({ label: t("export.ways"), options, value: "each", onChange: change }));
  }

  #showFormats() {
    if (this.#isFiles) {
      fill(this.#book);
      fill(this.#options);
      fill(this.#formats, h("p", { class: "muted" }, t(this.#ids.length === 1 ? "export.files.one" : "export.files.text")));
      this.#changed();
      if (this.#ids.length === 1) this.#offerDeletion();
      return;
    }
    fill(this.#formats, formatList(this.#format, (chosen) => this.#choose(chosen), (one) => this.#isOffered(one)));
    this.#showOptions();
  }

  /** Offers to delete the imported file of the only recording. */
  async #offerDeletion() {
    const [id = ""] = this.#ids;
    const { fileSize } = await loadItem(id, this.signal).catch(() => ({ fileSize: null })); // the export says what is wrong
    if (fileSize === null || !this.#isFiles || this.#formats.querySelector("button") !== null) return;
    const deleted = () => {
      this.close();
      showToast({ icon: "check", text: t("storage.file.deleted") });
    };
    const failed = (/** @type {unknown} */ error) => this.signal.aborted || fill(this.#problem, errorNotice(error));
    this.#formats.append(fileDeletion(id, fileSize, { deleted, failed }));
  }

  /** The chosen format; the usual one where the chosen one is not offered. */
  get #format() {
    const format = this.#last[this.#way];
    return this.#isOffered(format) ? format : "mp3";
  }

  get #way() {
    return this.#isJoined ? "joined" : "each";
  }

  /** @param {ExportFormat} format Some formats are zips themselves, and some are for one recording. */
  #isOffered(format) {
    if (this.#isJoined) return isSound(format);
    if (isOfTranscripts(format)) return this.#isRecorded;
    return this.#ids.length === 1 || (format !== "epub" && format !== "chapters");
  }

  /** @param {ExportFormat} format */
  #choose(format) {
    this.#last[this.#way] = format;
    keepHabit(kept[this.#way], format);
    this.#showOptions();
  }

  #showOptions() {
    const format = this.#format;
    this.#changed();
    this.#details.showCover(hasRoomForCover(format));
    const isOneBook = this.#ids.length === 1 && hasRoomForCover(format);
    const isThere = this.#details.element.parentElement === this.#book;
    if (isThere !== this.#isJoined) fill(this.#book, this.#isJoined ? this.#details.element : null);
    fill(
      this.#options,
      format === "chapters" ? this.#chapterSound() : null,
      isOneBook ? this.#details.element : null,
      isSound(format) ? this.#besideSwitches() : null,
    );
  }

  #chapterSound() {
    const options = soundFormats.map((sound) => ({ value: sound, label: t(`export.${sound}`) }));
    const change = (/** @type {string} */ sound) => {
      this.#last.sound = /** @type {SoundFormat} */ (sound);
      keepHabit(kept.sound, sound);
      this.#changed();
    };
    return selectField({ label: t("export.chapters.sound"), groups: [{ options }], value: this.#last.sound, onChange: change }).element;
  }

  /** The switches for additional files. */
  #besideSwitches() {
    return h(
      "div",
      { class: "export-beside" },
      h("h3", { class: "formats-title" }, t("export.beside")),
      ...this.#besideOffered.map((format) => {
        const change = (/** @type {boolean} */ isOn) => {
          if (isOn) this.#last.beside.add(format);
          else this.#last.beside.delete(format);
          keepHabit(kept.beside, [...this.#last.beside].join(" "));
          this.#changed();
        };
        return optionRow(nameOf(format), this.#last.beside.has(format), change);
      }),
    );
  }

  /** The formats of additional files; several transcripts are not joined. */
  get #besideOffered() {
    return wordFormats.filter((format) => !isOfTranscripts(format) || (this.#isRecorded && !this.#isJoined));
  }

  /**
   * Chooses how transcripts are written.
   *
   * @param {"times" | "byWord"} what
   * @param {boolean} isOn
   */
  #write(what, isOn) {
    this.#last[what] = isOn;
    keepHabit(kept[what], switches[Number(isOn)]);
    this.#changed();
  }

  /**
   * Whether a transcript is wanted in one of some formats.
   *
   * @param {...ExportFormat} formats
   */
  #isWritten(...formats) {
    if (!this.#isRecorded || this.#isFiles || this.#isJoined) return false;
    return [this.#format, ...this.#beside].some((format) => formats.includes(format));
  }

  /** How the wanted transcripts are written. */
  get #writing() {
    const { times, byWord } = this.#last;
    return { times: (times && !this.#times.hidden) || undefined, byWord: (byWord && !this.#byWord.hidden) || undefined };
  }

  #changed() {
    this.#forgetReady();
    fill(this.#problem);
    this.#times.hidden = !this.#isWritten("txt", "md", "docx");
    this.#byWord.hidden = !this.#isWritten("csv");
    const isOneZip = !this.#isFiles && (this.#beside.length > 0 || this.#format === "chapters");
    const isZip = isOneZip || (this.#ids.length > 1 && !this.#isJoined);
    setLabel(this.#save, t(isZip ? "export.download.zip" : "export.download"));
  }

  /** @returns {WordFormat[]} The formats of the additional files. */
  get #beside() {
    return isSound(this.#format) && !this.#isFiles ? this.#besideOffered.filter((format) => this.#last.beside.has(format)) : [];
  }

  get #wanted() {
    return { format: this.#format, sound: this.#format === "chapters" ? this.#last.sound : undefined, ...this.#writing };
  }

  /** Whether it is the file of one recording without additions, which needs no order. */
  get #isPlain() {
    return this.#ids.length === 1 && this.#beside.length === 0 && !this.#isBook;
  }

  /** Whether the file has its own title, author or cover, or joins several recordings. */
  get #isBook() {
    return this.#isJoined || (this.#ids.length === 1 && !this.#isFiles && hasRoomForCover(this.#format) && this.#details.isFilled);
  }

  /** @returns {Promise<string>} The id of the order. */
  async #order() {
    if (this.#isFiles) return prepareFiles(this.#ids);
    const isBook = this.#isBook;
    const order = await prepareExport({
      ids: isBook ? this.#details.ids : this.#ids,
      format: this.#format,
      beside: this.#beside,
      ...this.#writing,
      joined: isBook ? this.#details.words : undefined,
    });
    const { cover } = this.#details;
    if (isBook && cover !== null) await giveCover(order, cover, this.signal);
    return order;
  }

  /**
   * @param {HTMLButtonElement} pressed
   * @param {() => Promise<void>} work
   */
  async #attempt(pressed, work) {
    if (isBusy(this.#save) || isBusy(this.#share)) return;
    fill(this.#problem);
    setBusy(pressed, t("export.preparing"));
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      if (this.#ready.length > 0) setLabel(this.#share, t("export.share.ready"));
    }
  }

  async #startDownload() {
    const [only = ""] = this.#ids;
    if (this.#isFiles && this.#ids.length === 1) {
      await checkDownload(fileAddress(only), this.signal);
      watchedDownload(fileAddress(only), only);
    } else {
      const order = await (this.#isPlain ? prepareMade(only, this.#wanted) : this.#order());
      if (order === null) {
        await checkExport(only, this.#wanted, this.signal);
        watchedDownload(exportAddress(only, this.#wanted), only);
      } else {
        const isMadeFirst = (this.#isPlain || this.#isBook) && isSound(this.#format) && this.#beside.length === 0;
        watchedDownload(orderAddress(order), order, { isMadeFirst, isOrder: true });
      }
    }
    this.close();
  }

  async #startSharing() {
    if (this.#ready.length === 0) {
      const choice = this.#choices;
      const files = await this.#load();
      if (choice !== this.#choices || this.signal.aborted) return;
      this.#ready = files;
    }
    if (!navigator.canShare({ files: this.#ready })) {
      this.#forgetReady();
      await this.#startDownload();
      return;
    }
    try {
      await navigator.share({ files: this.#ready });
      this.close();
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      if (name === "NotAllowedError") this.#status.textContent = t("export.ready"); // it took too long since the press
      else if (name !== "AbortError") throw error;
    }
  }

  /** @returns {Promise<File[]>} One file per recording, or the one that was ordered for them. */
  async #load() {
    const { signal } = this;
    if (this.#isFiles && this.#ids.length === 1) return [fileOf(await loadFile(this.#ids[0] ?? "", signal))];
    if (this.#isPlain || (!this.#isFiles && !this.#isBook && this.#beside.length === 0)) {
      const wanted = this.#wanted;
      return eachOf(this.#ids, async (id) => fileOf(await exportItem(id, wanted, signal)));
    }
    return [fileOf(await loadOrder(await this.#order(), signal))];
  }

  #forgetReady() {
    this.#ready = [];
    this.#choices += 1;
    setLabel(this.#share, t("export.share"));
  }
}

/** @param {{ name: string, blob: Blob }} attachment */
function fileOf({ name, blob }) {
  return new File([blob], name, { type: blob.type });
}

/**
 * @param {HTMLButtonElement} element
 * @param {string} label
 */
function setLabel(element, label) {
  const place = element.querySelector(".button-label");
  if (place !== null) place.textContent = label;
}

/**
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} onChange
 */
function optionRow(label, isOn, onChange) {
  return h("div", { class: "export-option" }, h("span", {}, label), toggleSwitch({ label, isOn, onChange }));
}

/**
 * @param {ExportFormat} chosen
 * @param {(format: ExportFormat) => void} onChange
 * @param {(format: ExportFormat) => boolean} [isOffered]
 * @returns {HTMLElement}
 */
export function formatList(chosen, onChange, isOffered = () => true) {
  const group = newId("format");
  return h(
    "div",
    { class: "formats", role: "radiogroup", "aria-label": t("export.format") },
    ...exportFormats.flatMap(({ title, formats }) => {
      const offered = formats.filter(isOffered);
      if (offered.length === 0) return [];
      return [
        h("h3", { class: "formats-title" }, t(title)),
        ...offered.map((format) =>
          formatChoice({ group, format, name: nameOf(format), detail: detailOf(format), isChosen: format === chosen, onChange }),
        ),
      ];
    }),
  );
}
