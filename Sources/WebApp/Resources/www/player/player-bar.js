import { showNews, showToast } from "../components/toast.js";
import { fill, h, setText } from "../core/dom.js";
import { paragraphFor, wordsFor } from "../core/format.js";
import { t } from "../core/i18n.js";
import { addGeneralShortcuts } from "../core/shortcuts.js";
import { voices } from "../core/store.js";
import { removeBookmark } from "../server/library.js";
import { chaptersButton, muteButton, quiet, rateButton, seekBar, sleepButton, transport } from "./controls.js";
import { player } from "./player.js";
import { voiceOf } from "./track.js";

/** The views are loaded when they are first opened. */
const openPlayerView = async () => (await import("./player-view.js")).openPlayerView();
const openQueue = async () => (await import("./player-view.js")).openQueue();

/** `<echo-player-bar>`: the player at the bottom of every page; on a narrow one, in a compact form above the tabs. */
export class PlayerBar extends HTMLElement {
  #life = new AbortController();

  connectedCallback() {
    this.#life = new AbortController();
    const { signal } = this.#life;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", t("player.title"));
    const title = h("span", { class: "bar-name" });
    const voice = h("span", { class: "bar-voice" });
    const open = h("button", { type: "button", class: "bar-open", "aria-haspopup": "dialog", onclick: openPlayerView }, title, voice);
    const status = h("p", { class: "visually-hidden", role: "status" });
    fill(
      this,
      transport(signal),
      h("div", { class: "bar-middle" }, open, seekBar(signal)),
      h(
        "div",
        { class: "bar-tools" },
        chaptersButton(signal),
        rateButton(signal),
        sleepButton(signal),
        muteButton(signal),
        quiet(t("queue.title"), "queue", openQueue),
      ),
      status,
    );
    player.track.follow((track) => {
      this.classList.toggle("idle", track === null);
      document.documentElement.classList.toggle("player-idle", track === null);
      open.disabled = track === null;
      setText(title, track?.name ?? t("player.idle"));
      open.title = track === null ? "" : t("player.open");
    }, signal);
    const showDetail = () => {
      const problem = player.problem.value;
      const words = problem === null ? "" : wordsFor(problem).message;
      setText(status, words);
      voice.classList.toggle("problem", problem !== null);
      setText(voice, words || (player.track.value === null ? "" : voiceOf(player.track.value)));
    };
    player.track.follow(showDetail, signal);
    voices.watch(showDetail, signal);
    const showRest = () => {
      const isSounding = player.phase.value === "playing" || player.phase.value === "loading";
      document.documentElement.classList.toggle("player-at-rest", !isSounding && player.problem.value === null);
    };
    player.phase.follow(showRest, signal);
    player.problem.watch(showRest, signal);
    player.problem.watch((problem) => {
      showDetail();
      if (problem !== null && isCovered()) showToast({ icon: "error", text: paragraphFor(problem) });
    }, signal);
    player.unplayable.passed.watch((passed) => passed !== null && showNews(wordsOfPassing(passed)), signal);
    addGeneralShortcuts(playerShortcuts, signal);
  }

  disconnectedCallback() {
    this.#life.abort();
  }
}

/** Whether a dialog that does not show the player's problem covers the bar. */
function isCovered() {
  const dialog = [...document.querySelectorAll("dialog:modal")].pop();
  return dialog !== undefined && dialog.querySelector(".player-problem") === null;
}

/** Says once that the place where listening stopped is lost, and of which recording. */
export async function sayLostPlace() {
  const { isBookmarkLost, lostName: name } = player.queue.state.value;
  if (!isBookmarkLost) return;
  const text = name === null ? t("player.lost") : `${t("player.lost")} ${t("player.gone", { name })}`;
  showNews({ icon: "warning", text, seconds: 15 });
  // If the bookmark cannot be deleted now, it is reported again.
  await removeBookmark().catch(() => {});
}

/**
 * @param {import("./play-queue.js").PassedOver} passed
 * @returns {import("../components/toast.js").Toast}
 */
function wordsOfPassing({ name, reason, following }) {
  return { icon: "warning", text: t("player.passedOver", { name, why: wordsFor(reason).message, following }), seconds: 10 };
}

/** @type {readonly import("../core/shortcuts.js").Shortcut[]} */
const playerShortcuts = [
  { keys: "Space", label: "shortcut.toggle", group: "playing", run: () => player.toggle() },
  { keys: "ArrowLeft", label: "shortcut.back", group: "playing", run: () => player.skip(-1) },
  { keys: "ArrowRight", label: "shortcut.forward", group: "playing", run: () => player.skip(1) },
  { keys: "Shift+ArrowLeft", label: "player.previous", group: "playing", run: () => player.previous() },
  { keys: "Shift+ArrowRight", label: "player.next", group: "playing", run: () => player.next() },
  { keys: "[", label: "shortcut.sentence.previous", group: "playing", run: () => player.skipSentence(-1) },
  { keys: "]", label: "shortcut.sentence.next", group: "playing", run: () => player.skipSentence(1) },
  { keys: "<", label: "shortcut.slower", group: "playing", run: () => player.setRate(player.rate.value - 0.1) },
  { keys: ">", label: "shortcut.faster", group: "playing", run: () => player.setRate(player.rate.value + 0.1) },
  { keys: "m", label: "player.mute", group: "playing", run: () => player.setMuted(!player.isMuted.value) },
  { keys: "f", label: "player.open", group: "playing", run: () => player.track.value !== null && openPlayerView() },
  { keys: "q", label: "queue.title", group: "playing", run: openQueue },
  { keys: "ArrowUp", label: "shortcut.list.move", group: "lists" },
  { keys: "Enter", label: "shortcut.list.open", group: "lists" },
  { keys: "Shift+ArrowDown", label: "shortcut.list.select", group: "lists" },
  { keys: "Shift+F10", label: "shortcut.list.menu", group: "lists" },
  { keys: "Delete", label: "do.delete", group: "lists" },
  { keys: "Ctrl+z", label: "do.undo", group: "lists" },
];

// Last, since a bar may already be in the document.

/**
 * Connects media keys and the desktop's media controls to the player.
 *
 * @param {AbortSignal} signal
 */
export function startMediaSession(signal) {
  const session = navigator.mediaSession;
  if (session === undefined) return;
  /** @type {[MediaSessionAction, (details: MediaSessionActionDetails) => void][]} */
  const actions = [
    ["play", () => player.play()],
    ["pause", () => player.pause()],
    ["stop", () => player.pause()],
    ["previoustrack", () => player.previous()],
    ["nexttrack", () => player.next()],
    ["seekbackward", () => player.skip(-1)],
    ["seekforward", () => player.skip(1)],
    ["seekto", ({ seekTime }) => seekTime !== undefined && seekTime !== null && player.seek(seekTime)],
  ];
  for (const [action, run] of actions) setHandler(session, action, run);
  player.track.follow((track) => {
    session.metadata = track === null ? null : new MediaMetadata({ title: track.name, artist: voiceOf(track), album: "EchoText" });
  }, signal);
  player.phase.follow((phase) => {
    session.playbackState = phase === "stopped" ? "none" : phase === "paused" ? "paused" : "playing";
  }, signal);
  player.time.watch((time) => {
    const { duration } = player;
    if (duration > 0 && time <= duration) {
      session.setPositionState?.({ duration, position: time, playbackRate: player.rate.value });
    }
  }, signal);
}

/**
 * @param {MediaSession} session
 * @param {MediaSessionAction} action
 * @param {(details: MediaSessionActionDetails) => void} run
 */
function setHandler(session, action, run) {
  try {
    session.setActionHandler(action, run);
  } catch {
    // A browser without this action simply has no key for it.
  }
}

customElements.define("echo-player-bar", PlayerBar);
