import { button } from "../../../components/button.js";
import { isBusy, segments, setBusy } from "../../../components/field.js";
import { icon } from "../../../components/icon.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { number, t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { beginBatch } from "../batch-sheet.js";
import { chapterList, rangeFields } from "./choice-parts.js";
import { choiceOf, chosenPages, printRanges, selectionOf } from "./choice.js";
import { CutChanges } from "./cuts.js";
import { PageGrid } from "./page-grid.js";
import { PreviewSheet } from "./preview-sheet.js";
import { chapterSwitch, SpokenAs, timesSwitch } from "./spoken-as.js";
import { practise } from "../../practice/practise-this.js";
import { player } from "../../../player/player.js";
import {
  keepSelection,
  loadSelection,
  loadStructure,
  narrateDocument,
  previewSelection,
} from "../../../server/documents.js";

/** @typedef {import("../../../server/documents.js").Document} Document */
/** @typedef {import("../../../server/documents.js").Preview} Preview */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("./choice.js").Choice} Choice */

/** Milliseconds after the last change until the server is asked for the number of words. */
const rest = 200;

/**
 * The sheet for choosing which parts of a document are spoken. It shows their size and starts the narration. The server
 * remembers the choice.
 */
export class ChoiceSheet extends Sheet {
  #document;
  /** @type {Choice | null} */
  #choice = null;
  /** @type {Structure | null} */
  #structure = null;
  /** @type {CutChanges | null} */
  #cutChanges = null;
  /** Ends the listeners of the current part. */
  #partLife = new AbortController();
  #timer = 0;
  #weighing = new AbortController();
  #place = h("div", { class: "choice-place" }, h("p", { class: "muted", role: "status" }, t("state.loading")));
  #problem = h("div", { class: "choice-problem" });
  #totals = h("p", { class: "choice-totals numbers", role: "status" });
  #words = h("p", { class: "choice-count muted small numbers" });
  #byChapter = chapterSwitch(icon("check"));
  #times = timesSwitch(icon("check"));
  #spokenAs = new SpokenAs(t("choice.name.text"));
  #how = h("div", { class: "choice-how" }, this.#byChapter.element, this.#times.element, this.#spokenAs.element);
  #generate = button({ label: t("speak.generate"), look: "primary", onPress: () => this.#begin() });
  #preview = button({ label: t("choice.preview"), icon: "eye", opens: true, onPress: () => this.#openPreview() });
  #practise = button({ label: t("practice.this"), icon: "practice", onPress: () => this.#beginPractice() });

  /** @param {Pick<Document, "id" | "name">} document */
  constructor(document) {
    super({ title: document.name, kind: "side", className: "choice-sheet" });
    this.#document = document;
    for (const one of [this.#generate, this.#preview, this.#practise]) one.disabled = true;
    this.#byChapter.element.hidden = true;
    this.#times.element.hidden = true;
    const sum = h("div", { class: "choice-sum" }, this.#problem, this.#totals, this.#words);
    const cancel = button({ label: t("do.cancel"), onPress: () => this.close() });
    this.signal.addEventListener("abort", () => this.#leave());
    this.build({ content: [this.#place, this.#how], actions: [sum, cancel, this.#preview, this.#practise, this.#generate] });
  }

  open() {
    super.open();
    this.#spokenAs.start(this.signal);
    this.#load();
    return this;
  }

  #leave() {
    this.#partLife.abort();
    this.#weighing.abort();
    clearTimeout(this.#timer);
  }

  async #load() {
    const { id } = this.#document;
    try {
      const [structure, selection] = await Promise.all([loadStructure(id, this.signal), loadSelection(id, this.signal)]);
      const choice = choiceOf(selection, structure);
      this.#structure = structure;
      this.#choice = choice;
      this.#cutChanges = new CutChanges(id, choice.cuts);
      this.#byChapter.element.hidden = structure.chapters.length === 0;
      this.#times.element.hidden = structure.kind !== "srt" && structure.kind !== "vtt";
      this.#spokenAs.startIn(structure.language);
      this.#showWays(structure, choice);
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#place, errorNotice(error, again));
    }
  }

  /**
   * @param {Structure} structure
   * @param {Choice} choice
   */
  #showWays({ pages, chapters }, choice) {
    const part = h("div", { class: "choice-part" });
    const ofPages = [{ value: "range", label: t("choice.range") }, { value: "pages", label: t("choice.pages") }];
    const ways = segments({
      label: t("choice.what"),
      options: [
        { value: "all", label: t("choice.all") },
        ...(pages.length > 1 ? ofPages : []),
        ...(chapters.length > 0 ? [{ value: "chapters", label: t("choice.chapters") }] : []),
      ],
      value: choice.way,
      look: "loose",
      onChange: (way) => {
        this.#change({ way: /** @type {Choice["way"]} */ (way) });
        this.#showPart(part);
      },
    });
    fill(this.#place, ways, this.#how, part);
    this.#showPart(part);
    this.#change({});
  }

  /** @param {HTMLElement} part */
  #showPart(part) {
    const choice = this.#choice;
    const structure = this.#structure;
    if (structure === null || choice === null) return;
    this.#partLife.abort();
    this.#partLife = new AbortController();
    switch (choice.way) {
      case "all":
        fill(part, h("p", { class: "muted" }, t("choice.all.text")));
        break;
      case "range":
        fill(part, rangeFields(structure, choice.range, (range) => this.#change({ range })));
        break;
      case "chapters":
        fill(part, chapterList(structure, choice.chapters, (chapters) => this.#change({ chapters })));
        break;
      case "pages":
        this.#showGrid(part, structure, choice);
    }
  }

  /**
   * @param {HTMLElement} part
   * @param {Structure} structure
   * @param {Choice} choice
   */
  #showGrid(part, structure, choice) {
    const grid = new PageGrid(this.#document.id, structure, choice.pages, (pages) => this.#change({ pages }));
    const numbers = structure.pages.map((page) => page.number);
    const all = button({ label: t("select.all"), look: "quiet", onPress: () => grid.choose(new Set(numbers)) });
    const none = button({ label: t("choice.none"), look: "quiet", onPress: () => grid.choose(new Set()) });
    fill(part, h("div", { class: "grid-actions" }, all, none), grid.element);
    grid.start(this.#partLife.signal);
  }

  /** @param {Partial<Choice>} update */
  #change(update) {
    if (this.#choice === null || this.#structure === null) return;
    const choice = { ...this.#choice, ...update };
    this.#choice = choice;
    const selection = selectionOf(choice);
    setText(this.#totals, sumOf(chosenPages(choice, this.#structure), this.#structure.pages.length));
    for (const one of [this.#generate, this.#preview, this.#practise]) setAttribute(one, "disabled", selection === null);
    fill(this.#problem);
    clearTimeout(this.#timer);
    this.#weighing.abort();
    if (selection === null) setText(this.#words, t("choice.nothing"));
    else this.#timer = setTimeout(() => this.#weigh(selection), rest);
  }

  /** @param {Selection} selection */
  async #weigh(selection) {
    const { signal } = (this.#weighing = new AbortController());
    try {
      this.#showWeight(await previewSelection(this.#document.id, selection, signal));
    } catch (error) {
      if (!signal.aborted) fill(this.#problem, errorNotice(error));
    }
  }

  /** @param {Preview} weighed */
  #showWeight({ words, omissions }) {
    const cut = omissions.length === 0 ? "" : t("choice.omissions", { n: omissions.length });
    setText(this.#words, [t("unit.words", { n: words }), cut].filter(Boolean).join(" · "));
    if (words === 0) setAttribute(this.#generate, "disabled", true);
  }

  #openPreview() {
    const structure = this.#structure;
    const changes = this.#cutChanges;
    const scope = this.#choice === null ? null : selectionOf({ ...this.#choice, cuts: {} });
    if (scope === null || structure === null || changes === null) return;
    const changed = (/** @type {Choice["cuts"]} */ cuts) => {
      if (!this.signal.aborted) this.#change({ cuts });
    };
    new PreviewSheet(this.#document, { scope, changes, marks: structure.marks, changed }).open();
  }

  async #begin() {
    const selection = this.#choice === null ? null : selectionOf(this.#choice);
    if (selection === null || isBusy(this.#generate) || !this.#spokenAs.check()) return;
    fill(this.#problem);
    setBusy(this.#generate, t("speak.asking"));
    try {
      if (this.#byChapter.input.checked && !this.#byChapter.element.hidden) await this.#speakChapters(selection);
      else await this.#speakAsOne(selection);
    } catch (error) {
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error));
    } finally {
      setBusy(this.#generate, null);
    }
  }

  async #beginPractice() {
    const selection = this.#choice === null ? null : selectionOf(this.#choice);
    if (selection !== null && (await practise({ kind: "document", id: this.#document.id, selection }))) this.close();
  }

  /** @param {Selection} selection */
  async #speakChapters(selection) {
    const { id } = this.#document;
    await keepSelection(id, selection);
    const options = { byChapter: true, settings: this.#spokenAs.settings };
    if (await beginBatch([{ id, selection }], options)) this.close();
  }

  /** @param {Selection} selection */
  async #speakAsOne(selection) {
    const { id, name } = this.#document;
    const keepsTimes = this.#times.input.checked && !this.#times.element.hidden;
    const settings = { ...this.#spokenAs.settings, ...(keepsTimes ? { keepTimes: true } : {}) };
    player.playNarration(await narrateDocument(id, selection, settings));
    this.close();
    const address = `/documents/${encodeURIComponent(id)}`;
    if (location.pathname === address) return;
    const follow = { label: t("documents.follow"), run: () => navigate(address) };
    showToast({ icon: "speak", text: t("documents.speaking", { name }), action: follow });
  }
}

/**
 * @param {ReadonlySet<number>} pages
 * @param {number} all
 */
function sumOf(pages, all) {
  if (pages.size === all) return t("choice.sum.all", { n: all });
  const sum = t("choice.sum", { n: pages.size, all: number(all) });
  const ranges = printRanges(pages);
  return pages.size === 0 || ranges.length > 60 ? sum : `${sum}: ${ranges}`;
}
