import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cell } from "../../Sources/WebApp/Resources/www/core/store.js";
import {
  markAt,
  markWords,
  TrackWaveform,
  waveformPath,
} from "../../Sources/WebApp/Resources/www/player/seek-marks.js";
import { json, stubServer } from "./stub-server.js";

const recording = { kind: "recording", id: "a", duration: 12, isWhole: true };

/** @param {import("node:test").TestContext} context */
function waveform(context) {
  const ending = new AbortController();
  context.after(() => ending.abort());
  const track = new Cell(/** @type {any} */ (null));
  const phase = new Cell(/** @type {import("../../Sources/WebApp/Resources/www/player/sound.js").Phase} */ ("paused"));
  const one = new TrackWaveform(track, phase);
  one.start(ending.signal);
  return { one, track, phase };
}

/**
 * @param {TrackWaveform} one
 * @returns {Promise<readonly number[]>} The peaks once there are some.
 */
function known(one) {
  return new Promise((resolve) => {
    const ending = new AbortController();
    one.peaks.watch((peaks) => {
      if (peaks.length === 0) return;
      ending.abort();
      resolve(peaks);
    }, ending.signal);
  });
}

describe("the waveform of the recording in the player", () => {
  it("is requested once, when it is seen and the sound does not wait for it", async (context) => {
    const asked = stubServer(context, () => json([0, 255]));
    const { one, track, phase } = waveform(context);
    phase.set("loading");
    track.set(recording);
    one.see("bar", true);
    assert.equal(asked.length, 0);
    const peaks = known(one);
    phase.set("playing");
    one.see("view", true);
    assert.deepEqual(await peaks, [0, 255]);
    phase.set("paused");
    track.set({ ...recording, name: "Renamed" });
    one.see("view", false);
    assert.deepEqual(asked.map(({ address }) => address), ["/api/library/a/waveform"]);
    assert.deepEqual(one.peaks.value, [0, 255]);
  });

  it("is not requested where nobody sees it, nor of what is still being spoken", (context) => {
    const asked = stubServer(context, () => json([1]));
    const { one, track } = waveform(context);
    track.set(recording);
    assert.equal(asked.length, 0);
    track.set({ ...recording, kind: "narration" });
    one.see("bar", true);
    track.set({ ...recording, isWhole: false });
    one.see("bar", false);
    track.set(recording);
    assert.equal(asked.length, 0);
    one.see("bar", true);
    assert.equal(asked.length, 1);
  });

  it("is another one when the recording is, or when its sound has changed", async (context) => {
    const asked = stubServer(context, ({ address }) => json([address.includes("/a/") ? 10 + asked.length : 99]));
    const { one, track } = waveform(context);
    one.see("bar", true);
    for (const [next, expected] of /** @type {const} */ ([[recording, 11], [{ ...recording, duration: 13 }, 12], [{ ...recording, id: "b" }, 99]])) {
      const peaks = known(one);
      track.set(next);
      assert.deepEqual(one.peaks.value, []);
      assert.deepEqual(await peaks, [expected]);
    }
    track.set(null);
    assert.deepEqual(one.peaks.value, []);
  });

  it("is left out when it cannot be had, and not requested again and again", async (context) => {
    const asked = stubServer(context, () => json({ code: "vault.content-damaged", message: "Damaged." }, 500));
    const { one, track, phase } = waveform(context);
    one.see("bar", true);
    track.set(recording);
    await new Promise((resolve) => setImmediate(resolve));
    phase.set("playing");
    phase.set("paused");
    assert.deepEqual([asked.length, one.peaks.value], [1, []]);
  });
});

describe("the outline of a waveform", () => {
  it("is as far below the zero line as above it, and flat where it is silent", () => {
    assert.equal(waveformPath([0, 255], 8), "M0 0L2.0 -0.000L6.0 -1.000L8 0L6.0 1.000L2.0 0.000Z");
    assert.equal(waveformPath([], 8), "");
  });

  it("is as high for soft speech as for loud speech, and low for noise alone", () => {
    assert.equal(waveformPath([40, 80], 8), waveformPath([100, 200], 8));
    assert.match(waveformPath([4, 2], 8), /^M0 0L2\.0 -0\.044L/);
  });
});

describe("the mark under the pointer", () => {
  const marks = [{ seconds: 3, label: "The harbour" }, { seconds: 4, label: null }];

  it("is the nearest within reach", () => {
    assert.equal(markAt(marks, 3.4, 1), marks[0]);
    assert.equal(markAt(marks, 3.6, 1), marks[1]);
    assert.equal(markAt(marks, 6, 1), null);
    assert.equal(markAt([], 0, 1), null);
  });

  it("is named with its time", () => {
    assert.deepEqual(marks.map(markWords), ["0:03 The harbour", "0:04 Mark"]);
  });
});
