import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { longestName, nameProblem } from "../../Sources/WebApp/Resources/www/core/format.js";

describe("a name", () => {
  it("has a visible character, and at most two hundred that are counted by Unicode", () => {
    assert.equal(nameProblem("Evening reading"), null);
    assert.match(nameProblem("  ") ?? "", /visible/);
    assert.equal(nameProblem("😀".repeat(longestName)), null);
    assert.match(nameProblem("x".repeat(longestName + 1)) ?? "", /200/);
  });

  it("is one line without controls, and does not turn the line around it", () => {
    for (const name of ["a\nb", "a\u0007b", "a\u2028b", "a\u202eb", "a\u2066b"]) assert.match(nameProblem(name) ?? "", /control/);
    assert.equal(nameProblem("שלום עולם"), null);
  });
});
