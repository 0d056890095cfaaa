import { selectField } from "../../../components/field.js";
import { icon } from "../../../components/icon.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { pageAt, withInner } from "../places.js";

/** @typedef {import("../../../server/documents.js").Structure} Structure */

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
