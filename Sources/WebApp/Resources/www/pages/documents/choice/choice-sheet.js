import { button, icon } from "../../../components/button.js";
import { isBusy, segments, setBusy } from "../../../components/field.js";
import { errorNotice } from "../../../components/notice.js";
import { Sheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { paragraphFor } from "../../../core/format.js";
import { number, t } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { player } from "../../../player/player.js";
import {
  keepSelection,
  loadDocumentText,
  loadSelection,
  loadStructure,
  narrateDocument,
  previewSelection,
} from "../../../server/documents.js";
import { practise } from "../../list/item-actions.js";
import { beginBatch, chapterSwitch, SpokenAs, timesSwitch } from "../batch.js";
import { PageGrid } from "../page-pictures.js";
import { DocumentText } from "../text/document-text.js";
import {
  chapterList,
  choiceOf,
  chosenPages,
  CutChanges,
  cutsIn,
  omissionWords,
  printRanges,
  rangeFields,
  selectionOf,
  turned,
  withoutSpan,
  withRole,
} from "./choice.js";

/** @typedef {import("../../../server/documents.js").Preview} Preview */
/** @typedef {import("../../../server/documents.js").Role} Role */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("./choice.js").CutChange} CutChange */
/** @typedef {import("./choice.js").Cuts} Cuts */

/**
 * The text that will be spoken, with omitted text struck through: one press puts it back, another strikes it out again.
 */
class PreviewSheet extends Sheet {
  #document;
  #scope;
  #changes;
  #marks;
  #changed;
  /** @type {{ cuts: Cuts, preview: Preview } | null} */
  #shown = null;
  #text = new DocumentText();
  #problem = h("div", { class: "choice-problem" });
  #sum = h("p", { class: "muted small numbers", role: "status" });
  #roles = h("div", { class: "preview-roles", role: "group", "aria-label": t("preview.roles") });
  #strike = button({ label: t("preview.strike"), icon: "close", onPress: () => this.#strikeOut() });

  /**
   * @param {{ id: string, name: string }} document
   * @param {object} parts
   * @param {Selection} parts.scope The chosen pages or chapters.
   * @param {CutChanges} parts.changes
   * @param {Partial<Record<Role, number>>} parts.marks How many marks of each role the document has.
   * @param {(cuts: Cuts) => void} parts.changed Called at once, and again if a change is refused.
   */
  constructor(document, { scope, changes, marks, changed }) {
    super({ title: t("preview.title"), kind: "full", className: "preview-sheet" });
    this.#document = document;
    this.#scope = scope;
    this.#changes = changes;
    this.#marks = marks;
    this.#changed = changed;
    this.#strike.disabled = true;
    this.build({
      content: [h("div", { class: "preview-head" }, this.#sum, this.#roles, this.#problem), this.#text],
      actions: [this.#strike, button({ label: t("do.done"), look: "primary", onPress: () => this.close() })],
    });
  }

  open() {
    super.open();
    this.#text.addEventListener("text-cut", (event) => {
      const { key } = /** @type {CustomEvent<{ key: string }>} */ (event).detail;
      this.#apply((cuts) => turned(cuts, key));
    });
    const selected = () => setAttribute(this.#strike, "disabled", this.#selectedSpan() === null);
    document.addEventListener("selectionchange", selected, { signal: this.signal });
    this.#load();
    return this;
  }

  async #load() {
    const { id } = this.#document;
    try {
      const { cuts } = this.#changes;
      const preview = await previewSelection(id, { ...this.#scope, ...cuts }, this.signal);
      this.#shown = { cuts, preview };
      this.#text.show({
        spans: preview.scopes,
        load: (span, end) => loadDocumentText(id, span, end),
        cuts: (part) => cutsIn(part, this.#shown?.preview.omissions ?? [], this.#shown?.cuts ?? {}),
        failed: (error) => fill(this.#problem, errorNotice(error)),
      });
      this.#showSum();
    } catch (error) {
      const again = button({ label: t("do.again"), onPress: () => this.#load() });
      if (!this.signal.aborted) fill(this.#problem, errorNotice(error, again));
    }
  }

  /** @param {CutChange} change */
  async #apply(change) {
    fill(this.#problem);
    const made = this.#changes.make(change, this.#scope);
    this.#changed(this.#changes.cuts);
    try {
      const fresh = await made;
      if (!this.signal.aborted) this.#show(fresh);
    } catch (error) {
      this.#changed(this.#changes.cuts);
      if (this.signal.aborted) {
        showToast({ icon: "error", text: `${t("preview.notKept")} ${paragraphFor(error)}` });
        return;
      }
      fill(this.#problem, errorNotice(error));
      this.#showSum();
    }
  }

  /** @param {{ cuts: Cuts, preview: Preview }} fresh */
  #show(fresh) {
    this.#shown = fresh;
    const { activeElement } = document;
    const cut = activeElement !== null && this.#text.contains(activeElement) ? activeElement.closest("[data-cut]") : null;
    this.#text.refresh();
    this.#showSum();
    if (!(cut instanceof HTMLElement)) return;
    const again = this.#text.querySelector(`.cut-button[data-cut="${cut.dataset.cut}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  #showSum() {
    if (this.#shown === null) return;
    const { words, omissions } = this.#shown.preview;
    setText(this.#sum, `${t("unit.words", { n: words })} · ${t("choice.omissions", { n: omissions.length })}`);
    const { activeElement } = document;
    const focus = this.#roles.contains(activeElement) ? /** @type {HTMLInputElement} */ (activeElement).value : null;
    const roles = /** @type {Role[]} */ (Object.keys(this.#marks));
    const label = roles.length === 0 ? null : h("span", { class: "muted" }, t("preview.roles"));
    fill(this.#roles, label, ...roles.map((role) => this.#roleChip(role)));
    const again = focus === null ? null : this.#roles.querySelector(`input[value="${focus}"]`);
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }

  /** @param {Role} role */
  #roleChip(role) {
    const input = h("input", { type: "checkbox", class: "choice-input segment-input", value: role });
    input.checked = this.#changes.cuts.spokenRoles?.includes(role) ?? false;
    input.addEventListener("change", () => {
      const isSpoken = input.checked;
      this.#apply((cuts) => withRole(cuts, role, isSpoken));
    });
    const label = `${t(`role.${role}.many`)} (${number(this.#marks[role] ?? 0)})`;
    return h("label", { class: "segment loose" }, input, h("span", { class: "segment-label" }, label));
  }

  /** The selected words, as places in the document. */
  #selectedSpan() {
    const chosen = getSelection();
    if (chosen === null || chosen.isCollapsed || chosen.rangeCount === 0) return null;
    const range = chosen.getRangeAt(0);
    const from = this.#text.unitOf(range.startContainer, range.startOffset);
    const to = this.#text.unitOf(range.endContainer, range.endOffset);
    return from === null || to === null || to <= from ? null : { from, to };
  }

  #strikeOut() {
    const span = this.#selectedSpan();
    if (span === null) return;
    getSelection()?.removeAllRanges();
    this.#apply((cuts) => withoutSpan(cuts, span));
  }
}

/** @typedef {import("../../../server/documents.js").Document} Document */
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
    this.build({ content: [this.#place], actions: [sum, cancel, this.#preview, this.#practise, this.#generate] });
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
    const cut = omissions.length === 0 ? "" : omissionWords(omissions);
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
