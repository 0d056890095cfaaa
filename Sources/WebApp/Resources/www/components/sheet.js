import { button } from "./button.js";
import { enterHistory } from "./sheet-history.js";
import { fill, h, newId, reducedMotion } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { isOpen, state } from "../core/store.js";

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
 * A dialog over the page. Esc, the cross, the browser's Back and a click outside close it; it traps the focus, and
 * returns it on closing.
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

  open() {
    const { element } = this;
    const giveFocusBack = rememberFocus();
    element.addEventListener("close", () => {
      this.#end();
      giveFocusBack();
    });
    // Locking clears the page, and none of its content may stay in memory.
    if (isOpen()) state.watch(() => isOpen() || this.#end(), this.signal);
    element.addEventListener("cancel", (event) => {
      if (event.target !== element) return;
      event.preventDefault();
      this.close();
    });
    closeOutside(element, () => this.close());
    document.body.append(element);
    if (!hasControl(element)) this.#content.setAttribute("tabindex", "0");
    const wantsFocus = element.querySelector("[autofocus]") !== null;
    element.showModal();
    this.#leaveHistory = enterHistory(this);
    if (!wantsFocus) element.querySelector("h2")?.focus();
    if (this.#kind === "small" && this.#anchor !== undefined) stayBeside(element, this.#anchor);
    return this;
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
 * Positions a sheet next to its anchor, and again when its content or the window changes so that it no longer fits.
 * When the anchor is gone, its last position counts.
 *
 * @param {HTMLDialogElement} sheet
 * @param {Element} anchor
 */
function stayBeside(sheet, anchor) {
  let place = anchor.getBoundingClientRect();
  const stand = () => {
    if (anchor.isConnected) place = anchor.getBoundingClientRect();
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
 * Remembers the focus, to restore it when a dialog closes. When a row's button was rebuilt meanwhile, the row gets it.
 *
 * @returns {() => void} Restores the focus.
 */
export function rememberFocus() {
  const before = document.activeElement;
  const row = before?.closest("[role=row]") ?? null;
  return () => {
    const place = [before, row].find((one) => one instanceof HTMLElement && one.isConnected);
    if (place instanceof HTMLElement) place.focus({ preventScroll: true });
  };
}

/**
 * Closes a dialog on a press outside; a press that began inside does not count.
 *
 * @param {HTMLDialogElement} dialog
 * @param {() => void} close
 */
export function closeOutside(dialog, close) {
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

/** Pixels of space around a floating box. */
const margin = 8;

/**
 * Positions a floating box above or below another, where it fits; on a narrow page, CSS does.
 *
 * @param {HTMLElement} box
 * @param {{ left: number, right: number, top: number, bottom: number }} anchor In viewport coordinates.
 */
export function positionBeside(box, anchor) {
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
