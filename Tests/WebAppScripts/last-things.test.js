import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queryStringOf } from "../../Sources/WebApp/Resources/www/player/play-queue.js";
import { lastOf, playListOfLast } from "../../Sources/WebApp/Resources/www/pages/speak/front-door.js";
import { json, stubServer } from "./stub-server.js";

/** @param {number} hour */
const at = (hour) => `2026-11-27T${String(hour).padStart(2, "0")}:00:00Z`;

const all = /** @type {any} */ ({
  items: [{ id: "c", created: at(9) }, { id: "a", created: at(3) }],
  documents: [{ id: "b", name: "Book", added: at(5) }],
  speeches: [{ id: "d", title: "Old and changed", created: at(1), updated: at(7) }, { id: "e", title: "Old", created: at(2), updated: at(2) }],
});

/** @param {import("../../Sources/WebApp/Resources/www/pages/speak/front-door.js").LastThing} thing */
const nameOf = (thing) => (thing.kind === "item" ? thing.item.id : thing.name);

describe("the last things", () => {
  test("are of every kind, newest first, a speech by its last change", () => {
    assert.deepEqual(lastOf(all, 4).map((thing) => `${thing.kind} ${nameOf(thing)}`), ["item c", "speech Old and changed", "document Book", "item a"]);
  });

  test("are all that there are, and none where there is nothing", () => {
    assert.equal(lastOf(all, 9).length, 5);
    assert.deepEqual(lastOf({ items: [], documents: [], speeches: [] }, 5), []);
  });

  test("are in order whatever their time zones", () => {
    const items = /** @type {any} */ ([{ id: "eight", created: "2026-11-27T10:00:00+02:00" }, { id: "six", created: "2026-11-27T08:00:00+02:00" }]);
    assert.deepEqual(lastOf({ ...all, items }, 3).map(nameOf), ["eight", "Old and changed", "six"]);
  });
});

describe("the list that is played from the last things", () => {
  const narrated = (/** @type {string} */ id, /** @type {number} */ hour) => ({ id, created: at(hour), origin: "narrated" });
  const things = lastOf(/** @type {any} */ ({ ...all, items: [narrated("new", 9), { id: "said", created: at(8), origin: "recorded" }, narrated("old", 3)] }), 9);

  test("has the narrations as they are shown, but no longer those that are gone, nor any that came since", async (context) => {
    /** @type {string[]} */
    const asked = [];
    stubServer(context, ({ address }) => {
      asked.push(address);
      return json({ items: [narrated("newer", 11), narrated("new", 9)], total: 2 });
    });
    const { items, list } = playListOfLast(things);
    assert.deepEqual(items.map(({ id }) => id), ["new", "old"]);
    const { signal } = new AbortController();
    const first = await list.load({ offset: 0, limit: 50 }, signal);
    assert.deepEqual([first.items.map(({ id }) => id), first.total], [["new"], 1]);
    assert.deepEqual((await list.load({ offset: 50, limit: 50 }, signal)).items, []);
    const sent = new URLSearchParams(asked[0].split("?")[1]);
    assert.deepEqual([sent.getAll("origin"), sent.get("createdFrom")], [["narrated"], at(3)]);
  });

  test("is in the order shown, however many came since, with what their recordings are by now", async (context) => {
    stubServer(context, ({ address }) => {
      const sent = new URLSearchParams(address.split("?")[1]);
      const since = Array.from({ length: 60 }, (_, n) => narrated(`since ${n}`, 10));
      const all = [{ ...narrated("old", 3), name: "Renamed" }, narrated("new", 9), ...since];
      return json({ items: (sent.get("ascending") === "true" ? all : all.reverse()).slice(0, 50), total: 62 });
    });
    const { items } = await playListOfLast(things).list.load({ offset: 0, limit: 50 }, new AbortController().signal);
    assert.deepEqual(items.map(({ id, name }) => [id, name]), [["new", undefined], ["old", "Renamed"]]);
  });

  test("is found again after a reload, at the same place", () => {
    assert.equal(queryStringOf(playListOfLast(things).list, 1), "origin=narrated&offset=1");
  });
});
