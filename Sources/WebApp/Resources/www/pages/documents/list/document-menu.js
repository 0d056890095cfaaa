import { openMenu } from "../../../components/menu.js";
import { t } from "../../../core/i18n.js";

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
 * Opens everything that can be done with a document.
 *
 * @param {string} name The document's.
 * @param {DocumentMenuActions} actions
 * @param {import("../../../components/menu.js").MenuPlace} where
 */
export function openDocumentMenu(name, actions, { anchor, point }) {
  openMenu(
    [
      { label: t("documents.menu.open"), icon: "eye", run: actions.open },
      { label: t("documents.generate"), icon: "speak", run: actions.generate },
      "separator",
      { label: t("do.rename"), icon: "edit", hint: "F2", run: actions.rename },
      { label: t("library.menu.share"), icon: "share", run: actions.share },
      { label: t("library.menu.select"), icon: "select", run: actions.select },
      "separator",
      { label: t("do.delete"), icon: "trash", isDanger: true, run: actions.remove },
    ],
    { label: t("library.more", { name }), anchor, point },
  );
}
