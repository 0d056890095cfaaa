import { button, icon } from "../../components/button.js";
import { confirm, moreButton, openMenu } from "../../components/sheet.js";
import { attempt, showToast } from "../../components/toast.js";
import { h } from "../../core/dom.js";
import { paragraphFor, shortDate, size } from "../../core/format.js";
import { t } from "../../core/i18n.js";
import { deleteDocuments, thumbnailAddress } from "../../server/documents.js";
import { practiseEntry } from "../list/item-actions.js";

/** @typedef {import("../../server/documents.js").Document} Document */
/** @typedef {import("../../components/row-content.js").RowContent} RowContent */

/** The maximum number of characters before the matched words. */
const longestBefore = 20;

/**
 * @typedef {object} DocumentRowActions
 * @property {(document: Document) => void} listen
 * @property {(document: Document, anchor: Element) => void} openMenu
 */

/**
 * A document as a row of the list.
 *
 * @param {Document} document
 * @param {Node} picture
 * @param {string} words The search words; may be empty.
 * @param {DocumentRowActions} actions
 * @returns {RowContent}
 */
export function documentRow(document, picture, words, actions) {
  const { name, added, kind, size: bytes, pages, place } = document;
  const date = h("time", { datetime: added }, shortDate(added));
  const facts = [t(`documents.kind.${kind}`), t("documents.pages", { n: pages }), size(bytes)];
  const details = place ? [excerpt(place, words)] : [date, ...facts];
  const listen = button({
    label: t("documents.listen.of", { name }),
    icon: "play",
    look: "quiet",
    iconOnly: true,
    className: "stays",
    onPress: () => actions.listen(document),
  });
  const more = moreButton({ label: t("library.more", { name }), open: (anchor) => actions.openMenu(document, anchor) });
  return { title: name, details, lead: picture, actions: [listen, more] };
}

/**
 * The words that matched, with their page.
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
 * Shortens the text before the matched words, so that they are visible in a narrow row too.
 *
 * @param {string} text
 */
function shortBefore(text) {
  if (text.length <= longestBefore) return text;
  const end = text.slice(-longestBefore);
  return `…${end.slice(end.indexOf(" ") + 1)}`;
}

/**
 * The range of the search words in a text, or of the first one that it contains, ignoring case.
 *
 * @param {string} text
 * @param {string} words
 * @returns {{ from: number, to: number } | null}
 */
function whereIn(text, words) {
  const low = text.toLocaleLowerCase();
  if (low.length !== text.length) return null; // some letters get longer in lower case, which makes offsets unknown
  for (const wanted of [words, ...words.split(/\s+/)].map((one) => one.trim().toLocaleLowerCase())) {
    const from = wanted === "" ? -1 : low.indexOf(wanted);
    if (from >= 0) return { from, to: from + wanted.length };
  }
  return null;
}

/** How many pictures are cached; the least recently shown is dropped first. */
const maximumPictures = 200;

/** Thumbnails of documents; a picture is not requested again when its row is rebuilt. */
export class Thumbnails {
  /** @type {Map<string, HTMLElement>} */
  #kept = new Map();

  /**
   * @param {Document} document
   * @returns {HTMLElement}
   */
  of({ id, hasPicture }) {
    const element = this.#kept.get(id) ?? pictureOf(id, hasPicture);
    this.#kept.delete(id);
    this.#kept.set(id, element);
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= maximumPictures) break;
      this.#kept.delete(old);
    }
    return element;
  }
}

/**
 * @param {string} id
 * @param {boolean} hasPicture
 */
function pictureOf(id, hasPicture) {
  const place = h("span", { class: "document-picture", "aria-hidden": "true" }, icon("document"));
  if (!hasPicture) return place;
  const image = h("img", { src: thumbnailAddress(id), alt: "", decoding: "async" });
  image.addEventListener("load", () => place.replaceChildren(image));
  return place;
}

/** @type {Set<string>} The documents that are about to be played; a second press would have one read twice. */
const starting = new Set();

/**
 * Plays what is recorded of a document; without that, it is read aloud.
 *
 * @param {Pick<Document, "id" | "name">} document
 * @param {AbortSignal} signal
 */
export async function listenTo({ id, name }, signal) {
  if (starting.has(id)) return;
  starting.add(id);
  const isPlaying = await attempt(async () => (await import("./listening.js")).playDocument(id, signal), signal);
  starting.delete(id);
  if (isPlaying || signal.aborted) return;
  // A document that cannot be read as it is can be with another choice.
  const { ChoiceSheet } = await import("./choice/choice-sheet.js");
  new ChoiceSheet({ id, name }).open();
}

/**
 * @typedef {object} DocumentMenuActions
 * @property {() => void} open
 * @property {() => void} generate
 * @property {() => void} rename
 * @property {() => void} share
 * @property {() => void} select
 * @property {() => void} remove
 */

/**
 * Opens the menu of a document.
 *
 * @param {Pick<Document, "id" | "name">} document
 * @param {DocumentMenuActions} actions
 * @param {import("../../components/sheet.js").MenuPlace} where
 */
export function openDocumentMenu({ id, name }, actions, { anchor, point }) {
  openMenu(
    [
      { label: t("documents.menu.open"), icon: "eye", run: actions.open },
      { label: t("documents.generate"), icon: "speak", run: actions.generate },
      practiseEntry({ kind: "document", id }),
      "separator",
      { label: t("do.rename"), icon: "edit", key: "F2", run: actions.rename },
      { label: t("library.menu.share"), icon: "share", run: actions.share },
      { label: t("library.menu.select"), icon: "select", run: actions.select },
      "separator",
      { label: t("do.delete"), icon: "trash", isDanger: true, run: actions.remove },
    ],
    { label: t("library.more", { name }), anchor, point },
  );
}

/**
 * Deletes documents for good after confirmation; their recordings stay.
 *
 * @param {string[]} ids
 * @param {string} name The document's name, if it is only one.
 * @returns {Promise<boolean>} Whether they are deleted.
 */
export async function deleteAsked(ids, name) {
  if (ids.length === 0) return false;
  const isSure = await confirm({
    title: t("documents.delete.title", { n: ids.length, name }),
    detail: t("documents.delete.text", { n: ids.length }),
    action: t("do.delete"),
  });
  if (!isSure) return false;
  try {
    await deleteDocuments(ids);
    showToast({ icon: "trash", text: t("documents.deleted", { n: ids.length, name }) });
    return true;
  } catch (error) {
    showToast({ icon: "error", text: `${t("documents.notDeleted", { n: ids.length, name })} ${paragraphFor(error)}` });
    return false;
  }
}
