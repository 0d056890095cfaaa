import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deleteOnceLeft, isUnpractised } from "../../Sources/WebApp/Resources/www/pages/practice/lists.js";

const untouched = { segments: 0, takes: 0, score: null, pace: null, best: null, worst: null, seconds: 0 };
const refused = () => Promise.reject(new Error("away"));
const noTakes = async () => ({ takes: [] });
const noSummary = async () => ({ summary: null });

describe("a practice session", () => {
  test("is unpracticed without takes and without a summary that says something", async () => {
    assert.equal(await isUnpractised("s", { listTakes: noTakes, loadSession: noSummary }), true);
    assert.equal(await isUnpractised("s", { listTakes: noTakes, loadSession: async () => ({ summary: untouched }) }), true);
  });

  test("is not with a take or a practiced segment", async () => {
    assert.equal(await isUnpractised("s", { listTakes: async () => ({ takes: [{}] }), loadSession: noSummary }), false);
    assert.equal(await isUnpractised("s", { listTakes: noTakes, loadSession: async () => ({ summary: { ...untouched, segments: 1 } }) }), false);
  });

  test("is not when the server does not say", async () => {
    assert.equal(await isUnpractised("s", { listTakes: refused, loadSession: noSummary }), false);
    assert.equal(await isUnpractised("s", { listTakes: noTakes, loadSession: refused }), false);
  });

  test("is deleted only once nothing is asked of it any more", async () => {
    const view = new AbortController();
    /** @type {string[]} */
    const happened = [];
    view.signal.addEventListener("abort", () => happened.push("left"));
    const deleting = deleteOnceLeft("s", view.signal, async (id) => void happened.push(`deleted ${id}`));
    await Promise.resolve();
    assert.deepEqual(happened, []);
    view.abort();
    await deleting;
    assert.deepEqual(happened, ["left", "deleted s"]);
  });

  test("is deleted at once where its view was left before, and stays where that is refused", async () => {
    /** @type {string[]} */
    const asked = [];
    await deleteOnceLeft("s", AbortSignal.abort(), async (id) => {
      asked.push(id);
      throw new Error("away");
    });
    assert.deepEqual(asked, ["s"]);
  });
});
