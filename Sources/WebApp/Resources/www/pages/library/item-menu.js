import { openMenu } from "../../components/menu.js";
import { t } from "../../core/i18n.js";
import { navigate } from "../../core/router.js";
import { pages } from "../registry.js";

/** @typedef {import("../../server/library.js").Item} Item */

/**
 * @typedef {object} ItemMenuActions
 * @property {() => void} play
 * @property {() => void} queue
 * @property {() => void} rename
 * @property {() => void} showText
 * @property {() => void} favorite
 * @property {() => void} share
 * @property {() => void} showInfo
 * @property {() => void} select
 * @property {() => void} remove
 */

/**
 * Opens everything that can be done with a recording.
 *
 * @param {Item} item
 * @param {ItemMenuActions} actions
 * @param {import("../../components/menu.js").MenuPlace} where
 */
export function openItemMenu(item, actions, { anchor, point }) {
  openMenu(
    [
      { label: t("library.menu.play"), icon: "play", run: actions.play },
      { label: t("library.menu.queue"), icon: "queue", run: actions.queue },
      "separator",
      { label: t("library.menu.rename"), icon: "edit", hint: "F2", run: actions.rename },
      { label: t("library.menu.text"), icon: "text", run: actions.showText },
      ...documentEntry(item),
      {
        label: t(item.isFavorite ? "library.favorite.remove" : "library.favorite.add"),
        icon: item.isFavorite ? "heart-filled" : "heart",
        run: actions.favorite,
      },
      { label: t("library.menu.share"), icon: "share", run: actions.share },
      { label: t("library.menu.info"), icon: "info", run: actions.showInfo },
      { label: t("library.menu.select"), icon: "select", run: actions.select },
      "separator",
      { label: t("library.menu.delete"), icon: "trash", isDanger: true, run: actions.remove },
    ],
    { label: t("library.more", { name: item.name }), anchor, point },
  );
}

/**
 * The way to what a recording was made from, at what is heard of it, when there is one and a page that shows it.
 *
 * @param {Item} item
 * @returns {import("../../components/menu.js").MenuItem[]}
 */
function documentEntry({ id, document }) {
  const page = pages.find((one) => one.id === "documents");
  if (document === null || page === undefined) return [];
  const run = () => navigate(`${page.address}/${encodeURIComponent(document.id)}?recording=${encodeURIComponent(id)}`);
  return [{ label: t("library.menu.document"), icon: "document", run }];
}
