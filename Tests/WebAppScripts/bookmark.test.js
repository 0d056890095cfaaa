import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";
import { Bookmark } from "../../Sources/WebApp/Resources/www/player/track.js";
import { json, nothing, stubServer } from "./stub-server.js";

const track = /** @type {any} */ ({ kind: "item", id: "a" });

/** @param {import("node:test").TestContext} context */
function bookmark(context) {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_000_000 });
  state.set(/** @type {any} */ ({ vault: { state: "unlocked" } }));
  const asked = stubServer(context, nothing);
  const places = () => asked.map(({ body, keepalive }) => [body.position ?? body.seconds, keepalive]);
  const addresses = () => asked.map(({ address }) => address);
  return { one: new Bookmark(), places, addresses, tick: (/** @type {number} */ ms) => context.mock.timers.tick(ms) };
}

describe("the bookmark", () => {
  it("is kept at once, and then the last place of those that follow too closely", (context) => {
    const { one, places, tick } = bookmark(context);
    for (const place of [1, 2, 3]) one.keep(track, place, false);
    assert.deepEqual(places(), [[1, false]]);
    tick(299);
    assert.deepEqual(places(), [[1, false]]);
    tick(1);
    assert.deepEqual(places(), [[1, false], [3, false]]);
    tick(1_000);
    assert.equal(places().length, 2);
  });

  it("is kept though the clock was set back", (context) => {
    const { one, places } = bookmark(context);
    one.keep(track, 1, false);
    context.mock.method(Date, "now", () => 1_000);
    assert.equal(one.isDue, true);
    one.keep(track, 2, false);
    assert.deepEqual(places(), [[1, false], [2, false]]);
    assert.equal(one.isDue, false);
  });

  it("is kept at once and once by a page that goes", (context) => {
    const { one, places, tick } = bookmark(context);
    one.keep(track, 1, false);
    one.keep(track, 2, false);
    one.keep(track, 3, true);
    tick(1_000);
    assert.deepEqual(places(), [[1, false], [3, true]]);
  });

  it("is not kept any more once the library is locked", (context) => {
    const { one, places, tick } = bookmark(context);
    one.keep(track, 1, false);
    one.keep(track, 2, false);
    state.set(/** @type {any} */ ({ vault: { state: "locked" } }));
    tick(1_000);
    assert.deepEqual(places(), [[1, false]]);
  });

  it("is the place of a narration while that is being spoken", (context) => {
    const { one, places, addresses } = bookmark(context);
    one.keep({ ...track, kind: "narration", isWhole: false }, 1, true);
    one.keep({ ...track, kind: "narration", isWhole: true }, 2, true);
    assert.deepEqual(places(), [[1, true], [2, true]]);
    assert.deepEqual(addresses(), [`/api/narrations/${track.id}/place`, "/api/playback/bookmark"]);
  });

  /** @param {import("node:test").TestContext} context */
  function refused(context) {
    state.set(/** @type {any} */ ({ vault: { state: "unlocked" } }));
    const server = { refusal: /** @type {[string, number] | null} */ (["vault.read-only", 507]) };
    stubServer(context, () => {
      if (server.refusal === null) return nothing();
      const [code, status] = server.refusal;
      return json({ code, message: code }, status);
    });
    /** @type {unknown[]} */
    const reported = [];
    const one = new Bookmark((error) => reported.push(/** @type {any} */ (error).code));
    const keep = async (/** @type {number} */ times) => {
      for (let time = 0; time < times; time += 1) {
        one.keep(track, time, true);
        await new Promise((resolve) => setImmediate(resolve));
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    return { server, reported, keep };
  }

  it("is reported once when it cannot be kept, until one is", async (context) => {
    const { server, reported, keep } = refused(context);
    await keep(1);
    assert.deepEqual(reported, []);
    await keep(3);
    assert.deepEqual(reported, ["vault.read-only"]);
    server.refusal = null;
    await keep(1);
    server.refusal = ["vault.read-only", 507];
    await keep(2);
    assert.equal(reported.length, 2);
  });

  it("is not reported where the page reports the reason", async (context) => {
    const { server, reported, keep } = refused(context);
    for (const refusal of /** @type {[string, number][]} */ ([["vault.locked", 423], ["library.item-not-found", 404], ["web.no-session", 401]])) {
      server.refusal = refusal;
      await keep(3);
    }
    assert.deepEqual(reported, []);
  });

  it("is kept no more of what is gone", (context) => {
    const { one, places, tick } = bookmark(context);
    one.keep(track, 1, false);
    one.keep(track, 2, false);
    one.drop();
    tick(1_000);
    assert.deepEqual(places(), [[1, false]]);
  });
});
