import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isLongEnough, isPattern, isShort } from "../../Sources/WebApp/Resources/www/components/field.js";

describe("a new passcode", () => {
  it("has 4 to 6 digits or at least 12 characters", () => {
    const taken = ["2580", "258014", "correct horse", "õäöüõäöüõäöü"];
    const refused = ["", "258", "2580147", "25801479630", "short words"];
    assert.deepEqual(taken.filter((one) => !isLongEnough(one)), []);
    assert.deepEqual(refused.filter(isLongEnough), []);
  });

  it("is no pattern that is guessed first", () => {
    const patterns = ["1111", "1234", "7890", "9876", "3210", "1212", "474747", "1984", "2026"];
    assert.deepEqual(patterns.filter((one) => !isPattern(one)), []);
    assert.deepEqual(["2580", "1357", "250894", "a long sentence"].filter(isPattern), []);
  });

  it("is called short while it is a few digits", () => {
    assert.deepEqual(["2", "2580", "258014"].filter((one) => !isShort(one)), []);
    assert.deepEqual(["", "2580147", "25a0"].filter(isShort), []);
  });
});
