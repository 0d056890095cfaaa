import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CutChanges, turned, withRole } from "../../Sources/WebApp/Resources/www/pages/documents/choice/choice.js";

/** A fake server: the test answers what a selection results in, in any order; stored selections are recorded. */
function handServer() {
  /** @type {{ selection: any, resolve: (preview: any) => void, reject: (error: any) => void }[]} */
  const asked = [];
  /** @type {any[]} */
  const kept = [];
  const server = /** @type {any} */ ({
    previewSelection: (/** @type {string} */ _, /** @type {any} */ selection) =>
      new Promise((resolve, reject) => asked.push({ selection, resolve, reject })),
    keepSelection: async (/** @type {string} */ _, /** @type {any} */ selection) => kept.push(selection),
  });
  return { changes: new CutChanges("d", {}, server), asked, kept };
}

/** @param {string} key */
const turn = (key) => (/** @type {import("../../Sources/WebApp/Resources/www/pages/documents/choice/choice.js").Cuts} */ cuts) => turned(cuts, key);

const scope = { pages: "2-4" };

describe("cuts that a person changes", () => {
  test("count at once, before the server has answered", () => {
    const { changes } = handServer();
    changes.make(turn("mark-1"), scope);
    changes.make(turn("mark-2"), scope);
    assert.deepEqual(changes.cuts, { putBack: [1, 2] });
  });

  test("are kept one after another, each with those before it", async () => {
    const { changes, asked, kept } = handServer();
    const first = changes.make(turn("mark-1"), scope);
    const second = changes.make((cuts) => withRole(cuts, "footer", true), scope);
    await Promise.resolve();
    assert.equal(asked.length, 1);
    asked[0].resolve("one");
    assert.deepEqual(await first, { cuts: { putBack: [1] }, preview: "one" });
    await Promise.resolve();
    asked[1].resolve("two");
    assert.deepEqual(await second, { cuts: { putBack: [1], spokenRoles: ["footer"] }, preview: "two" });
    assert.deepEqual(kept, [
      { pages: "2-4", putBack: [1] },
      { pages: "2-4", putBack: [1], spokenRoles: ["footer"] },
    ]);
  });

  test("no longer count when the server refuses them, and those after them do", async () => {
    const { changes, asked, kept } = handServer();
    const first = changes.make(turn("mark-1"), scope);
    const second = changes.make(turn("mark-2"), scope);
    await Promise.resolve();
    asked[0].reject(new Error("refused"));
    await assert.rejects(first, { message: "refused" });
    assert.deepEqual(changes.cuts, { putBack: [2] });
    await Promise.resolve();
    asked[1].resolve("two");
    await second;
    assert.deepEqual(kept, [{ pages: "2-4", putBack: [2] }]);
    assert.deepEqual(changes.cuts, { putBack: [2] });
  });
});
