import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { voices } from "../../Sources/WebApp/Resources/www/core/store.js";
import {
  currentAfterRemoval,
  entryAfter,
  entryBefore,
  moved,
} from "../../Sources/WebApp/Resources/www/player/play-queue.js";
import { SampleWindow } from "../../Sources/WebApp/Resources/www/player/live-source.js";
import {
  addSentences,
  sentenceNear,
  spokenAt,
  timeOfPlace,
  trackOf,
  voiceOf,
  wordNear,
} from "../../Sources/WebApp/Resources/www/player/track.js";

/** @param {...string} ids */
const queue = (...ids) => ids.map((id) => /** @type {any} */ ({ id, item: { id: `item-${id}` } }));
/** @param {{ id: string } | null} entry */
const idOf = (entry) => entry?.id ?? null;

describe("the queue", () => {
  test("the next one follows, and after the last nothing", () => {
    assert.equal(idOf(entryAfter(queue("a", "b"), "a", false)), "b");
    assert.equal(idOf(entryAfter(queue("a", "b"), "b", false)), null);
  });

  test("when it loops the first follows the last", () => {
    assert.equal(idOf(entryAfter(queue("a", "b"), "b", true)), "a");
  });

  test("without a current one the first is next", () => {
    assert.equal(idOf(entryAfter(queue("a", "b"), null, false)), "a");
    assert.equal(idOf(entryAfter([], null, true)), null);
  });

  test("previous leads back in the first seconds, later to the start", () => {
    assert.equal(idOf(entryBefore(queue("a", "b"), "b", 2.9, false)), "a");
    assert.equal(idOf(entryBefore(queue("a", "b"), "b", 3.1, false)), "b");
  });

  test("before the first stands the last when it loops, else itself", () => {
    assert.equal(idOf(entryBefore(queue("a", "b"), "a", 0, true)), "b");
    assert.equal(idOf(entryBefore(queue("a", "b"), "a", 0, false)), "a");
  });

  test("what is not in the queue has nothing before it", () => {
    assert.equal(entryBefore(queue("a"), null, 0, true), null);
  });

  for (const [id, position, expected] of /** @type {[string, number, string][]} */ ([["a", 2, "bca"], ["c", 0, "cab"], ["b", 9, "acb"], ["b", -1, "bac"], ["x", 0, "abc"]])) {
    test(`moving ${id} to ${position} gives ${expected}`, () => {
      assert.equal(moved(queue("a", "b", "c"), id, position).map((one) => one.id).join(""), expected);
    });
  }

  test("when the current one is taken out, what followed it becomes current", () => {
    assert.equal(currentAfterRemoval(queue("a", "b", "c"), "b", new Set(["b"])), "c");
    assert.equal(currentAfterRemoval(queue("a", "b", "c"), "b", new Set(["b", "c"])), null);
    assert.equal(currentAfterRemoval(queue("a", "b", "c"), "b", new Set(["a"])), "b");
  });
});

describe("a window of samples", () => {
  const bytes = (/** @type {number[]} */ ...values) => new Uint8Array(Int16Array.from(values).buffer);

  test("gives back what was put in, between −1 and 1", () => {
    const samples = new SampleWindow(100);
    samples.append(bytes(0, 16_384, -32_768));
    assert.deepEqual([...samples.read(100, 9)], [0, 0.5, -1]);
    assert.equal(samples.end, 103);
  });

  test("a sample cut in two by the stream is put together", () => {
    const samples = new SampleWindow(0);
    const all = bytes(1, 258, -3, 4_000, 77);
    for (const [from, to] of [[0, 1], [1, 4], [4, 5], [5, 5], [5, 10]]) samples.append(all.subarray(from, to));
    assert.deepEqual([...samples.read(0, 9)].map((value) => value * 32_768), [1, 258, -3, 4_000, 77]);
  });

  test("reads across blocks", () => {
    const samples = new SampleWindow(10);
    samples.append(bytes(1, 2, 3));
    samples.append(bytes(4, 5));
    assert.deepEqual([...samples.read(11, 3)].map((value) => value * 32_768), [2, 3, 4]);
  });

  test("lets go of what was heard, block by block", () => {
    const samples = new SampleWindow(0);
    samples.append(bytes(1, 2));
    samples.append(bytes(3, 4));
    samples.dropBefore(3);
    assert.equal(samples.first, 2);
    assert.deepEqual([...samples.read(2, 9)].map((value) => value * 32_768), [3, 4]);
  });
});

describe("times and places", () => {
  const text = "# One\n\nFirst words here. Second ones.\n\n# Two\n\nThird.";
  /** @param {string} words @param {number} start @param {number} end */
  const sentence = (words, start, end) => {
    const from = text.indexOf(words);
    const to = from + words.length;
    const first = words.indexOf(" ") < 0 ? words.length : words.indexOf(" ");
    const middle = (start + end) / 2;
    return {
      start,
      end,
      from,
      to,
      words: [
        { start, end: middle, from, to: from + first, precision: "exact" },
        { start: middle, end: end - 0.2, from: from + first, to, precision: "exact" },
      ],
    };
  };
  const sentences = [
    sentence("One", 0, 1),
    sentence("First words here.", 1.5, 3.5),
    sentence("Second ones.", 4, 5),
    sentence("Two", 6, 7),
    sentence("Third.", 7.5, 8),
  ];

  test("in a sentence its word is spoken", () => {
    const spoken = spokenAt(sentences, 1.6);
    assert.equal(spoken.sentence, sentences[1]);
    assert.equal(spoken.word, sentences[1].words[0]);
  });

  test("in the silence after a sentence no word is spoken", () => {
    const spoken = spokenAt(sentences, 3.8);
    assert.equal(spoken.sentence, sentences[1]);
    assert.equal(spoken.word, null);
  });

  test("before the first sentence nothing is spoken", () => {
    assert.deepEqual(spokenAt(sentences.slice(1), 0.5), { sentence: null, word: null });
  });

  test("a place leads to its word, between sentences to the next one", () => {
    assert.equal(timeOfPlace(sentences, text.indexOf("words")), 2.5);
    assert.equal(timeOfPlace(sentences, text.indexOf("First") - 1), 1.5);
    assert.equal(timeOfPlace(sentences.slice(0, 3), text.indexOf("Third")), null);
  });

  test("the sentence before is the one being spoken, unless it has just begun", () => {
    assert.equal(sentenceNear(sentences, 3.4, -1), 1.5);
    assert.equal(sentenceNear(sentences, 1.7, -1), 0);
    assert.equal(sentenceNear(sentences, 1.7, 1), 4);
    assert.equal(sentenceNear(sentences, 7.9, 1), null);
  });

  test("the word before and after are in the sentence beside, too", () => {
    const [first, second] = sentences[1].words;
    assert.equal(wordNear(sentences, 1.6, 1), second);
    assert.equal(wordNear(sentences, 2.6, -1), first);
    assert.equal(wordNear(sentences, 2.6, 1), sentences[2].words[0]);
    assert.equal(wordNear(sentences, 4.1, -1), second);
    assert.equal(wordNear(sentences, 0, -1), null);
    assert.equal(wordNear(sentences, 7.9, 1), null);
    assert.equal(wordNear(sentences.slice(1), 0, 1), first);
  });

  test("a word that was gone to is left again, although the sound begins a little before it", () => {
    assert.equal(wordNear(sentences, 2.49, 1), sentences[2].words[0]);
    assert.equal(wordNear(sentences, 2.49, -1), sentences[1].words[0]);
  });

  test("a sentence whose words have no times is gone to as one", () => {
    const bare = sentences.map((one) => ({ ...one, words: [] }));
    assert.equal(wordNear(bare, 1.6, 1), bare[2]);
    assert.equal(wordNear(bare, 1.6, -1), bare[0]);
  });

  test("sentences that come twice or late are in their place once", () => {
    const all = [sentences[0], sentences[2]];
    addSentences(all, [sentences[1], sentences[2], sentences[3]]);
    assert.deepEqual(all, sentences.slice(0, 4));
  });
});

describe("the voice of a recording", () => {
  const narration = { voice: "piper/en_US-joe-medium", voiceName: "Joe" };

  test("its name has its language while it is installed, also where it was stored without, and else says that it is not", () => {
    voices.set(/** @type {any} */ ([{ id: narration.voice, title: "Joe", fullTitle: "Joe, English (US)" }]));
    assert.equal(voiceOf(narration), "Joe, English (US)");
    assert.equal(voiceOf(trackOf(/** @type {any} */ ({ narration }), null)), "Joe, English (US)");
    voices.set([]);
    assert.equal(voiceOf(narration), "Joe (not installed)");
    voices.set(null);
    assert.equal(voiceOf(narration), "Joe");
  });

  test("what people said has none", () => {
    const recorded = trackOf(/** @type {any} */ ({ narration: null }), null);
    voices.set([]);
    assert.equal(voiceOf(recorded), "");
    voices.set(null);
    assert.equal(voiceOf(recorded), "");
  });
});
