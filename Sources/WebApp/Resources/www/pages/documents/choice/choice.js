import { icon } from "../../../components/button.js";
import { selectField } from "../../../components/field.js";
import { h } from "../../../core/dom.js";
import { locale, t } from "../../../core/i18n.js";
import { keepSelection, pageAt, previewSelection, withInner } from "../../../server/documents.js";

/** @typedef {import("../../../server/documents.js").Selection} Selection */
/** @typedef {import("../../../server/documents.js").Structure} Structure */

/** @typedef {"all" | "range" | "pages" | "chapters"} Way */

/**
 * A user's choice in a document. Each way of choosing has its own, so that switching back restores it.
 *
 * @typedef {object} Choice
 * @property {Way} way
 * @property {readonly [number, number]} range Of pages, both included.
 * @property {ReadonlySet<number>} pages
 * @property {ReadonlySet<number>} chapters
 * @property {Pick<Selection, "spokenRoles" | "putBack" | "leftOut">} cuts The text in it that is put back or struck
 * out.
 */

/**
 * @param {Selection} selection
 * @param {Structure} structure
 * @returns {Choice}
 */
export function choiceOf({ pages, chapters, ...cuts }, structure) {
  const last = structure.pages.length;
  /** @type {Choice} */
  const all = { way: "all", range: [1, last], pages: new Set(), chapters: new Set(), cuts };
  const chosenPages = pages === undefined ? null : readRanges(pages, last);
  if (chosenPages !== null) {
    const ranges = rangesOf(chosenPages);
    const set = new Set(chosenPages);
    if (ranges.length === 1) return { ...all, way: "range", range: ranges[0], pages: set };
    return { ...all, way: "pages", pages: set };
  }
  const chosenChapters = chapters === undefined ? null : readRanges(chapters, structure.chapters.length);
  return chosenChapters === null ? all : { ...all, way: "chapters", chapters: new Set(chosenChapters) };
}

/**
 * @param {Choice} choice
 * @returns {Selection | null} `null` when nothing is chosen.
 */
export function selectionOf({ way, range, pages, chapters, cuts }) {
  switch (way) {
    case "all":
      return { ...cuts };
    case "range":
      return { ...cuts, pages: writeRanges([...numbersBetween(range)]) };
    case "pages":
      return pages.size === 0 ? null : { ...cuts, pages: writeRanges(pages) };
    case "chapters":
      return chapters.size === 0 ? null : { ...cuts, chapters: writeRanges(chapters) };
  }
}

/**
 * The numbers of the pages that are chosen, wholly or in part.
 *
 * @param {Choice} choice
 * @param {Structure} structure
 * @returns {Set<number>}
 */
export function chosenPages(choice, structure) {
  switch (choice.way) {
    case "all":
      return new Set(structure.pages.map(({ number }) => number));
    case "range":
      return new Set(numbersBetween(choice.range));
    case "pages":
      return new Set(choice.pages);
    case "chapters": {
      /** @type {Set<number>} */
      const touched = new Set();
      const spoken = withInner(structure.chapters, choice.chapters);
      for (const { number, from, to } of structure.chapters) {
        if (!spoken.has(number) || to <= from) continue;
        const ends = /** @type {const} */ ([pageAt(structure.pages, from), pageAt(structure.pages, to - 1)]);
        for (const page of numbersBetween(ends)) touched.add(page);
      }
      return touched;
    }
  }
}

/** @param {readonly [number, number]} range */
function* numbersBetween([from, to]) {
  for (let number = from; number <= to; number += 1) yield number;
}

/**
 * Numbers of pages or chapters in the server's form: `3-7,9`.
 *
 * @param {Iterable<number>} numbers In any order.
 */
export function writeRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/**
 * The same in printed form: `3–7, 9`.
 *
 * @param {Iterable<number>} numbers
 */
export function printRanges(numbers) {
  return rangesOf(numbers).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`)).join(", ");
}

/**
 * Parses ranges from the server or a user: numbers and ranges separated by commas, any dash, spaces anywhere.
 *
 * @param {string} text
 * @param {number} last The largest valid number.
 * @returns {number[] | null} Ascending, without duplicates; `null` when it cannot be parsed or contains invalid
 * numbers.
 */
export function readRanges(text, last) {
  /** @type {Set<number>} */
  const numbers = new Set();
  for (const part of text.split(",")) {
    const bounds = /^\s*(\d+)\s*(?:[-–—‐‑−]\s*(\d+)\s*)?$/.exec(part);
    if (bounds === null) return null;
    const from = Number(bounds[1]);
    const to = Number(bounds[2] ?? bounds[1]);
    if (from < 1 || to < from || to > last) return null;
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  return [...numbers].sort((one, other) => one - other);
}

/**
 * @param {Iterable<number>} numbers
 * @returns {[number, number][]} Ascending, with a gap between any two.
 */
function rangesOf(numbers) {
  /** @type {[number, number][]} */
  const ranges = [];
  for (const number of [...new Set(numbers)].sort((one, other) => one - other)) {
    const last = ranges[ranges.length - 1];
    if (last !== undefined && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/** @typedef {import("../../../server/documents.js").Omission} Omission */
/** @typedef {import("../../../server/documents.js").TextPart} TextPart */
/** @typedef {import("../text/text-parts.js").Cut} Cut */
/** @typedef {import("../../../server/documents.js").Preview} Preview */

/** @typedef {Pick<Selection, "spokenRoles" | "putBack" | "leftOut">} Cuts */

/**
 * The cuts of a part: text that is not spoken, and text put back.
 *
 * @param {TextPart} part
 * @param {readonly Omission[]} omissions In order.
 * @param {Cuts} cuts
 * @returns {Cut[]} In order, without overlaps.
 */
export function cutsIn({ from, to, marks }, omissions, { spokenRoles = [], putBack = [] }) {
  /** @type {Cut[]} */
  const all = [];
  for (const omission of omissions) {
    if (omission.from >= to) break;
    if (omission.to <= from) continue;
    const key = omission.mark === null ? `own-${omission.from}-${omission.to}` : `mark-${omission.mark}`;
    const label = omission.role === null ? t("preview.own") : t(`role.${omission.role}`);
    all.push({ from: omission.from, to: omission.to, look: "struck", key, label });
  }
  for (const mark of marks) {
    if (!spokenRoles.includes(mark.role) && !putBack.includes(mark.index)) continue;
    if (all.some((cut) => cut.from < mark.to && cut.to > mark.from)) continue; // the user struck some of it out again
    all.push({ from: mark.from, to: mark.to, look: "restored", key: `mark-${mark.index}`, label: t(`role.${mark.role}`) });
  }
  return all.sort((one, other) => one.from - other.from);
}

/**
 * How many parts are left out, and of which kinds.
 *
 * @param {readonly Pick<Omission, "role">[]} omissions In order.
 */
export function omissionWords(omissions) {
  const kinds = new Set(omissions.map(({ role }) => (role === null ? t("preview.own") : t(`role.${role}.many`).toLocaleLowerCase(locale()))));
  return [t("choice.omissions", { n: omissions.length }), [...kinds].join(", ")].filter(Boolean).join(": ");
}

/**
 * The same cuts, with one of them toggled.
 *
 * @param {Cuts} cuts
 * @param {string} key Of the cut.
 * @returns {Cuts}
 */
export function turned(cuts, key) {
  const [kind, first, second] = key.split("-");
  if (kind === "own") {
    const from = Number(first);
    const to = Number(second);
    return { ...cuts, leftOut: (cuts.leftOut ?? []).filter((span) => span[1] <= from || span[0] >= to) };
  }
  const index = Number(first);
  const putBack = new Set(cuts.putBack ?? []);
  if (!putBack.delete(index)) putBack.add(index);
  return { ...cuts, putBack: [...putBack].sort((one, other) => one - other) };
}

/**
 * The same cuts, with the text of a role spoken everywhere, or nowhere except where it is put back.
 *
 * @param {Cuts} cuts
 * @param {import("../../../server/documents.js").Role} role
 * @param {boolean} isSpoken
 * @returns {Cuts}
 */
export function withRole(cuts, role, isSpoken) {
  const others = (cuts.spokenRoles ?? []).filter((one) => one !== role);
  return { ...cuts, spokenRoles: isSpoken ? [...others, role] : others };
}

/**
 * The same cuts, with a range struck out.
 *
 * @param {Cuts} cuts
 * @param {{ from: number, to: number }} span
 * @returns {Cuts}
 */
export function withoutSpan(cuts, { from, to }) {
  return { ...cuts, leftOut: [...(cuts.leftOut ?? []), [from, to]] };
}

/** @typedef {(cuts: Cuts) => Cuts} CutChange The same cuts, with something put back or struck out. */

/**
 * The cuts of a document while a user edits them. A change applies at once; the server gets one after another, even
 * when the sheet is closed. A change that the server refuses is dropped; later ones stay.
 */
export class CutChanges {
  #id;
  #server;
  /** The cuts that the server has. */
  #kept;
  /** @type {CutChange[]} On their way to the server, in order. */
  #pending = [];
  /** @type {Promise<unknown>} Fulfilled when the last of them has ended. */
  #last = Promise.resolve();

  /**
   * @param {string} id Of the document.
   * @param {Cuts} kept
   * @param {{ previewSelection: typeof previewSelection, keepSelection: typeof keepSelection }} [server]
   */
  constructor(id, kept, server = { previewSelection, keepSelection }) {
    this.#id = id;
    this.#kept = kept;
    this.#server = server;
  }

  /** The cuts with all pending changes. */
  get cuts() {
    return this.#pending.reduce((cuts, change) => change(cuts), this.#kept);
  }

  /**
   * @param {CutChange} change
   * @param {Selection} scope The chosen pages or chapters.
   * @returns {Promise<{ cuts: Cuts, preview: Preview }>} The resulting cuts, and their preview.
   * @throws {import("../../../server/http.js").ServerProblem}
   */
  make(change, scope) {
    this.#pending.push(change);
    const made = this.#last.then(() => this.#keep(change, scope));
    this.#last = made.catch(() => {}); // the caller that made it gets the error
    return made;
  }

  /**
   * @param {CutChange} change The first pending change.
   * @param {Selection} scope
   */
  async #keep(change, scope) {
    const cuts = change(this.#kept);
    const selection = { ...scope, ...cuts };
    try {
      const preview = await this.#server.previewSelection(this.#id, selection);
      await this.#server.keepSelection(this.#id, selection);
      this.#kept = cuts;
      return { cuts, preview };
    } finally {
      this.#pending.shift();
    }
  }
}

/** The maximum number of pages in a menu; with more, the number is typed. */
const maximumInMenu = 2_000;

/**
 * Two fields for a range of pages.
 *
 * @param {Structure} structure
 * @param {readonly [number, number]} before
 * @param {(range: readonly [number, number]) => void} changed
 * @returns {HTMLElement}
 */
export function rangeFields(structure, before, changed) {
  let [from, to] = before;
  const last = structure.pages.length;
  const notify = () => changed([from, to]);
  /** @param {string} value */
  const setFrom = (value) => {
    from = clamp(Number(value), last);
    if (to < from) {
      to = from;
      show(second, to);
    }
    notify();
  };
  /** @param {string} value */
  const setTo = (value) => {
    to = clamp(Number(value), last);
    if (to < from) {
      from = to;
      show(first, from);
    }
    notify();
  };
  const first = pageField(t("filters.from"), structure, from, setFrom);
  const second = pageField(t("filters.to"), structure, to, setTo);
  return h("div", { class: "range-fields" }, first.element, second.element);
}

/**
 * @param {string} label
 * @param {Structure} structure
 * @param {number} value
 * @param {(value: string) => void} onChange
 */
function pageField(label, { pages }, value, onChange) {
  if (pages.length <= maximumInMenu) {
    const options = pages.map((page) => ({ value: String(page.number), label: page.label === null ? String(page.number) : `${page.number} (${page.label})` }));
    const { element, select } = selectField({ label, groups: [{ options }], value: String(value), onChange });
    return { element, input: select };
  }
  const input = h("input", { type: "number", class: "field numbers", min: 1, max: pages.length, value: String(value), inputmode: "numeric" });
  input.addEventListener("change", () => {
    input.value = String(clamp(Number(input.value), pages.length));
    onChange(input.value);
  });
  return { element: h("label", { class: "entry" }, h("span", { class: "field-label" }, label), input), input };
}

/**
 * @param {{ input: HTMLInputElement | HTMLSelectElement }} field
 * @param {number} value
 */
function show({ input }, value) {
  input.value = String(value);
}

/**
 * @param {number} value
 * @param {number} last
 */
function clamp(value, last) {
  return Math.max(1, Math.min(last, Math.round(value) || 1));
}

/**
 * The chapters as checkboxes; a chapter includes those within it.
 *
 * @param {Structure} structure
 * @param {ReadonlySet<number>} before
 * @param {(chosen: ReadonlySet<number>) => void} changed
 * @returns {HTMLElement}
 */
export function chapterList(structure, before, changed) {
  const chosen = new Set(before);
  const inputs = structure.chapters.map((chapter) => {
    const input = h("input", { type: "checkbox", class: "choice-input", value: String(chapter.number) });
    input.addEventListener("change", () => {
      if (input.checked) chosen.add(chapter.number);
      else chosen.delete(chapter.number);
      show();
      changed(new Set(chosen));
    });
    return input;
  });

  function show() {
    const spoken = withInner(structure.chapters, chosen);
    structure.chapters.forEach(({ number }, index) => {
      const input = inputs[index];
      input.checked = spoken.has(number);
      input.disabled = spoken.has(number) && !chosen.has(number);
    });
  }

  show();
  return h(
    "ul",
    { class: "chapter-list", "aria-label": t("choice.chapters") },
    ...structure.chapters.map(({ title, level, from }, index) =>
      h(
        "li",
        { class: `level-${Math.min(level, 6)}` },
        h(
          "label",
          { class: "chapter" },
          inputs[index],
          h("span", { class: "row-check" }, icon("check")),
          h("span", { class: "chapter-title", dir: "auto" }, title),
          h("span", { class: "muted small numbers" }, t("documents.page", { page: pageAt(structure.pages, from) })),
        ),
      ),
    ),
  );
}
