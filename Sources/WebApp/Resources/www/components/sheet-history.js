import { sheetEntries } from "../core/router.js";

/** @typedef {{ close: () => void }} Closable */

/** @type {{ id: string, sheet: Closable, page: string }[]} The open sheets that have an entry of the browser's history, the lowest first. */
const open = [];

let count = 0;

/** Milliseconds after which a move is given up; one that came later would look like the person's own. */
const longestMove = 10_000;

/** @returns {string | null} The sheet whose entry this is; it may be closed. */
const sheetHere = () => history.state?.sheet ?? null;

/** @param {string | null} id */
const isOpen = (id) => open.some((one) => one.id === id);

sheetEntries.takes = moved;

// The page was reloaded while a sheet was open.
if (sheetHere() !== null) history.replaceState(null, "");

/**
 * Gives a sheet an entry of the history, so that the browser's Back closes it and leaves the page below as it is.
 *
 * @param {Closable} sheet
 * @returns {() => void} Called when it closes, however that came; takes the entry away if it is still there.
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
    // What follows at once, as another sheet or page, takes its place.
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
  // Otherwise coming back to the page would scroll it to where it was before.
  history.scrollRestoration = "manual";
  history.pushState({ sheet: id }, "");
}

/** Ends the wait for the browser to have gone back. */
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
 * Does something once no move is under way, which would lead elsewhere after a change of the history.
 *
 * @param {() => void} change
 */
function afterBack(change) {
  if (sheetEntries.pending === null) change();
  else sheetEntries.pending.then(() => afterBack(change));
}

/** Whether the person has gone back, rather than a sheet been closed otherwise. */
let isAsked = false;

/** @returns {boolean} Whether the page stays as it is. */
function moved() {
  isAsked ||= sheetEntries.pending === null;
  endWait();
  const here = sheetHere();
  if (here !== null && !isOpen(here)) {
    // The entry of a sheet that was closed while something else was on top of it.
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
