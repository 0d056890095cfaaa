import { openSheet } from "../../../components/sheet.js";
import { h } from "../../../core/dom.js";
import { t } from "../../../core/i18n.js";
import { chapterAt, pageAt } from "../outline.js";

/**
 * @typedef {import("../../../server/documents.js").Chapter} Chapter
 * @typedef {import("../../../server/documents.js").Structure} Structure
 */

/**
 * Opens the contents; the chapter that is looked at is marked.
 *
 * @param {Structure} structure
 * @param {number} unit What is looked at.
 * @param {(chapter: Chapter) => void} choose
 */
export function openContents(structure, unit, choose) {
  const current = chapterAt(structure.chapters, unit);
  const list = h(
    "ol",
    { class: "contents-list" },
    ...structure.chapters.map((chapter) =>
      h(
        "li",
        { class: `level-${Math.min(chapter.level, 6)}` },
        h(
          "button",
          {
            type: "button",
            class: "contents-entry",
            "aria-current": chapter === current ? "true" : null,
            autofocus: chapter === (current ?? structure.chapters[0]),
            onclick: () => {
              sheet.close();
              choose(chapter);
            },
          },
          h("span", { class: "chapter-title", dir: "auto" }, chapter.title),
          h("span", { class: "muted small numbers" }, String(pageAt(structure.pages, chapter.from))),
        ),
      ),
    ),
  );
  list.addEventListener("keydown", (event) => moveInList(event, list));
  const sheet = openSheet({ title: t("viewer.contents"), kind: "side", className: "contents-sheet", content: [list] });
  list.querySelector("[aria-current]")?.scrollIntoView({ block: "center" });
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLElement} list
 */
function moveInList(event, list) {
  const entries = [...list.querySelectorAll("button")];
  const at = entries.findIndex((one) => one === document.activeElement);
  /** @type {Record<string, number>} */
  const targets = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: entries.length - 1 };
  const to = targets[event.key];
  if (to === undefined) return;
  event.preventDefault();
  entries[Math.max(0, Math.min(entries.length - 1, to))]?.focus();
}
