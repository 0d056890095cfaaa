import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eachOf } from "../../Sources/WebApp/Resources/www/server/library.js";

const moment = () => new Promise((done) => setTimeout(done));

describe("a few at once", () => {
  test("gives all results in the order of the things, three at a time", async () => {
    let [open, most] = [0, 0];
    const results = await eachOf([5, 4, 3, 2, 1, 0], async (thing) => {
      most = Math.max(most, (open += 1));
      for (let wait = 0; wait <= thing; wait += 1) await moment();
      open -= 1;
      return thing * 2;
    });
    assert.deepEqual(results, [10, 8, 6, 4, 2, 0]);
    assert.equal(most, 3);
  });

  test("begins nothing after a failure, which it reports", async () => {
    /** @type {number[]} */
    const begun = [];
    const work = async (/** @type {number} */ thing) => {
      begun.push(thing);
      await moment();
      if (thing === 0) throw new Error("gone");
    };
    await assert.rejects(eachOf([0, 1, 2, 3, 4], work), /gone/);
    await moment();
    assert.deepEqual(begun, [0, 1, 2]);
  });

  test("of nothing is nothing", async () => assert.deepEqual(await eachOf([], async () => 1), []));
});
