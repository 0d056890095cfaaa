import "./page-elements.js";
import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { DeferredDeletion } from "../../Sources/WebApp/Resources/www/components/toast.js";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";

/** @param {string} vault The state of the library. */
const become = (vault) => state.set(/** @type {any} */ ({ vault: { state: vault } }));

afterEach(() => state.set(null));

function deletion() {
  const log = {
    /** @type {[string[], boolean][]} */ deleted: [],
    /** @type {string[][]} */ failed: [],
    /** @type {Error | null} */ refusal: null,
    changes: 0,
  };
  const one = new DeferredDeletion({
    delete: async (/** @type {string[]} */ ids, { keepalive }) => {
      if (log.refusal !== null) throw log.refusal;
      log.deleted.push([ids, keepalive]);
    },
    failed: (_, ids) => log.failed.push(ids),
  });
  const life = new AbortController();
  one.watch(() => (log.changes += 1), life.signal);
  return { one, log, life };
}

describe("a deletion that can be undone", () => {
  it("hides at once and deletes when it is too late to undo", async () => {
    const { one, log } = deletion();
    const pending = one.hide(["a", "b"]);
    assert(one.isHidden("a") && one.isHidden("b"));
    assert.deepEqual(log.deleted, []);
    await pending.finish();
    assert.deepEqual(log.deleted, [[["a", "b"], false]]);
    assert(one.isHidden("a"));
  });

  it("deletes nothing once undone", async () => {
    const { one, log } = deletion();
    const pending = one.hide(["a"]);
    pending.undo();
    await pending.finish();
    assert.equal(one.isHidden("a"), false);
    assert.deepEqual(log.deleted, []);
    assert.equal(log.changes, 2);
  });

  it("knows the name of what could not be deleted, and of nothing that was deleted before", async () => {
    /** @type {string[]} */
    const names = [];
    const refused = async () => {
      throw new Error("refused");
    };
    const one = new DeferredDeletion({ delete: refused, failed: (_error, _ids, name) => names.push(name) });
    await one.hide(["a"], "Tide").finish();
    await one.hide(["a", "b"]).finish();
    assert.deepEqual(names, ["Tide", ""]);
  });

  it("is not touched by the fate of the one before", async () => {
    const { one, log } = deletion();
    const first = one.hide(["a"]);
    const second = one.hide(["b"]);
    await first.finish();
    assert.deepEqual(log.deleted, [[["a"], false]]);
    second.undo();
    assert.deepEqual([one.isHidden("a"), one.isHidden("b")], [true, false]);
  });

  it("outlives the page, once", async () => {
    const { one, log } = deletion();
    const pending = one.hide(["a"]);
    pending.finish({ keepalive: true });
    await pending.finish();
    pending.undo();
    assert.deepEqual(log.deleted, [[["a"], true]]);
    assert(one.isHidden("a"));
  });

  it("shows again what the server refused to delete", async () => {
    const { one, log } = deletion();
    log.refusal = new Error("refused");
    await one.hide(["a"]).finish();
    assert.equal(one.isHidden("a"), false);
    assert.deepEqual(log.failed, [["a"]]);
  });

  it("waits while the library is locked", async () => {
    const { one, log } = deletion();
    become("locked");
    const deleted = one.hide(["a"]).finish();
    become("lockedOut");
    assert.deepEqual([log.deleted, one.isHidden("a")], [[], true]);
    become("unlocked");
    await deleted;
    assert.deepEqual([log.deleted, log.failed], [[[["a"], false]], []]);
  });

  it("is made later when a lock has overtaken it", async () => {
    const { one, log } = deletion();
    become("unlocked");
    log.refusal = Object.assign(new Error("locked"), { code: "vault.locked" });
    const deleted = one.hide(["a"]).finish();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([log.failed, one.isHidden("a")], [[], true]);
    log.refusal = null;
    become("locked");
    become("unlocked");
    await deleted;
    assert.deepEqual([log.deleted, log.failed], [[[["a"], false]], []]);
  });

  it("notifies those who still listen", () => {
    const { one, log, life } = deletion();
    life.abort();
    one.hide(["a"]).undo();
    assert.equal(log.changes, 0);
  });
});
