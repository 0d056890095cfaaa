import { button } from "../../components/button.js";
import { moreButton } from "../../components/menu.js";
import { h, setAttribute } from "../../core/dom.js";
import { clock, shortDate } from "../../core/format.js";
import { t } from "../../core/i18n.js";

/** @typedef {import("../../server/library.js").Item} Item */
/** @typedef {import("../../components/rows/row-content.js").RowContent} RowContent */

/**
 * @typedef {object} ItemActions
 * @property {(item: Item) => void} markFavorite
 * @property {(item: Item) => void} showText
 * @property {(item: Item, anchor: Element) => void} openMenu
 */

/**
 * A recording as a row of the list.
 *
 * @param {Item} item
 * @param {ItemActions} actions
 * @param {{ isCurrent: boolean, isMoving: boolean }} playing
 * @returns {RowContent}
 */
export function itemRow(item, actions, { isCurrent, isMoving }) {
  const date = h("time", { datetime: item.created }, shortDate(item.created));
  const details = [clock(item.duration), ...(item.place ? [excerpt(item.place)] : [date, item.voiceName])];
  const heart = button({
    label: t(item.isFavorite ? "library.favorite.remove" : "library.favorite.add"),
    icon: item.isFavorite ? "heart-filled" : "heart",
    look: "quiet",
    iconOnly: true,
    className: item.isFavorite ? "favorite on" : "favorite",
    onPress: () => actions.markFavorite(item),
  });
  setAttribute(heart, "aria-pressed", String(item.isFavorite));
  const text = button({
    label: t("library.text"),
    icon: "text",
    look: "quiet",
    iconOnly: true,
    opens: true,
    className: "view-text",
    onPress: () => actions.showText(item),
  });
  const more = moreButton({ label: t("library.more", { name: item.name }), open: (anchor) => actions.openMenu(item, anchor) });
  return { title: item.name, details, actions: [heart, text, more], isCurrent, isMoving };
}

/**
 * Where the words that were looked for are said.
 *
 * @param {import("../../server/library.js").Place} place
 */
function excerpt({ seconds, excerpt: text, from, to }) {
  return h(
    "span",
    { class: "found", dir: "auto" },
    `${t("library.at", { time: clock(seconds) })}: ${text.slice(0, from)}`,
    h("mark", {}, text.slice(from, to)),
    text.slice(to),
  );
}
