/**
 * The server's events, by name.
 *
 * @typedef {object} ServerEvents
 * @property {import("./narrations.js").Narration} narration At most four a second for each.
 * @property {{ narration: string, sentence: import("./narrations.js").Sentence }} sentence
 * @property {{ changed: string[], deleted: string[], added: string[] }} library
 * @property {{ changed: string[], deleted: string[], added: string[] }} documents
 * @property {import("./batch.js").BatchCount & { entry: import("./batch.js").BatchEntry | null }} batch `entry` is the one that
 *   is worked on.
 * @property {import("./voice-catalogue.js").Download} voice A few times a second while it is being downloaded.
 * @property {{}} voices One has come or gone, or the catalogue is another.
 * @property {{}} playback
 * @property {{}} history
 * @property {{}} profiles
 * @property {{}} settings
 * @property {import("./state.js").AppState} vault
 * @property {{}} reset Too much was missed: everything is to be loaded anew.
 */

/** @type {readonly (keyof ServerEvents)[]} */
export const eventNames = Object.freeze([
  "narration",
  "sentence",
  "library",
  "documents",
  "batch",
  "voice",
  "voices",
  "playback",
  "history",
  "profiles",
  "settings",
  "vault",
  "reset",
]);

/**
 * @typedef {object} EventStreamListener
 * @property {<Name extends keyof ServerEvents>(name: Name, content: ServerEvents[Name]) => void} received
 * @property {() => void} [opened]
 * @property {() => void} [lost] They have ended, or never began.
 */

/**
 * Follows the server's events till they end; before a new call, the caller makes sure that it is the same server.
 *
 * @param {EventStreamListener} listener
 * @param {(address: string) => EventSource} [makeSource]
 * @returns {() => void} Ends it.
 */
export function followEvents(listener, makeSource = (address) => new EventSource(address)) {
  const source = makeSource("/api/events");
  for (const name of eventNames) {
    source.addEventListener(name, (/** @type {MessageEvent} */ event) => {
      listener.received(name, JSON.parse(event.data));
    });
  }
  source.addEventListener("open", () => listener.opened?.());
  source.addEventListener("error", () => {
    source.close();
    listener.lost?.();
  });
  return () => source.close();
}
