import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { t } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { profiles } from "../../Sources/WebApp/Resources/www/core/store.js";
import { placeIn } from "../../Sources/WebApp/Resources/www/pages/practice.js";
import { nothingPractised, scoresOver, summaryFacts, titledWith, unitOf } from "../../Sources/WebApp/Resources/www/pages/practice/lists.js";
import {
  loopOf,
  progressKind,
  rateOf,
  segmentAt,
  speedOf,
  voiceName,
  voicesFor,
} from "../../Sources/WebApp/Resources/www/pages/practice/session/driver.js";
import { SegmentTexts } from "../../Sources/WebApp/Resources/www/pages/practice/session/segments.js";
import {
  characterCount,
  languageChoices,
  likelyLanguage,
  SpeechSaver,
} from "../../Sources/WebApp/Resources/www/pages/practice/speeches/speech-editor.js";
import { longestSpeech } from "../../Sources/WebApp/Resources/www/server/practice.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").Speech} Speech */
/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").SpeechContent} SpeechContent */

describe("the segments of a long text", () => {
  /** @param {number} count @param {number} [sentences] Of each paragraph. */
  const textsOf = (count, sentences = 4) => {
    const asked = /** @type {number[]} */ ([]);
    let changes = 0;
    const texts = new SegmentTexts(
      async ({ from, count: wanted }) => {
        asked.push(from);
        const numbers = Array.from({ length: Math.max(0, Math.min(wanted, count - from + 1)) }, (_, index) => from + index);
        const segments = numbers.map((number) => ({ number, text: `Sentence ${number}.`, paragraph: Math.ceil(number / sentences), isHeading: false, isHard: false }));
        return { segments, known: count, isComplete: true };
      },
      () => (changes += 1),
    );
    return { texts, asked, changes: () => changes };
  };

  test("are asked for in windows, each once, when they are needed", async () => {
    const { texts, asked, changes } = textsOf(5_000);
    assert.equal(texts.at(1), null);
    assert.equal(texts.at(2), null);
    await texts.need(1);
    assert.deepEqual([texts.at(1)?.text, asked, changes()], ["Sentence 1.", [1], 1]);
    await texts.need(2_077);
    assert.deepEqual([asked, texts.at(2_077)?.text], [[1, 2_051], "Sentence 2077."]);
    assert.equal(texts.known(999), null);
    assert.equal(asked.length, 2, "what is only looked up is not asked for");
  });

  test("know where paragraphs begin", async () => {
    const { texts } = textsOf(12);
    await texts.need(1);
    assert.deepEqual([texts.paragraphFrom(6, 1), texts.paragraphFrom(6, -1), texts.paragraphFrom(2, -1), texts.paragraphFrom(12, 1)], [9, 1, 1, null]);
  });

  test("are asked for again near a place, the others when they are needed; the last answer counts", async () => {
    const { texts, asked } = textsOf(200);
    await Promise.all([1, 51, 151].map((number) => texts.need(number)));
    texts.markHard(52, true);
    await texts.renew(60);
    assert.deepEqual([asked.slice(3), texts.known(52)?.isHard, texts.known(160)?.text], [[51, 1], false, "Sentence 160."]);
    await texts.need(160);
    assert.equal(asked[5], 151);
    const ends = /** @type {((isHard: boolean) => void)[]} */ ([]);
    const slow = new SegmentTexts(
      () => new Promise((resolve) => ends.push((isHard) => resolve({ segments: [{ number: 1, text: "One.", paragraph: 1, isHeading: false, isHard }], known: 1, isComplete: true }))),
      () => {},
    );
    const both = [slow.need(1), slow.renew(1)];
    ends[1]?.(true);
    ends[0]?.(false);
    await Promise.all(both);
    assert.equal(slow.known(1)?.isHard, true);
  });

  test("are forgotten when the text is cut in another way", async () => {
    const { texts, asked } = textsOf(12);
    const early = texts.need(1);
    texts.forget();
    await early;
    assert.equal(texts.known(1), null);
    await texts.need(1);
    texts.markHard(1, true);
    assert.deepEqual([texts.at(1)?.isHard, asked.length], [true, 2]);
  });
});

describe("the characters of a speech", () => {
  test("are counted as a reader sees them", () => {
    for (const [text, count] of /** @type {const} */ ([["", 0], ["Tere, öö!", 9], ["e\u0301", 1], ["👩‍👩‍👧", 1], ["🇪🇪🇫🇮", 2], ["a\nb", 3]])) {
      assert.equal(characterCount(text), count, text);
    }
  });
});

describe("a speech that is written", () => {
  /** @param {{ isRefused?: boolean }} [world] */
  const saverOf = (world = {}) => {
    const kept = /** @type {[string, string][]} */ ([]);
    const created = /** @type {string[]} */ ([]);
    const speech = (/** @type {SpeechContent} */ { text }) => /** @type {Speech} */ ({ id: "new", title: "", text, language: "en", created: "", updated: "", characters: text.length });
    const saver = new SpeechSaver(null, {
      create: async (content) => {
        if (world.isRefused) throw new Error("refused");
        kept.push(["create", content.text]);
        return speech(content);
      },
      change: async (id, content) => {
        kept.push([id, content.text]);
        return speech(content);
      },
      load: async (id) => ({ ...speech({ text: "", language: "en" }), id }),
      isDeleted: () => false,
      apart: () => {},
      created: ({ id }) => created.push(id),
      rest: 5,
    });
    return { saver, kept, created };
  };
  const content = (/** @type {string} */ text) => ({ title: "", text, language: "en" });

  test("is made once, and changed from then on", async () => {
    const { saver, kept, created } = saverOf();
    saver.take(content("One"));
    assert.equal(saver.state.value, "waiting");
    assert.equal(await saver.flush(), true);
    saver.take(content("One two"));
    await saver.flush();
    assert.deepEqual([kept, created, saver.state.value], [[["create", "One"], ["new", "One two"]], ["new"], "saved"]);
  });

  describe("that another page has changed", () => {
    const stored = (/** @type {string} */ text, /** @type {string} */ updated) => /** @type {Speech} */ ({ ...content(text), id: "s", created: "", updated, characters: text.length });
    const stage = () => {
      const kept = /** @type {[string, string][]} */ ([]);
      const saver = new SpeechSaver("s", {
        create: async ({ text }) => (kept.push(["create", text]), { ...stored(text, "3"), id: "own" }),
        change: async (id, { text }) => (kept.push([id, text]), stored(text, "3")),
        load: async () => stored("One", "1"),
        isDeleted: () => false,
        apart: () => {},
        created: () => {},
        rest: 1e6,
      }, stored("One", "1"));
      return { saver, kept };
    };

    test("is shown where nothing is unsaved", () => {
      const { saver } = stage();
      assert.equal(saver.receive(stored("One", "1")), "same");
      assert.equal(saver.receive(stored("One", "2")), "same");
      assert.equal(saver.receive(stored("Other", "2")), "newer");
    });

    test("is not replaced by what is unsaved, which becomes a speech of its own", async () => {
      const { saver, kept } = stage();
      saver.take(content("One two"));
      assert.equal(saver.receive(stored("Other", "2")), "apart");
      await saver.flush();
      saver.take(content("One two three"));
      await saver.flush();
      assert.deepEqual(kept, [["create", "One two"], ["own", "One two three"]]);
    });

    /** A page beside a server that has a speech of another page by and by. */
    const server = () => {
      const world = {
        ...{ has: stored("One", "1"), reported: /** @type {string[]} */ ([]), load: (/** @type {string} */ _) => {} },
        ...{ isDeaf: false, isDown: false, isFull: false, isGone: false, isDeleted: false },
      };
      const saver = new SpeechSaver("s", {
        create: async ({ text }) => {
          if (world.isFull) throw new Error("no room");
          world.reported.push(`create ${text}`);
          return { ...stored(text, "9"), id: "own" };
        },
        change: async (id, { text }, base) => {
          if (world.isDown) throw new Error("no server");
          if (world.isGone) throw Object.assign(new Error("gone"), { code: "speech.not-found", status: 404 });
          if (id === "s" && base !== world.has.updated) throw Object.assign(new Error("changed"), { code: "speech.changed", status: 409 });
          world.reported.push(`${id} ${text}`);
          if (id !== "s") return { ...stored(text, "10"), id };
          world.has = stored(text, String(Number(base) + 1));
          if (world.isDeaf) throw new Error("no answer");
          return world.has;
        },
        load: async (id) => (world.load(id), world.has),
        isDeleted: () => world.isDeleted,
        apart: () => world.reported.push("apart"),
        created: () => {},
        rest: 1e6,
      }, world.has);
      return { saver, world };
    };

    test("is not replaced either before this page has heard of the change", async () => {
      const { saver, world } = server();
      world.has = stored("Other", "2");
      saver.take(content("One two"));
      assert.equal(await saver.flush(), true);
      saver.take(content("One two three"));
      await saver.flush();
      assert.deepEqual([world.has.text, world.reported], ["Other", ["apart", "create One two", "own One two three"]]);
    });

    test("is not taken for another's when only the answer was lost, or what it says is the same", async () => {
      const { saver, world } = server();
      world.isDeaf = true;
      saver.take(content("One two"));
      assert.equal(await saver.flush(), false);
      assert.equal(saver.receive(world.has), "same");
      world.has = { ...world.has, updated: "5" };
      world.isDeaf = false;
      saver.take(content("One two three"));
      assert.equal(await saver.flush(), true);
      world.has = { ...world.has, updated: "8", language: "et" };
      saver.take(content("One two three four"));
      assert.equal(await saver.flush(), true);
      assert.deepEqual(world.reported, ["s One two", "s One two three", "s One two three four"]);
    });

    test("takes the next change at once where only the time has changed", async () => {
      const { saver, world } = server();
      world.has = { ...world.has, updated: "5", language: "et" };
      assert.equal(saver.receive(world.has), "same");
      const isAsked = /** @type {string[]} */ ([]);
      world.load = (id) => void isAsked.push(id);
      saver.take(content("One two"));
      assert.equal(await saver.flush(), true);
      assert.deepEqual([world.reported, isAsked], [["s One two"], []], "the last request of a page that closes has no second try");
    });

    test("becomes a speech of its own where the speech was deleted there, and not where it was deleted here", async () => {
      const elsewhere = server();
      elsewhere.world.isGone = true;
      elsewhere.saver.take(content("One two"));
      assert.equal(await elsewhere.saver.flush(), true);
      assert.deepEqual(elsewhere.world.reported, ["apart", "create One two"]);
      const here = server();
      here.world.isGone = here.world.isDeleted = true;
      here.saver.take(content("One two"));
      await here.saver.flush();
      assert.deepEqual([here.world.reported, here.saver.unkept, here.saver.wouldLose], [[], null, false]);
    });

    test("is continued elsewhere from the speech that the unsaved text was made from", async () => {
      const { saver, world } = server();
      world.isDown = true;
      saver.take(content("One two"));
      assert.equal(await saver.flush(), false);
      assert.deepEqual([saver.id, saver.seen?.updated], ["s", "1"]);
      world.has = stored("Other", "2");
      world.isDown = false;
      world.isFull = true;
      assert.equal(await saver.flush(), false);
      assert.deepEqual([saver.id, saver.seen, saver.unkept?.text, world.reported], [null, null, "One two", ["apart"]]);
    });

    test("is not taken for another's when it is this page's own, or older", async () => {
      const { saver, kept } = stage();
      saver.take(content("One two"));
      await saver.flush();
      assert.deepEqual([saver.receive(stored("One two", "3")), saver.receive(stored("Other", "2"))], ["same", "same"]);
      assert.deepEqual(kept, [["s", "One two"]]);
    });
  });

  test("is kept by itself when the writer rests", async () => {
    const { saver, kept } = saverOf();
    saver.take(content("One"));
    saver.take(content("One two"));
    await new Promise((resolve) => saver.state.watch((state) => state === "saved" && resolve(undefined), new AbortController().signal));
    assert.deepEqual(kept, [["create", "One two"]]);
  });

  test("has one request at a time, the last words last", async () => {
    const { saver, kept, created } = saverOf();
    saver.take(content("One"));
    const first = saver.flush();
    saver.take(content("One two"));
    saver.take(content("One two three"));
    await Promise.all([first, saver.flush()]);
    assert.deepEqual([kept, created.length], [[["create", "One"], ["new", "One two three"]], 1]);
  });

  test("is not sent while it is empty or too long", async () => {
    const { saver, kept } = saverOf();
    saver.take(content(" \n"));
    assert.deepEqual([await saver.flush(), saver.state.value], [false, "empty"]);
    saver.take(content("a".repeat(longestSpeech + 1)));
    assert.deepEqual([await saver.flush(), saver.state.value], [false, "tooLong"]);
    assert.equal(saver.refused?.text.length, 10_001, "it is there for whoever leaves the page with it");
    saver.take(content("a".repeat(longestSpeech)));
    assert.equal(await saver.flush(), true);
    assert.equal(kept.length, 1);
  });

  test("is not said to be kept while it is too long, whatever becomes of what was sent before", async () => {
    for (const isRefused of [false, true]) {
      const world = { isRefused };
      const { saver } = saverOf(world);
      saver.take(content("One"));
      const first = saver.flush();
      saver.take(content("a".repeat(longestSpeech + 1)));
      await first;
      world.isRefused = false;
      assert.deepEqual([await saver.flush(), saver.state.value, saver.wouldLose], [false, "tooLong", true]);
    }
  });

  test("waits here when it could not be kept", async () => {
    const world = { isRefused: true };
    const { saver, kept } = saverOf(world);
    saver.take(content("One"));
    assert.deepEqual([await saver.flush(), saver.state.value], [false, "failed"]);
    assert.deepEqual([saver.unkept?.text, saver.wouldLose], ["One", true]);
    world.isRefused = false;
    assert.equal(await saver.flush(), true);
    assert.deepEqual(kept, [["create", "One"]]);
    assert.deepEqual([saver.unkept, saver.wouldLose], [null, false]);
  });

  test("is lost with the page only where the last request cannot outlive it", async () => {
    const { saver } = saverOf();
    saver.take(content("One"));
    assert.equal(saver.wouldLose, false);
    const first = saver.flush();
    assert.deepEqual([saver.unkept?.text, saver.wouldLose], ["One", false]);
    saver.take(content("One two"));
    assert.equal(saver.wouldLose, true, "one request is under way and another waits for it");
    await first;
    assert.equal(saver.wouldLose, false);
    saver.take(content("\u{1F44D}\u{1F3FD}".repeat(longestSpeech)));
    assert.equal(saver.wouldLose, true, "it is too long for a request that outlives the page");
    saver.take(content("a".repeat(longestSpeech + 1)));
    assert.equal(saver.wouldLose, true, "it is not kept at all");
  });
});

describe("the speeches with some words in their titles", () => {
  test("are found whatever the case and the accents, and however these are written", () => {
    const titles = ["Põhja talu", "Po\u0303hja tee", "Don’t stop"];
    const found = (/** @type {string} */ words) => titledWith(titles.map((title) => ({ title })), words).map(({ title }) => title);
    for (const words of ["põhja", "po\u0303hja", "POHJA"]) assert.deepEqual(found(words), titles.slice(0, 2), words);
    assert.deepEqual([found("don't"), found("tee"), found("")], [[titles[2]], [titles[1]], titles]);
  });
});

describe("the language of a speech", () => {
  const voices = [{ language: "en-US" }, { language: "et" }, { language: "en-US" }];

  test("is the first of the person's that a voice speaks", () => {
    assert.equal(likelyLanguage(voices, ["fr-FR", "et-EE", "en"]), "et");
    assert.equal(likelyLanguage(voices, ["en-GB"]), "en-US");
    assert.equal(likelyLanguage([], ["fi"]), "fi");
  });

  test("can be that of any voice, and stays what it is", () => {
    const all = ["en-US", "et", "en-US"].map((tag) => ({ language: tag, title: tag, quality: null }));
    const choices = languageChoices(all, "sv").map(({ value, label }) => `${value}: ${label}`);
    assert.deepEqual(choices, ["en-US: American English", "et: Estonian", "sv: Swedish"]);
  });

  test("has the name of a voice where dialects have the same name", () => {
    const all = [
      { language: "en-GB", title: "Alan", quality: "medium" },
      { language: "en-GB", title: "English (Great Britain)", quality: null },
      { language: "en-GB-x-other", title: "English (Elsewhere)", quality: null },
      { language: "et", title: "Estonian", quality: null },
    ];
    const labels = languageChoices(all, "et").map(({ label }) => label);
    assert.deepEqual(labels, ["British English – English (Elsewhere)", "British English – English (Great Britain)", "Estonian"]);
  });

  /** @typedef {import("../../Sources/WebApp/Resources/www/core/store.js").TitledVoice} Voice */
  /** @type {(id: string, language: string, more?: Partial<Voice>) => Voice} */
  const speaking = (id, language, more) => ({
    ...{ id, name: id, title: id, fullTitle: id, language, engine: "espeak-ng", speakers: 1, speakerNames: null, sampleRate: 22_050 },
    ...{ quality: null, variant: null, isFavorite: false, ...more },
  });

  test("narrows the voices, its own variant first", () => {
    const all = [["a", "en-GB"], ["b", "et"], ["c", "en-US"]].map(([id = "", language = ""]) => speaking(id, language));
    assert.deepEqual(voicesFor(all, "en-US", "a").map(({ id }) => id), ["c", "a"]);
    const more = [...all, speaking("d", "en-GB", { engine: "sherpa-onnx" }), speaking("e", "en-AU", { isFavorite: true })];
    assert.deepEqual(voicesFor(more, "en-US", "a").map(({ id }) => id), ["d", "e", "c", "a"], "installed ones and favourites stand first");
    assert.deepEqual(voicesFor(all, "fi", "b").map(({ id }) => id), ["b"], "the present one is always there");
  });

  test("says that another voice speaks for one that was removed", () => {
    const all = [speaking("espeak/en-US", "en-US", { title: "English" })];
    assert.equal(voiceName(all, "espeak/en-US"), "English");
    assert.equal(voiceName(all, "espeak/en-US+f3"), "", "a variant of one that is there");
    assert.equal(voiceName(null, "piper/x"), "", "nobody knows yet");
    assert.match(voiceName(all, "piper/x"), /^Voice missing: Another voice speaks/);
    assert.match(voiceName(all, "piper/en_GB-northern_english_male-low"), /^Northern english male \(not installed\): Another voice speaks/);
    profiles.set(/** @type {any} */ ({ profiles: [{ voice: "piper/x", voiceName: "Xenia" }] }));
    assert.match(voiceName(all, "piper/x"), /^Xenia \(not installed\): Another voice speaks/);
    profiles.set(null);
  });
});

describe("the speed of practice", () => {
  test("is said in times of normal, as voices read at the rate", () => {
    const speeds = [0.1, 0.3, 0.5, 0.75, 1].map((rate) => Number(speedOf(rate).toFixed(9)));
    assert.deepEqual(speeds, [0.5, 0.75, 1, 1.25, 1.5]);
  });

  test("is kept as it is chosen, to the hundredth", () => {
    const hundredths = Array.from({ length: 101 }, (_, index) => (50 + index) / 100);
    assert.deepEqual(hundredths.map((speed) => Number(speedOf(rateOf(speed)).toFixed(2))), hundredths);
    assert.deepEqual([rateOf(0.5), rateOf(0.95), rateOf(1), rateOf(1.5)], [0.1, 0.46, 0.5, 1]);
  });
});

describe("the place in a text", () => {
  test("has a dot for each segment up to 60, and a bar beyond or while the text is cut", () => {
    assert.deepEqual([progressKind({ known: 60, isComplete: true }), progressKind({ known: 61, isComplete: true }), progressKind({ known: 9, isComplete: false })], ["dots", "bar", "bar"]);
  });

  test("is where it was pressed", () => {
    assert.deepEqual([segmentAt(0, 10), segmentAt(0.55, 10), segmentAt(1, 10)], [1, 6, 10]);
  });

  test("is named by an address", () => {
    assert.deepEqual(placeIn("/practice/speeches/a%20b"), { kind: "speech", id: "a b" });
    assert.deepEqual(placeIn("/practice/sessions/s/"), { kind: "session", id: "s" });
    for (const path of ["/practice", "/practice/sessions", "/practice/other/s"]) assert.equal(placeIn(path), null, path);
    assert.deepEqual(placeIn("/practice/speeches/%"), { kind: "speech", id: "%" });
  });

  test("may be a range that is practiced over and over", () => {
    assert.deepEqual([loopOf("2", "5"), loopOf("3", "3"), loopOf("", " ")], [{ first: 2, last: 5 }, { first: 3, last: 3 }, null]);
    for (const [first, last] of /** @type {const} */ ([["5", "2"], ["0", "2"], ["", "2"], ["x", "2"], ["1.5", "2"]])) assert.equal(loopOf(first, last), undefined);
  });
});

describe("how practice went", () => {
  test("is described by what is known of it", () => {
    const all = summaryFacts({ segments: 12, takes: 4, score: 0.876, pace: 141.6, best: null, worst: null, seconds: 130 }, "sentence");
    assert.deepEqual(all.map(({ words }) => words), ["2\u00a0min", "12", "4", "88\u00a0%", "142"]);
    assert.deepEqual(all.map(({ key }) => t(key)), ["Time", "Sentences", "Your echoes", "Words said", "Words a minute"]);
    const few = summaryFacts({ segments: 1, takes: 0, score: null, pace: null, best: null, worst: null, seconds: 5 }, "paragraph");
    assert.deepEqual(few.map(({ key, words }) => [t(key), words]), [["Time", "5\u00a0s"], ["Paragraphs", "1"]]);
  });

  test("is counted in the units of its pauses, and hard sentences in sentences", () => {
    const unit = (/** @type {string} */ kind, /** @type {string} */ granularity) => unitOf(/** @type {any} */ ({ source: { kind }, settings: { granularity } }));
    assert.deepEqual([unit("speech", "paragraph"), unit("text", "sentence"), unit("hard", "paragraph")], ["paragraph", "sentence", "sentence"]);
  });

  test("is described, with the number of segments, when every one was skipped", () => {
    const segments = { known: 4, isComplete: true };
    assert.equal(nothingPractised({ summary: null, segments }), "Nothing was practised: 4 skipped.");
    const heard = { segments: 1, takes: 0, score: null, pace: null, best: null, worst: null, seconds: 5 };
    assert.equal(nothingPractised({ summary: heard, segments }), "");
  });

  test("is drawn over time, without sessions that have no score", () => {
    const sessionOf = (/** @type {string} */ created, /** @type {number | null} */ score) => /** @type {any} */ ({ created, summary: { score } });
    assert.deepEqual(scoresOver([sessionOf("2026-03", 0.9), sessionOf("2026-01", 0.4), sessionOf("2026-02", null)]), [0.4, 0.9]);
  });
});
