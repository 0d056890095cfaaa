import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isSound, isText, partsOf } from "../../Sources/WebApp/Resources/www/pages/item-files.js";

describe("what is exported", () => {
  const current = { isCurrent: true };

  test("is one file of a sound and its texts, as long as these are the transcripts in use", () => {
    assert.deepEqual(partsOf("flac", ["srt", "txt"], null), [{ format: "flac", beside: ["srt", "txt"] }]);
    assert.deepEqual(partsOf("m4b", ["docx"], current), [{ format: "m4b", beside: ["docx"] }]);
    assert.deepEqual(partsOf("mp3", [], { isCurrent: false }), [{ format: "mp3", beside: [] }]);
  });

  test("is a file for each where another version is shown, or the texts beside a sound would have less", () => {
    const [srt, flac] = [{ format: "srt", beside: [] }, { format: "flac", beside: [] }];
    assert.deepEqual(partsOf("flac", ["srt"], { isCurrent: false }), [srt, flac]);
    assert.deepEqual(partsOf("flac", ["json", "srt"], current), [{ format: "json", beside: [] }, srt, flac]);
  });

  test("is a file for each where no zip has both: with the imported file, a book, or a zip of chapters", () => {
    for (const format of /** @type {const} */ (["file", "epub", "chapters"])) {
      assert.deepEqual(partsOf(format, ["txt"], current), [{ format: "txt", beside: [] }, { format, beside: [] }]);
    }
  });

  test("is a text alone", () => {
    assert.deepEqual(partsOf("docx", [], current), [{ format: "docx", beside: [] }]);
    assert.deepEqual([isText("docx"), isSound("docx"), isSound("m4b"), isSound("epub"), isText("file")], [true, false, true, false, false]);
  });
});
