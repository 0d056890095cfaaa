import { takesText } from "./dom.js";
import { isOpen, setting } from "./store.js";

/**
 * @typedef {object} Shortcut
 * @property {string} keys One stroke, “Space” or “Shift+ArrowLeft”, or two in a row, “g l”. Letters are small.
 * @property {string} label The catalogue's key for what it does.
 * @property {"everywhere" | "playing" | "pages" | "lists"} group The group in the list of shortcuts.
 * @property {(event: KeyboardEvent) => void} [run] Absent when an element handles the keys itself and only the list
 * shows them.
 */

/** @type {Set<Shortcut>} The shortcuts of every page. */
const general = new Set();
/** @type {Set<Shortcut>} */
const ofPage = new Set();

/** How long the second key of two may take, in milliseconds. */
const pairTime = 1_500;

/**
 * Adds shortcuts of the current page. They take precedence over those of every page, whichever came first.
 *
 * @param {readonly Shortcut[]} shortcuts
 * @param {AbortSignal} signal Removes them.
 */
export function addShortcuts(shortcuts, signal) {
  add(shortcuts, ofPage, signal);
}

/**
 * Adds shortcuts of every page.
 *
 * @param {readonly Shortcut[]} shortcuts
 * @param {AbortSignal} signal Removes them.
 */
export function addGeneralShortcuts(shortcuts, signal) {
  add(shortcuts, general, signal);
}

/**
 * @param {readonly Shortcut[]} shortcuts
 * @param {Set<Shortcut>} present
 * @param {AbortSignal} signal
 */
function add(shortcuts, present, signal) {
  for (const shortcut of shortcuts) present.add(shortcut);
  signal.addEventListener("abort", () => shortcuts.forEach((shortcut) => present.delete(shortcut)), { once: true });
}

/**
 * The present shortcuts with the keys that the settings allow, the page's last; of two with the same keys the later one
 * counts.
 *
 * @returns {Shortcut[]}
 */
export function listShortcuts() {
  const use = setting("page.character-keys", "alone");
  const all = [...general, ...ofPage];
  if (use === "alone") return all;
  if (use === "off") return all.filter(({ keys }) => !isOfCharacters(keys));
  return all.map((one) => (isOfCharacters(one.keys) ? { ...one, keys: withModifiers(one.keys) } : one));
}

/** The modifiers for a letter, digit or sign that is not a shortcut alone. */
const modifiers = "Ctrl+Alt+";

/**
 * Whether the keys are letters, digits or signs alone, which speech input types by accident.
 *
 * @param {string} keys
 */
function isOfCharacters(keys) {
  return keys.split(" ").every((stroke) => stroke.length === 1);
}

/** @param {string} keys */
function withModifiers(keys) {
  return keys.split(" ").map((stroke) => modifiers + stroke).join(" ");
}

/**
 * The name of a key stroke as used in shortcuts.
 *
 * @param {{ key: string, shiftKey: boolean, code?: string, ctrlKey?: boolean, altKey?: boolean }} event
 */
export function strokeName({ key, shiftKey, code = "", ctrlKey = false, altKey = false }) {
  // A modifier pressed again between two keys is no stroke.
  if (/^(Alt|Control|Shift)/.test(key)) return "";
  if (ctrlKey || altKey) return ctrlKey && altKey ? modifiers + characterOf(key, code) : "";
  if (key === " ") return shiftKey ? "Shift+Space" : "Space";
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

/**
 * The letter, digit or sign on a key. Ctrl and Alt together are AltGr on many keyboards, which types others.
 *
 * @param {string} key
 * @param {string} code The key's position.
 */
function characterOf(key, code) {
  return (/^[!-~]$/.test(key) ? key : (/^Key([A-Z])$/.exec(code)?.[1] ?? key)).toLowerCase();
}

/**
 * The meaning of a stroke after the one before it.
 *
 * @param {string | null} before The first of two keys, or `null`.
 * @param {string} stroke
 * @param {readonly Shortcut[]} shortcuts
 * @returns {{ found: Shortcut | null, before: string | null }} `before` applies to the next stroke.
 */
export function shortcutFor(before, stroke, shortcuts) {
  const pair = before === null ? undefined : shortcuts.find(({ keys }) => keys === `${before} ${stroke}`);
  if (pair !== undefined) return { found: pair, before: null };
  const single = [...shortcuts].reverse().find(({ keys, run }) => keys === stroke && run !== undefined);
  if (single !== undefined) return { found: single, before: null };
  return { found: null, before: shortcuts.some(({ keys }) => keys.startsWith(`${stroke} `)) ? stroke : null };
}

/**
 * Listens to the keyboard. Shortcuts are off in text fields, under an open dialog, while the library is closed, and for
 * keys that an element handles.
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
      if (!isOpen() || event.defaultPrevented || event.metaKey || event.isComposing) return;
      if (takesText(event.target) || document.querySelector("dialog[open]:not([data-shortcuts])") !== null) return;
      const stroke = strokeName(event);
      if (stroke === "" || isForTarget(stroke, event.target)) return;
      const meant = shortcutFor(before, stroke, listShortcuts());
      clearTimeout(timer);
      before = meant.before;
      if (before !== null) timer = setTimeout(() => (before = null), pairTime);
      if (meant.found?.run === undefined) return;
      event.preventDefault();
      meant.found.run(event);
    },
    { signal },
  );
}

/**
 * Whether the focused element wants the key itself.
 *
 * @param {string} stroke
 * @param {EventTarget | null} target
 */
function isForTarget(stroke, target) {
  if (!(target instanceof HTMLElement)) return false;
  if (stroke === "Space") return target.closest("button, a[href], input, summary, [role=button], [role=row]") !== null;
  if (/Arrow|Home|End|Page/.test(stroke)) {
    // A list has no use for Shift with the arrows beside it.
    const list = /^Shift\+Arrow[LR]/.test(stroke) ? "" : ", [role=grid]";
    return target.closest(`input, [role=slider], [role=listbox], [role=menu], [role=tablist]${list}`) !== null;
  }
  return false;
}
