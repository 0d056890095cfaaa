import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { say } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import {
  chapterAt,
  pageAt,
  placesOf,
  spokenUnit,
  withInner,
} from "../../Sources/WebApp/Resources/www/server/documents.js";
import {
  choiceOf,
  chosenPages,
  cutsIn,
  omissionWords,
  printRanges,
  readRanges,
  selectionOf,
  turned,
  withoutSpan,
  writeRanges,
} from "../../Sources/WebApp/Resources/www/pages/documents/choice/choice.js";
import { partsInOrder, placeToGoOn, selectionToRead, shareOf } from "../../Sources/WebApp/Resources/www/pages/documents/listening.js";
import { noticeWords } from "../../Sources/WebApp/Resources/www/core/format.js";
import {
  chunkAt,
  chunkSize,
  chunksOf,
  headingDepths,
  Heights,
  linesOf,
  realEnds,
  wantedFor,
} from "../../Sources/WebApp/Resources/www/pages/documents/text/text-parts.js";
import { partAt } from "../../Sources/WebApp/Resources/www/pages/list/list-page.js";

/** Ten pages of 100 units; a part with two chapters, and one more part. */
const structure = {
  kind: /** @type {const} */ ("pdf"),
  title: null,
  author: null,
  language: null,
  length: 1_000,
  pages: Array.from({ length: 10 }, (_, index) => ({ number: index + 1, label: null, from: index * 100, to: index * 100 + 100 })),
  chapters: [
    { number: 1, title: "Part one", level: 1, from: 50, to: 600 },
    { number: 2, title: "Morning", level: 2, from: 60, to: 300 },
    { number: 3, title: "Evening", level: 2, from: 300, to: 600 },
    { number: 4, title: "Part two", level: 1, from: 600, to: 1_000 },
  ],
  marks: {},
  notices: [],
};

describe("the address of a document", () => {
  for (const [path, id] of [["/documents", null], ["/documents/", null], ["/documents/42/", "42"], ["/documents/a%2Fb", "a/b"]]) {
    test(`${path} leads to ${id ?? "the list"}`, () => assert.equal(partAt(/** @type {string} */ (path), "/documents"), id));
  }

  test("that is badly escaped is taken as it stands", () => assert.equal(partAt("/documents/%E0%A4%A", "/documents"), "%E0%A4%A"));
});

describe("numbers of pages", () => {
  test("are written as few ranges as there can be", () => {
    assert.equal(writeRanges([9, 3, 4, 5, 6, 7, 3]), "3-7,9");
    assert.equal(printRanges([9, 3, 4]), "3–4, 9");
  });

  test("are read as people write them", () => {
    assert.deepEqual(readRanges(" 3 – 5 , 9,4", 10), [3, 4, 5, 9]);
  });

  for (const text of ["", "0", "3-", "5-3", "2,11", "two", "1.5"]) {
    test(`“${text}” names none of ten pages`, () => assert.equal(readRanges(text, 10), null));
  }
});

describe("the outline", () => {
  test("finds the page of a place, also beyond the ends", () => {
    assert.deepEqual([0, 99, 100, 999, 5_000].map((unit) => pageAt(structure.pages, unit)), [1, 1, 2, 10, 10]);
  });

  test("finds the deepest chapter of a place, and none before the first", () => {
    assert.equal(chapterAt(structure.chapters, 10), null);
    assert.equal(chapterAt(structure.chapters, 55)?.title, "Part one");
    assert.equal(chapterAt(structure.chapters, 299)?.title, "Morning");
    assert.equal(chapterAt(structure.chapters, 700)?.title, "Part two");
  });

  test("takes the chapters within a chosen one with it", () => {
    assert.deepEqual([...withInner(structure.chapters, new Set([1]))], [1, 2, 3]);
    assert.deepEqual([...withInner(structure.chapters, new Set([3, 4]))], [3, 4]);
  });
});

describe("a choice", () => {
  test("comes back as it was remembered", () => {
    const remembered = [{}, { pages: "3-7" }, { pages: "3-7,9", putBack: [4] }, { chapters: "2,4", spokenRoles: ["footnote"] }];
    const again = remembered.map((selection) => selectionOf(choiceOf(/** @type {any} */ (selection), structure)));
    assert.deepEqual(again, remembered);
  });

  test("shows one stretch of pages as a range and more as single pages", () => {
    assert.equal(choiceOf({ pages: "3-7" }, structure).way, "range");
    assert.equal(choiceOf({ pages: "3-7,9" }, structure).way, "pages");
  });

  test("of pages that the document has no more is all of it", () => {
    assert.equal(choiceOf({ pages: "3-70" }, structure).way, "all");
  });

  test("of nothing is no selection", () => {
    assert.equal(selectionOf({ ...choiceOf({}, structure), way: "pages" }), null);
    assert.equal(selectionOf({ ...choiceOf({}, structure), way: "chapters" }), null);
  });

  test("counts the pages that its chapters touch", () => {
    const choice = { ...choiceOf({}, structure), way: /** @type {const} */ ("chapters"), chapters: new Set([3]) };
    assert.deepEqual([...chosenPages(choice, structure)], [4, 5, 6]);
    assert.equal(chosenPages(choiceOf({}, structure), structure).size, 10);
  });
});

describe("what is spoken", () => {
  const pieces = [
    { spoken: 0, from: 100, to: 150 },
    { spoken: 50, from: 180, to: 200 },
    { spoken: 72, from: 800, to: 900 },
  ];

  test("stands in the document where its pieces do", () => {
    assert.deepEqual(placesOf(pieces, { from: 10, to: 20 }), [{ from: 110, to: 120 }]);
    assert.deepEqual(placesOf(pieces, { from: 40, to: 60 }), [{ from: 140, to: 150 }, { from: 180, to: 190 }]);
    assert.deepEqual(placesOf(pieces, { from: 70, to: 72 }), []);
    assert.deepEqual(placesOf(pieces, { from: 165, to: 999 }), [{ from: 893, to: 900 }]);
    assert.deepEqual(placesOf([], { from: 0, to: 5 }), []);
  });

  test("is found from a place of the document, or from what follows it", () => {
    assert.equal(spokenUnit(pieces, 110), 10);
    assert.equal(spokenUnit(pieces, 160), 50);
    assert.equal(spokenUnit(pieces, 0), 0);
    assert.equal(spokenUnit(pieces, 950), null);
  });
});

describe("the chunks of a text", () => {
  const paragraph = `${"word ".repeat(120)}end.\n\n`;
  const text = paragraph.repeat(100);
  const whole = { from: 0, to: text.length };

  test("meet at the ends of paragraphs and leave nothing out", () => {
    const ends = chunksOf([whole]).map((chunk) => {
      const wanted = wantedFor(chunk);
      return realEnds(chunk, { from: wanted.from, text: text.slice(wanted.from, wanted.to) });
    });
    assert.ok(ends.length >= 4);
    assert.equal(ends[0].from, 0);
    assert.equal(ends[ends.length - 1].to, text.length);
    for (const [index, { from }] of ends.entries()) {
      assert.equal(from % paragraph.length, 0);
      if (index > 0) assert.equal(from, ends[index - 1].to);
    }
  });

  test("of a text without paragraphs are cut where they must be", () => {
    const long = "x".repeat(chunkSize * 3);
    const ends = chunksOf([{ from: 0, to: long.length }]).map((chunk) => realEnds(chunk, { from: chunk.from, text: long.slice(chunk.from) }));
    assert.deepEqual(ends, [0, 1, 2].map((index) => ({ from: index * chunkSize, to: (index + 1) * chunkSize })));
  });

  test("keep to the spans that are shown", () => {
    const chunks = chunksOf([{ from: 10, to: 20 }, { from: 500, to: 700 }]);
    assert.deepEqual(chunks.map(({ from, to }) => [from, to]), [[10, 20], [500, 700]]);
    assert.deepEqual(chunks.map(wantedFor), [{ from: 10, to: 20 }, { from: 500, to: 700 }]);
    assert.deepEqual([0, 15, 100, 600, 9_999].map((unit) => chunkAt(chunks, unit)), [0, 0, 1, 1, 1]);
  });
});

describe("the lines of a text", () => {
  const text = "Page 7\n\nFirst half\n\nsecond half.\n- item\n- other\n\nNote";
  const part = { from: 1_000, text, blocks: [{ kind: /** @type {const} */ ("listItem"), level: 1, from: 1_033, to: 1_039 }] };
  const span = { from: 1_000, to: 1_000 + text.length };
  const say = (/** @type {import("../../Sources/WebApp/Resources/www/pages/documents/text/text-parts.js").Line[]} */ lines) =>
    lines.map(({ runs, isApart }) => `${isApart ? "¶" : ""}${runs.map((run) => (run.cut ? `[${run.text}]` : run.text)).join("")}`);
  const cut = (/** @type {number} */ from, /** @type {number} */ to, /** @type {any} */ look) => ({ from, to, look, key: "1", label: "" });

  test("are its paragraphs, items and rows", () => {
    const lines = linesOf(part, span, []);
    assert.deepEqual(say(lines), ["¶Page 7", "¶First half", "¶second half.", "- item", "- other", "¶Note"]);
    assert.deepEqual(lines.map(({ block }) => block?.kind ?? null), [null, null, null, "listItem", null, null]);
  });

  test("join where what stood between them is hidden", () => {
    const cuts = [cut(1_000, 1_008, "hidden"), cut(1_018, 1_020, "hidden")];
    assert.deepEqual(say(linesOf(part, span, cuts)), ["¶First halfsecond half.", "- item", "- other", "¶Note"]);
  });

  test("show what is struck in its place, also over more than one line", () => {
    const cuts = [cut(1_018, 1_027, "struck")];
    assert.deepEqual(say(linesOf(part, span, cuts)), ["¶Page 7", "¶First half", "¶[second ]half.", "- item", "- other", "¶Note"]);
  });

  test("know where each of their runs stands", () => {
    for (const { runs } of linesOf(part, span, [cut(1_010, 1_014, "struck")])) {
      for (const run of runs) assert.equal(text.slice(run.from - 1_000, run.to - 1_000), run.text);
    }
  });
});

describe("what is cut out of a text", () => {
  /** @type {any} */
  const part = {
    from: 0,
    to: 100,
    marks: [{ index: 4, role: "header", from: 0, to: 10 }, { index: 5, role: "footnote", from: 60, to: 80 }],
  };
  /** @type {any[]} */
  const omissions = [
    { from: 0, to: 10, mark: 4, role: "header" },
    { from: 20, to: 30, mark: null, role: null },
    { from: 200, to: 300, mark: 9, role: "footer" },
  ];

  test("is struck through, and what was put back is shown as such", () => {
    const cuts = cutsIn(part, omissions, { spokenRoles: ["footnote"] });
    assert.deepEqual(cuts.map(({ from, look, key }) => [from, look, key]), [[0, "struck", "mark-4"], [20, "struck", "own-20-30"], [60, "restored", "mark-5"]]);
    assert.deepEqual(cuts.map(({ label }) => label), ["role.header", "preview.own", "role.footnote"].map((key) => say(key, {}, "en")));
  });

  test("is counted and named by its kinds", () => {
    assert.equal(omissionWords(omissions), "3 parts left out: page headers, left out by you, page footers");
    assert.equal(omissionWords([{ role: "footnote" }, { role: "footnote" }]), "2 parts left out: footnotes");
    assert.equal(omissionWords([]), "0 parts left out");
  });

  test("is not struck and put back at once", () => {
    const struckAgain = [{ from: 62, to: 70, mark: null, role: null }];
    const cuts = cutsIn(part, struckAgain, { spokenRoles: ["footnote"] });
    assert.deepEqual(cuts.map(({ look }) => look), ["struck"]);
  });

  test("is turned by a press, and turned back by the next", () => {
    assert.deepEqual(turned({}, "mark-4").putBack, [4]);
    assert.deepEqual(turned({ putBack: [2, 4] }, "mark-4").putBack, [2]);
    const struck = withoutSpan({}, { from: 20, to: 30 });
    assert.deepEqual(struck.leftOut, [[20, 30]]);
    assert.deepEqual(turned(struck, "own-20-30").leftOut, []);
  });

  test("that was struck out in pieces is put back as one", () => {
    assert.deepEqual(turned({ leftOut: [[20, 25], [25, 30], [40, 50]] }, "own-20-30").leftOut, [[40, 50]]);
  });
});

describe("the heights of a long text", () => {
  test("are guessed from those that are known", () => {
    const heights = new Heights([100, 100, 200], 1);
    assert.equal(heights.total, 400);
    assert.ok(heights.measure(0, 300));
    assert.deepEqual([heights.top(1), heights.top(2), heights.total], [300, 600, 1_200]);
    assert.deepEqual([-5, 0, 299, 300, 5_000].map((pixels) => heights.at(pixels)), [0, 0, 0, 1, 2]);
    assert.equal(heights.measure(0, 300.4), false);
  });

  test("are guessed from the last ones when the width has changed", () => {
    const heights = new Heights([100, 100], 1);
    heights.measure(0, 250);
    heights.forget();
    assert.equal(heights.total, 500);
  });

  test("stay within what browsers can show", () => {
    const heights = new Heights(Array(10_000).fill(12_000), 0.5);
    assert.ok(heights.total <= 6_000_001);
    heights.measure(5_000, 6_000);
    assert.equal(heights.of(5_000), 6_000);
    assert.ok(heights.total <= 6_000_001);
  });
});

describe("what is to be known about a document", () => {
  for (const [notice, words] of [
    [{ code: "document.ends-early", pages: [3] }, "The document could be read only up to page 3."],
    [{ code: "document.unreadable-pages", pages: [3, 4, 9] }, "Pages that could not be read and are left out: 3, 4, 9."],
    [
      { code: "document.pages-without-text", pages: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 20] },
      "Pages without text, or with only page numbers, headers or footers: 2–13, 20.",
    ],
    [{ code: "document.unknown-signs", pages: [7] }, "Pages with signs that are missing or wrong, since fonts do not say which they are: 7."],
    [{ code: "document.further-books", count: 12 }, "Other books in the file, which were not read: 12."],
    [{ code: "document.comments", count: 3 }, "Comments and highlights, which are not read: 3."],
    [{ code: "document.embedded-parts", count: 2 }, "Embedded pages and objects that were not read: 2."],
    [
      { code: "document.guessed-encoding", encoding: "CP1252" },
      "The file does not say how its characters are written; it was read as CP1252.",
    ],
    [{ code: "document.unread-form" }, "The form in this document is of a kind (XFA) whose fields cannot be read."],
    [{ code: "document.new" }, "Said by the server."],
  ]) {
    test(`“${words}”`, () => assert.equal(noticeWords({ message: "Said by the server.", ...notice }), words));
  }

  test("is short where many single pages are meant", () => {
    const pages = Array.from({ length: 500 }, (_, index) => 2 * index + 1);
    const words = noticeWords({ code: "document.unreadable-pages", message: "", pages });
    assert.ok(words.startsWith("Pages that could not be read and are left out: 1, 3, 5,"));
    assert.ok(words.endsWith(", 79 … (500)."));
  });
});

describe("the levels of headings", () => {
  for (const { levels, depths } of [
    { levels: [1, 2, 3, 2, 1], depths: [1, 2, 3, 2, 1] },
    { levels: [1, 3, 3, 5, 2], depths: [1, 2, 2, 3, 2] },
    { levels: [4, 2, 6, 1], depths: [1, 1, 2, 1] },
    { levels: [], depths: [] },
  ]) {
    test(`have no gap in ${levels.join(" ") || "none"}`, () => assert.deepEqual(headingDepths(levels), depths));
  }
});

/**
 * Recordings of parts of a document, newest first.
 *
 * @param {...import("../../Sources/WebApp/Resources/www/server/documents.js").Selection} selections
 */
const recorded = (...selections) => selections.map((selection, index) => ({ id: index, link: { id: "42", selection } }));

/** @param {readonly { link: { selection: unknown } }[]} parts */
const selectionsOf = (parts) => parts.map(({ link }) => link.selection);

describe("listening to a document", () => {
  test("plays its chapters in the order of the text, each as it was read last", () => {
    const parts = partsInOrder(recorded({ chapters: "4" }, { chapters: "1" }, { chapters: "4", spokenRoles: ["footnote"] }), structure);
    assert.deepEqual(parts.map(({ id }) => id), [1, 0]);
    assert.equal(shareOf(parts, structure), 0.95);
  });

  test("leaves out what is in a larger part, and what is not in the document", () => {
    const parts = partsInOrder(recorded({ pages: "2" }, { chapters: "11" }, { chapters: "1" }, { pages: "6-7" }, { pages: "7-9" }, {}), structure);
    assert.deepEqual(selectionsOf(parts), [{ chapters: "1" }, { pages: "7-9" }]);
    assert.equal(shareOf(parts, structure), 0.85);
  });

  test("plays what is before the chapters as a part of it, and not as all of it", () => {
    /** @type {{ leftOut: [number, number][] }} */
    const selection = { leftOut: [[600, 1_000], [50, 600]] };
    const beginning = { id: 7, link: { id: "42", part: "beginning", selection } };
    const struckOut = { leftOut: /** @type {[number, number][]} */ ([[0, 9]]) };
    const parts = partsInOrder([...recorded({ chapters: "1" }, struckOut), beginning], structure);
    assert.deepEqual(parts.map(({ id }) => id), [7, 0]);
    assert.equal(shareOf(parts, structure), 0.6);
  });

  test("counts the pages of a part that has gaps", () => {
    const parts = partsInOrder(recorded({ pages: "4" }, { pages: "3,5-6" }), structure);
    assert.deepEqual(selectionsOf(parts), [{ pages: "3,5-6" }, { pages: "4" }]);
    assert.equal(shareOf(parts, structure), 0.4);
  });

  test("reads what was chosen last, or everything when that is recorded", () => {
    const tried = recorded({ pages: "4" });
    const last = { pages: "4", leftOut: /** @type {[number, number][]} */ ([[0, 9]]) };
    assert.deepEqual(JSON.parse(JSON.stringify(selectionToRead(last, tried))), { leftOut: [[0, 9]] });
    assert.deepEqual(selectionToRead({ pages: "2-9" }, tried), { pages: "2-9" });
    assert.deepEqual(selectionToRead({ chapters: "4" }, tried), { chapters: "4" });
  });

  test("continues where it stopped, and begins again after the end", () => {
    const ids = ["a", "b", "c"];
    assert.deepEqual(placeToGoOn(ids, null), { at: 0, from: 0 });
    assert.deepEqual(placeToGoOn(ids, { id: "other", seconds: 7 }), { at: 0, from: 0 });
    assert.deepEqual(placeToGoOn(ids, { id: "b", seconds: 0 }), { at: 1, from: 0 });
    assert.deepEqual(placeToGoOn(ids, { id: "c", seconds: 7 }), { at: 2, from: 7 });
    assert.deepEqual(placeToGoOn(ids, { id: "c", seconds: 0 }), { at: 0, from: 0 });
  });
});
