import assert from "node:assert/strict";
import { test } from "node:test";
import { isBeyond, loopOf } from "../../Sources/WebApp/Resources/www/pages/practice/session/driver.js";

test("a range ends with the last segment, once that is known", () => {
  const isTooFar = (/** @type {string} */ last, isComplete = true) => isBeyond(loopOf("2", last), { known: 5, isComplete });
  assert.deepEqual([isTooFar("5"), isTooFar("6"), isTooFar("6", false), isTooFar("1")], [false, true, false, false]);
  assert.equal(isBeyond(loopOf("", ""), { known: 5, isComplete: true }), false);
});
