import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chunker, Meter, mixed, part, quantised, Resampler, waveFile } from "../../Sources/WebApp/Resources/www/pages/recordings/samples.js";

/**
 * A tone.
 *
 * @param {number} frequency Hertz.
 * @param {number} rate Hertz.
 * @param {number} count Samples.
 */
const tone = (frequency, rate, count) => Float32Array.from({ length: count }, (_, n) => 0.5 * Math.sin((2 * Math.PI * frequency * n) / rate));

describe("a recorded sample", () => {
  test("is the nearest of 16 bits, and cut off where it is too loud", () => {
    assert.deepEqual([0, 0.5, -0.5, 1, -1, 3, -3, 1 / 65_536].map(quantised), [0, 16_384, -16_384, 32_767, -32_768, 32_767, -32_768, 1]);
  });

  test("is the mean of all channels", () => {
    assert.deepEqual([...mixed([Float32Array.of(1, 0), Float32Array.of(0, 0.5)])], [0.5, 0.25]);
    const only = Float32Array.of(1);
    assert.equal(mixed([only]), only);
  });
});

describe("chunks", () => {
  test("have one size however the sound comes, and the last has the rest", () => {
    /** @type {number[][]} */
    const chunks = [];
    const chunker = new Chunker(3, (chunk) => chunks.push([...chunk]));
    const at = (/** @type {number[]} */ ...values) => Float32Array.from(values, (value) => value / 32_768);
    chunker.push(at(1, 2));
    chunker.push(at(3, 4, 5, 6, 7));
    chunker.flush();
    chunker.flush();
    assert.deepEqual(chunks, [[1, 2, 3], [4, 5, 6], [7]]);
  });

  test("are each their own", () => {
    /** @type {Int16Array[]} */
    const chunks = [];
    const chunker = new Chunker(1, (chunk) => chunks.push(chunk));
    chunker.push(Float32Array.of(0.5, 0.25));
    assert.deepEqual(chunks.map(([sample]) => sample), [16_384, 8_192]);
    assert.notEqual(chunks[0].buffer, chunks[1].buffer);
  });
});

describe("the level", () => {
  test("is the peak and the mean of a piece of sound", () => {
    /** @type {import("../../Sources/WebApp/Resources/www/pages/recordings/samples.js").Level[]} */
    const levels = [];
    const meter = new Meter(4, (level) => levels.push(level));
    meter.push(Float32Array.of(0, 0.5, 0));
    meter.push(Float32Array.of(-1, 0, 0, 0, 0));
    assert.deepEqual(levels, [{ peak: 1, rms: Math.sqrt(1.25 / 4) }, { peak: 0, rms: 0 }]);
  });

  test("fills a meter by decibels", () => {
    assert.equal(part(1), 1);
    assert.equal(part(0), 0);
    assert.equal(part(0.0001), 0);
    assert.ok(Math.abs(part(10 ** (-30 / 20)) - 0.5) < 1e-9);
  });
});

describe("another sample rate", () => {
  for (const [from, to] of [[44_100, 48_000], [48_000, 16_000], [16_000, 48_000], [48_000, 44_100]]) {
    test(`makes ${to} of ${from} hertz without a sound of its own, and keeps the time`, () => {
      const resampler = new Resampler(from, to);
      const output = [...resampler.push(tone(440, from, from)), ...resampler.finish()];
      assert.ok(Math.abs(output.length - to) <= Math.ceil(40 * Math.max(1, to / from)), `${output.length}`);
      const expected = tone(440, to, to);
      const error = Math.max(...output.slice(1_000, to - 1_000).map((sample, n) => Math.abs(sample - expected[n + 1_000])));
      assert.ok(error < 0.003, `${error}`);
    });
  }

  test("is the same however the sound comes", () => {
    const sound = tone(997, 44_100, 10_000);
    const whole = new Resampler(44_100, 48_000).push(sound);
    const resampler = new Resampler(44_100, 48_000);
    /** @type {number[]} */
    const pieces = [];
    for (let start = 0; start < sound.length; start += 128) pieces.push(...resampler.push(sound.subarray(start, start + 128)));
    assert.equal(pieces.length, whole.length);
    assert.ok(pieces.every((sample, n) => Math.abs(sample - whole[n]) < 1e-6));
  });

  test("lets nothing through that the lower rate does not have", () => {
    const output = new Resampler(48_000, 16_000).push(tone(12_000, 48_000, 24_000));
    assert.ok(Math.max(...output.slice(500).map(Math.abs)) < 0.002);
  });
});

test("a sound file has what was recorded, and says how long it is", async () => {
  const file = waveFile([Int16Array.of(1, 2).buffer, Int16Array.of(3).buffer], 16_000);
  const bytes = new DataView(await file.arrayBuffer());
  assert.equal(bytes.byteLength, 50);
  assert.deepEqual([bytes.getUint32(24, true), bytes.getUint32(4, true), bytes.getUint32(40, true)], [16_000, 42, 6]);
  assert.deepEqual([44, 46, 48].map((place) => bytes.getInt16(place, true)), [1, 2, 3]);
});
