import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Draft, renamed, speakersIn } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/draft.js";
import { findPlaces, lined, uncertainPlaces } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/text.js";
import { secondsIn } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/times.js";

/** A segment whose words last a second each. */
function segment(start, text, more = {}) {
  let from = 0;
  const words = text === "" ? [] : text.split(" ").map((word, index) => {
    const to = from + word.length;
    const one = { start: start + index, end: start + index + 0.8, from, to, estimated: false, confidence: 0.9 };
    from = to + 1;
    return one;
  });
  const kind = text === "" ? "silence" : "speech";
  return { kind, start, end: start + Math.max(1, words.length), text, words, timing: "words", speaker: null, remark: null, ...more };
}

const talk = [segment(0, "one two three"), segment(3, ""), segment(4, "four five")];

describe("a transcript as a text", () => {
  test("has a line for each segment in which something is said", () => {
    const { text, sentences } = lined(talk);
    assert.equal(text, "one two three\nfour five");
    assert.deepEqual(sentences.map(({ from, to }) => text.slice(from, to)), ["one two three", "four five"]);
    assert.deepEqual(sentences[1].words.map(({ from, to }) => text.slice(from, to)), ["four", "five"]);
  });

  test("has places of the words that are uncertain", () => {
    const doubtful = segment(4, "four five");
    doubtful.words[1].confidence = 0.2;
    doubtful.words[0].confidence = null;
    const places = uncertainPlaces([talk[0], doubtful], 0.5);
    assert.deepEqual(places.map(({ from, to }) => "one two three\nfour five".slice(from, to)), ["five"]);
  });

  test("is searched without capitals and accents, and says where the found words really are", () => {
    const text = "Õhtul käis Anna’l külas. İstanbul 😀 ohtul";
    const found = (words) => findPlaces(text, words).map(({ from, to }) => text.slice(from, to));
    assert.deepEqual(found("ohtul"), ["Õhtul", "ohtul"]);
    assert.deepEqual(found("anna'l"), ["Anna’l"]);
    assert.deepEqual(found("istanbul 😀"), ["İstanbul 😀"]);
    assert.deepEqual(found(" "), []);
    assert.deepEqual(found("nobody"), []);
  });
});

describe("a draft", () => {
  test("divides a segment where its words do", () => {
    const draft = new Draft(talk);
    assert.equal(draft.isChanged, false);
    const second = draft.split(draft.segments[0], 4);
    assert.deepEqual(draft.segments.map(({ start, end, text }) => [start, end, text]).slice(0, 2), [[0, 1, "one"], [1, 3, "two three"]]);
    assert.equal(second, draft.segments[1]);
    assert.equal(draft.isChanged, true);
    assert.equal(draft.split(draft.segments[0], 0), null);
  });

  test("divides a rewritten segment in proportion", () => {
    const draft = new Draft(talk);
    draft.segments[0].text = "aaaa bbbbb";
    draft.split(draft.segments[0], 5);
    assert.deepEqual(draft.segments.slice(0, 2).map(({ start, end }) => [start, end]), [[0, 1.5], [1.5, 3]]);
  });

  test("joins a segment to the one before, also over silence", () => {
    const draft = new Draft(talk);
    const made = draft.join(draft.segments[2]);
    assert.deepEqual(draft.segments.map(({ start, end, text }) => [start, end, text]), [[0, 6, "one two three four five"]]);
    assert.equal(made.place, 14);
    assert.equal(draft.join(draft.segments[0]), null);
  });

  test("puts back what was deleted", () => {
    const draft = new Draft(talk);
    const putBack = draft.remove(draft.segments[0]);
    assert.equal(draft.segments.length, 2);
    putBack();
    assert.deepEqual(draft.segments.map(({ start }) => start), [0, 3, 4]);
    assert.equal(draft.isChanged, false);
  });

  test("gives a speaker another name here or everywhere", () => {
    const spoken = [segment(0, "a", { speaker: "A" }), segment(1, "b", { speaker: "B" }), segment(2, "c", { speaker: "A" })];
    assert.deepEqual(renamed(spoken, 0, "Anna", true).map(({ speaker }) => speaker), ["Anna", "B", "Anna"]);
    assert.deepEqual(renamed(spoken, 0, "", false).map(({ speaker }) => speaker), [null, "B", "A"]);
    assert.deepEqual(speakersIn(spoken), ["A", "B"]);
  });
});

describe("a time as a person writes it", () => {
  for (const [text, seconds] of [["90", 90], ["1:30", 90], ["1:02:10.5", 3730.5], ["0,5", 0.5], ["", null], ["a", null], ["1:2:3:4", null]]) {
    test(`“${text}”`, () => assert.equal(secondsIn(text), seconds));
  }
});
