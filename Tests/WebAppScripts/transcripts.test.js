import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  Draft,
  Drafts,
  findPlaces,
  linesOf,
  paragraphTexts,
  partsOf,
  placeAfter,
  placesIn,
  renamed,
  accept,
  replaceEverywhere,
  secondsIn,
  speakersIn,
  timeOfWord,
  uncertainIn,
  uncertainPlaces,
  wordAt,
  WritingSign,
} from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/text.js";
import { editTranscript } from "../../Sources/WebApp/Resources/www/server/transcriptions.js";
import { markNear, silencesOf } from "../../Sources/WebApp/Resources/www/player/track.js";
import { json, stubServer } from "./stub-server.js";

/** A segment whose words last a second each. */
function segment(start, text, more = {}) {
  let from = 0;
  const words = text === "" ? [] : text.split(" ").map((word, index) => {
    const to = from + word.length;
    const one = { start: start + index, end: start + index + 0.8, from, to, precision: "exact", confidence: 0.9 };
    from = to + 1;
    return one;
  });
  const kind = text === "" ? "silence" : "speech";
  const said = { kind, text, words, timing: "words", speaker: null, remark: null, beginsParagraph: false };
  return { start, end: start + Math.max(1, words.length), ...said, ...more };
}

const talk = [segment(0, "one two three", { offset: 0 }), segment(3, "", { offset: 14 }), segment(4, "four five", { offset: 14 })];

describe("a transcript as a text", () => {
  test("has a line for each segment in which something is said", () => {
    const text = "one two three\nfour five";
    const lines = linesOf(talk);
    assert.deepEqual(lines.map(({ from, to }) => text.slice(from, to)), ["one two three", "four five"]);
    assert.deepEqual(lines[1].words.map(({ from, to }) => text.slice(from, to)), ["four", "five"]);
  });

  test("has places of the words that are uncertain", () => {
    const doubtful = segment(4, "four five", { offset: 14 });
    doubtful.words[1].confidence = 0.2;
    delete doubtful.words[0].confidence;
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

describe("the paragraphs of a transcript", () => {
  const paragraphs = (segments, marks) => partsOf(segments, marks).map(({ paragraph, gap, mark }) => paragraph ?? gap?.kind ?? mark.label);

  test("begin where the server says so, and end at a mark, which stands before what it is in", () => {
    const begin = { beginsParagraph: true };
    const said = [segment(0, "a", begin), segment(1, "b"), segment(2, "c", begin), segment(5, "d", begin)];
    assert.deepEqual(paragraphs(said), [{ first: 0, last: 1 }, { first: 2, last: 2 }, { first: 3, last: 3 }]);
    const marks = [{ seconds: 1.2, label: "One" }, { seconds: 90, label: "Two" }];
    assert.deepEqual(paragraphs(said.slice(0, 2), marks), [{ first: 0, last: 0 }, "One", { first: 1, last: 1 }, "Two"]);
    assert.deepEqual(paragraphTexts(said), ["a b", "c", "d"]);
  });

  test("continue over a short silence, and end at a long one and at what was not understood", () => {
    const short = segment(1, "", { end: 1.5 });
    assert.deepEqual(paragraphs([segment(0, "a"), short, segment(1.5, "b")]), [{ first: 0, last: 2 }]);
    const long = segment(1, "", { end: 4 });
    assert.deepEqual(paragraphs([segment(0, "a"), long, segment(4, "b")]), [{ first: 0, last: 0 }, "silence", { first: 2, last: 2 }]);
    const unclear = segment(1, "", { end: 1.5, kind: "notUnderstood" });
    assert.deepEqual(paragraphs([segment(0, "a"), unclear, segment(1.5, "b")]), [{ first: 0, last: 0 }, "notUnderstood", { first: 2, last: 2 }]);
  });
});

describe("the silence of a recording", () => {
  test("is where nothing is said for two seconds or more, also at its ends", () => {
    const said = [{ start: 3, end: 5 }, { start: 6, end: 7 }, { start: 10, end: 12 }];
    assert.deepEqual(silencesOf(said, 20), [{ start: 0, end: 3 }, { start: 7, end: 10 }, { start: 12, end: 20 }]);
    assert.deepEqual(silencesOf([{ start: 0, end: 9.5 }], 10), []);
    assert.deepEqual(silencesOf([], 10), []);
  });
});

describe("the marks of a recording", () => {
  const marks = [10, 20, 30].map((seconds) => ({ seconds, label: null }));

  test("are stepped through, and soon after one the step back leads to the one before", () => {
    assert.equal(markNear(marks, 0, 1), 10);
    assert.equal(markNear(marks, 10, 1), 20);
    assert.equal(markNear(marks, 31, 1), null);
    assert.equal(markNear(marks, 25, -1), 20);
    assert.equal(markNear(marks, 21, -1), 10);
    assert.equal(markNear(marks, 5, -1), null);
  });
});

describe("corrections of a draft", () => {
  const said = (...texts) => new Draft(texts.map((text, index) => segment(10 * index, text))).segments;

  test("replace whole words wherever they are, in any case, and can be taken back", () => {
    const segments = said("The art of Art.", "A party for art", "none");
    assert.equal(placesIn(segments, "art").length, 3);
    const { count, undo } = replaceEverywhere(segments, "art", "craft");
    assert.equal(count, 3);
    assert.deepEqual(segments.map(({ text }) => text), ["The craft of craft.", "A party for craft", "none"]);
    undo();
    assert.deepEqual(segments.map(({ text }) => text), ["The art of Art.", "A party for art", "none"]);
  });

  test("are taken back without what was written since", () => {
    const segments = said("The art of Art.", "A party for art", "none");
    const { undo } = replaceEverywhere(segments, "art", "craft");
    segments[1].text += ", and for me";
    segments[2].text = "written since";
    undo();
    assert.deepEqual(segments.map(({ text }) => text), ["The art of Art.", "A party for craft, and for me", "written since"]);
  });

  test("are not taken back from a segment that was divided since", () => {
    const draft = new Draft([segment(0, "my art and your art")]);
    const { undo } = replaceEverywhere(draft.segments, "art", "craft");
    draft.split(draft.segments[0], "my craft ".length);
    undo();
    assert.deepEqual(draft.segments.map(({ text }) => text), ["my craft", "and your craft"]);
  });

  test("take words away without leaving two spaces", () => {
    const segments = said("well you know it");
    replaceEverywhere(segments, "you know", "");
    assert.equal(segments[0].text, "well it");
  });

  test("go from the cursor to the next place, and from the last to the first", () => {
    const segments = said("art and art", "art");
    const places = placesIn(segments, "art");
    assert.equal(placeAfter(places, segments, null), places[0]);
    assert.equal(placeAfter(places, segments, { segment: segments[0], place: 3 }), places[1]);
    assert.equal(placeAfter(places, segments, { segment: segments[0], place: 11 }), places[2]);
    assert.equal(placeAfter(places, segments, { segment: segments[1], place: 3 }), places[0]);
    assert.equal(placeAfter([], segments, null), null);
  });

  test("know the uncertain words that nobody has changed, also after a division", () => {
    const heard = [segment(0, "good warning everybody"), segment(10, "good night")];
    heard[0].words[1].confidence = 0.2;
    heard[1].words[0].confidence = 0.3;
    const draft = new Draft(heard);
    const words = () => uncertainIn(heard, draft.segments, 0.5).map(({ segment: { text }, from, to }) => text.slice(from, to));
    assert.deepEqual(words(), ["warning", "good"]);
    draft.split(draft.segments[0], 5);
    assert.deepEqual(words(), ["warning", "good"]);
    draft.segments[1].text = "morning everybody";
    assert.deepEqual(words(), ["good"]);
  });
});

describe("an uncertain word", () => {
  test("that is accepted is so until that is undone, also when its segment is divided and joined again", () => {
    const heard = [segment(0, "good warning little bird")];
    heard[0].words[1].confidence = 0.2;
    heard[0].words[3].confidence = 0.3;
    const draft = new Draft(heard);
    const words = () => uncertainIn(heard, draft.segments, 0.5).map(({ segment: { text }, from, to }) => text.slice(from, to));
    const undo = accept(uncertainIn(heard, draft.segments, 0.5)[0]);
    assert.deepEqual(words(), ["bird"]);
    assert.equal(draft.isChanged, true);
    assert.deepEqual(draft.segments[0].accepted, [1]);
    const second = draft.split(draft.segments[0], 13);
    assert.ok(second !== null);
    accept(uncertainIn(heard, draft.segments, 0.5)[0]);
    draft.join(second);
    assert.deepEqual(words(), []);
    undo();
    assert.deepEqual(words(), ["warning"]);
  });

  test("is uncertain again wherever dividing and joining have brought it", () => {
    const heard = [segment(0, "good warning"), segment(2, "little bird")];
    heard[0].words[1].confidence = 0.2;
    heard[1].words[1].confidence = 0.3;
    const draft = new Draft(heard);
    const words = () => uncertainIn(heard, draft.segments, 0.5).map(({ segment: { text }, from, to }) => text.slice(from, to));
    const [first, last] = uncertainIn(heard, draft.segments, 0.5).map((place) => accept(place, draft.segments));
    draft.split(draft.segments[0], 5);
    draft.join(draft.segments[2]);
    assert.deepEqual(words(), []);
    first();
    assert.deepEqual(words(), ["warning"]);
    last();
    assert.deepEqual(words(), ["warning", "bird"]);
  });

  test("that is uncertain again leaves nothing to save", () => {
    const heard = [segment(0, "good warning")];
    heard[0].words[1].confidence = 0.2;
    const draft = new Draft(heard);
    accept(uncertainIn(heard, draft.segments, 0.5)[0])();
    assert.equal(draft.isChanged, false);
  });
});

describe("the time of a word in a draft", () => {
  const heard = [segment(0, "good warning little bird"), segment(6, "good morning")];
  const at = (/** @type {string} */ text, /** @type {number} */ place) => {
    const draft = new Draft(heard);
    draft.segments[0].text = text;
    return timeOfWord(heard, draft.segments[0], place);
  };

  test("is when it was heard, at its beginning, inside and behind it", () => {
    for (const place of [5, 8, 12]) assert.deepEqual(at("good warning little bird", place), { start: 1, end: 1.8 });
    assert.deepEqual(at("good warning little bird", 24), { start: 3, end: 3.8 });
  });

  test("is found where words before it were changed", () => {
    assert.deepEqual(at("a very good morning bird", 22), { start: 3, end: 3.8 });
  });

  test("is between those beside it where it was changed itself", () => {
    assert.deepEqual(at("good morning little bird", 6), { start: 0.8, end: 2 });
    assert.deepEqual(at("bad", 0), { start: 0, end: 4 });
  });

  test("is not known where there is none", () => {
    assert.equal(at("", 0), null);
  });
});

describe("the word of a draft at a time", () => {
  const heard = [segment(0, "good warning little bird"), segment(6, "it rains")];

  /**
   * @param {string[]} texts Of the segments, as they are written by now.
   * @param {number} seconds
   */
  const at = (texts, seconds) => {
    const draft = new Draft(heard);
    texts.forEach((text, index) => (draft.segments[index].text = text));
    const place = wordAt(heard, draft.segments, seconds);
    return place === null ? null : [draft.segments.indexOf(place.segment), place.segment.text.slice(place.from, place.to)];
  };

  test("is the last that has begun, and in a pause the one before it", () => {
    assert.deepEqual(at([], 1.5), [0, "warning"]);
    assert.deepEqual(at([], 5), [0, "bird"]);
    assert.deepEqual(at([], 7), [1, "rains"]);
  });

  test("is found beside words that were changed, of which the first stands for all", () => {
    assert.deepEqual(at(["a very good morning bird"], 3.2), [0, "bird"]);
    assert.deepEqual(at(["good great morning bird"], 2.5), [0, "great"]);
    assert.deepEqual(at(["entirely other"], 2.5), [0, "entirely"]);
  });

  test("is the first one before anything is heard, and none where there is no segment", () => {
    const late = [segment(2, "it rains")];
    const draft = new Draft(late);
    assert.deepEqual(wordAt(late, draft.segments, 0), { segment: draft.segments[0], from: 0, to: 2 });
    assert.equal(wordAt([], [], 3), null);
    assert.deepEqual(at(["", "it rains"], 1), [0, ""]);
  });

  test("is found by one comparison with what was heard, however many words the segment has", () => {
    const [long] = [segment(0, "good warning little bird")];
    const { words } = long;
    const draft = new Draft([long]);
    let looks = 0;
    Object.defineProperty(long, "words", { get: () => ((looks += 1), words) });
    const place = wordAt([long], draft.segments, 3.2);
    assert.deepEqual([place?.from, place?.to], [20, 24]);
    assert.equal(looks, 1);
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
    assert.deepEqual(renamed(spoken, { first: 0, last: 0 }, "Anna", true).map(({ speaker }) => speaker), ["Anna", "B", "Anna"]);
    assert.deepEqual(renamed(spoken, { first: 0, last: 0 }, "", false).map(({ speaker }) => speaker), [null, "B", "A"]);
    assert.deepEqual(renamed(spoken, { first: 0, last: 1 }, "C", false).map(({ speaker }) => speaker), ["C", "C", "A"]);
    assert.deepEqual(speakersIn(spoken), ["A", "B"]);
  });
});

describe("a time as a person writes it", () => {
  for (const [text, seconds] of [["90", 90], ["1:30", 90], ["1:02:10.5", 3730.5], ["0,5", 0.5], ["", null], ["a", null], ["1:2:3:4", null]]) {
    test(`“${text}”`, () => assert.equal(secondsIn(text), seconds));
  }
});

describe("words that are found in a text", () => {
  const styles = new URL("../../Sources/WebApp/Resources/www/styles/", import.meta.url);
  /** @type {(file: string, name: string) => string[]} The declarations of a highlight, outside of queries. */
  const declared = (file, name) => {
    const rule = new RegExp(`^::highlight\\(${name}\\) \\{([^}]*)\\}`, "m").exec(readFileSync(new URL(file, styles), "utf8"));
    return (rule?.[1] ?? "").split(";").map((one) => one.trim()).filter((one) => one !== "");
  };

  test("look unlike those that are spoken, since both may be in the same place", () => {
    const spoken = ["spoken-sentence", "spoken-word"].flatMap((name) => declared("reading-text.css", name));
    assert.equal(spoken.length, 2);
    for (const file of ["transcript.css", "documents.css"]) {
      const found = ["found", "found-now"].map((name) => declared(file, name));
      assert.ok(found.every((one) => one.length > 0), file);
      assert.deepEqual(found.flat().filter((one) => spoken.includes(one)), [], file);
      assert.notDeepEqual(found[0], found[1], file);
    }
  });
});

describe("unsaved edits", () => {
  test("are known until they are saved, discarded or dropped", () => {
    const drafts = new Drafts();
    const draft = drafts.of({ id: "v1", segments: talk });
    assert.equal(drafts.wouldLose, false);
    draft.segments[0].text = "one two four";
    assert.deepEqual([drafts.wouldLose, drafts.isChanged("v1"), drafts.isChanged("v2")], [true, true, false]);
    assert.equal(drafts.of({ id: "v1", segments: talk }), draft);
    drafts.end("v1");
    assert.equal(drafts.wouldLose, false);
    drafts.putBack("v1", draft);
    assert.equal(drafts.wouldLose, true);
  });

  test("are found by the recording where their version is none of its versions any more, until the library closes", () => {
    const drafts = new Drafts();
    const version = { id: "v1", item: "i1", segments: talk };
    const draft = drafts.of(version);
    assert.equal(drafts.besides("i1", []), null);
    draft.segments[0].text = "one two four";
    assert.deepEqual([drafts.besides("i1", [{ id: "v2" }]), drafts.besides("i2", []), drafts.besides("i1", [version])], [version, null, null]);
    drafts.end("v1");
    assert.equal(drafts.besides("i1", []), null);
    drafts.putBack("v1", draft);
    assert.equal(drafts.besides("i1", []), version);
    drafts.drop();
    assert.equal(drafts.besides("i1", []), null);
  });

  test("that locking has dropped are reported once, untouched texts never", () => {
    const drafts = new Drafts();
    drafts.of({ id: "v1", segments: talk }).segments[0].text = "";
    drafts.of({ id: "v2", segments: talk });
    drafts.drop();
    drafts.drop();
    assert.equal(drafts.wouldLose, false);
    assert.deepEqual([drafts.takeDropped(), drafts.takeDropped()], [1, 0]);
  });

  test("keep the library in use while they are written, and after a failure at once again", async () => {
    let [now, given] = [0, 0];
    let answer = () => Promise.resolve();
    const sign = new WritingSign(() => ((given += 1), answer()), () => now);
    const write = (/** @type {number} */ at) => {
      now = at;
      sign.give();
    };
    write(0);
    write(19_000);
    assert.equal(given, 1);
    answer = () => Promise.reject(new Error("silent"));
    write(21_000);
    await new Promise((resolve) => setImmediate(resolve));
    write(22_000);
    assert.equal(given, 3);
  });

  test("of a version that another page has replaced are saved as a text by itself", async (context) => {
    const gone = () => json({ code: "transcript.not-found", message: "There is none." }, 404);
    const asked = stubServer(context, ({ body }) => (body.base === null ? json({ id: "new" }, 201) : gone()));
    const segments = [{ kind: "speech", start: 0, end: 1, text: "one", speaker: null }];
    assert.equal((await editTranscript("talk", "v1", segments)).id, "new");
    assert.deepEqual(asked.map(({ body }) => [body.base, body.segments]), [["v1", segments], [null, segments]]);
  });
});
