import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { listShortcuts } from "../core/shortcuts.js";
import { openSheet } from "./sheet.js";

const groups = /** @type {const} */ (["playing", "everywhere", "lists", "pages"]);

/** Opens the list of everything the keyboard can do here. */
export function openShortcutList() {
  const all = listShortcuts();
  const content = groups.flatMap((group) => {
    const own = all.filter((shortcut) => shortcut.group === group);
    if (own.length === 0) return [];
    return [
      h(
        "section",
        { class: "shortcut-group" },
        h("h3", {}, t(`shortcut.group.${group}`)),
        h("dl", {}, ...own.map(({ keys, label }) => h("div", {}, h("dt", {}, ...caps(keys)), h("dd", {}, t(label))))),
      ),
    ];
  });
  openSheet({ title: t("shortcut.title"), content, kind: "side", className: "shortcuts" });
}

/** @param {string} keys */
function caps(keys) {
  return keys.split(/[ +]/).map((key) => h("kbd", {}, keyName(key)));
}

/** @param {string} key */
function keyName(key) {
  /** @type {Record<string, string>} */
  const arrows = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Shift: "⇧", Escape: "Esc" };
  if (key === "Space") return t("key.space");
  return arrows[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
