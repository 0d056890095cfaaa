import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Cell } from "../../Sources/WebApp/Resources/www/core/store.js";
import { Sound } from "../../Sources/WebApp/Resources/www/player/sound.js";

/** The browser's player of a file; it knows the sound some time before it says so. */
class StillAudio extends EventTarget {
  readyState = 0;
  currentTime = 0;
  duration = NaN;
  paused = true;
  error = null;
  pause() {}

  /** The sound's length is known; the event follows. */
  know() {
    this.readyState = 1;
    this.duration = 12;
  }
}

/**
 * A recording's sound and the audio element that plays it.
 *
 * @param {import("node:test").TestContext} context
 */
function stage(context) {
  context.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const audio = new StillAudio();
  const globals = /** @type {any} */ (globalThis);
  const { BroadcastChannel } = globals;
  // Other pages of the browser; Node would not end while it listens to them.
  delete globals.BroadcastChannel;
  globals.HTMLMediaElement = { HAVE_FUTURE_DATA: 3 };
  globals.Audio = function () {
    return audio;
  };
  context.after(() => {
    delete globals.Audio;
    delete globals.HTMLMediaElement;
    globals.BroadcastChannel = BroadcastChannel;
  });
  const track = new Cell(/** @type {any} */ ({ kind: "recording", id: "r", name: "Talk", duration: 12 }));
  const sound = new Sound(track, { ended() {}, failed() {}, heard() {}, displaced() {} });
  return { sound, audio };
}

describe("The sound of the player", () => {
  test("goes to the last of several places that were chosen while the browser was loading it", (context) => {
    const { sound, audio } = stage(context);
    sound.seek(3);
    assert.equal(sound.now(), 3);
    audio.know();
    assert.equal(sound.now(), 3, "not where the browser stands before it has gone to the start");
    sound.seek(7);
    assert.equal(sound.now(), 7);
    audio.dispatchEvent(new Event("loadedmetadata"));
    assert.equal(audio.currentTime, 7);
    assert.equal(sound.now(), 7);
    sound.seek(2);
    assert.equal(audio.currentTime, 2);
  });
});
