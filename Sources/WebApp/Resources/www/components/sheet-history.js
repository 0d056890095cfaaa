import { sheetEntries } from "../core/router.js";

/** @typedef {{ close: () => void }} Closable */

/**
 * @type {{ id: string, sheet: Closable, page: string }[]} The open sheets with an entry in the browser's history,
 * bottom first.
 */
const open = [];

let count = 0;

/** Milliseconds until a move is given up; a later one would look like the user's own. */
const longestMove = 10_000;

/** @returns {string | null} The sheet whose entry is current; it may be closed. */
const sheetHere = () => history.state?.sheet ?? null;

/** @param {string | null} id */
const isOpen = (id) => open.some((one) => one.id === id);

sheetEntries.takes = moved;

// The page was reloaded while a sheet was open.
if (sheetHere() !== null) history.replaceState(null, "");

/**
 * Adds a history entry for a sheet, so that the browser's Back closes it and leaves the page below as it is.
 *
 * @param {Closable} sheet
 * @returns {() => void} Called when the sheet closes for whatever reason; removes the entry if it is still there.
 */
export function enterHistory(sheet) {
  count += 1;
  const id = `${performance.timeOrigin} ${count}`;
  const own = { id, sheet, page: location.href };
  open.push(own);
  afterBack(() => open.includes(own) && addEntry(id));
  return () => {
    const at = open.indexOf(own);
    if (at < 0) return;
    open.splice(at, 1);
    // Waits, because another sheet or page may follow at once and take over the entry.
    setTimeout(() => afterBack(() => sheetHere() === id && goBack()));
  };
}

/** @param {string} id */
function addEntry(id) {
  const here = sheetHere();
  if (here !== null && !isOpen(here)) {
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
  if (here !== null && !isOpen(here)) {
    // The entry of a sheet that was closed while another was on top of it.
    goBack();
    return true;
  }
  const left = isAsked ? open.slice(open.findIndex(({ id }) => id === here) + 1) : [];
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
