import { Sheet } from "./sheet.js";
import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { listShortcuts } from "../core/shortcuts.js";
import { setting } from "../core/store.js";

/** @typedef {import("../core/shortcuts.js").Shortcut} Shortcut */

const groups = /** @type {const} */ (["playing", "everywhere", "lists", "pages"]);

/** The list of all keyboard shortcuts. */
export class ShortcutSheet extends Sheet {
  constructor() {
    // Each text that is read along has the same ones, and a list has some of those of all lists.
    const same = (/** @type {Shortcut} */ one, /** @type {Shortcut} */ other) => one.keys === other.keys && t(one.label) === t(other.label);
    const all = listShortcuts().filter((one, at, every) => every.findIndex((other) => same(one, other)) === at);
    const content = groups.flatMap((group) => {
      const own = all.filter((shortcut) => shortcut.group === group);
      return own.length === 0 ? [] : [groupOf(group, own)];
    });
    if (setting("page.character-keys", "alone") === "off") content.unshift(h("p", { class: "muted" }, t("shortcut.off")));
    super({ title: t("shortcut.title"), content, kind: "side", className: "shortcuts" });
  }
}

/**
 * @param {(typeof groups)[number]} group
 * @param {readonly Shortcut[]} shortcuts
 */
function groupOf(group, shortcuts) {
  return h(
    "section",
    { class: "shortcut-group" },
    h("h3", {}, t(`shortcut.group.${group}`)),
    h("dl", {}, ...shortcuts.map(({ keys, label }) => h("div", {}, h("dt", {}, ...caps(keys)), h("dd", {}, t(label))))),
  );
}

/** @param {string} keys */
function caps(keys) {
  return keys.split(/ |(?<=[^ ])\+(?=[^ ])/).map((key) => h("kbd", {}, keyName(key)));
}

/** @param {string} key */
function keyName(key) {
  /** @type {Record<string, string>} */
  const names = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Shift: "⇧", Escape: "Esc", f2: "F2" };
  if (key === "Space") return t("key.space");
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
