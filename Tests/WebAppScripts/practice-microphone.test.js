import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TakeMicrophone } from "../../Sources/WebApp/Resources/www/pages/practice/session/echo.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/pages/recordings/microphone.js").Microphone} Microphone */

const options = { input: "", echoCancellation: false, noiseSuppression: false, autoGainControl: false };

/** A practice microphone whose streams the test opens. */
function microphoneOf() {
  const streams = /** @type {{ isOpen: boolean, allow: () => void, refuse: () => void }[]} */ ([]);
  const microphone = new TakeMicrophone(() => options, { level: () => {}, sound: () => {}, lost: () => {} }, () => {
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
  test("gives its sound in tenths of a second, and keeps only what is recorded", async () => {
    const sounds = /** @type {number[]} */ ([]);
    const listener = { level: () => {}, sound: (/** @type {ArrayBuffer} */ chunk) => sounds.push(chunk.byteLength), lost: () => {} };
    let hear = (/** @type {ArrayBuffer} */ _) => {};
    const opened = /** @type {unknown[]} */ ([]);
    const microphone = new TakeMicrophone(() => options, listener, (_, { chunk }) => {
      hear = chunk;
      const made = { open: async (/** @type {unknown[]} */ ...how) => opened.push(...how), pause: () => {}, meter: () => {}, flush: async () => {} };
      return /** @type {Microphone} */ (/** @type {unknown} */ (made));
    });
    await microphone.open();
    microphone.listen(false);
    hear(new ArrayBuffer(4_800));
    assert.equal(await microphone.finish(), null);
    microphone.listen(true);
    hear(new ArrayBuffer(2_400));
    const take = await microphone.finish();
    assert.deepEqual([opened, sounds, take?.seconds], [[24_000, 10], [4_800, 2_400], 0.05]);
  });

  test("is opened once, however often it is asked for meanwhile", async () => {
    const { microphone, streams } = microphoneOf();
    const both = Promise.all([microphone.open(), microphone.open()]);
    streams[0]?.allow();
    await both;
    await microphone.open();
    assert.deepEqual([streams.length, microphone.isOpen], [1, true]);
  });

  test("that was lost continues with its take when there is another", async () => {
    let hear = (/** @type {ArrayBuffer} */ _) => {};
    const listener = { level: () => {}, sound: () => {}, lost: () => {} };
    const microphone = new TakeMicrophone(() => options, listener, (_, { chunk }) => {
      hear = chunk;
      const made = { open: async () => {}, close: async () => {}, pause: () => {}, meter: () => {}, flush: async () => {} };
      return /** @type {Microphone} */ (/** @type {unknown} */ (made));
    });
    for (const keepsSound of [true, false]) {
      await microphone.open();
      microphone.listen(true);
      hear(new ArrayBuffer(4_800));
      await microphone.close(keepsSound);
      await microphone.open();
      microphone.listen(true);
      hear(new ArrayBuffer(4_800));
      assert.equal((await microphone.finish())?.seconds, keepsSound ? 0.2 : 0.1);
    }
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
