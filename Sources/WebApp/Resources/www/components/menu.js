import { h } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { button, icon } from "./button.js";
import { closeOutside, positionBeside, rememberFocus } from "./sheet.js";

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {import("./button.js").IconName} [icon]
 * @property {string} [hint] Shown at the right, for example a shortcut.
 * @property {boolean} [isDanger]
 * @property {boolean} [isDisabled]
 * @property {boolean} [isChecked] Makes it a checkbox item.
 * @property {() => void} run Called after the menu has closed and the focus has returned.
 */

/**
 * Where a menu opens.
 *
 * @typedef {object} MenuPlace
 * @property {Element} [anchor] The button that opens it.
 * @property {{ x: number, y: number }} [point] The pointer's position; takes precedence over `anchor`.
 */

/**
 * Opens a menu: arrows, Home, End and first letters move, Enter or Space chooses, Esc and Tab close.
 *
 * @param {(MenuItem | "separator")[]} items
 * @param {MenuPlace & { label: string }} place `label`: what the menu is for.
 */
export function openMenu(items, { label, anchor, point }) {
  const giveFocusBack = rememberFocus();
  // A dialog's close event comes a frame later; until then a key would reach the page below and be lost.
  const leave = () => {
    if (!dialog.isConnected) return;
    dialog.close();
    dialog.remove();
    giveFocusBack();
  };
  const list = h(
    "div",
    { class: "menu-list", role: "menu", "aria-label": label },
    ...items.map((item) =>
      item === "separator"
        ? h("hr", { class: "menu-separator" })
        : entry(item, () => {
            leave();
            item.run();
          }),
    ),
  );
  const dialog = h("dialog", { class: "menu", "aria-label": label || t("do.more") }, list);
  dialog.addEventListener("close", leave);
  dialog.addEventListener("keydown", (event) => moveFocus(event, dialog));
  dialog.addEventListener("contextmenu", (event) => event.preventDefault());
  closeOutside(dialog, leave);

  document.body.append(dialog);
  dialog.showModal();
  const box = point ? { left: point.x, right: point.x, top: point.y, bottom: point.y } : anchor?.getBoundingClientRect();
  if (box !== undefined) positionBeside(dialog, box);
  const entries = enabledEntries(dialog);
  (entries.find((one) => one.getAttribute("aria-checked") === "true") ?? entries[0])?.focus();
}

/**
 * @param {MenuItem} item
 * @param {() => void} choose
 */
function entry(item, choose) {
  const isChoice = item.isChecked !== undefined;
  return h(
    "button",
    {
      type: "button",
      class: item.isDanger ? "menu-item danger" : "menu-item",
      role: isChoice ? "menuitemradio" : "menuitem",
      "aria-checked": isChoice ? String(item.isChecked) : null,
      disabled: item.isDisabled,
      tabindex: "-1",
      onclick: choose,
    },
    item.icon ? icon(item.icon) : isChoice ? icon("check", { className: item.isChecked ? "" : "absent" }) : null,
    h("span", { class: "menu-label" }, item.label),
    item.hint ? h("span", { class: "menu-hint" }, item.hint) : null,
  );
}

/**
 * @param {ParentNode} menu
 * @returns {HTMLButtonElement[]}
 */
function enabledEntries(menu) {
  return [...menu.querySelectorAll("button")].filter((one) => !one.disabled);
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLDialogElement} menu
 */
function moveFocus(event, menu) {
  const entries = enabledEntries(menu);
  const at = entries.findIndex((one) => one === document.activeElement);
  if (event.key === "Tab") {
    event.preventDefault();
    menu.close();
    return;
  }
  const to = targetOf(event.key, at, entries);
  if (to === null) return;
  event.preventDefault();
  entries[to]?.focus();
}

/**
 * @param {string} key
 * @param {number} at
 * @param {HTMLButtonElement[]} entries
 * @returns {number | null}
 */
function targetOf(key, at, entries) {
  const count = entries.length;
  if (key === "ArrowDown") return (at + 1) % count;
  if (key === "ArrowUp") return (at - 1 + count) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key.length !== 1 || key === " ") return null;
  for (let step = 1; step <= count; step += 1) {
    const index = (at + step) % count;
    if (entries[index].textContent?.trim().toLowerCase().startsWith(key.toLowerCase())) return index;
  }
  return null;
}

/**
 * The button that opens the menu of all actions for one thing.
 *
 * @param {object} options
 * @param {string} options.label Names the thing.
 * @param {"plain" | "quiet"} [options.look] Default: `quiet`, as in a row.
 * @param {(anchor: HTMLButtonElement) => void} options.open
 */
export function moreButton({ label, look = "quiet", open }) {
  const more = button({ label, icon: "more", look, iconOnly: true, onPress: () => open(more) });
  more.setAttribute("aria-haspopup", "menu");
  return more;
}
