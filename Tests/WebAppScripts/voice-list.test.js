import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { nearestRow } from "../../Sources/WebApp/Resources/www/components/rows.js";
import {
  activeNarrowings,
  arrange,
  everything,
  linesOf,
} from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import { offer, ready } from "./voice-fixtures.js";

describe("the list of voices", () => {
  const all = [
    offer("en_US-ryan-high", { expectedBytes: 115_000_000 }),
    offer("de_DE-thorsten-low", ready),
    offer("en_GB-alan-medium"),
    offer("en_US-ryan-low", { expectedBytes: 25_000_000 }),
    offer("sv_SE-nst-medium"),
  ];
  const wanted = { order: /** @type {const} */ ("name"), narrowing: everything, words: "", preferred: /** @type {string[]} */ ([]) };

  /** @param {Partial<Parameters<typeof arrange>[1]>} change */
  const shown = (change) => arrange(all, { ...wanted, ...change }).map(({ title, offers }) => `${title}: ${offers.map(({ id }) => id.slice(6)).join(" ")}`);

  test("is grouped by language and sorted by name", () => {
    const none = all.map((one) => ({ ...one, voice: { ...one.voice, installed: null } }));
    const groups = arrange(none, wanted).map(({ title, offers }) => `${title}: ${offers.length}`);
    assert.deepEqual(groups, ["English: 3", "German: 1", "Swedish: 1"]);
  });

  test("begins with what is installed, then favorites, whatever their languages are", () => {
    const liked = [...all, offer("sv_SE-alma-low", { isFavorite: true }), offer("et_EE-mari-low", { ...ready, isFavorite: true }), offer("en_US-zoe-low", ready)];
    const titles = (/** @type {"name" | "small"} */ order) => arrange(liked, { ...wanted, order }).map(({ title, offers }) => `${title}: ${offers.map((one) => one.title).join(" ")}`);
    assert.deepEqual(titles("name"), ["Installed: Mari Thorsten Zoe", "Favourites: Alma", "English: Alan Ryan Ryan", "Swedish: Nst"]);
    assert.deepEqual(titles("small"), ["Installed: Mari Thorsten Zoe", "Favourites: Alma", "English: Ryan Alan Ryan", "Swedish: Nst"]);
  });

  test("names what stands under no language as other pages do", () => {
    const { title, fullTitle } = offer("en_US-joe-medium", ready);
    assert.deepEqual([title, fullTitle], ["Joe", "Joe, English (US)"]);
  });

  test("has the languages of installed voices before those of none", () => {
    const english = "English: en_GB-alan-medium en_US-ryan-high en_US-ryan-low";
    assert.deepEqual(shown({}), ["Installed: de_DE-thorsten-low", english, "Swedish: sv_SE-nst-medium"]);
    const groups = arrange([...all, offer("de_DE-eva-low")], wanted);
    assert.deepEqual(groups.map(({ title }) => title), ["Installed", "German", "English", "Swedish"]);
  });

  test("begins with the person's languages", () => {
    const order = arrange([...all, offer("de_DE-eva-low")], { ...wanted, preferred: ["sv-FI", "de"] }).map(({ stem }) => stem);
    assert.deepEqual(order, ["", "sv", "de", "en"]);
  });

  test("is sorted by size or quality within each language", () => {
    assert.equal(shown({ order: "small" })[1], "English: en_US-ryan-low en_GB-alan-medium en_US-ryan-high");
    assert.equal(shown({ order: "large" })[1], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
    assert.equal(shown({ order: "quality" })[1], "English: en_US-ryan-high en_GB-alan-medium en_US-ryan-low");
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
    assert.deepEqual(shown({ words: "deutsch" }), ["Installed: de_DE-thorsten-low"]);
    assert.deepEqual(shown({ words: "Thorsten, German (Germany)" }), ["Installed: de_DE-thorsten-low"], "as its row names it");
    assert.deepEqual(shown({ words: "nobody" }), []);
  });

  test("is narrowed to what is here, is liked, is of a quality or speaks a language", () => {
    assert.deepEqual(shown({ narrowing: { ...everything, installed: true } }), ["Installed: de_DE-thorsten-low"]);
    const liked = [...all, offer("sv_SE-alma-low", { isFavorite: true })];
    const favorites = arrange(liked, { ...wanted, narrowing: { ...everything, favorite: true } });
    assert.deepEqual(favorites.map(({ title, offers }) => [title, offers.length]), [["Favourites", 1]]);
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
    assert.deepEqual([0, 2, 6].map(isHeading), [true, true, true]);
    const land = (/** @type {number} */ index, /** @type {1 | -1} */ step) => nearestRow(index, step, lines.length, isHeading);
    assert.deepEqual([land(0, 1), land(-5, -1), land(2, 1), land(2, -1), land(99, 1)], [1, 1, 3, 1, 7]);
    assert.equal(nearestRow(0, 1, 1, () => true), 0);
  });
});
