import { watchProblems } from "./server/http.js";
import { loadState } from "./server/state.js";
import { makeFrame } from "./components/frame.js";
import { loadHeldStyles, painted } from "./core/dom.js";
import { chosenLanguage, language, showLanguage, t } from "./core/i18n.js";
import { applyLook, followWidth } from "./core/look.js";
import { followAddress, matchRoute, navigate } from "./core/router.js";
import { isConnected, isOpen, setting, settings, state } from "./core/store.js";
import { loadPage, lockPage, pages } from "./pages/registry.js";

/** The page lives as long as its document. */
const life = new AbortController().signal;

/** @type {ReturnType<typeof makeFrame> | null} */
let frame = null;

/** Ends what the frame listens to, when it is built anew for another language. */
let frameLife = new AbortController();

/** @type {string | null} The page that is shown. */
let shown = null;

/** Whether nothing has been shown yet. */
let isBare = true;

/** Milliseconds that the first frame waits for its page, so that both are laid out and painted at once. */
const frameWaits = 100;

/** Fulfilled when the page that was gone to last is shown. */
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
 * A refusal that concerns the whole page.
 *
 * @param {import("./server/http.js").ServerProblem} problem
 */
function noticeProblem(problem) {
  if (problem.status === 423 && isOpen()) refreshState();
  if (problem.status === 401) showFailure(problem);
}

async function showWhatIsOpen() {
  if (!isOpen()) {
    dismissAttendants();
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
  await callAttendants();
}

/**
 * What the first sight of a page does without: the player, the server's events, the styles of what opens later.
 *
 * @type {Promise<typeof import("./attendants.js")> | null}
 */
let attendants = null;

async function callAttendants() {
  try {
    attendants ??= bringAttendants();
    const present = await attendants;
    if (isOpen()) await present.attend();
    await standBeside();
  } catch (error) {
    attendants = null;
    showFailure(error);
  }
}

async function bringAttendants() {
  const [present] = await Promise.all([import("./attendants.js"), loadHeldStyles()]);
  present.start(refreshState, life);
  return present;
}

function dismissAttendants() {
  attendants?.then((present) => present.leave()).catch(() => {}); // those that never came have nothing to leave
}

/** @type {ReturnType<typeof makeFrame> | null} The frame that has it already. */
let besideWhich = null;

/** Brings what of some pages stands beside every page. */
async function standBeside() {
  if (frame === null || frame === besideWhich) return;
  besideWhich = frame;
  const { top } = frame;
  const { signal } = frameLife;
  for (const { beside } of pages) {
    if (beside === undefined) continue;
    const place = document.createElement("div");
    top.append(place);
    (await beside()).stand(place, signal);
  }
}

function buildFrame() {
  frameLife.abort();
  frameLife = new AbortController();
  frame = makeFrame(pages, document.createElement("echo-player-bar"));
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
    shown = null;
    const { failureNotice } = await import("./components/failure.js");
    frame.main.replaceChildren(failureNotice(error, showPage));
    placeFrame();
    return;
  }
  if (shown !== route.id || frame === null) return;
  frame.main.replaceChildren(document.createElement(route.tag));
  placeFrame();
  scrollTo(0, 0);
  if (!isFirst && !frame.main.contains(document.activeElement)) frame.focusPage();
}

async function changeLanguage() {
  const tag = chosenLanguage(setting("page.language", "system"), navigator.languages);
  localStorage.setItem("language", setting("page.language", "system"));
  if (tag === language.value) return;
  await showLanguage(tag);
  if (frame === null) return;
  buildFrame();
  showPage();
  standBeside();
}

/** @param {unknown} error */
async function showFailure(error) {
  frameLife.abort();
  dismissAttendants();
  frame = null;
  isBare = false;
  const { failurePage } = await import("./components/failure.js");
  document.body.replaceChildren(failurePage(error));
}
