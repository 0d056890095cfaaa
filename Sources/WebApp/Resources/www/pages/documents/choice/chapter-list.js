import { icon } from "../../../components/icon.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { pageAt, withInner } from "../outline.js";

/** @typedef {import("../../../server/documents.js").Structure} Structure */

/**
 * The contents to tick: a chapter takes those within it with it.
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
