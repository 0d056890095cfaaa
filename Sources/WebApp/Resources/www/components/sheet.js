import { button } from "./button.js";
import { h, newId, reducedMotion } from "../core/dom.js";
import { t } from "../core/i18n.js";

/**
 * @typedef {object} SheetOptions
 * @property {string} title
 * @property {Node[]} content
 * @property {"small" | "side" | "full"} [kind] On a narrow page all but `full` come from the bottom. On a wide one `small`
 *   stands beside `anchor` (or in the middle without one), `side` is a column at the right, `full` covers the page.
 *   `small` when absent.
 * @property {Element} [anchor] What a small sheet stands beside.
 * @property {Node[]} [actions] A row of buttons that stays in view below the content.
 * @property {Node[]} [headActions] Buttons beside the title.
 * @property {() => void} [onClose] Called once, however it was closed.
 * @property {string} [className]
 */

/**
 * @typedef {object} Sheet
 * @property {HTMLDialogElement} element
 * @property {(result?: string) => void} close
 * @property {Promise<string>} closed The result it was closed with; empty when it was left.
 */

/**
 * Opens a dialog over the page. Esc, the cross and a click outside close it; the focus goes in, stays in, and goes back
 * to where it came from.
 *
 * Put `autofocus` on the element that should have the focus first; else its title has it, and is read.
 *
 * @param {SheetOptions} options
 * @returns {Sheet}
 */
export function openSheet({ title, content, kind = "small", anchor, actions = [], headActions = [], onClose, className }) {
  const titleId = newId("sheet-title");
  const giveFocusBack = rememberFocus();
  const element = h(
    "dialog",
    { class: `sheet ${kind === "small" ? "beside" : kind} ${className ?? ""}`, "aria-labelledby": titleId },
    h(
      "div",
      { class: "sheet-frame" },
      h(
        "header",
        { class: "sheet-head" },
        h("h2", { id: titleId, tabindex: "-1" }, title),
        h(
          "div",
          { class: "sheet-head-actions" },
          ...headActions,
          button({ label: t("do.close"), icon: "close", look: "quiet", iconOnly: true, onPress: () => close() }),
        ),
      ),
      h("div", { class: "sheet-content" }, ...content),
      actions.length === 0 ? null : h("footer", { class: "sheet-actions" }, ...actions),
    ),
  );

  let isClosing = false;
  const close = (result = "") => {
    if (isClosing) return;
    isClosing = true;
    element.returnValue = result;
    element.classList.add("leaving");
    const left = reducedMotion() ? Promise.resolve() : Promise.allSettled(element.getAnimations().map((one) => one.finished));
    left.then(() => element.close(result));
  };

  /** @type {Promise<string>} */
  const closed = new Promise((resolve) => {
    element.addEventListener("close", () => {
      element.remove();
      giveFocusBack();
      onClose?.();
      resolve(element.returnValue);
    });
  });
  element.addEventListener("cancel", (event) => {
    if (event.target !== element) return;
    event.preventDefault();
    close();
  });
  closeOutside(element, close);

  document.body.append(element);
  if (!hasControl(element)) element.querySelector(".sheet-content")?.setAttribute("tabindex", "0");
  const wantsFocus = element.querySelector("[autofocus]") !== null;
  element.showModal();
  if (!wantsFocus) element.querySelector("h2")?.focus();
  if (kind === "small" && anchor !== undefined) stayBeside(element, anchor);
  return { element, close, closed };
}

/**
 * Places a sheet beside what it was opened from, and again when what comes into it or the window's size leaves it no room
 * there. Where its anchor was counts when that is gone.
 *
 * @param {HTMLDialogElement} sheet
 * @param {Element} anchor
 */
function stayBeside(sheet, anchor) {
  let place = anchor.getBoundingClientRect();
  const stand = () => {
    if (anchor.isConnected) place = anchor.getBoundingClientRect();
    standBeside(sheet, place);
  };
  const grown = new ResizeObserver(() => {
    if (!sheet.isConnected) leave(); // it went with the whole page, which closes nothing
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
 * Whether the content has something that takes the focus; without it the content does, so that the keyboard can scroll it.
 *
 * @param {Element} sheet
 */
function hasControl(sheet) {
  return sheet.querySelector(".sheet-content :is(button, input, a[href], textarea, select, [tabindex='0'])") !== null;
}

/**
 * Remembers where the focus is, for when what opens now has closed. A row of a list stands in for a button of it that was
 * built anew meanwhile.
 *
 * @returns {() => void} Gives the focus back.
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
 * Closes a dialog at a press on what is not it; a press that began inside does not count.
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

/** Pixels that stay free around what floats. */
const margin = 8;

/**
 * Places a floating box above or below another, where there is room; on a narrow page its style places it.
 *
 * @param {HTMLElement} box
 * @param {{ left: number, right: number, top: number, bottom: number }} anchor In the viewport.
 */
export function standBeside(box, anchor) {
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
 * Asks before what cannot be undone. The focus begins on the way out.
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
  const sheet = openSheet({
    title,
    content: detail === undefined ? [] : [h("p", { class: "muted" }, detail)],
    actions: [stay, go],
    className: "question",
  });
  stay.focus();
  return (await sheet.closed) === "yes";
}
