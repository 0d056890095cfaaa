import { applyLook, followWidth, Frame } from "./components/frame.js";
import { loadHeldStyles, painted } from "./core/dom.js";
import { chosenLanguage, language, showLanguage, t } from "./core/i18n.js";
import { followAddress, matchRoute, navigate, setRoutes } from "./core/router.js";
import { isConnected, isOpen, setting, settings, state } from "./core/store.js";
import { loadPage, lockPage, pages } from "./pages/registry.js";
import { loadState, watchProblems } from "./server/http.js";

/** The page lives as long as its document. */
const life = new AbortController().signal;

/** @type {Frame | null} */
let frame = null;

/** Ends the frame's listeners when it is rebuilt for another language. */
let frameLife = new AbortController();

/** @type {string | null} The page on screen. */
let shown = null;

/** Whether nothing has been shown yet. */
let isBare = true;

/** Milliseconds that the first frame waits for its page, so that both are painted at once. */
const frameWaits = 100;

/** Milliseconds before a failed load is retried. */
const againAfter = 1_000;

/** Fulfilled when the page of the last navigation is on screen. */
let showing = Promise.resolve();

start();

async function start() {
  applyLook();
  followWidth(life);
  await showLanguage(chosenLanguage(localStorage.getItem("language") ?? "system", navigator.languages));
  settings.watch(() => {
    applyLook();
    changeLanguage();
  }, life);
  state.watch(showWhatIsOpen, life);
  setRoutes(pages);
  followAddress(() => (showing = showPage()), life);
  watchProblems(noticeProblem);
  await refreshState();
}

async function refreshState() {
  try {
    state.set(await loadState());
    isConnected.set(true);
  } catch (error) {
    if (state.value === null) showFailure(error);
  }
}

/**
 * Handles a failure that concerns the whole page.
 *
 * @param {import("./server/http.js").ServerProblem} problem
 */
function noticeProblem(problem) {
  if (problem.status === 423 && isOpen()) refreshState();
  if (problem.status === 401) showFailure(problem);
}

async function showWhatIsOpen() {
  if (!isOpen()) {
    leaveBackground();
    frameLife.abort();
    frame = null;
    shown = null;
    await loadPage(lockPage);
    document.title = "EchoText";
    isBare = false;
    document.body.replaceChildren(document.createElement(lockPage.tag));
    return;
  }
  if (frame !== null) return;
  buildFrame();
  await showPage();
  await painted();
  await runBackground();
}

/**
 * Loads what the first view can do without: the player, the server's events, the styles of sheets.
 *
 * @type {Promise<typeof import("./background.js")> | null}
 */
let background = null;

async function runBackground() {
  try {
    background ??= loadBackground();
    const present = await background;
    if (isOpen()) await present.open(miss !== "none");
    miss = "none";
  } catch (error) {
    retryBackground(error);
    return;
  }
  await showParts();
}

async function loadBackground() {
  try {
    const [present] = await Promise.all([startBackground(), loadHeldStyles(), bringFailureWords(), import("./pages/drops/drops.js")]);
    isConnected.watch((yes) => yes && showParts(), life);
    return present;
  } catch (error) {
    background = null;
    throw error;
  }
}

let haveStarted = false;

/** Starts the background once loaded: from then on the player's keys must work. */
async function startBackground() {
  const present = await import("./background.js");
  if (!haveStarted) present.start(refreshState, life);
  haveStarted = true;
  return present;
}

/**
 * Whether the background failed to load, because the server was silent or although it answered.
 *
 * @type {"none" | "silence" | "refusal"}
 */
let miss = "none";

/**
 * Loads the background again. The page stays usable, unless that fails twice although the server answers.
 *
 * @param {unknown} error
 */
async function retryBackground(error) {
  const before = miss;
  miss = (await answers()) ? "refusal" : "silence";
  if (miss === "silence") noticeSilence();
  if (miss === "refusal" && before === "refusal") {
    reportError(error);
    showFailure(error);
  } else {
    setTimeout(() => frame !== null && runBackground(), againAfter);
  }
}

/** Whether the server answers. */
function answers() {
  return loadState().then(() => true, () => false);
}

/** Reports it once; the frame shows a lasting silence. */
function noticeSilence() {
  if (isConnected.value) isConnected.set(false);
}

/** Loads the words for a failure while the server answers; a silent server cannot send them. */
function bringFailureWords() {
  return import("./components/notice.js");
}

function leaveBackground() {
  background?.then((present) => present.leave()).catch(() => {}); // one that never loaded needs no end
}

/** @typedef {import("./pages/registry.js").Page} Page */

/** @type {Set<Page>} The pages whose part on every page is shown or loading. */
let standing = new Set();

/** Loads the parts of pages that every page shows. */
function showParts() {
  return Promise.all(pages.map(showPartOf));
}

/**
 * Shows a page's part on every page. One that fails to load is retried when the server is back.
 *
 * @param {Page} page
 */
async function showPartOf(page) {
  if (frame === null || page.beside === undefined || standing.has(page)) return;
  const among = standing;
  const place = document.createElement("div");
  among.add(page);
  frame.top.append(place);
  try {
    const { signal } = frameLife;
    await (await page.beside()).stand(place, signal);
  } catch (error) {
    place.remove();
    among.delete(page);
    if (await answers()) reportError(error);
  }
}

function buildFrame() {
  frameLife.abort();
  frameLife = new AbortController();
  frame = new Frame(pages, document.createElement("echo-player-bar"));
  // They stay until dismissed.
  frame.top.prepend(...document.querySelectorAll(".reminder"));
  standing = new Set();
  frame.start(frameLife.signal);
  shown = null;
  if (isBare) setTimeout(placeFrame, frameWaits);
  else placeFrame();
}

function placeFrame() {
  if (frame === null || frame.element.isConnected) return;
  isBare = false;
  document.body.replaceChildren(frame.element);
}

/** @returns {Promise<void>} */
async function showPage() {
  if (frame === null) return;
  const found = matchRoute(location.pathname, pages);
  if (found === null) {
    navigate(pages[0].address, { replace: true });
    return showing;
  }
  const { route, rest } = found;
  document.title = `${t(route.title)} · EchoText`;
  frame.mark(route.id);
  if (shown === route.id) {
    frame.main.firstElementChild?.dispatchEvent(new CustomEvent("address", { detail: rest }));
    return;
  }
  const isFirst = shown === null;
  shown = route.id;
  try {
    await loadPage(route);
  } catch (error) {
    if (shown === route.id) await missPage(error);
    return;
  }
  if (shown !== route.id || frame === null) return;
  frame.main.replaceChildren(document.createElement(route.tag));
  placeFrame();
  scrollTo(0, 0);
  if (!isFirst && !frame.main.contains(document.activeElement)) frame.focusPage();
}

/**
 * Shows that a page could not be loaded. It is retried when the words for that cannot be loaded either.
 *
 * @param {unknown} error
 */
async function missPage(error) {
  shown = null;
  try {
    const { failureNotice } = await bringFailureWords();
    if (shown !== null) return; // the user opened another page meanwhile
    frame?.main.replaceChildren(failureNotice(error, showPage));
  } catch {
    noticeSilence();
    setTimeout(() => shown === null && showPage(), againAfter);
  }
  placeFrame();
}

async function changeLanguage() {
  const tag = chosenLanguage(setting("page.language", "system"), navigator.languages);
  localStorage.setItem("language", setting("page.language", "system"));
  if (tag === language.value) return;
  await showLanguage(tag);
  if (frame === null) return;
  buildFrame();
  showPage();
  showParts();
}

let stateTimer = 0;

/**
 * Shows that nothing can be shown. When the words for that cannot be loaded, the page stays and state is requested
 * again.
 *
 * @param {unknown} error
 */
async function showFailure(error) {
  try {
    const { failurePage } = await bringFailureWords();
    frameLife.abort();
    leaveBackground();
    frame = null;
    isBare = false;
    document.body.replaceChildren(failurePage(error));
  } catch {
    clearTimeout(stateTimer);
    stateTimer = setTimeout(refreshState, againAfter);
  }
}
