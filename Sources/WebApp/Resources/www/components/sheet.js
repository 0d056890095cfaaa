import { fill, h, newId, reducedMotion } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { navigate, sheetEntries, takeClick } from "../core/router.js";
import { isOpen, state } from "../core/store.js";
import { button, icon } from "./button.js";

/** @typedef {{ close: () => void }} Closable */

/**
 * @type {{ id: string, sheet: Closable, page: string }[]} The open sheets with an entry in the browser's history,
 * bottom first.
 */
const openSheets = [];

let count = 0;

/** Milliseconds until a move is given up; a later one would look like the user's own. */
const longestMove = 10_000;

/** @returns {string | null} The sheet whose entry is current; it may be closed. */
const sheetHere = () => history.state?.sheet ?? null;

/** @param {string | null} id */
const isSheetOpen = (id) => openSheets.some((one) => one.id === id);

sheetEntries.takes = moved;

// The page was reloaded while a sheet was open.
if (sheetHere() !== null) history.replaceState(null, "");

/**
 * Adds a history entry for a sheet, so that the browser's Back closes it and leaves the page below as it is.
 *
 * @param {Closable} sheet
 * @returns {() => void} Called when the sheet closes for whatever reason; removes the entry if it is still there.
 */
function enterHistory(sheet) {
  count += 1;
  const id = `${performance.timeOrigin} ${count}`;
  const own = { id, sheet, page: location.href };
  openSheets.push(own);
  afterBack(() => openSheets.includes(own) && addEntry(id));
  return () => {
    const at = openSheets.indexOf(own);
    if (at < 0) return;
    openSheets.splice(at, 1);
    // Waits, because another sheet or page may follow at once and take over the entry.
    setTimeout(() => afterBack(() => sheetHere() === id && goBack()));
  };
}

/** @param {string} id */
function addEntry(id) {
  const here = sheetHere();
  if (here !== null && !isSheetOpen(here)) {
    history.replaceState({ sheet: id }, "");
    return;
  }
  // Otherwise returning to the page would scroll it to its earlier position.
  history.scrollRestoration = "manual";
  history.pushState({ sheet: id }, "");
}

/** Ends the wait for the browser to go back. */
let endWait = () => {};

function goBack() {
  sheetEntries.pending = new Promise((resolve) => {
    const timer = setTimeout(() => endWait(), longestMove);
    endWait = () => {
      clearTimeout(timer);
      sheetEntries.pending = null;
      resolve();
    };
  });
  history.back();
}

/**
 * Runs something once no move is pending, because a changed history would redirect the move.
 *
 * @param {() => void} change
 */
function afterBack(change) {
  if (sheetEntries.pending === null) change();
  else sheetEntries.pending.then(() => afterBack(change));
}

/** Whether the user went back, or a sheet closed in another way. */
let isAsked = false;

/** @returns {boolean} Whether the page stays as it is. */
function moved() {
  isAsked ||= sheetEntries.pending === null;
  endWait();
  const here = sheetHere();
  if (here !== null && !isSheetOpen(here)) {
    // The entry of a sheet that was closed while another was on top of it.
    goBack();
    return true;
  }
  const left = isAsked ? openSheets.slice(openSheets.findIndex(({ id }) => id === here) + 1) : [];
  const isOfPages = isAsked && left.length === 0;
  isAsked = false;
  if (isOfPages) return false;
  setTimeout(() => (history.scrollRestoration = "auto"));
  if (left.length === 0) return true;
  for (const menu of document.querySelectorAll("dialog.menu")) /** @type {HTMLDialogElement} */ (menu).close();
  const isSamePage = left.every(({ page }) => page === location.href);
  for (const { sheet } of left.reverse()) sheet.close();
  return isSamePage;
}

/**
 * @typedef {object} SheetParts
 * @property {Node[]} [content]
 * @property {Node[]} [actions] Buttons that stay visible below the content.
 * @property {Node[]} [headActions] Buttons next to the title.
 */

/**
 * @typedef {SheetParts & SheetFrame} SheetOptions
 * @typedef {object} SheetFrame
 * @property {string} title
 * @property {"small" | "side" | "full"} [kind] On a narrow page all but `full` come from the bottom. On a wide one
 * `small` is next to `anchor` (or in the middle without one), `side` is a column at the right, `full` covers the page.
 * Default: `small`.
 * @property {Element} [anchor] The element that a small sheet is next to.
 * @property {string} [className]
 */

/**
 * A dialog over the page. Esc, the cross, the browser's Back, a link to a page and a click outside close it, unless `isHeld`
 * takes away the latter; it traps the focus, and returns it on closing.
 *
 * The element with `autofocus` gets the focus first; without one the title does, and is announced.
 *
 * A page's sheet is a subclass built like a page: its parts are fields, its constructor assembles them, `signal` ends
 * its listeners and requests, and `open()` shows it.
 */
export class Sheet {
  /** @type {HTMLDialogElement} */
  element;
  /**
   * The result it closed with; empty when the user dismissed it.
   *
   * @type {Promise<string>}
   */
  closed;
  /** Whether a click outside leaves it open: for what is not shown again. */
  isHeld = false;
  #life = new AbortController();
  #kind;
  #anchor;
  #frame;
  #content = h("div", { class: "sheet-content" });
  #headActions = h("div", { class: "sheet-head-actions" });
  #isClosing = false;
  /** Removes its entry from the browser's history. */
  #leaveHistory = () => {};
  /** @type {(result: string) => void} */
  #resolve = () => {};

  /** @param {SheetOptions} options */
  constructor({ title, kind = "small", anchor, className = "", ...parts }) {
    const id = newId("sheet-title");
    this.#kind = kind;
    this.#anchor = anchor;
    const head = h("header", { class: "sheet-head" }, h("h2", { id, tabindex: "-1" }, title), this.#headActions);
    this.#frame = h("div", { class: "sheet-frame" }, head, this.#content);
    this.element = h(
      "dialog",
      { class: `sheet ${kind === "small" ? "beside" : kind} ${className}`, "aria-labelledby": id },
      this.#frame,
    );
    this.closed = new Promise((resolve) => (this.#resolve = resolve));
    this.build(parts);
  }

  /** Aborted when it closes. */
  get signal() {
    return this.#life.signal;
  }

  /**
   * Lays out the parts; a subclass calls it once, in its constructor.
   *
   * @param {SheetParts} parts
   */
  build({ content = [], actions = [], headActions = [] }) {
    const cross = button({ label: t("do.close"), icon: "close", look: "quiet", iconOnly: true, onPress: () => this.close() });
    fill(this.#headActions, ...headActions, cross);
    fill(this.#content, ...content);
    if (actions.length > 0) this.#frame.append(h("footer", { class: "sheet-actions" }, ...actions));
  }

  /**
   * A second press of its button, before it came, leaves the one that is open, and this one ends at once; as does one that
   * comes when the library is closed.
   */
  open() {
    const { element } = this;
    if (!isOpen() || (this.constructor !== Sheet && openSheets.some(({ sheet }) => isSame(sheet, this)))) {
      this.#isClosing = true;
      this.#end();
      return this;
    }
    const giveFocusBack = rememberFocus();
    element.addEventListener("close", () => {
      this.#end();
      giveFocusBack();
    });
    // Locking clears the page, and none of its content may stay in memory.
    state.watch(() => isOpen() || this.#end(), this.signal);
    element.addEventListener("cancel", (event) => {
      if (event.target !== element) return;
      event.preventDefault();
      this.close();
    });
    closeOutside(element, () => this.isHeld || this.close());
    element.addEventListener("click", (event) => takeClick(event, (path) => this.#leaveFor(path)));
    document.body.append(element);
    if (!hasControl(element)) this.#content.setAttribute("tabindex", "0");
    const wantsFocus = element.querySelector("[autofocus]") !== null;
    element.showModal();
    this.#leaveHistory = enterHistory(this);
    if (!wantsFocus) element.querySelector("h2")?.focus();
    if (this.#kind === "small" && this.#anchor !== undefined) stayBeside(element, this.#anchor);
    return this;
  }

  /** @param {string} path Opened once the sheet is closed, which would cover the page and keep the focus. */
  #leaveFor(path) {
    this.closed.then(() => navigate(path));
    this.close();
  }

  #end() {
    this.#leaveHistory();
    this.element.remove();
    this.#life.abort();
    this.#resolve(this.element.returnValue);
  }

  /** @param {string} [result] */
  close(result = "") {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#leaveHistory();
    this.element.returnValue = result;
    this.element.classList.add("leaving");
    const left = reducedMotion() ? Promise.resolve() : Promise.allSettled(this.element.getAnimations().map((one) => one.finished));
    left.then(() => this.element.close(result));
  }
}

/**
 * Whether a sheet is on screen that another press of the same button would open.
 *
 * @param {Closable} shown
 * @param {Sheet} another
 */
function isSame(shown, another) {
  return shown instanceof Sheet && shown.constructor === another.constructor && shown.element.isConnected;
}

/**
 * Positions a sheet or menu next to its anchor, and again when its content or the window changes so that it no longer
 * fits. When the anchor is gone, its last position counts.
 *
 * @param {HTMLDialogElement} sheet
 * @param {Element | Place} anchor
 */
function stayBeside(sheet, anchor) {
  let place = anchor instanceof Element ? anchor.getBoundingClientRect() : anchor;
  const stand = () => {
    if (anchor instanceof Element && anchor.isConnected) place = anchor.getBoundingClientRect();
    positionBeside(sheet, place);
  };
  const grown = new ResizeObserver(() => {
    if (!sheet.isConnected) leave(); // the whole document was replaced, without a close event
    else if (isBeyondWindow(sheet)) stand();
  });
  const open = new AbortController();
  const leave = () => {
    grown.disconnect();
    open.abort();
  };
  stand();
  grown.observe(sheet);
  addEventListener("resize", stand, { signal: open.signal });
  sheet.addEventListener("close", leave);
}

/** @param {HTMLElement} box */
function isBeyondWindow(box) {
  return box.offsetTop + box.offsetHeight > innerHeight || box.offsetLeft + box.offsetWidth > innerWidth;
}

/**
 * Whether the content has a focusable control. Without one the content itself takes the focus, so that keys scroll it.
 *
 * @param {Element} sheet
 */
function hasControl(sheet) {
  return sheet.querySelector(".sheet-content :is(button, input, a[href], textarea, select, [tabindex='0'])") !== null;
}

/**
 * Remembers the focus, to restore it when a dialog closes. When a row's button was rebuilt meanwhile, the row gets it;
 * when both are gone or hidden, and nothing else has it, the title of what is then in front.
 *
 * @returns {() => void} Restores the focus.
 */
function rememberFocus() {
  const before = document.activeElement;
  const row = before?.closest("[role=row]") ?? null;
  return () => {
    if (takesFocus(before) || takesFocus(row) || document.activeElement !== document.body) return;
    focusTitle();
  };
}

/** Focuses the title of the dialog in front, or else of the page: for when what had the focus is gone. */
export function focusTitle() {
  const front = [...document.querySelectorAll("dialog:modal")].pop() ?? document.querySelector("main");
  takesFocus(front?.querySelector(":is(h1, h2)[tabindex]") ?? null);
}

/**
 * Where the button of a message was pressed last, and what has had the focus since; `null` once something else has it.
 *
 * @type {{ place: Element | null, holder: Element | null } | null}
 */
let pressed = null;

/**
 * Keeps the focus of a message's button that is pressed when the message goes: the title gets it, and the next message at
 * the place then takes it over, unless it is elsewhere by now.
 *
 * @param {HTMLElement} message One with buttons, which is shown next.
 */
export function keepFocus(message) {
  // Before the press takes the message away.
  message.addEventListener("click", ({ target }) => target instanceof Element && target.closest("button") && waitFor(message), { capture: true });
  queueMicrotask(() => {
    if (pressed?.place?.contains(message) && document.activeElement === pressed.holder) takesFocus(message.querySelector("button"));
  });
}

/** @param {HTMLElement} message Its button is being pressed. */
function waitFor(message) {
  const own = { place: message.parentElement, holder: /** @type {Element | null} */ (document.body) };
  const end = () => {
    gone.disconnect();
    if (pressed === own) pressed = null;
  };
  const gone = new MutationObserver(() => {
    if (message.isConnected) return;
    gone.disconnect();
    if (document.activeElement !== document.body) return;
    document.removeEventListener("focusin", end);
    focusTitle();
    own.holder = document.activeElement;
    document.addEventListener("focusin", end, { once: true });
  });
  pressed = own;
  gone.observe(document, { childList: true, subtree: true });
  document.addEventListener("focusin", end, { once: true });
}

/**
 * Hides or disables an element, or makes it available again. The focus, if the element loses it, moves elsewhere.
 *
 * @param {HTMLElement & { disabled?: boolean }} element
 * @param {"hidden" | "disabled"} how
 * @param {boolean} isAway
 * @param {Element | null} [heir] Gets the focus; the title does if this cannot.
 */
export function withdraw(element, how, isAway, heir = null) {
  const hadFocus = element.contains(document.activeElement);
  element[how] = isAway;
  if (isAway && hadFocus && !takesFocus(heir)) focusTitle();
}

/**
 * Focuses an element, unless it is gone, hidden or disabled.
 *
 * @param {Element | null} element
 * @returns {boolean} Whether it has the focus now.
 */
function takesFocus(element) {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
  return element !== null && document.activeElement === element;
}

/**
 * Closes a dialog on a press outside; a press that began inside does not count.
 *
 * @param {HTMLDialogElement} dialog
 * @param {() => void} close
 */
function closeOutside(dialog, close) {
  let beganOutside = false;
  dialog.addEventListener("pointerdown", (event) => {
    beganOutside = event.target === dialog && !isInside(dialog, event);
  });
  dialog.addEventListener("click", (event) => {
    if (beganOutside && event.target === dialog && !isInside(dialog, event)) close();
  });
}

/**
 * @param {HTMLDialogElement} dialog
 * @param {MouseEvent} event
 */
function isInside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
}

/** @typedef {{ left: number, right: number, top: number, bottom: number }} Place In viewport coordinates. */

/** Pixels of space around a floating box. */
const margin = 8;

/**
 * Positions a floating box above or below another, where it fits; on a narrow page, CSS does.
 *
 * @param {HTMLElement} box
 * @param {Place} anchor
 */
function positionBeside(box, anchor) {
  const isPlaced = document.documentElement.dataset.frame !== "narrow" || !box.classList.contains("sheet");
  box.classList.toggle("placed", isPlaced);
  if (!isPlaced) {
    box.style.removeProperty("left");
    box.style.removeProperty("top");
    return;
  }
  const { offsetWidth: width, offsetHeight: height } = box;
  const left = Math.max(margin, Math.min(anchor.left, innerWidth - width - margin));
  const below = anchor.bottom + margin;
  const fitsBelow = below + height <= innerHeight - margin;
  const top = fitsBelow ? below : Math.max(margin, Math.min(anchor.top, innerHeight) - height - margin);
  box.style.setProperty("left", `${left}px`);
  box.style.setProperty("top", `${top}px`);
}

/**
 * Confirms an action that cannot be undone. The focus starts on the button that cancels.
 *
 * @param {object} question
 * @param {string} question.title Names the thing and the count.
 * @param {string} [question.detail] What will be lost.
 * @param {string} question.action A verb.
 * @param {boolean} [question.isDanger]
 * @returns {Promise<boolean>}
 */
export async function confirm({ title, detail, action, isDanger = true }) {
  const stay = button({ label: t("do.cancel"), onPress: () => sheet.close() });
  stay.autofocus = true;
  const go = button({ label: action, look: isDanger ? "danger" : "primary", onPress: () => sheet.close("yes") });
  const sheet = new Sheet({
    title,
    content: detail === undefined ? [] : [h("p", { class: "muted" }, detail)],
    actions: [stay, go],
    className: "question",
  }).open();
  stay.focus();
  return (await sheet.closed) === "yes";
}

/**
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {import("./button.js").IconName} [icon]
 * @property {string} [hint] Shown at the right.
 * @property {string} [key] Its shortcut, shown at the right where there may be a keyboard.
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
  // The library was closed, or its button pressed twice, before it came.
  if (!isOpen() || document.querySelector("dialog.menu[open]") !== null) return;
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
  const beside = point ? { left: point.x, right: point.x, top: point.y, bottom: point.y } : anchor;
  if (beside !== undefined) stayBeside(dialog, beside);
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
    item.key ? h("span", { class: "menu-hint menu-key" }, item.key) : null,
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
