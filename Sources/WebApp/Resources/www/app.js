import { loadProfiles } from "./server/profiles.js";
import { watchProblems } from "./server/http.js";
import { loadSettings } from "./server/settings.js";
import { loadState } from "./server/state.js";
import { listVoices } from "./server/voices.js";
import { errorNotice } from "./components/notice.js";
import { makeFrame } from "./components/frame.js";
import { button } from "./components/button.js";
import { empty } from "./components/empty.js";
import { h } from "./core/dom.js";
import { onServer, startEvents } from "./core/events.js";
import { chosenLanguage, language, showLanguage, t } from "./core/i18n.js";
import { applyLook, followWidth } from "./core/look.js";
import { followAddress, matchRoute, navigate } from "./core/router.js";
import { registerWorker } from "./core/shell.js";
import { addShortcuts, startShortcuts } from "./core/shortcuts.js";
import { isConnected, isOpen, profiles, setting, settings, state, voices } from "./core/store.js";
import { loadPage, lockPage, pages } from "./pages/registry.js";
import { startMediaSession } from "./player/media-session.js";
import { player } from "./player/player.js";
import { PlayerBar } from "./player/player-bar.js";

/** The page lives as long as its document. */
const life = new AbortController().signal;

/** @type {ReturnType<typeof makeFrame> | null} */
let frame = null;

/** Ends what the frame listens to, when it is built anew for another language. */
let frameLife = new AbortController();

/** @type {string | null} The page that is shown. */
let shown = null;

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
  followAddress(showPage, life);
  startShortcuts(life);
  addPageShortcuts();
  watchProblems(noticeProblem);
  listenToServer();
  player.start(life);
  startMediaSession(life);
  await refreshState();
  setTimeout(registerWorker, 2_000);
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

function listenToServer() {
  onServer("vault", (content) => state.set(content), life);
  onServer("settings", refreshSettings, life);
  onServer("profiles", refreshProfiles, life);
  onServer("reset", refreshAll, life);
}

async function refreshAll() {
  await refreshState();
  if (isOpen()) await Promise.all([refreshSettings(), refreshProfiles(), refreshVoices()]);
}

async function refreshSettings() {
  const all = await asked(loadSettings);
  if (all !== null) settings.set(new Map(all.map((one) => [one.name, one])));
}

async function refreshProfiles() {
  const all = await asked(loadProfiles);
  if (all !== null) profiles.set(all);
}

async function refreshVoices() {
  const all = await asked(listVoices);
  if (all !== null) voices.set(all);
}

/**
 * What the server says, or `null`: the next event or reconnection asks again, and what was shown stays.
 *
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @returns {Promise<Answer | null>}
 */
async function asked(ask) {
  try {
    return await ask();
  } catch {
    return null;
  }
}

/** Whether the events are being followed; they come only while the library is open. */
let events = new AbortController();
events.abort();

async function showWhatIsOpen() {
  if (!isOpen()) {
    events.abort();
    frameLife.abort();
    frame = null;
    shown = null;
    player.stop();
    voices.set(null);
    profiles.set(null);
    await loadPage(lockPage);
    document.title = "EchoText";
    document.body.replaceChildren(document.createElement(lockPage.tag));
    return;
  }
  if (frame !== null) return;
  buildFrame();
  events = new AbortController();
  startEvents(events.signal);
  showPage();
  await Promise.all([refreshSettings(), refreshProfiles(), refreshVoices(), player.restore()]);
  loadPagesAhead();
}

/** Has the other pages' modules here before somebody goes there; one that fails now is asked for again then. */
function loadPagesAhead() {
  const wait = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  wait(() => {
    standBeside();
    Promise.allSettled(pages.map((page) => page.load()));
  });
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
    const place = h("div");
    top.append(place);
    (await beside()).stand(place, signal);
  }
}

function buildFrame() {
  frameLife.abort();
  frameLife = new AbortController();
  frame = makeFrame(pages, new PlayerBar());
  document.body.replaceChildren(frame.element);
  frame.start(frameLife.signal);
  shown = null;
}

async function showPage() {
  if (frame === null) return;
  const found = matchRoute(location.pathname, pages);
  if (found === null) {
    navigate(pages[0].address, { replace: true });
    return;
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
    frame.main.replaceChildren(errorNotice(error, button({ label: t("do.again"), onPress: showPage })));
    return;
  }
  if (shown !== route.id || frame === null) return;
  frame.main.replaceChildren(document.createElement(route.tag));
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
function showFailure(error) {
  const hasNoSession = /** @type {{ status?: number }} */ (error).status === 401;
  const again = button({ label: t("do.again"), look: "primary", onPress: () => location.reload() });
  frameLife.abort();
  events.abort();
  frame = null;
  document.body.replaceChildren(
    h(
      "main",
      { class: "alone" },
      empty({
        icon: hasNoSession ? "key" : "warning",
        text: t(hasNoSession ? "frame.no-session" : "frame.no-server"),
        detail: t(hasNoSession ? "frame.no-session.do" : "frame.no-server.do"),
        action: again,
      }),
    ),
  );
}

function addPageShortcuts() {
  addShortcuts(
    [
      { keys: "?", label: "shortcut.list", group: "everywhere", run: showShortcuts },
      { keys: "/", label: "shortcut.search", group: "everywhere", run: search },
      { keys: "n", label: "shortcut.new", group: "everywhere", run: newText },
      { keys: "Escape", label: "shortcut.close", group: "everywhere" },
      ...pages.map((page) => ({
        keys: `g ${page.key}`,
        label: page.title,
        group: /** @type {const} */ ("pages"),
        run: () => navigate(page.address),
      })),
    ],
    life,
  );
}

/** Goes to the field that searches: the page's own, else the library's. */
function search() {
  const field = document.querySelector("main input[type=search]");
  if (field instanceof HTMLInputElement) field.focus();
  else navigate("/library?search");
}

function newText() {
  navigate("/speak/new");
}

async function showShortcuts() {
  const { openShortcutList } = await import("./components/shortcut-list.js");
  openShortcutList();
}
