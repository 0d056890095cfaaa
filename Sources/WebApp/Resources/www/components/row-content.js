import { fill, h, newId, setAttribute } from "../core/dom.js";
import { t } from "../core/i18n.js";
import { icon } from "./button.js";

/**
 * The content of a row.
 *
 * @typedef {object} RowContent
 * @property {string | Node} title
 * @property {(string | Node)[]} details The second line, separated by dots.
 * @property {string | Node} [excerpt] A third line; the list's `rowHeight` must have room for it.
 * @property {Node} [lead] Before the title, 24 px.
 * @property {HTMLElement[]} [actions] Buttons at the right, shown on hover and focus (always on touch screens); the last,
 * which opens the menu, and one of the class `stays` or `on` are always shown.
 * @property {boolean} [isCurrent] Marked with three bars.
 * @property {boolean} [isMoving] Whether the bars move.
 * @property {string} [name] The row's accessible name, when `title` is not text.
 */

/**
 * The source of a list's rows.
 *
 * @template Row
 * @typedef {object} RowSource
 * @property {number} count
 * @property {(index: number) => Row | null} at `null` while loading, which shows a skeleton.
 * @property {(row: Row) => string} key
 * @property {(row: Row) => RowContent} content
 * @property {(row: Row) => boolean} [isHeading] Whether it is a heading of the rows below it; it has no actions.
 * @property {(from: number, to: number) => void} [need] Called with the visible rows, `to` excluded, so that they can
 * be loaded; call `refresh()` after that.
 */

/**
 * Renders a row; the focus stays where it was in it.
 *
 * @param {HTMLElement} element
 * @param {RowContent | null} content `null` while loading, which shows a skeleton.
 * @param {{ isSelecting: boolean, isSelected: boolean }} selection
 */
export function fillRow(element, content, { isSelecting, isSelected }) {
  const held = element.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement) : null;
  const mark = focusMark(element);
  const isCurrent = content?.isCurrent ?? false;
  element.classList.toggle("current", isCurrent);
  setAttribute(element, "aria-current", isCurrent ? "true" : null);
  // Its name is what it is about, without the names of its buttons.
  setAttribute(element, "aria-labelledby", content === null ? null : (element.dataset.main ??= newId("row")));
  if (content === null) {
    fill(element, skeleton());
  } else {
    const { actions = [], lead = null, isMoving = false, name = null } = content;
    const { main } = element.dataset;
    fill(
      element,
      h(
        "div",
        { class: "row-main", role: "gridcell", id: name && main, "aria-label": name },
        isSelecting ? h("span", { class: isSelected ? "row-check on" : "row-check" }, icon("check")) : null,
        isCurrent ? playingBars(isMoving) : lead,
        rowWords(content, name === null ? main : null),
      ),
      actions.length === 0 || isSelecting ? null : h("div", { class: "row-actions", role: "gridcell" }, ...actions),
    );
    for (const action of actions) action.tabIndex = -1;
  }
  if (held !== null) restoreFocus(element, held, mark);
}

/**
 * @param {RowContent} content
 * @param {string | null | undefined} id
 */
function rowWords({ title, details, excerpt }, id) {
  return h(
    "div",
    { class: "row-words", id },
    h("div", { class: "row-title", dir: "auto" }, title),
    h("div", { class: "row-details" }, ...details.map((detail) => h("span", {}, detail))),
    excerpt === undefined ? null : h("div", { class: "row-excerpt", dir: "auto" }, excerpt),
  );
}

/**
 * The part of a row with the focus: the row (−1), or one of its buttons.
 *
 * @param {HTMLElement} row
 */
function focusMark(row) {
  return [...row.querySelectorAll("button")].findIndex((one) => one === document.activeElement);
}

/**
 * @param {HTMLElement} row
 * @param {HTMLElement} held What had it.
 * @param {number} mark
 */
function restoreFocus(row, held, mark) {
  const target = row.contains(held) ? held : (row.querySelectorAll("button")[mark] ?? row);
  if (document.activeElement !== target) target.focus({ preventScroll: true });
}

function skeleton() {
  return h("div", { class: "row-skeleton", role: "gridcell", "aria-label": t("state.loading") }, h("i"), h("i"));
}

/**
 * Three bars that mark the row that is playing.
 *
 * @param {boolean} isMoving
 */
export function playingBars(isMoving) {
  return h("span", { class: isMoving ? "bars moving" : "bars", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
}

/**
 * The source of a list that is loading: some skeletons.
 *
 * @param {number} count
 * @returns {RowSource<unknown>}
 */
export function waitingRows(count) {
  return { count, at: () => null, key: () => "", content: () => ({ title: "", details: [] }) };
}

/**
 * The detail of an event of `<echo-rows>`; the list of events says which fields each has.
 *
 * @param {Event} event
 * @returns {import("./sheet.js").MenuPlace & { key: string, index: number, keys: string[] }}
 */
export function detailOf(event) {
  return /** @type {CustomEvent} */ (event).detail;
}

/**
 * The row that an event belongs to.
 *
 * @param {EventTarget | null} target
 */
export function rowOf(target) {
  const row = target instanceof Element ? target.closest(".row") : null;
  return row instanceof HTMLElement ? row : null;
}

/**
 * Whether an event is for a control of a row, which handles it itself.
 *
 * @param {EventTarget | null} target
 */
export function isControl(target) {
  return target instanceof Element && target.closest("button, input, a") !== null;
}

/**
 * Drags a row, which has the class `carried` meanwhile, with the pointer; the others make room. Esc cancels.
 *
 * @param {PointerEvent} begin Does nothing unless it presses a handle.
 * @param {HTMLElement} list
 * @param {string} handle The selector of the handles.
 * @param {(id: string, position: number | null) => void} ended Called with the row's id and its new position; with `null`
 * if that is unchanged.
 */
export function dragRow(begin, list, handle, ended) {
  const row = begin.target instanceof Element ? begin.target.closest(handle)?.closest("li") : null;
  if (!row || begin.button !== 0) return;
  begin.preventDefault();
  const life = new AbortController();
  const { signal } = life;
  const rows = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("li[data-id]")]);
  const from = rows.indexOf(row);
  const height = row.offsetHeight;
  let to = from;
  row.classList.add("carried");
  list.setPointerCapture(begin.pointerId);

  const end = (/** @type {boolean} */ isDropped) => {
    life.abort();
    for (const one of rows) one.style.removeProperty("transform");
    row.classList.remove("carried");
    ended(row.dataset.id ?? "", isDropped && to !== from ? to : null);
  };
  list.addEventListener("pointermove", (event) => {
    const by = event.clientY - begin.clientY;
    to = Math.max(0, Math.min(rows.length - 1, from + Math.round(by / height)));
    row.style.setProperty("transform", `translateY(${by}px)`);
    rows.forEach((one, index) => {
      if (one === row) return;
      const shift = index > from && index <= to ? -height : index < from && index >= to ? height : 0;
      one.style.setProperty("transform", `translateY(${shift}px)`);
    });
  }, { signal });
  list.addEventListener("pointerup", () => end(true), { signal });
  list.addEventListener("pointercancel", () => end(false), { signal });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    end(false);
  }, { signal, capture: true });
}
