import { button } from "../../../components/button.js";
import { moreButton } from "../../../components/menu.js";
import { h } from "../../../core/dom.js";
import { shortDate, size } from "../../../core/format.js";
import { t } from "../../../core/i18n.js";

/**
 * @typedef {import("../../../server/documents.js").Document} Document
 * @typedef {import("../../../components/rows/row-content.js").RowContent} RowContent
 */

/** Characters that are shown of what stands before the words that were found. */
const longestBefore = 20;

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
  const more = moreButton({ label: t("library.more", { name }), open: (anchor) => actions.openMenu(document, anchor) });
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
  const where = `${t("documents.page", { page })}: `;
  if (found === null) return h("span", { class: "found", dir: "auto" }, where, text);
  return h(
    "span",
    { class: "found", dir: "auto" },
    where,
    shortBefore(text.slice(0, found.from)),
    h("mark", {}, text.slice(found.from, found.to)),
    text.slice(found.to),
  );
}

/**
 * The last words of what stands before those that were found, so that these are seen in a narrow row too.
 *
 * @param {string} text
 */
function shortBefore(text) {
  if (text.length <= longestBefore) return text;
  const end = text.slice(-longestBefore);
  return `…${end.slice(end.indexOf(" ") + 1)}`;
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
