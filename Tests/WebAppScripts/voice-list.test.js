import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nearestRow } from "../../Sources/WebApp/Resources/www/components/rows/row-window.js";
import {
  activeNarrowings,
  arrange,
  everything,
  linesOf,
} from "../../Sources/WebApp/Resources/www/pages/voices/arrangement.js";
import { offer, ready } from "./voice-fixtures.js";

describe("the list of voices", () => {
  const all = [
    offer("en_US-ryan-high", { expectedBytes: 115_000_000 }),
    offer("de_DE-thorsten-low", ready),
    offer("en_GB-alan-medium", { isFavorite: true }),
    offer("en_US-ryan-low", { expectedBytes: 25_000_000 }),
    offer("sv_SE-nst-medium"),
  ];
  const wanted = { order: /** @type {const} */ ("name"), narrowing: everything, words: "", preferred: /** @type {string[]} */ ([]) };

  /** @param {Partial<Parameters<typeof arrange>[1]>} change */
  const shown = (change) => arrange(all, { ...wanted, ...change }).map(({ title, offers }) => `${title}: ${offers.map(({ id }) => id.slice(6)).join(" ")}`);

  test("is grouped by language and sorted by name", () => {
    assert.deepEqual(shown({}), ["English: en_GB-alan-medium en_US-ryan-high en_US-ryan-low", "German: de_DE-thorsten-low", "Swedish: sv_SE-nst-medium"]);
  });

  test("begins with the person's languages", () => {
    const order = arrange(all, { ...wanted, preferred: ["sv-FI", "de"] }).map(({ stem }) => stem);
    assert.deepEqual(order, ["sv", "de", "en"]);
  });

  test("is sorted by size or quality within each language", () => {
    assert.equal(shown({ order: "small" })[0], "English: en_US-ryan-low en_GB-alan-medium en_US-ryan-high");
    assert.equal(shown({ order: "large" })[0], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
    assert.equal(shown({ order: "quality" })[0], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
  });

  test("puts a voice of unknown size last, either way", () => {
    const unknown = [offer("en_US-a-low", { expectedBytes: null }), offer("en_US-b-low")];
    for (const order of /** @type {const} */ (["small", "large"])) {
      assert.deepEqual(arrange(unknown, { ...wanted, order })[0]?.offers.map(({ title }) => title), ["B", "A"]);
    }
  });

  test("is narrowed by words for names, languages and places", () => {
    assert.deepEqual(shown({ words: "RYAN high" }), ["English: en_US-ryan-high"]);
    assert.deepEqual(shown({ words: "kingdom" }), ["English: en_GB-alan-medium"]);
    assert.deepEqual(shown({ words: "deutsch" }), ["German: de_DE-thorsten-low"]);
    assert.deepEqual(shown({ words: "nobody" }), []);
  });

  test("is narrowed to what is here, is liked, is of a quality or speaks a language", () => {
    assert.deepEqual(shown({ narrowing: { ...everything, installed: true } }), ["German: de_DE-thorsten-low"]);
    assert.deepEqual(shown({ narrowing: { ...everything, favorite: true } }), ["English: en_GB-alan-medium"]);
    assert.deepEqual(shown({ narrowing: { ...everything, qualities: ["high", "low"], language: "en" } }), ["English: en_US-ryan-high en_US-ryan-low"]);
  });

  test("names what narrows it, each with the rest", () => {
    const active = activeNarrowings({ installed: true, favorite: false, qualities: ["low", "high"], language: "et" });
    assert.deepEqual(active.map(({ kind, value }) => `${kind} ${value}`), ["installed ", "quality low", "quality high", "language et"]);
    assert.deepEqual(active[1]?.without.qualities, ["high"]);
    assert.equal(active[3]?.without.language, null);
    assert.deepEqual(activeNarrowings(everything), []);
  });

  test("has a line for each language above its voices, where the focus does not rest", () => {
    const lines = linesOf(arrange(all, wanted));
    const isHeading = (/** @type {number} */ index) => "offers" in /** @type {object} */ (lines[index]);
    assert.equal(lines.length, 8);
    assert.deepEqual([0, 4, 6].map(isHeading), [true, true, true]);
    const land = (/** @type {number} */ index, /** @type {1 | -1} */ step) => nearestRow(index, step, lines.length, isHeading);
    assert.deepEqual([land(0, 1), land(-5, -1), land(4, 1), land(4, -1), land(99, 1)], [1, 1, 5, 3, 7]);
    assert.equal(nearestRow(0, 1, 1, () => true), 0);
  });
});
