import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sorted } from "../../Sources/WebApp/Resources/www/pages/drops/dropped-files.js";

describe("dropped files", () => {
  const [note, memo, talk, paper] = [
    { name: "note.txt", type: "text/plain" },
    { name: "memo.wav", type: "audio/wav" },
    { name: "talk.mp3", type: "audio/mpeg" },
    { name: "paper.pdf", type: "application/pdf" },
  ];
  const files = [note, memo, talk, paper];
  const kinds = /** @type {const} */ (["text", "text", "sound", "document"]);

  test("are sorted by what is in them, so that all texts together are one question", () => {
    assert.deepEqual(sorted(files, kinds, false), { texts: [note, memo], sounds: [talk], documents: [paper] });
  });

  test("that were chosen as sound are no texts, if their name says sound", () => {
    assert.deepEqual(sorted(files, kinds, true), { texts: [note], sounds: [memo, talk], documents: [paper] });
  });
});
