import "./page-elements.js";
import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";
import { itemDeletion, saySaved } from "../../Sources/WebApp/Resources/www/pages/list/item-actions.js";

/** @param {string} vault The state of the library. */
const become = (vault) => state.set(/** @type {any} */ ({ vault: { state: vault } }));

afterEach(() => state.set(null));

/**
 * Counts the messages, each of which looks for the dialog that it belongs in.
 *
 * @param {import("node:test").TestContext} context
 */
function messages(context) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const querySelectorAll = context.mock.fn(() => []);
  const drawing = { append() {}, setAttribute() {}, dataset: {} };
  Object.assign(document, { body: document.createElement("body"), createElementNS: () => drawing, querySelectorAll });
  return () => querySelectorAll.mock.callCount();
}

describe("that a narration is saved", () => {
  test("is said once the library is open, and once only", (context) => {
    const said = messages(context);
    become("locked");
    saySaved({ id: "a", name: "A" });
    assert.equal(said(), 0);
    become("unlocked");
    assert.equal(said(), 1);
    saySaved({ id: "a", name: "A" });
    assert.equal(said(), 1);
  });

  test("is not said of a recording that was deleted before it could be said", (context) => {
    const said = messages(context);
    become("locked");
    saySaved({ id: "b", name: "B" });
    itemDeletion.hide(["b"]);
    become("unlocked");
    assert.equal(said(), 0);
  });
});
