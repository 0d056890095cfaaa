import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TempoChanger } from "../../Sources/WebApp/Resources/www/player/live-source.js";

const sampleRate = 16_000;

/** @param {number} seconds @param {number} hertz */
function tone(seconds, hertz) {
  return Float32Array.from({ length: seconds * sampleRate }, (_, index) => 0.5 * Math.sin((2 * Math.PI * hertz * index) / sampleRate));
}

/** Pushes the sound in uneven pieces, like a stream. @param {TempoChanger} changer @param {Float32Array} sound */
function change(changer, sound) {
  const made = [];
  for (let at = 0, size = 700; at < sound.length; at += size, size = (size * 7 + 13) % 3_000 || 1) {
    made.push(...changer.push(sound.subarray(at, at + size)));
  }
  made.push(...changer.flush());
  return Float32Array.from(made);
}

/** How often a sound crosses zero upwards per second. @param {Float32Array} sound */
function frequency(sound) {
  let crossings = 0;
  for (let index = 1; index < sound.length; index += 1) if (sound[index - 1] < 0 && sound[index] >= 0) crossings += 1;
  return crossings / (sound.length / sampleRate);
}

describe("tempo without pitch", () => {
  for (const rate of [0.5, 0.75, 1.25, 2, 3]) {
    test(`at ${rate}× a tone lasts ${1 / rate} times as long`, () => {
      const made = change(new TempoChanger(sampleRate, rate), tone(2, 220));
      assert.ok(Math.abs(made.length / sampleRate - 2 / rate) < 0.08, `${made.length / sampleRate} s`);
    });

    test(`at ${rate}× a tone keeps its pitch`, () => {
      const made = change(new TempoChanger(sampleRate, rate), tone(2, 220));
      assert.ok(Math.abs(frequency(made.subarray(400, -1_200)) - 220) < 4, `${frequency(made)} Hz`);
    });

    test(`at ${rate}× a tone keeps its loudness, without clicks`, () => {
      const made = change(new TempoChanger(sampleRate, rate), tone(2, 220)).subarray(800, -1_600);
      const power = Math.sqrt(made.reduce((sum, sample) => sum + sample * sample, 0) / made.length);
      assert.ok(Math.abs(power - 0.5 / Math.SQRT2) < 0.03, `${power}`);
      const steepest = made.reduce((most, sample, index) => (index === 0 ? 0 : Math.max(most, Math.abs(sample - made[index - 1]))), 0);
      assert.ok(steepest < 0.12, `a step of ${steepest}`);
    });
  }

  test("silence stays silence", () => {
    const made = change(new TempoChanger(sampleRate, 2), new Float32Array(sampleRate));
    assert.ok(made.every((sample) => sample === 0));
  });

  test("the pieces it comes in do not matter", () => {
    const sound = tone(1, 150);
    const whole = new TempoChanger(sampleRate, 1.5);
    const atOnce = [...whole.push(sound), ...whole.flush()];
    assert.deepEqual(atOnce.length, change(new TempoChanger(sampleRate, 1.5), sound).length);
  });

  test("a tempo beyond sense is refused", () => {
    assert.throws(() => new TempoChanger(sampleRate, 0), RangeError);
    assert.throws(() => new TempoChanger(sampleRate, 9), RangeError);
  });
});
