/**
 * The needs of every page after its first view: the server's events, an up-to-date store, the player, the shortcuts,
 * the notices above it and the other pages' modules.
 */

import { button } from "./components/button.js";
import { h, loadStyle } from "./core/dom.js";
import { titled } from "./core/format.js";
import { language, t } from "./core/i18n.js";
import { navigate } from "./core/router.js";
import { addGeneralShortcuts, startShortcuts } from "./core/shortcuts.js";
import { isConnected, isOpen, profiles, settings, state, voices } from "./core/store.js";
import { pages } from "./pages/registry.js";
import { sayLostPlace, startMediaSession } from "./player/player-bar.js";
import { player } from "./player/player.js";
import { NewestState, onServer, startEvents } from "./server/events.js";
import { loadModuleNames } from "./server/http.js";
import { changeSetting, isRecoveryReminderDue, loadSettings, noteOlderSeen } from "./server/settings.js";
import { listVoices, loadProfiles } from "./server/voices.js";

/**
 * Starts once, for as long as the document lives.
 *
 * @param {() => void} refreshState Requests the state again.
 * @param {AbortSignal} life
 */
export function start(refreshState, life) {
  onServer("vault", (content) => state.set(content), life);
  onServer("reset", refreshState, life);
  keepStore(life);
  startShortcuts(life);
  addPageShortcuts(life);
  player.start(life);
  startMediaSession(life);
}

/** Aborted while no events are followed: the server sends them only while the library is open. */
let events = new AbortController();
events.abort();

/**
 * Starts what needs an open library.
 *
 * @param {boolean} wasAway Whether the connection to the server was lost before.
 */
export async function open(wasAway) {
  events.abort();
  events = new AbortController();
  const { signal } = events;
  startEvents(isConnected, signal, wasAway);
  await Promise.all([refreshStore(), player.restore()]);
  await sayLostPlace();
  if (signal.aborted) return; // it was closed, or opened once more, meanwhile
  loadPagesAhead();
  startRecoveryReminder(signal);
  startAgeNotice(signal);
}

/** Ends what needs an open library. */
export function leave() {
  events.abort();
  player.stop();
  emptyStore();
}

/** Preloads the other pages' modules; one that fails now is loaded when the user goes there. */
function loadPagesAhead() {
  const wait = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 500));
  wait(() => Promise.allSettled(pages.map((page) => page.load())).then(loadModulesAhead));
}

/**
 * Loads every module while the server is known to be the one that sent the page: later, another program could answer.
 * Those that fail are loaded on demand.
 */
async function loadModulesAhead() {
  try {
    for (const href of await loadModuleNames()) document.head.append(h("link", { rel: "modulepreload", href }));
  } catch {}
}

/**
 * Keeps the store's settings, profiles and voices up to date until `signal` is aborted.
 *
 * @param {AbortSignal} signal
 */
function keepStore(signal) {
  onServer("settings", refreshSettings, signal);
  onServer("profiles", refreshProfiles, signal);
  onServer("voices", refreshSpeakers, signal);
  onServer("reset", refreshStore, signal);
  language.watch(() => voices.value !== null && voices.set(titled(voices.value)), signal);
}

async function refreshStore() {
  if (isOpen()) await Promise.all([refreshSettings(), refreshProfiles(), refreshVoices()]);
}

/** Clears private values when the library closes. */
function emptyStore() {
  voices.set(null);
  profiles.set(null);
}

const refreshSettings = refresher(loadSettings, (all) => settings.set(new Map(all.map((one) => [one.name, one]))));
const refreshProfiles = refresher(loadProfiles, (all) => profiles.set(all));
const refreshVoices = refresher(listVoices, (all) => voices.set(titled(all)));

/** Loads the profiles too: a profile whose voice is missing is spoken by another voice. */
function refreshSpeakers() {
  return Promise.all([refreshVoices(), refreshProfiles()]);
}

/**
 * Makes a function that requests a value again. An answer older than the last one is dropped; when the request fails,
 * the old value stays until the next event or reconnection.
 *
 * @template {object} Answer
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => void} take
 */
function refresher(ask, take) {
  const newest = new NewestState();
  return async () => {
    const answer = await ask().catch(() => null);
    if (answer !== null && newest.takesAnswer(answer)) take(answer);
  };
}

/**
 * The shortcuts of every page.
 *
 * @param {AbortSignal} signal
 */
function addPageShortcuts(signal) {
  addGeneralShortcuts(
    [
      { keys: "?", label: "shortcut.list", group: "everywhere", run: showShortcuts },
      { keys: "/", label: "shortcut.search", group: "everywhere", run: search },
      { keys: "n", label: "shortcut.new", group: "everywhere", run: newText },
      { keys: "Ctrl+Enter", label: "speak.generate", group: "everywhere" },
      { keys: "Escape", label: "shortcut.close", group: "everywhere" },
      ...pages.map((page) => ({
        keys: `g ${page.key}`,
        label: page.title,
        group: /** @type {const} */ ("pages"),
        run: () => navigate(page.address),
      })),
    ],
    signal,
  );
}

/** The lists that are searched from every page, each with its icon. */
const searched = /** @type {const} */ ([["library", "library"], ["recordings", "record"], ["documents", "document"], ["practice", "practice"], ["history", "history"]]);

/** Focuses the page's search field; where it has none, a menu asks which list is searched. */
async function search() {
  const field = document.querySelector("main input[type=search]");
  if (field instanceof HTMLInputElement && field.offsetParent !== null) {
    field.focus();
    return;
  }
  const [{ openMenu }] = await Promise.all([import("./components/sheet.js"), loadStyle("/styles/sheet.css")]);
  // A list without anything in it has no field.
  const others = searched.filter(([id]) => location.pathname !== `/${id}`);
  const entries = others.map(([id, icon]) => ({ label: t(`${id}.search`), icon, run: () => navigate(`/${id}?search`) }));
  openMenu(entries, { label: t("shortcut.search") });
}

function newText() {
  navigate("/speak/new");
}

async function showShortcuts() {
  const [{ ShortcutSheet }] = await Promise.all([import("./components/shortcut-sheet.js"), loadStyle("/styles/sheet.css")]);
  new ShortcutSheet().open();
}

/**
 * Reminds once, according to the server, that the recordings have no recovery code. It is above the page, on every
 * page, until the user responds: below, it would cover the page's controls.
 *
 * @param {AbortSignal} signal
 */
function startRecoveryReminder(signal) {
  const own = placeAbove(showReminder, signal);
  onServer("library", () => remind(own), signal);
  onServer("reset", () => remind(own), signal);
  state.follow((now) => now?.vault.hasRecoveryCode && own.replaceChildren(), signal);
  // A reminder in a hidden tab counts once the tab is visible.
  document.addEventListener("visibilitychange", () => noteIfSeen(own), { signal });
  remind(own);
}

/** @param {HTMLElement} place */
async function remind(place) {
  if (place.hasChildNodes() || state.value?.vault.hasRecoveryCode || !isReminderOn()) return;
  try {
    const isDue = await isRecoveryReminderDue();
    if (!isDue || place.hasChildNodes() || !isReminderOn()) return;
    await showReminder(place);
  } catch {
    return; // the next change requests it again
  }
  noteIfSeen(place);
}

/** @param {HTMLElement} place */
async function showReminder(place) {
  const make = button({ label: t("recovery.reminder.action"), onPress: openRecoveryCode });
  const actions = [make, dismissal(place, () => noteIfSeen(place))];
  await show({ text: t("recovery.reminder"), kind: "warning", actions }, place);
}

function isReminderOn() {
  return settings.value.get("vault.recovery-reminder")?.value === "on";
}

/**
 * Turns the reminder off once the user can have seen it.
 *
 * @param {HTMLElement} place
 */
function noteIfSeen(place) {
  if (!place.hasChildNodes() || document.visibilityState !== "visible" || !isReminderOn()) return;
  changeSetting("vault.recovery-reminder", "off").catch(() => {}); // the reminder then appears again
}

/**
 * Says that the library is an older copy than this machine used last, above every page, until the user responds.
 *
 * @param {AbortSignal} signal
 */
function startAgeNotice(signal) {
  const own = placeAbove(showAge, signal);
  state.follow((now) => {
    if (!now?.isOlder) own.replaceChildren();
    else if (!own.hasChildNodes()) showAge(own);
  }, signal);
}

/** @param {HTMLElement} place */
async function showAge(place) {
  const dismiss = dismissal(place, () => noteOlderSeen().catch(() => {})); // it then comes back
  const words = { text: t("library.older"), detail: t("library.older.detail") };
  await show({ ...words, kind: "warning", actions: [dismiss] }, place);
  if (!state.value?.isOlder) place.replaceChildren();
}

/**
 * Makes the place of a notice above the page, which is a live region.
 *
 * @param {(place: HTMLElement) => Promise<void>} draw Shows the notice in the current language.
 * @param {AbortSignal} signal Removes the place.
 */
function placeAbove(draw, signal) {
  const own = h("div", { class: "reminder", role: "status" });
  document.querySelector(".frame-top")?.prepend(own);
  signal.addEventListener("abort", () => own.remove(), { once: true });
  language.watch(() => own.hasChildNodes() && draw(own), signal);
  return own;
}

/**
 * @param {Parameters<typeof import("./components/notice.js").notice>[0]} words
 * @param {HTMLElement} place
 */
async function show(words, place) {
  const { notice } = await import("./components/notice.js");
  const shown = notice(words);
  shown.removeAttribute("role"); // its container is a live region
  place.replaceChildren(shown);
}

/**
 * @param {HTMLElement} place Of the notice that it takes away.
 * @param {() => void} note Records that the user has seen it.
 */
function dismissal(place, note) {
  return button({
    label: t("do.dismiss"),
    icon: "close",
    look: "quiet",
    iconOnly: true,
    onPress: () => {
      note();
      place.replaceChildren();
      const title = document.querySelector("main h1");
      if (title instanceof HTMLElement) title.focus({ preventScroll: true });
    },
  });
}

async function openRecoveryCode() {
  const [{ RecoveryCodeSheet }] = await Promise.all([import("./pages/settings/vault-sheets.js"), loadStyle("/styles/settings.css")]);
  new RecoveryCodeSheet().open();
}
