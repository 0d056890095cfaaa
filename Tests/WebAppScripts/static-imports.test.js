import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

const root = new URL("../../Sources/WebApp/Resources/www/", import.meta.url);

/**
 * The modules that come with one before it runs.
 *
 * @param {URL} module
 * @param {Set<string>} found
 */
function broughtBy(module, found = new Set()) {
  if (found.has(module.href)) return found;
  found.add(module.href);
  for (const [, path] of readFileSync(module, "utf8").matchAll(/^(?:import|export)\s(?:[^"';]*\sfrom\s)?"(\.[^"]+)"/gm)) {
    broughtBy(new URL(path, module), found);
  }
  return found;
}

/** @param {...string} entries */
function allBroughtBy(...entries) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const entry of entries) broughtBy(new URL(entry, root), found);
  return [...found].map((one) => one.slice(root.href.length)).sort();
}

describe("the first sight", () => {
  const modules = allBroughtBy("app.js", "pages/speak.js");

  // A browser takes some 5 ms for each, however small it is.
  test("is made of few modules", () => assert.ok(modules.length <= 17, modules.join(" ")));

  test("is light beside its words", () => {
    const own = modules.filter((one) => !one.startsWith("core/locales/"));
    const weight = own.reduce((sum, one) => sum + readFileSync(new URL(one, root)).length, 0);
    assert.ok(weight <= 78_000, `${weight} bytes`);
  });

  test("has nothing that comes when something is pressed, played or goes wrong", () => {
    const later = /^(player|attendants|core\/(format|shortcuts|text)|server\/events|components\/(menu|notice|sheet|toast))\b/;
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
