import {
  keepSelection,
  loadSelection,
  loadStructure,
  narrateDocument,
  previewSelection,
} from "../../../server/documents.js";
import { button } from "../../../components/button.js";
import { isBusy, segments, setBusy } from "../../../components/field.js";
import { icon } from "../../../components/icon.js";
import { errorNotice } from "../../../components/notice.js";
import { openSheet } from "../../../components/sheet.js";
import { showToast } from "../../../components/toast.js";
import { fill, h, setAttribute, setText } from "../../../core/dom.js";
import { number, t, times } from "../../../core/i18n.js";
import { navigate } from "../../../core/router.js";
import { profiles, voices } from "../../../core/store.js";
import { player } from "../../../player/player.js";
import { beginBatch } from "../batch-sheet.js";
import { choiceOf, chosenPages, printRanges, selectionOf } from "./choice.js";
import { chapterList, rangeFields } from "./choice-parts.js";
import { CutChanges } from "./cuts.js";
import { PageGrid } from "./page-grid.js";
import { openPreview } from "./preview-sheet.js";

/** @typedef {import("../../../server/documents.js").Document} Document */
/** @typedef {import("../../../server/documents.js").Preview} Preview */
/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("../../../server/documents.js").Structure} Structure */
/** @typedef {import("./choice.js").Choice} Choice */

/** Milliseconds that a choice rests before the server is asked what it comes to. */
const rest = 200;

/**
 * Lets a person choose what of a document is spoken, shows what that comes to, and has it spoken. The server remembers it.
 *
 * @param {Pick<Document, "id" | "name">} document
 */
export function openChoiceSheet(document) {
  const life = new AbortController();
  const { signal } = life;
  /** @type {Choice | null} */
  let choice = null;
  /** @type {Structure | null} */
  let structure = null;
  /** @type {CutChanges | null} */
  let cutChanges = null;
  /** Ends what listens in the part that is shown. */
  let partLife = new AbortController();
  let timer = 0;
  let asking = new AbortController();
  const place = h("div", { class: "choice-place" }, h("p", { class: "muted", role: "status" }, t("state.loading")));
  const problem = h("div", { class: "choice-problem" });
  const totals = h("p", { class: "choice-totals numbers", role: "status" });
  const words = h("p", { class: "choice-count muted small numbers" });
  const each = h("input", { type: "checkbox", class: "choice-input" });
  const byChapter = h("label", { class: "by-chapter", hidden: true }, each, h("span", { class: "row-check" }, icon("check")), t("choice.each"));
  const generate = button({ label: t("speak.generate"), look: "primary", onPress: () => begin() });
  const preview = button({ label: t("choice.preview"), icon: "eye", opens: true, onPress: () => look() });
  const cancel = button({ label: t("do.cancel"), onPress: () => sheet.close() });
  for (const one of [generate, preview]) one.disabled = true;
  const sheet = openSheet({
    title: document.name,
    kind: "side",
    className: "choice-sheet",
    content: [place, h("div", { class: "choice-how" }, byChapter, settingsLine(() => sheet.close()))],
    actions: [
      h("div", { class: "choice-sum" }, problem, totals, words),
      cancel,
      preview,
      generate,
    ],
    onClose: () => {
      life.abort();
      partLife.abort();
      asking.abort();
      clearTimeout(timer);
    },
  });
  load();

  async function load() {
    try {
      const [parts, selection] = await Promise.all([loadStructure(document.id, signal), loadSelection(document.id, signal)]);
      structure = parts;
      choice = choiceOf(selection, parts);
      cutChanges = new CutChanges(document.id, choice.cuts);
      byChapter.hidden = parts.chapters.length === 0;
      build();
    } catch (error) {
      if (!signal.aborted) fill(place, errorNotice(error, button({ label: t("do.again"), onPress: load })));
    }
  }

  function build() {
    if (structure === null || choice === null) return;
    const part = h("div", { class: "choice-part" });
    const ways = segments({
      label: t("choice.what"),
      options: [
        { value: "all", label: t("choice.all") },
        ...(structure.pages.length > 1 ? [{ value: "range", label: t("choice.range") }, { value: "pages", label: t("choice.pages") }] : []),
        ...(structure.chapters.length > 0 ? [{ value: "chapters", label: t("choice.chapters") }] : []),
      ],
      value: choice.way,
      look: "loose",
      onChange: (way) => {
        change({ way: /** @type {Choice["way"]} */ (way) });
        showPart(part);
      },
    });
    fill(place, ways, sheet.element.querySelector(".choice-how"), part);
    showPart(part);
    change({});
  }

  /** @param {HTMLElement} part */
  function showPart(part) {
    if (structure === null || choice === null) return;
    partLife.abort();
    partLife = new AbortController();
    if (choice.way === "all") fill(part, h("p", { class: "muted" }, t("choice.all.text")));
    if (choice.way === "range") fill(part, rangeFields(structure, choice.range, (range) => change({ range })));
    if (choice.way === "chapters") fill(part, chapterList(structure, choice.chapters, (chapters) => change({ chapters })));
    if (choice.way !== "pages") return;
    const grid = new PageGrid(document.id, structure, choice.pages, (pages) => change({ pages }));
    const all = button({ label: t("select.all"), look: "quiet", onPress: () => grid.choose(new Set(structure?.pages.map((page) => page.number))) });
    const none = button({ label: t("choice.none"), look: "quiet", onPress: () => grid.choose(new Set()) });
    fill(part, h("div", { class: "grid-actions" }, all, none), grid.element);
    grid.start(partLife.signal);
  }

  /** @param {Partial<Choice>} update */
  function change(update) {
    if (choice === null || structure === null) return;
    choice = { ...choice, ...update };
    const pages = chosenPages(choice, structure);
    const selection = selectionOf(choice);
    setText(totals, sumOf(pages, structure.pages.length));
    setAttribute(generate, "disabled", selection === null);
    setAttribute(preview, "disabled", selection === null);
    fill(problem);
    clearTimeout(timer);
    asking.abort();
    if (selection === null) setText(words, t("choice.nothing"));
    else timer = setTimeout(() => weigh(selection), rest);
  }

  /** @param {Selection} selection */
  async function weigh(selection) {
    asking = new AbortController();
    try {
      showWeight(await previewSelection(document.id, selection, asking.signal));
    } catch (error) {
      if (!asking.signal.aborted) fill(problem, errorNotice(error));
    }
  }

  /** @param {Preview} weighed */
  function showWeight({ words: count, omissions }) {
    const cut = omissions.length;
    setText(words, [t("unit.words", { n: count }), cut === 0 ? "" : t("choice.omissions", { n: cut })].filter(Boolean).join(" · "));
    if (count === 0) setAttribute(generate, "disabled", true);
  }

  function look() {
    const scope = choice === null ? null : selectionOf({ ...choice, cuts: {} });
    if (scope === null || structure === null || cutChanges === null) return;
    openPreview(document, scope, cutChanges, structure.marks, (cuts) => {
      if (!signal.aborted) change({ cuts });
    });
  }

  async function begin() {
    const selection = choice === null ? null : selectionOf(choice);
    if (selection === null || isBusy(generate)) return;
    fill(problem);
    setBusy(generate, t("speak.asking"));
    try {
      if (each.checked && !byChapter.hidden) await speakChapters(selection);
      else await speakAsOne(selection);
    } catch (error) {
      if (!signal.aborted) fill(problem, errorNotice(error));
    } finally {
      setBusy(generate, null);
    }
  }

  /** @param {Selection} selection */
  async function speakChapters(selection) {
    await keepSelection(document.id, selection);
    if (await beginBatch([{ id: document.id, selection }], { byChapter: true })) sheet.close();
  }

  /** @param {Selection} selection */
  async function speakAsOne(selection) {
    const narration = await narrateDocument(document.id, selection);
    player.playNarration(narration);
    sheet.close();
    const address = `/documents/${encodeURIComponent(document.id)}`;
    if (location.pathname === address) return;
    showToast({ icon: "speak", text: t("documents.speaking", { name: document.name }), action: { label: t("documents.follow"), run: () => navigate(address) } });
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

/**
 * How it will be spoken: the chosen profile's voice and speed, and the way to change them.
 *
 * @param {() => void} leave Called when the person goes there.
 */
function settingsLine(leave) {
  const all = profiles.value;
  const profile = all?.profiles.find(({ id }) => id === all.chosen);
  const voice = voices.value?.find(({ id }) => id === profile?.voice);
  if (profile === undefined) return null;
  const settings = [voice?.name ?? profile.voice, times(profile.speed)].join(" · ");
  return h("p", { class: "muted small" }, `${t("choice.voice-settings", { settings })} `, h("a", { href: "/settings/speech", onclick: leave }, t("choice.voice-settings.change")));
}
