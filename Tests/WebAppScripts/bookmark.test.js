import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";
import { Bookmark } from "../../Sources/WebApp/Resources/www/player/track.js";
import { nothing, stubServer } from "./stub-server.js";

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

  it("is kept no more of what is gone", (context) => {
    const { one, places, tick } = bookmark(context);
    one.keep(track, 1, false);
    one.keep(track, 2, false);
    one.drop();
    tick(1_000);
    assert.deepEqual(places(), [[1, false]]);
  });
});
