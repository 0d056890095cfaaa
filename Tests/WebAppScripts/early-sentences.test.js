import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EarlySentences } from "../../Sources/WebApp/Resources/www/server/narrations.js";

/** @param {number} from */
const sentence = (from) => ({ from, to: from + 5, start: from, end: from + 1, words: [] });

describe("the sentences that come before the answer to their order", () => {
  test("are those of that narration, in their order", () => {
    const early = new EarlySentences();
    early.begin();
    early.add({ narration: "own", sentence: sentence(0) });
    early.add({ narration: "another", sentence: sentence(3) });
    early.add({ narration: "own", sentence: sentence(6) });
    assert.deepEqual(early.end("own"), [sentence(0), sentence(6)]);
  });

  test("are kept only while an answer is waited for", () => {
    const early = new EarlySentences();
    early.add({ narration: "own", sentence: sentence(0) });
    early.begin();
    assert.deepEqual(early.end("own"), []);
    early.add({ narration: "own", sentence: sentence(6) });
    assert.deepEqual(early.end("own"), []);
  });

  test("are forgotten with an order that was refused", () => {
    const early = new EarlySentences();
    early.begin();
    early.add({ narration: "own", sentence: sentence(0) });
    assert.deepEqual(early.end(null), []);
    early.begin();
    assert.deepEqual(early.end("own"), []);
  });
});
