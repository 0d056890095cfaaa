import { button, icon } from "../../components/button.js";
import { canShareFile, download } from "../../components/download.js";
import { isBusy, segments, selectField, setBusy, toggleSwitch } from "../../components/field.js";
import { errorNotice } from "../../components/notice.js";
import { Sheet } from "../../components/sheet.js";
import { fill, h, setText } from "../../core/dom.js";
import { size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { setting } from "../../core/store.js";
import {
  checkDownload,
  eachOf,
  exportAddress,
  fileAddress,
  giveCover,
  loadDownload,
  loadItem,
  orderAddress,
  prepareExport,
  prepareFiles,
  prepareMade,
  soundFormats,
} from "../../server/library.js";
import { bookFormats, fileDeletion, formatList, formatWords, isSound, isText, partsOf, watchedDownload, wordFormats } from "../item-files.js";
import { habit, keepHabit } from "../list/list-controls.js";
import { JoinedDetails } from "./joined-details.js";

/** @typedef {import("../item-files.js").Format} Format */
/** @typedef {import("../item-files.js").Part} Part */
/** @typedef {import("../../server/library.js").SoundFormat} SoundFormat */
/** @typedef {import("../../server/library.js").WordFormat} WordFormat */

/** @param {Format} format It is of one recording; several are not joined in it. */
const isOfTranscripts = (format) => ["md", "docx", "csv"].includes(format);

/** @param {Format} format */
const isForOne = (format) => format === "epub" || format === "chapters";

/** @param {Format} format */
const hasRoomForCover = (format) => format === "m4b" || format === "m4a";

/**
 * Something to export: of what people said its transcript, its sound or both; of what was read aloud, `any` of its formats.
 *
 * - `choice`: the choice of a format that it has;
 * - `offers`: whether a format is one of it;
 * - `hasBeside`: whether texts can be put beside a sound.
 *
 * @typedef {{ choice: "each" | "text" | "sound", offers: (format: Format) => boolean, hasBeside: boolean }} Content
 */

/** @type {Readonly<Record<"any" | "transcript" | "sound" | "both", Content>>} */
const contents = Object.freeze({
  any: { choice: "each", offers: (format) => format !== "file", hasBeside: true },
  transcript: { choice: "text", offers: isText, hasBeside: false },
  sound: { choice: "sound", offers: (format) => !isText(format), hasBeside: false },
  both: { choice: "sound", offers: (format) => !isText(format), hasBeside: true },
});

/** The contents of what people said. */
const saidContents = /** @type {const} */ (["transcript", "sound", "both"]);

/** The settings of the library that keep the last choices. */
const kept = /** @type {const} */ ({
  way: "page.export-way",
  content: "page.export-content",
  each: "page.export-file",
  text: "page.export-text",
  sound: "page.export-sound",
  joined: "page.export-joined",
  chapters: "page.export-chapters",
  beside: "page.export-beside",
  times: "page.export-times",
  byWord: "page.export-words",
});

/** @type {readonly Format[]} */
const soundFiles = [...soundFormats, ...bookFormats, "file"];
/** @type {readonly Format[]} */
const eachFormats = [...soundFormats, ...bookFormats, ...wordFormats];
/** @type {readonly Format[]} */
const joinedFormats = ["m4b", ...soundFormats];
const ways = /** @type {const} */ (["each", "joined"]);
const switches = /** @type {const} */ (["off", "on"]);

/** The last choices. */
function remembered() {
  const beside = (localStorage.getItem(kept.beside) ?? setting(kept.beside, "")).split(" ");
  return {
    /** Whether several become a file for each or one of all. */
    way: habit(kept.way, ways),
    content: habit(kept.content, saidContents),
    /** The format of what was read aloud. */
    each: habit(kept.each, eachFormats),
    /** The format of transcripts. */
    text: habit(kept.text, wordFormats),
    /** The format of the sound of what people said. */
    sound: habit(kept.sound, soundFiles),
    /** The format for one file of all. */
    joined: habit(kept.joined, joinedFormats),
    /** @type {SoundFormat} The format of the chapters in a zip. */
    chapters: habit(kept.chapters, soundFormats),
    beside: new Set(wordFormats.filter((one) => beside.includes(one))),
    /** Whether paragraphs of transcripts say when they begin. */
    times: habit(kept.times, switches) === "on",
    /** Whether a table has a row for each word. */
    byWord: habit(kept.byWord, switches) === "on",
  };
}

/**
 * A transcript.
 *
 * @typedef {object} Version
 * @property {boolean} isCurrent Whether it is the one that every other export of the recording has.
 * @property {(format: WordFormat, writing: { times?: boolean, byWord?: boolean }) => string} address Of its file.
 */

/**
 * Recordings of what people said.
 *
 * @typedef {object} Said
 * @property {boolean} isTranscribed Whether there may be a transcript.
 * @property {boolean} [hasFiles] Whether any of several was imported from a file that may be kept.
 * @property {Version | null} [version] The transcript of the only recording that is exported.
 * @property {boolean} [isBeingRead] Whether the transcript is on the page: the sheet does not begin with the sound alone.
 */

/**
 * The sheet that exports narrations or recordings: one as a file, several as one zip or joined into one file. It stays open, so
 * that there can be several files, and remembers the choices.
 */
export class ExportSheet extends Sheet {
  #ids;
  #said;
  #last = remembered();
  /** Whether the names of what becomes one file have been asked for. */
  #isOrdered = false;
  /** @type {number | null} Bytes of the file that the only recording was imported from, as far as that is known to be kept. */
  #fileSize = null;
  #details;
  /** @type {HTMLElement | null} The choice between a file for each and one of all. */
  #ways;
  #book = h("div", { class: "export-options" });
  #formats = h("div", {});
  #options = h("div", { class: "export-options" });
  #times = optionRow(t("transcript.export.times"), this.#last.times, (times) => this.#write("times", times));
  #byWord = optionRow(t("transcript.export.words"), this.#last.byWord, (byWord) => this.#write("byWord", byWord));
  /** The button that deletes the imported file, where there is one. */
  #drop = h("div", { hidden: true });
  #problem = h("div", { class: "export-problem" });
  #status = h("p", { class: "small", role: "status" });
  /**
   * Loaded files: the browser lets a page share only right after a press.
   *
   * @type {File[]}
   */
  #ready = [];
  /** Counts the choices: files requested before the last one are not shared. */
  #choices = 0;
  /** The number of the file, from 0, that the next press downloads. */
  #next = 0;
  #save = button({ label: t("export.download"), icon: "export", look: "primary", onPress: () => this.#attempt(this.#save, () => this.#startDownload()) });
  #share = button({ label: t("export.share"), icon: "share", onPress: () => this.#attempt(this.#share, () => this.#startSharing()) });

  /**
   * @param {string[]} ids Of narrations, or of recordings.
   * @param {Said | null} said `null` for narrations.
   */
  constructor(ids, said = null) {
    super({ title: titleOf(ids.length, said !== null), kind: "side", className: "export-sheet" });
    this.#ids = ids;
    this.#said = said;
    if (said?.isBeingRead && this.#last.content === "sound") this.#last.content = "transcript";
    this.#details = new JoinedDetails(ids, () => this.#forgetReady());
    this.#ways = ids.length === 1 ? null : this.#waysOf();
    this.build({
      content: [
        ...(said?.isTranscribed ? [this.#contentsOf()] : []),
        ...(this.#ways === null ? [] : [this.#ways]),
        this.#book,
        this.#formats,
        this.#options,
        this.#times,
        this.#byWord,
        this.#drop,
        this.#problem,
        h("p", { class: "private-note" }, icon("info"), t("export.leaves")),
        this.#status,
      ],
      actions: canShareFile("sound.wav", "audio/wav") ? [this.#share, this.#save] : [this.#save],
    });
    this.#show();
    if (said !== null && ids.length === 1) this.#findFile();
  }

  /** The choice between the transcript, the sound, and both. */
  #contentsOf() {
    const options = saidContents.map((value) => ({ value, label: t(`recording.export.${value}`) }));
    const change = (/** @type {string} */ content) => {
      this.#last.content = /** @type {typeof saidContents[number]} */ (content);
      keepHabit(kept.content, content);
      this.#show();
    };
    return h("div", { class: "export-ways" }, segments({ label: t("recording.export.content"), options, value: this.#last.content, onChange: change }));
  }

  #waysOf() {
    const change = (/** @type {string} */ way) => {
      this.#last.way = /** @type {typeof ways[number]} */ (way);
      keepHabit(kept.way, way);
      this.#show();
    };
    const options = ways.map((value) => ({ value, label: t(`export.${value}`) }));
    return h("div", { class: "export-ways" }, segments({ label: t("export.ways"), options, value: this.#last.way, onChange: change }));
  }

  /** Finds the file that the only recording was imported from. */
  async #findFile() {
    const [id = ""] = this.#ids;
    const { fileSize } = await loadItem(id, this.signal).catch(() => ({ fileSize: null })); // without it, the file is not offered
    if (fileSize === null) return;
    const format = this.#format;
    this.#fileSize = fileSize;
    const deleted = () => {
      this.#fileSize = null;
      this.#show();
      setText(this.#status, t("storage.file.deleted"));
      this.#save.focus();
    };
    const failed = (/** @type {unknown} */ error) => this.signal.aborted || fill(this.#problem, errorNotice(error));
    fill(this.#drop, fileDeletion(id, fileSize, { deleted, failed }));
    this.#showFormats();
    if (this.#format !== format) this.#showOptions();
  }

  #show() {
    this.#showFormats();
    this.#showOptions();
    if (!this.#isJoined || this.#isOrdered) return;
    this.#isOrdered = true;
    this.#details.load(this.signal);
  }

  /** Shows the formats of what is exported. */
  #showFormats() {
    const content = this.#content;
    if (content === contents.both) this.#haveText();
    if (this.#ways !== null) this.#ways.hidden = content === contents.transcript;
    this.#drop.hidden = content === contents.transcript || this.#fileSize === null;
    const focused = /** @type {HTMLInputElement | null} */ (this.#formats.querySelector(":focus"))?.value;
    fill(this.#formats, formatList(this.#format, (chosen) => this.#choose(chosen), (one) => this.#isOffered(one), (one) => this.#wordsOf(one)));
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.#formats.querySelector(`input[value="${focused}"]`))?.focus();
  }

  /** Chooses a text beside the sound, where none is chosen. */
  #haveText() {
    const { beside, text } = this.#last;
    const offered = this.#besideOffered;
    if (!offered.some((one) => beside.has(one))) beside.add(offered.includes(text) ? text : "txt");
  }

  get #content() {
    if (this.#said === null) return contents.any;
    return this.#said.isTranscribed ? contents[this.#last.content] : contents.sound;
  }

  get #isOne() {
    return this.#ids.length === 1;
  }

  /** Whether the only file is of all. */
  get #isJoined() {
    return !this.#isOne && this.#last.way === "joined" && this.#content !== contents.transcript;
  }

  /** The choice that the shown formats are of. */
  get #choice() {
    return this.#isJoined ? "joined" : this.#content.choice;
  }

  /** The chosen format; the usual one where the chosen one is not offered. */
  get #format() {
    const format = this.#last[this.#choice];
    return this.#isOffered(format) ? format : "mp3";
  }

  /** @param {Format} format Some formats are zips themselves, and some are for one recording. */
  #isOffered(format) {
    if (!this.#content.offers(format)) return false;
    if (this.#isJoined) return isSound(format);
    if (format === "file") return this.#fileSize !== null || (!this.#isOne && this.#said?.hasFiles === true);
    return this.#isOne || !isForOne(format);
  }

  /**
   * @param {Format} format
   * @returns {[name: string, detail: string]}
   */
  #wordsOf(format) {
    const isSaid = this.#said !== null && isText(format) && (this.#isOne || format !== "json");
    if (isSaid || isOfTranscripts(format)) return [t(`transcript.format.${format}`), t(`transcript.format.${format}.text`)];
    return formatWords(format === "file" && !this.#isOne ? "files" : format, size(this.#fileSize ?? 0));
  }

  /** @param {Format} format */
  #choose(format) {
    const choice = this.#choice;
    Object.assign(this.#last, { [choice]: format });
    keepHabit(kept[choice], format);
    this.#showOptions();
  }

  #showOptions() {
    const format = this.#format;
    this.#changed();
    this.#details.showCover(hasRoomForCover(format));
    const isOneBook = this.#isOne && hasRoomForCover(format);
    const isThere = this.#details.element.parentElement === this.#book;
    if (isThere !== this.#isJoined) fill(this.#book, this.#isJoined ? this.#details.element : null);
    fill(
      this.#options,
      format === "chapters" ? this.#chapterSound() : null,
      isOneBook ? this.#details.element : null,
      this.#hasBeside ? this.#besideSwitches() : null,
    );
  }

  #chapterSound() {
    const options = soundFormats.map((sound) => ({ value: sound, label: t(`export.${sound}`) }));
    const change = (/** @type {string} */ sound) => {
      this.#last.chapters = /** @type {SoundFormat} */ (sound);
      keepHabit(kept.chapters, sound);
      this.#changed();
    };
    return selectField({ label: t("export.chapters.sound"), groups: [{ options }], value: this.#last.chapters, onChange: change }).element;
  }

  /** Whether texts can be chosen besides. */
  get #hasBeside() {
    return this.#content.hasBeside && (this.#said !== null || isSound(this.#format));
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
        return optionRow(this.#wordsOf(format)[0], this.#last.beside.has(format), change);
      }),
    );
  }

  /** The formats of additional files; several transcripts are not joined. */
  get #besideOffered() {
    return wordFormats.filter((format) => !this.#isJoined || !isOfTranscripts(format));
  }

  /** @returns {WordFormat[]} The formats of the additional files. */
  get #beside() {
    return this.#hasBeside ? this.#besideOffered.filter((format) => this.#last.beside.has(format)) : [];
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
   * @param {...Format} formats
   */
  #isWritten(...formats) {
    if (this.#isJoined) return false;
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
    setText(this.#status, "");
    // The text that was read aloud is exported as it was written, without times.
    this.#times.hidden = !this.#isWritten(this.#said === null ? "md" : "txt", "md", "docx");
    this.#byWord.hidden = !this.#isWritten("csv");
    this.#next = 0;
    this.#nameDownload();
  }

  /** Names the file that the next press downloads, if there are several: browsers may refuse the second one after a press. */
  #nameDownload() {
    if (isBusy(this.#save)) return;
    const parts = this.#parts;
    const [{ format, beside }] = parts;
    const isZip = beside.length > 0 || format === "chapters" || (!this.#isOne && !this.#isJoined);
    const words = { n: this.#next + 1, all: parts.length, name: this.#nameOf(parts[this.#next]) };
    setLabel(this.#save, parts.length > 1 ? t("export.download.part", words) : t(isZip ? "export.download.zip" : "export.download"));
  }

  /** @param {Part} part */
  #nameOf({ format }) {
    return this.#wordsOf(format)[0];
  }

  get #parts() {
    return partsOf(this.#format, this.#beside, this.#said?.version ?? null);
  }

  /** @param {Part} part Whether it is the file of one recording without additions, which needs no order. */
  #isPlain({ format, beside }) {
    return this.#isOne && beside.length === 0 && !this.#isBook(format);
  }

  /** @param {Format} format Whether the file has its own title, author or cover, or joins several recordings. */
  #isBook(format) {
    return this.#isJoined || (this.#isOne && hasRoomForCover(format) && this.#details.isFilled);
  }

  /** @param {Exclude<Format, "file">} format */
  #wanted(format) {
    return { format, sound: format === "chapters" ? this.#last.chapters : undefined, ...this.#writing };
  }

  /**
   * The address of a recording's file, and whether the server says how its download ended.
   *
   * @param {string} id
   * @param {Format} format
   * @returns {[address: string, isWatched: boolean]}
   */
  #addressOf(id, format) {
    if (format === "file") return [fileAddress(id), true];
    const version = this.#said?.version ?? null;
    if (version === null || !isText(format)) return [exportAddress(id, this.#wanted(format)), true];
    return [version.address(format, this.#writing), false];
  }

  /**
   * @param {Part} part
   * @returns {Promise<string | null>} The id of the order; `null` if the file is there already.
   */
  async #order({ format, beside }) {
    const [only = ""] = this.#ids;
    const isPlain = this.#isPlain({ format, beside });
    if (format === "file") return isPlain ? null : prepareFiles(this.#ids);
    if (isPlain) return prepareMade(only, this.#wanted(format));
    const isBook = this.#isBook(format);
    const order = await prepareExport({
      ids: isBook ? this.#details.ids : this.#ids,
      format,
      beside: [...beside],
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
    setText(this.#status, "");
    setBusy(pressed, t("export.preparing"));
    try {
      await work();
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(pressed, null);
      this.#nameDownload();
      if (this.#ready.length > 0) setLabel(this.#share, t("export.share.ready"));
    }
  }

  async #startDownload() {
    const parts = this.#parts;
    const choice = this.#choices;
    await this.#download(parts[this.#next]);
    if (choice === this.#choices) this.#next = (this.#next + 1) % parts.length;
    const name = this.#nameOf(this.#parts[this.#next]);
    setText(this.#status, t(this.#next === 0 ? "recording.export.begun" : "recording.export.next", { name }));
  }

  /** @param {Part} part */
  async #download(part) {
    const { format, beside } = part;
    const order = await this.#order(part);
    if (order !== null) {
      const isMadeFirst = isSound(format) && beside.length === 0 && (this.#isPlain(part) || this.#isBook(format));
      watchedDownload(orderAddress(order), order, { isMadeFirst, isOrder: true });
      return;
    }
    const [only = ""] = this.#ids;
    const [address, isWatched] = this.#addressOf(only, format);
    await checkDownload(address, this.signal);
    if (isWatched) watchedDownload(address, only);
    else download(address);
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

  /** @returns {Promise<File[]>} One file per recording and download, or those that were ordered. */
  async #load() {
    /** @type {File[]} */
    const files = [];
    for (const part of this.#parts) files.push(...(await this.#filesOf(part)));
    return files;
  }

  /** @param {Part} part */
  async #filesOf(part) {
    const { format, beside } = part;
    if (this.#isPlain(part) || (format !== "file" && beside.length === 0 && !this.#isBook(format))) {
      return eachOf(this.#ids, (id) => this.#fileAt(this.#addressOf(id, format)[0], `${id}.${format}`));
    }
    return [await this.#fileAt(orderAddress((await this.#order(part)) ?? ""), "EchoText.zip")];
  }

  /**
   * @param {string} address
   * @param {string} standIn The name of a file that has none.
   */
  async #fileAt(address, standIn) {
    const { name, blob } = await loadDownload(address, standIn, this.signal);
    return new File([blob], name, { type: blob.type });
  }

  #forgetReady() {
    this.#ready = [];
    this.#choices += 1;
    setLabel(this.#share, t("export.share"));
  }
}

/**
 * @param {number} n
 * @param {boolean} isSaid Whether they are what people said.
 */
function titleOf(n, isSaid) {
  if (isSaid) return n === 1 ? t("transcript.export") : t("recordings.export.many", { n });
  return n === 1 ? t("export.title.one") : t("export.title.many", { n });
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
