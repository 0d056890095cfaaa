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

describe("the first page", () => {
  for (const entry of ["app.js", "pages/speak.js"]) {
    test(`has nothing of the documents' brought by ${entry}`, () => {
      const found = [...broughtBy(new URL(entry, root))].map((one) => one.slice(root.href.length));
      assert.ok(found.includes("core/dom.js"));
      assert.deepEqual(found.filter((one) => /^(pages\/documents|server\/(documents|imports))/.test(one)), []);
    });
  }
});
