import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Chunker, Meter, mixed, quantised, Resampler } from "../../Sources/WebApp/Resources/www/pages/recordings/capture.js";
import { part, waveFile } from "../../Sources/WebApp/Resources/www/pages/recordings/microphone.js";

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
    /** @type {import("../../Sources/WebApp/Resources/www/pages/recordings/capture.js").Level[]} */
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

/** Rates of microphones and of recordings, in hertz. */
const rates = [
  [48_000, 16_000], [44_100, 16_000], [32_000, 16_000], [22_050, 16_000], [48_000, 44_100], [44_100, 48_000], [32_000, 48_000],
  [22_050, 48_000], [16_000, 48_000],
];

/** @param {readonly number[]} samples @returns The mean power in decibels. */
const power = (samples) => 10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length + 1e-30);

/**
 * A tone after resampling, without its ends.
 *
 * @param {number} frequency Hertz.
 * @param {number} from Hertz.
 * @param {number} to Hertz.
 * @param {number} count Samples.
 */
function resampled(frequency, from, to, count = 8_192) {
  const resampler = new Resampler(from, to);
  const output = [...resampler.push(tone(frequency, from, count)), ...resampler.finish()];
  const edge = Math.ceil((400 * to) / Math.min(from, to));
  return { output: output.slice(edge, -edge), edge };
}

describe("another sample rate", () => {
  for (const [from, to] of rates) {
    const nyquist = Math.min(from, to) / 2;

    test(`makes ${to} of ${from} hertz with every tone as it was, and no other`, () => {
      for (let part = 0.02; part <= 0.88; part += 0.0717) {
        const frequency = part * nyquist;
        const { output, edge } = resampled(frequency, from, to);
        const expected = tone(frequency, to, output.length + edge).slice(edge);
        const error = power(output.map((sample, n) => sample - expected[n])) - power([...expected]);
        assert.ok(error < -60, `${frequency} Hz: ${error} dB`);
      }
    });

    if (to < from) {
      test(`lets nothing of ${from} hertz through that ${to} does not have`, () => {
        const input = power([...tone(1_000, from, 8_192)]);
        for (let part = 0.001; part < 1; part += 0.031) {
          const frequency = nyquist + part * (from / 2 - nyquist);
          const { output } = resampled(frequency, from, to);
          assert.ok(power(output) - input < -60, `${frequency} Hz: ${power(output) - input} dB`);
        }
      });
    }

    test(`loses no sample of ${from} hertz on the way to ${to}, however the sound comes`, () => {
      const sound = tone(997, from, 3 * from + 17);
      const whole = new Resampler(from, to);
      const expected = [...whole.push(sound), ...whole.finish()];
      assert.equal(expected.length, Math.ceil((sound.length * to) / from));
      const resampler = new Resampler(from, to);
      /** @type {number[]} */
      const pieces = [];
      const sizes = [128, 1, 441, 0, 127, 1_023, 3];
      for (let start = 0, turn = 0; start < sound.length; turn += 1) {
        const size = sizes[turn % sizes.length];
        pieces.push(...resampler.push(sound.subarray(start, start + size)));
        start += size;
      }
      pieces.push(...resampler.finish());
      assert.equal(pieces.length, expected.length);
      assert.ok(pieces.every((sample, n) => Math.abs(sample - expected[n]) < 1e-6));
    });
  }

  test("begins again after its end", () => {
    const resampler = new Resampler(44_100, 48_000);
    const once = () => [...resampler.push(tone(440, 44_100, 1_000)), ...resampler.finish()];
    assert.deepEqual(once(), once());
  });
});

test("a sound file has what was recorded, and says how long it is", async () => {
  const file = waveFile([Int16Array.of(1, 2).buffer, Int16Array.of(3).buffer], 16_000);
  const bytes = new DataView(await file.arrayBuffer());
  assert.equal(bytes.byteLength, 50);
  assert.deepEqual([bytes.getUint32(24, true), bytes.getUint32(4, true), bytes.getUint32(40, true)], [16_000, 42, 6]);
  assert.deepEqual([44, 46, 48].map((place) => bytes.getInt16(place, true)), [1, 2, 3]);
});

test("a WAV file can have a note before its sound", async () => {
  const note = { name: "Note", content: Uint8Array.of(7, 8, 9) };
  const bytes = new DataView(await waveFile([Int16Array.of(1).buffer], 16_000, note).arrayBuffer());
  assert.deepEqual([bytes.byteLength, bytes.getUint32(4, true)], [58, 50]);
  assert.deepEqual([bytes.getUint32(40, true), bytes.getUint8(44), bytes.getUint8(46), bytes.getUint8(47)], [3, 7, 9, 0]);
  assert.deepEqual([bytes.getUint32(52, true), bytes.getInt16(56, true)], [2, 1]);
});
