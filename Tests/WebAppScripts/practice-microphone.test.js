import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TakeMicrophone } from "../../Sources/WebApp/Resources/www/pages/practice/session/take-microphone.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/pages/recordings/microphone.js").Microphone} Microphone */

const options = { input: "", echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** A practice microphone whose streams the test opens. */
function microphoneOf() {
  const streams = /** @type {{ isOpen: boolean, allow: () => void, refuse: () => void }[]} */ ([]);
  const microphone = new TakeMicrophone(() => options, { level: () => {}, lost: () => {} }, () => {
    const stream = { isOpen: false, allow: () => {}, refuse: () => {} };
    const promise = new Promise((resolve, reject) => {
      stream.allow = () => resolve((stream.isOpen = true));
      stream.refuse = () => reject(new Error("denied"));
    });
    streams.push(stream);
    const made = { open: () => promise, close: async () => (stream.isOpen = false) };
    return /** @type {Microphone} */ (/** @type {unknown} */ (made));
  });
  return { microphone, streams };
}

describe("the microphone of practice", () => {
  test("is opened once, however often it is asked for meanwhile", async () => {
    const { microphone, streams } = microphoneOf();
    const both = Promise.all([microphone.open(), microphone.open()]);
    streams[0]?.allow();
    await both;
    await microphone.open();
    assert.deepEqual([streams.length, microphone.isOpen], [1, true]);
  });

  test("that is closed while it opens does not stay open", async () => {
    const { microphone, streams } = microphoneOf();
    const early = microphone.open();
    await microphone.close();
    const late = microphone.open();
    streams[1]?.allow();
    streams[0]?.allow();
    await Promise.all([early, late]);
    assert.deepEqual([streams.map(({ isOpen }) => isOpen), microphone.isOpen], [[false, true], true]);
    await microphone.close();
    assert.deepEqual([streams.map(({ isOpen }) => isOpen), microphone.isOpen], [[false, false], false]);
  });

  test("that was refused is asked for again", async () => {
    const { microphone, streams } = microphoneOf();
    const refused = assert.rejects(microphone.open());
    streams[0]?.refuse();
    await refused;
    const again = microphone.open();
    streams[1]?.allow();
    await again;
    assert.equal(microphone.isOpen, true);
  });
});
