import assert from "node:assert/strict";
import { describe, test } from "node:test";

/** The messages of the microphone processor to the page. */
class Port {
  /** @type {({ data }: { data: object }) => void} */
  onmessage = () => {};
  /** @type {{ chunk?: ArrayBuffer, frame?: number, skipped?: number, heard?: number, level?: object, isFlushed?: boolean }[]} */
  news = [];

  /** @param {object} news */
  postMessage(news) {
    this.news.push(news);
  }
}

/** @type {any} The class that the module registers. */
let Capture;

// The audio thread, as far as the module uses it.
Object.assign(globalThis, {
  sampleRate: 44_100,
  currentFrame: 0,
  AudioWorkletProcessor: class {
    port = new Port();
  },
  registerProcessor: (/** @type {string} */ _name, /** @type {object} */ made) => (Capture = made),
});
const { MissedSound } = await import("../../Sources/WebApp/Resources/www/pages/recordings/capture.js");

/** @param {number} rate Hertz. */
function processor(rate, chunksPerSecond = /** @type {number | undefined} */ (undefined)) {
  const made = new Capture({ processorOptions: { rate, chunksPerSecond } });
  return {
    order: (/** @type {object} */ data) => made.port.onmessage({ data }),
    hear: (/** @type {Float32Array[]} */ ...channels) => assert.equal(made.process([channels]), true),
    news: made.port.news,
    samples: () => made.port.news.flatMap(({ chunk }) => (chunk === undefined ? [] : [...new Int16Array(chunk)])),
  };
}

/** Sound whose every sample encodes its position. @param {number} start @param {number} count */
const counted = (start, count) => Float32Array.from({ length: count }, (_, n) => ((start + n) % 30_000) / 32_768);

describe("the sound of a microphone", () => {
  test("comes in chunks of a quarter of a second, and its rest when it is flushed", () => {
    const { order, hear, news, samples } = processor(44_100);
    hear(counted(0, 128));
    assert.deepEqual(news, [], "it is paused until it is started");
    order({ isPaused: false });
    for (let start = 0; start < 44_100; start += 128) hear(counted(start, 128));
    hear(); // between two microphones
    order({ flush: true });
    assert.deepEqual(news.at(-1), { isFlushed: true });
    const sizes = news.slice(0, -1).map(({ chunk }) => chunk?.byteLength);
    assert.deepEqual(sizes.slice(0, 4), [22_050, 22_050, 22_050, 22_050]);
    assert.deepEqual(samples(), Array.from({ length: 345 * 128 }, (_, n) => n % 30_000));
  });

  test("comes in more chunks where that is asked for", () => {
    const { order, hear, news } = processor(44_100, 10);
    order({ isPaused: false });
    for (let start = 0; start < 44_100; start += 128) hear(counted(start, 128));
    assert.deepEqual([news.length, news[0]?.chunk?.byteLength], [10, 8_820]);
  });

  test("is not heard from a pause on, and continues after it where it was", () => {
    const { order, hear, samples } = processor(44_100);
    order({ isPaused: false });
    hear(counted(0, 128));
    order({ isPaused: true, flush: true });
    hear(counted(128, 128));
    order({ isPaused: false });
    hear(counted(256, 128));
    order({ flush: true });
    assert.deepEqual(samples(), [...counted(0, 128), ...counted(256, 128)].map((sample) => sample * 32_768));
  });

  test("has its last sample at another rate too", () => {
    const { order, hear, samples } = processor(16_000);
    order({ isPaused: false });
    for (let turn = 0; turn < 2; turn += 1) {
      for (let start = 0; start < 8_192; start += 128) hear(new Float32Array(128).fill(0.25));
      order({ flush: true });
    }
    assert.equal(samples().length, 2 * Math.ceil((8_192 * 16_000) / 44_100));
  });

  /** @param {number} frames That the audio context counts. */
  const advance = (frames) => Object.assign(globalThis, { currentFrame: Reflect.get(globalThis, "currentFrame") + frames });

  test("that the audio thread came too late for is missed, and a pause is not", (context) => {
    context.mock.timers.enable({ apis: ["Date"], now: 1_000_000 });
    const { order, hear, news } = processor(44_100);
    const listen = (/** @type {number} */ seconds) => {
      for (let count = 0; count < (seconds * 44_100) / 441; count += 1) {
        context.mock.timers.tick(10);
        hear(new Float32Array(441));
        advance(441);
      }
    };
    /** @type {number[]} */
    const missed = [];
    const meter = new MissedSound(44_100, (seconds) => missed.push(seconds));
    const push = () => {
      for (const { frame = 0, heard = 0, skipped } of news.splice(0)) {
        assert.equal(skipped, 0);
        meter.push(frame, heard, heard - 990_000);
      }
    };
    order({ isPaused: false });
    listen(5);
    order({ isPaused: true });
    push();
    meter.reset();
    context.mock.timers.tick(5_000);
    listen(1);
    order({ isPaused: false });
    listen(5);
    push();
    assert.deepEqual(missed, []);
    context.mock.timers.tick(700);
    listen(10);
    push();
    assert.deepEqual(missed.map((seconds) => seconds.toFixed(1)), ["0.7"]);
  });

  test("that the audio context passes over is reported, to the frame, and not what passes in a pause or between two microphones", () => {
    const { order, hear, news } = processor(44_100);
    const listen = (/** @type {number} */ seconds) => {
      for (let count = 0; count < seconds * 100; count += 1) {
        hear(new Float32Array(441));
        advance(441);
      }
    };
    const skipped = () => news.splice(0).flatMap((one) => one.skipped || []);
    order({ isPaused: false });
    listen(2);
    advance(8_000);
    listen(1);
    assert.deepEqual(skipped(), [], "too little to be reported");
    advance(1_000);
    listen(1);
    assert.deepEqual(skipped(), [9_000]);
    order({ isPaused: true });
    advance(44_100);
    listen(1);
    order({ isPaused: false });
    listen(1);
    hear();
    advance(44_100);
    listen(1);
    assert.deepEqual(skipped(), []);
  });

  test("is measured only while somebody looks", () => {
    const { order, hear, news } = processor(44_100);
    for (let start = 0; start < 4_410; start += 128) hear(counted(start, 128));
    assert.deepEqual(news, []);
    order({ isMetered: true });
    for (let start = 0; start < 4_410; start += 128) hear(counted(start, 128));
    assert.equal(news.length, 2);
    assert.ok(news.every(({ level }) => level !== undefined));
  });
});
