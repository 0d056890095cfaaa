import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { MissedSound } from "../../Sources/WebApp/Resources/www/pages/recordings/capture.js";

const rate = 1_000;

/** @typedef {(milliseconds: number) => number} Milliseconds Of the frames that are due then. */

/**
 * The sound found missing of frames that come in chunks of a quarter of a second, and how long ago.
 *
 * @param {number} seconds Of sound.
 * @param {Milliseconds} lateness By both clocks.
 * @param {{ heard?: Milliseconds, received?: Milliseconds }} more How much later it is by the clock of the one who hears, and of
 *   the one who receives them.
 */
function found(seconds, lateness, { heard = () => 0, received = () => 0 } = {}) {
  /** @type {{ length: number, at: number }[]} */
  const missed = [];
  const rounded = (/** @type {number} */ value) => Math.round(100 * value) / 100;
  let due = 0;
  const meter = new MissedSound(rate, (length, ago) => missed.push({ length: rounded(length), at: rounded(due / 1_000 - ago) }));
  for (; due < 1_000 * seconds; due += 250) {
    const now = due + lateness(due);
    meter.push(due, now + heard(due) + 1.7e12, now + received(due) + 5_000);
  }
  return missed;
}

/** Numbers from 0 to 1 in an order without a rule. @param {number} value */
const uneven = (value) => (Math.sin(value + 1) * 10_000) % 1;

describe("sound that is missing", () => {
  test("is reported once, with its length and where it was", () => {
    assert.deepEqual(found(60, (due) => (due <= 31_500 ? 0 : 450)), [{ length: 0.45, at: 31.5 }]);
    const twice = found(60, (due) => (due <= 20_000 ? 0 : due <= 40_000 ? 300 : 1_300));
    assert.deepEqual(twice, [{ length: 0.3, at: 20 }, { length: 1, at: 40 }]);
    assert.deepEqual(found(12, (due) => (due <= 1_000 ? 0 : 300)), [{ length: 0.3, at: 1 }], "also at the beginning");
    assert.deepEqual(found(3_600, (due) => (due <= 3_000_000 ? 0 : 10_000)), [{ length: 10, at: 3_000 }], "also after long");
  });

  test("is reported where it is missing in spite of frames that come unevenly", () => {
    const jitter = (/** @type {number} */ due) => 600 * Math.abs(uneven(due));
    const reported = found(120, (due) => jitter(due) + (due <= 61_000 ? 0 : 2_000));
    assert.equal(reported.length, 1);
    assert.ok(Math.abs((reported[0]?.length ?? 0) - 2) < 0.25 && Math.abs((reported[0]?.at ?? 0) - 61) < 1.1, JSON.stringify(reported));
  });

  test("is reported where much is missing little by little", () => {
    const missed = found(60, (due) => 50 * Math.floor(due / 2_000));
    const sum = missed.reduce((all, { length }) => all + length, 0);
    assert.ok(missed.length > 3 && Math.abs(sum - 1.4) < 0.4, JSON.stringify(missed));
  });

  test("is not what comes late and in bursts, or from a sound card whose clock is another", () => {
    assert.deepEqual(found(60, (due) => 1_000 - (due % 1_000)), []);
    assert.deepEqual(found(60, (due) => (due % 10_000 < 1_500 ? 1_500 - (due % 10_000) : 0)), []);
    assert.deepEqual(found(10_800, (due) => 600 * Math.abs(uneven(due))), []);
    assert.deepEqual(found(60, (due) => (due < 750 ? -400 : 0)), [], "until the browser's buffers are full");
    assert.deepEqual(found(3_600, (due) => due / 1_000), [], "0.1 % slower");
    assert.deepEqual(found(3_600, (due) => -due / 1_000), [], "0.1 % faster");
  });

  test("is not what a machine that was busy for long takes later, at once or little by little", () => {
    for (const length of [3_000, 10_000, 60_000]) {
      for (const begin of [10_000, 10_500, 11_000, 11_750]) {
        const late = (/** @type {number} */ due) => Math.max(0, length - (due - begin));
        assert.deepEqual(found(120, (due) => (due < begin ? 0 : late(due))), [], `${length} at ${begin}, at once`);
        const slowly = (/** @type {number} */ due) => Math.max(0, length - (due - begin) / 10);
        assert.deepEqual(found(900, (due) => (due < begin ? 0 : slowly(due))), [], `${length} at ${begin}, slowly`);
      }
    }
  });

  test("is not a clock that is set, whichever way, nor a machine that slept by it, nor hides any", () => {
    for (const jump of [400, -400, 3_600_000, -3_600_000]) {
      const heard = (/** @type {number} */ due) => (due <= 20_000 ? 0 : jump);
      assert.deepEqual(found(120, () => 0, { heard }), [], `${jump}`);
      const missed = found(120, (due) => (due <= 60_000 ? 0 : 500), { heard });
      assert.deepEqual(missed, [{ length: 0.5, at: 60 }], `${jump}`);
    }
  });

  test("is not what a page that is slow hears of late", () => {
    const slow = (/** @type {number} */ due) => (due <= 20_000 ? 0 : 700);
    assert.deepEqual(found(120, () => 0, { received: slow }), []);
    assert.deepEqual(found(600, () => 0, { received: (due) => 3_000 * Math.abs(uneven(Math.floor(due / 5_000))) }), []);
  });

  test("is not what was paused", () => {
    const meter = new MissedSound(rate, () => assert.fail());
    for (let due = 0; due < 15_000; due += 250) meter.push(due, due, due);
    meter.reset();
    for (let due = 15_000; due < 32_000; due += 250) meter.push(due, due + 60_000, due + 60_000);
  });
});
