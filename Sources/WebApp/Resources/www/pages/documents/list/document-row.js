import { button } from "../../../components/button.js";
import { h, setAttribute } from "../../../core/dom.js";
import { shortDate, size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";

/**
 * @typedef {import("../../../server/documents.js").Document} Document
 * @typedef {import("../../../components/rows/row-content.js").RowContent} RowContent
 */

/**
 * @typedef {object} DocumentRowActions
 * @property {(document: Document) => void} generate
 * @property {(document: Document, anchor: Element) => void} openMenu
 */

/**
 * A document as a row of the list.
 *
 * @param {Document} document
 * @param {Node} picture
 * @param {string} words What was looked for; empty when nothing was.
 * @param {DocumentRowActions} actions
 * @returns {RowContent}
 */
export function documentRow(document, picture, words, actions) {
  const { name, added, kind, size: bytes, pages, place } = document;
  const date = h("time", { datetime: added }, shortDate(added));
  const facts = [t(`documents.kind.${kind}`), t("documents.pages", { n: pages }), size(bytes)];
  const details = place ? [excerpt(place, words)] : [date, ...facts];
  const generate = button({
    label: t("documents.generate.of", { name }),
    icon: "speak",
    look: "quiet",
    iconOnly: true,
    opens: true,
    onPress: () => actions.generate(document),
  });
  const more = button({
    label: t("library.more", { name }),
    icon: "more",
    look: "quiet",
    iconOnly: true,
    onPress: () => actions.openMenu(document, more),
  });
  setAttribute(more, "aria-haspopup", "menu");
  return { title: name, details, lead: picture, actions: [generate, more] };
}

/**
 * Where the words that were looked for stand.
 *
 * @param {{ excerpt: string, page: number }} place
 * @param {string} words
 */
function excerpt({ excerpt: text, page }, words) {
  const found = whereIn(text, words);
  return h(
    "span",
    { class: "found", dir: "auto" },
    `${t("documents.page", { page })}: ${text.slice(0, found?.from ?? 0)}`,
    found === null ? text : h("mark", {}, text.slice(found.from, found.to)),
    found === null ? "" : text.slice(found.to),
  );
}

/**
 * Where the words, or the first of them that is there, stand in a text, letters of either size.
 *
 * @param {string} text
 * @param {string} words
 * @returns {{ from: number, to: number } | null}
 */
export function whereIn(text, words) {
  const low = text.toLocaleLowerCase();
  if (low.length !== text.length) return null; // some letters are longer when small: their places are not known
  for (const wanted of [words, ...words.split(/\s+/)].map((one) => one.trim().toLocaleLowerCase())) {
    const from = wanted === "" ? -1 : low.indexOf(wanted);
    if (from >= 0) return { from, to: from + wanted.length };
  }
  return null;
}
