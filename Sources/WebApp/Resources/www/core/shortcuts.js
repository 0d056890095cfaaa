import { takesText } from "./dom.js";

/**
 * @typedef {object} Shortcut
 * @property {string} keys One stroke, “Space” or “Shift+ArrowLeft”, or two in a row, “g l”. Letters are small.
 * @property {string} label The catalogue's key of what it does.
 * @property {"everywhere" | "playing" | "pages" | "lists"} group Where the list of shortcuts shows it.
 * @property {() => void} [run] Absent when an element handles the keys itself and the list only shows them.
 */

/** @type {Set<Shortcut>} */
const all = new Set();

/** How long the second key of two may take, in milliseconds. */
const pairTime = 1_500;

/**
 * @param {readonly Shortcut[]} shortcuts
 * @param {AbortSignal} signal Takes them away again.
 */
export function addShortcuts(shortcuts, signal) {
  for (const shortcut of shortcuts) all.add(shortcut);
  signal.addEventListener("abort", () => shortcuts.forEach((shortcut) => all.delete(shortcut)), { once: true });
}

/** The present shortcuts, in the order they were added. */
export function listShortcuts() {
  return [...all];
}

/**
 * The name of a key stroke as shortcuts write it.
 *
 * @param {{ key: string, shiftKey: boolean }} event
 */
export function strokeName({ key, shiftKey }) {
  if (key === " ") return shiftKey ? "Shift+Space" : "Space";
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

/**
 * What a stroke means after the one before it.
 *
 * @param {string | null} before The first of two keys, or `null`.
 * @param {string} stroke
 * @param {readonly Shortcut[]} shortcuts
 * @returns {{ found: Shortcut | null, before: string | null }} `before` counts for the next stroke.
 */
export function shortcutFor(before, stroke, shortcuts) {
  const pair = before === null ? undefined : shortcuts.find(({ keys }) => keys === `${before} ${stroke}`);
  if (pair !== undefined) return { found: pair, before: null };
  const single = shortcuts.find(({ keys, run }) => keys === stroke && run !== undefined);
  if (single !== undefined) return { found: single, before: null };
  return { found: null, before: shortcuts.some(({ keys }) => keys.startsWith(`${stroke} `)) ? stroke : null };
}

/**
 * Listens to the keyboard. Shortcuts rest in text fields, under an open dialog, and where an element took the key.
 *
 * @param {AbortSignal} signal
 */
export function startShortcuts(signal) {
  /** @type {string | null} */
  let before = null;
  let timer = 0;
  addEventListener(
    "keydown",
    (event) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (takesText(event.target) || document.querySelector("dialog[open]:not([data-shortcuts])") !== null) return;
      const stroke = strokeName(event);
      if (isForTarget(stroke, event.target)) return;
      const meant = shortcutFor(before, stroke, listShortcuts());
      clearTimeout(timer);
      before = meant.before;
      if (before !== null) timer = setTimeout(() => (before = null), pairTime);
      if (meant.found?.run === undefined) return;
      event.preventDefault();
      meant.found.run();
    },
    { signal },
  );
}

/**
 * Whether the element that has the focus wants the key for itself.
 *
 * @param {string} stroke
 * @param {EventTarget | null} target
 */
function isForTarget(stroke, target) {
  if (!(target instanceof HTMLElement)) return false;
  if (stroke === "Space") return target.closest("button, a[href], input, summary, [role=button], [role=row]") !== null;
  if (/Arrow|Home|End|Page/.test(stroke)) {
    return target.closest("input, [role=slider], [role=grid], [role=listbox], [role=menu], [role=tablist]") !== null;
  }
  return false;
}
