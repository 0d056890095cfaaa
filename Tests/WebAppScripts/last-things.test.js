import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { lastOf } from "../../Sources/WebApp/Resources/www/pages/speak/front-door.js";

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
