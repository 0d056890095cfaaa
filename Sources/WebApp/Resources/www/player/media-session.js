import { player } from "./player.js";

/**
 * Lets the keyboard's media keys and the desktop's own controls work the player.
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
    session.metadata = track === null ? null : new MediaMetadata({ title: track.name, artist: track.voiceName, album: "EchoText" });
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
