import "./page-elements.js";
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { confirm, openMenu, Sheet } from "../../Sources/WebApp/Resources/www/components/sheet.js";
import { addGeneralShortcuts, startShortcuts } from "../../Sources/WebApp/Resources/www/core/shortcuts.js";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";

/** @type {unknown[]} What was put over the page. */
const opened = [];

Object.assign(globalThis, { HTMLTextAreaElement: class {}, HTMLInputElement: class {}, HTMLSelectElement: class {} });
/** @type {any} */ (HTMLElement.prototype).remove = () => {};
/** @type {any} */ (HTMLElement.prototype).focus = () => {};
Object.assign(document, {
  createElementNS: () => Object.assign(document.createElement("p"), { dataset: {} }),
  body: { append: (/** @type {unknown} */ one) => opened.push(one) },
  querySelector: () => null,
});

/** @param {string} vault */
const become = (vault) => state.set(/** @type {any} */ ({ vault: { state: vault } }));

afterEach(() => state.set(null));

describe("over the lock", () => {
  for (const vault of ["locked", "lockedOut", "recoveryNeeded"]) {
    test(`no menu and no sheet opens when its module arrives late: ${vault}`, async () => {
      become(vault);
      openMenu([{ label: "Search the library", run() {} }], { label: "Search" });
      const sheet = new Sheet({ title: "Shortcuts" }).open();
      await sheet.closed;
      assert.ok(sheet.signal.aborted);
      assert.equal(await confirm({ title: "Delete it?", action: "Delete" }), false);
      assert.deepEqual(opened, []);
    });
  }

  test("no shortcut of the page counts", (context) => {
    const life = new AbortController();
    const listen = globalThis.addEventListener;
    context.after(() => {
      globalThis.addEventListener = listen;
      life.abort();
    });
    /** @type {(event: unknown) => void} */
    let press = () => {};
    globalThis.addEventListener = /** @type {any} */ ((/** @type {string} */ _, /** @type {typeof press} */ listener) => (press = listener));
    let runs = 0;
    addGeneralShortcuts([{ keys: "/", label: "shortcut.search", group: "everywhere", run: () => (runs += 1) }], life.signal);
    startShortcuts(life.signal);
    const stroke = { key: "/", shiftKey: false, target: null, preventDefault() {} };
    become("locked");
    press(stroke);
    assert.equal(runs, 0);
    become("unlocked");
    press(stroke);
    assert.equal(runs, 1);
  });
});
