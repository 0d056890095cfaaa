import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { markedParts } from "../../Sources/WebApp/Resources/www/core/format.js";
import { isFit } from "../../Sources/WebApp/Resources/www/pages/recognizers/offers.js";

/** @param {string} text @param {[number, number][]} marks */
const marked = (text, ...marks) =>
  markedParts(text, marks.map(([from, to]) => ({ from, to }))).map((part) => (part.isMarked ? `[${part.text}]` : part.text)).join("");

describe("a sentence of a check", () => {
  test("has the words that differ marked, and all the others as they are", () => {
    assert.equal(marked("Waves come in.", [6, 10]), "Waves [come] in.");
    assert.equal(marked("Waves come in.", [0, 5], [11, 13]), "[Waves] come [in].");
    assert.equal(marked("Waves come in."), "Waves come in.");
    assert.equal(marked("Waves", [0, 5]), "[Waves]");
    assert.equal(marked(""), "");
  });

  test("has no mark where nothing stands, and none beyond its end", () => {
    assert.equal(marked("Waves in.", [5, 5]), "Waves in.");
    assert.equal(marked("Waves in.", [6, 99]), "Waves [in.]");
    assert.equal(marked("Waves in.", [0, 5], [3, 8]), "[Waves][ in].");
  });
});

describe("a recognizer that checks a narration", () => {
  test("is on this machine and knows the language", () => {
    const fits = (engine, languages, language) => isFit({ engine, languages }, language);
    assert.equal(fits("sherpaOnnx", ["mul"], "et"), true);
    assert.equal(fits("pocketSphinx", ["en-US"], "en-GB"), true);
    assert.equal(fits("sherpaOnnx", ["en"], "und"), true);
    assert.equal(fits("sherpaOnnx", ["en"], "et"), false);
    assert.equal(fits("remote", ["mul"], "en"), false);
  });
});
