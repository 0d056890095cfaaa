import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  activeFilters,
  dayBefore,
  noFilters,
  queryOf,
  rangeProblem,
} from "../../Sources/WebApp/Resources/www/pages/list/filters.js";

/** @type {import("../../Sources/WebApp/Resources/www/pages/list/filters.js").LibraryFilters} */
const many = {
  favorite: true,
  document: false,
  voices: [
    { id: "espeak/et", name: "Estonian" },
    { id: "x/y", name: "LibriTTS" },
  ],
  speed: [1.1, null],
  pitch: [null, null],
  length: [1, 5],
  created: ["2026-11-01", "2026-11-21"],
};

describe("filters", () => {
  it("ask for nothing when none is set", () => {
    assert.deepEqual(Object.values(queryOf(noFilters)).filter((value) => value !== undefined), []);
    assert.deepEqual(activeFilters(noFilters), []);
  });

  it("take whole days in the person's own time, and speeds in spite of binary fractions", () => {
    const query = queryOf(many);
    assert.equal(query.createdFrom, new Date(2026, 10, 1).toISOString());
    assert.equal(query.createdTo, new Date(2026, 10, 21, 23, 59, 59, 999).toISOString());
    assert.equal(query.speedFrom, 1.095);
    assert.equal(query.speedTo, undefined);
    assert.deepEqual([query.lengthFrom, query.lengthTo], [60, 300]);
    assert.deepEqual(query.voice, ["espeak/et", "x/y"]);
    assert.equal(query.hasDocument, undefined);
  });

  it("are taken away one by one", () => {
    const active = activeFilters(many);
    assert.deepEqual(active.map(({ kind }) => kind), [
      "favorite",
      "voice",
      "voice",
      "length",
      "speed",
      "created",
    ]);
    assert.deepEqual(active[1]?.without.voices, [{ id: "x/y", name: "LibriTTS" }]);
    let filters = many;
    while (activeFilters(filters).length > 0) filters = activeFilters(filters)[0]?.without ?? noFilters;
    assert.deepEqual(filters, noFilters);
  });

  it("count days back over months and years", () => {
    assert.equal(dayBefore(new Date(2027, 0, 3, 23, 59), 6), "2026-12-28");
    assert.equal(dayBefore(new Date(2026, 2, 1), 0), "2026-03-01");
  });

  it("refuse an end that is none, and a range that ends before it begins", () => {
    const isSpeed = (/** @type {number} */ end) => end >= 0.5 && end <= 1.5;
    assert.equal(rangeProblem([null, null], isSpeed), null);
    assert.equal(rangeProblem([1, 1], isSpeed), null);
    assert.equal(rangeProblem([0.5, null], isSpeed), null);
    assert.deepEqual(rangeProblem([9, null], isSpeed), { end: 0, kind: "value" });
    assert.deepEqual(rangeProblem([null, NaN], isSpeed), { end: 1, kind: "value" });
    assert.deepEqual(rangeProblem([1.4, 1.2], isSpeed), { end: 1, kind: "order" });
  });
});
