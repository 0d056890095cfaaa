import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sourceOf, withImports } from "./page-modules.js";

/** @param {...string} entries */
const allBroughtBy = (...entries) => [...withImports(entries)].sort();

describe("the first sight", () => {
  const modules = allBroughtBy("app.js", "pages/speak.js");

  // A browser takes some 5 ms for each, however small it is.
  test("is made of few modules", () => assert.ok(modules.length <= 14, modules.join(" ")));

  test("is light beside its words", () => {
    const own = modules.filter((one) => !one.startsWith("core/locales/"));
    const weight = own.reduce((sum, one) => sum + Buffer.byteLength(sourceOf(one)), 0);
    assert.ok(weight <= 78_000, `${weight} bytes`);
  });

  test("has nothing that comes when something is pressed, played or goes wrong", () => {
    const later = /^(player|background|core\/(format|shortcuts|text)|server\/events|components\/(menu|notice|sheet|toast))\b/;
    assert.deepEqual(modules.filter((one) => later.test(one)), []);
  });
});

describe("the first page", () => {
  for (const entry of ["app.js", "pages/speak.js"]) {
    test(`has nothing of the documents' brought by ${entry}`, () => {
      const found = allBroughtBy(entry);
      assert.ok(found.includes("core/dom.js"));
      assert.deepEqual(found.filter((one) => /^(pages\/documents|server\/(documents|imports))/.test(one)), []);
    });
  }
});
