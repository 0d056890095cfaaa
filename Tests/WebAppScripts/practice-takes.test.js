import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  alignedPieces,
  commonRange,
  contourPath,
  loudnessHeight,
  markedPieces,
  pitchHeight,
  pitchRange,
  spokenPart,
  TakeList,
  TakePlayback,
  transposition,
  valuesOf,
  wordCounts,
} from "../../Sources/WebApp/Resources/www/pages/practice/takes/take-list.js";
import { Echo, EchoClock } from "../../Sources/WebApp/Resources/www/pages/practice/session/echo.js";
import { HandClock, HandContext } from "./practice-fixtures.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").TakeScore} TakeScore */
/** @typedef {import("../../Sources/WebApp/Resources/www/pages/practice/session/echo.js").RecordedTake} RecordedTake */

/** @type {TakeScore} */
const score = {
  score: 0.5,
  reason: null,
  words: [
    { kind: "said", from: 0, to: 3, start: 0.3, end: 0.6, modelStart: 0.1, modelEnd: 0.4 },
    { kind: "missed", from: 4, to: 8, modelStart: 0.5, modelEnd: 0.9 },
    { kind: "different", from: 9, to: 14, heard: "sleeps", start: 1.2, end: 1.6, modelStart: 1, modelEnd: 1.5 },
  ],
  extra: [{ heard: "well", after: 0, start: 0, end: 0.2 }, { heard: "now", after: 3, start: 1.7, end: 1.9 }],
  pace: { take: 90, model: 120 },
  pauses: { take: [], model: [] },
  pitch: { step: 0.01, take: [], model: [] },
  loudness: { step: 0.01, take: [], model: [] },
  hasSound: true,
};

describe("the words of a take", () => {
  test("stand in the text, with what was added between them", () => {
    const pieces = markedPieces("The lamp burns.", score).map(({ kind, text }) => [kind, text]);
    assert.deepEqual(pieces, [
      ["extra", "well"],
      ["said", "The"],
      ["plain", " "],
      ["missed", "lamp"],
      ["plain", " "],
      ["different", "burns"],
      ["extra", "now"],
      ["plain", "."],
    ]);
  });

  test("lose nothing of a text whose words nobody knows", () => {
    assert.deepEqual(markedPieces("Öö oli pikk.", { words: [], extra: [] }), [{ kind: "plain", text: "Öö oli pikk." }]);
  });

  test("are counted by what became of them", () => {
    assert.deepEqual(wordCounts(score), { said: 1, missed: 1, different: 1, extra: 2 });
  });
});

describe("a take beside its model", () => {
  const close = (/** @type {number} */ one, /** @type {number} */ other) => Math.abs(one - other) < 1e-9;

  test("begins each word when the model does", () => {
    const [first, second, ...others] = alignedPieces(score.words, 2);
    assert.ok(first && second && others.length === 0);
    assert.ok(close(first.at, 0.05) && close(first.from, 0.25), "the first word, with its lead");
    assert.ok(close(second.at, 0.95) && close(second.from, 1.15) && close(second.to, 2));
  });

  test("leaves out what was drawn out, so that no two words overlap", () => {
    const words = [
      { kind: /** @type {const} */ ("said"), from: 0, to: 3, start: 0, end: 3, modelStart: 0, modelEnd: 0.4 },
      { kind: /** @type {const} */ ("said"), from: 4, to: 8, start: 3, end: 4, modelStart: 0.5, modelEnd: 1 },
    ];
    const [first, second] = alignedPieces(words, 4);
    assert.ok(first && second && close(first.at + first.to - first.from, second.at), "one ends where the next begins");
    assert.ok(close(second.at, 0.45) && close(second.from, 2.95));
  });

  test("begins each word when the model does also where one of them has no time before it", () => {
    const words = [
      { kind: /** @type {const} */ ("said"), from: 0, to: 3, start: 0.4, end: 0.6, modelStart: 0.02, modelEnd: 0.4 },
      { kind: /** @type {const} */ ("said"), from: 4, to: 8, start: 0.7, end: 1, modelStart: 0.5, modelEnd: 1 },
    ];
    for (const own of [words, words.map((word) => ({ ...word, start: word.modelStart, modelStart: word.start }))]) {
      const pieces = alignedPieces(own, 2);
      own.forEach(({ start, modelStart }, index) => {
        const { at = NaN, from = NaN } = pieces[index] ?? {};
        assert.ok(at >= 0 && from >= 0 && close(modelStart - at, start - from), `${at} ${from}`);
      });
    }
  });

  test("sounds as it is, when no word of it is known", () => {
    assert.deepEqual(alignedPieces([{ kind: "missed", from: 0, to: 3, modelStart: 0.1, modelEnd: 0.4 }], 2), [{ at: 0, from: 0, to: 2 }]);
  });

  test("is played, or its model, or both, one at a time", () => {
    const context = new HandContext();
    const playback = new TakePlayback(() => context.asContext);
    const sound = /** @type {AudioBuffer} */ (/** @type {unknown} */ ({ duration: 2 }));
    playback.play("model", sound);
    playback.playBoth("both", sound, sound, score.words);
    context.pass(0.001);
    assert.deepEqual([playback.playing.value, context.sounding], ["both", 3]);
    context.pass(5);
    assert.deepEqual([playback.playing.value, context.sounding], [null, 0]);
    playback.play("word", sound, { from: 0.3, to: 0.6 });
    context.pass(0.5);
    assert.equal(playback.playing.value, null);
  });
});

describe("the drawing of a voice", () => {
  const box = { seconds: 1, width: 100, height: 10 };

  test("lifts the pen where there is no voice", () => {
    assert.equal(contourPath([null, 0, 1, null, 0.5], 0.25, (value) => value, box), "M25.0 10.0L50.0 0.0M100.0 5.0");
    assert.equal(contourPath([null], 0.25, (value) => value, box), "");
  });

  test("draws an octave everywhere as high", () => {
    const height = pitchHeight({ low: 100, high: 400 });
    assert.deepEqual([height(100), height(200), height(400)].map((one) => Number(one.toFixed(6))), [0, 0.5, 1]);
    assert.deepEqual([loudnessHeight(0), loudnessHeight(-60)], [1, 0]);
  });

  test("fits both voices, without their single mistakes", () => {
    const values = [null, 40, ...Array.from({ length: 98 }, (_, index) => 100 + index), 900];
    const range = pitchRange(values);
    assert.ok(range && range.low >= 100 && range.high <= 200);
    assert.equal(pitchRange([null, null]), null);
    assert.ok(commonRange(range, null).low < 100);
    assert.deepEqual(commonRange(null, null), { low: 80, high: 320 });
  });

  test("begins with the voice, however long somebody took to begin", () => {
    const [early, late] = [[100, 110, null], [null, null, null, 100, null, 110, null]];
    assert.deepEqual(spokenPart(early, 0.1), { from: -2, to: 4 });
    assert.deepEqual(valuesOf(early, spokenPart(early, 0.1)), [null, null, 100, 110, null, null]);
    assert.deepEqual(valuesOf(late, spokenPart(late, 0.1)), [null, null, 100, null, 110, null, null]);
    assert.deepEqual(valuesOf([1, 2], spokenPart([null, null], 0.1)), [1, 2], "a whisper is drawn whole");
    assert.deepEqual(spokenPart([], 0.1), { from: 0, to: 0 });
  });

  test("lays a deep voice over a high one", () => {
    const factor = transposition({ low: 80, high: 160 }, { low: 160, high: 320 });
    assert.equal(Number(factor.toFixed(6)), 2);
    assert.deepEqual([transposition(null, { low: 80, high: 160 }), transposition({ low: 80, high: 160 }, null)], [1, 1]);
  });
});

/** @param {Partial<RecordedTake>} known @returns {RecordedTake} */
const recorded = (known = {}) => ({ segment: 1, repetition: 1, rate: 0.5, seconds: 2, wave: new Blob(["sound"]), ...known });

describe("the takes of a session", () => {
  test("are sent, then scored, the newest first", async () => {
    const sent = /** @type {number[]} */ ([]);
    const list = new TakeList({
      send: async ({ segment, repetition }) => {
        sent.push(segment);
        return { id: `t${segment}`, segment, repetition, seconds: 2 };
      },
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    await list.add(recorded());
    await list.add(recorded({ segment: 2 }));
    assert.deepEqual(sent, [1, 2]);
    assert.deepEqual(list.takes.value.map(({ id, state }) => [id, state]), [["t2", "scored"], ["t1", "scored"]]);
    list.addStored([{ id: "t1", segment: 1, repetition: 1, seconds: 2 }, { id: "old", segment: 9, repetition: 1, seconds: 2 }], 0.5);
    assert.deepEqual(list.takes.value.map(({ id }) => id), ["t2", "t1", "old"], "none is there twice");
  });

  /** A server's takes, the oldest first. */
  const listed = (/** @type {[string, number | null][]} */ ...takes) =>
    takes.map(([id, mark]) => ({ id, segment: 1, repetition: 1, rate: null, seconds: 2, hasSound: true, text: "", score: mark }));
  const idsOf = (/** @type {TakeList} */ list) => list.takes.value.map(({ id, mark }) => [id, mark]);

  test("of another tab come among these by their age, are scored later, and go where they were deleted", async () => {
    const list = new TakeList({
      send: async ({ segment, repetition }) => ({ id: "own", segment, repetition, seconds: 2, hasSound: true, text: "" }),
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    list.addStored(listed(["first", 0.1], ["second", 0.2]), 1);
    await list.add(recorded());
    assert.deepEqual(idsOf(list), [["own", 0.5], ["second", 0.2], ["first", 0.1]]);
    const before = list.ids;
    list.addStored(listed(["second", 0.2], ["between", null], ["own", 0.5], ["newest", null]), 1, before);
    assert.deepEqual(idsOf(list), [["newest", null], ["own", 0.5], ["between", null], ["second", 0.2]]);
    list.addStored(listed(["second", 0.2], ["between", 0.3], ["own", 0.5], ["newest", 0.9]), 1, list.ids);
    assert.deepEqual(idsOf(list), [["newest", 0.9], ["own", 0.5], ["between", 0.3], ["second", 0.2]]);
    // The newest came after the server was asked.
    list.addStored(listed(["second", 0.2], ["between", 0.3]), 1, before);
    assert.deepEqual(list.takes.value.map(({ id }) => id), ["newest", "between", "second"]);
  });

  test("are there once, though the server lists one before its answer to it arrives", async () => {
    let answer = () => {};
    const list = new TakeList({
      send: ({ segment, repetition }) =>
        new Promise((resolve) => (answer = () => resolve({ id: "own", segment, repetition, seconds: 2, hasSound: true, text: "" }))),
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    const added = list.add(recorded());
    await new Promise((resolve) => setImmediate(resolve));
    list.addStored(listed(["own", null]), 1, list.ids);
    answer();
    await added;
    assert.deepEqual(list.takes.value.map(({ id, state }) => [id, state]), [["own", "scored"]]);
  });

  test("go with the rate at which their model was heard", async () => {
    const sent = /** @type {number[]} */ ([]);
    const list = new TakeList({
      send: async ({ segment, repetition, rate }) => {
        sent.push(rate);
        return { id: "t", segment, repetition, rate, seconds: 2 };
      },
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    await list.add(recorded({ rate: 0.35 }));
    assert.deepEqual(sent, [0.35]);
    const stored = { segment: 1, repetition: 1, seconds: 2 };
    list.addStored([{ id: "older", ...stored, rate: null }, { id: "old", ...stored, rate: 0.9 }], 0.5);
    assert.deepEqual(list.takes.value.map(({ id, rate }) => [id, rate]), [["t", 0.35], ["old", 0.9], ["older", 0.5]]);
  });

  test("go with the way in which the text was cut when they were recorded, however late", async () => {
    const sent = /** @type {unknown[]} */ ([]);
    const list = new TakeList({
      send: async ({ segment, repetition, granularity }) => {
        sent.push(granularity);
        if (sent.length === 1) throw Object.assign(new Error("away"), { status: 0 });
        return { id: "t", segment, repetition, seconds: 2 };
      },
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    await list.add(recorded({ granularity: "paragraph" }));
    await list.sendAll();
    assert.deepEqual(sent, ["paragraph", "paragraph"]);
  });

  test("are kept here until the server has them", async () => {
    let isAway = true;
    const list = new TakeList({
      send: async ({ segment, repetition }) => {
        if (isAway) throw Object.assign(new Error("away"), { status: 0 });
        return { id: "t", segment, repetition, seconds: 2 };
      },
      score: async () => score,
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    await list.add(recorded());
    const [entry] = list.takes.value;
    assert.ok(entry?.state === "failed" && entry.wave !== null);
    isAway = false;
    await list.finish(entry);
    assert.deepEqual([entry.state, entry.id], ["scored", "t"]);
  });

  test("are sent once, however often that is asked for, and say which are not", async () => {
    let isAway = true;
    let sends = 0;
    const list = new TakeList({
      send: async ({ segment, repetition }) => {
        sends += 1;
        if (isAway) throw Object.assign(new Error("away"), { status: 0 });
        if (segment === 2) throw Object.assign(new Error("gone"), { status: 404 });
        return { id: `t${segment}`, segment, repetition, seconds: 2, hasSound: true, text: "" };
      },
      score: async () => ({ ...score, hasSound: false }),
      remove: async () => {},
      load: async () => new ArrayBuffer(0),
    });
    await Promise.all([list.add(recorded()), list.add(recorded({ segment: 2 }))]);
    assert.deepEqual([list.unsent.length, sends], [2, 2]);
    isAway = false;
    await Promise.all([list.sendAll(), list.sendAll()]);
    assert.equal(sends, 4);
    assert.deepEqual([list.unsent, list.takes.value.map(({ state }) => state)], [[], ["failed", "scored"]], "of a session that is gone nothing can be kept");
    assert.equal(list.takes.value[1]?.hasSound, false, "its sound was discarded with the score");
  });

  test("that are deleted while they are sent are not kept", async () => {
    const removed = /** @type {string[]} */ ([]);
    let answer = () => {};
    const list = new TakeList({
      send: ({ segment, repetition }) => new Promise((resolve) => (answer = () => resolve({ id: "t", segment, repetition, seconds: 2, hasSound: true, text: "" }))),
      score: async () => score,
      remove: async (id) => void removed.push(id),
      load: async () => new ArrayBuffer(0),
    });
    list.add(recorded());
    await new Promise((resolve) => setImmediate(resolve));
    const [entry] = list.takes.value;
    assert.ok(entry);
    const going = list.remove(entry);
    answer();
    await going;
    assert.deepEqual([removed, list.takes.value], [["t"], []]);
  });

  test("go, also those that the server has not kept", async () => {
    const list = new TakeList({
      send: async ({ segment, repetition }) => ({ id: "t", segment, repetition, seconds: 2 }),
      score: async () => score,
      remove: () => Promise.reject(Object.assign(new Error("gone"), { status: 404 })),
      load: async () => new ArrayBuffer(0),
    });
    await list.add(recorded());
    const [entry] = list.takes.value;
    assert.ok(entry);
    await list.remove(entry);
    assert.deepEqual(list.takes.value, []);
  });
});

describe("an echo", () => {
  /** @param {boolean} isRecorded */
  const echoOf = (isRecorded) => {
    const wish = { records: isRecorded, tone: 0 };
    const time = new HandClock();
    const heard = /** @type {string[]} */ ([]);
    const takes = /** @type {RecordedTake[]} */ ([]);
    const microphone = {
      isOpen: true,
      listen: (/** @type {boolean} */ keeps) => heard.push(keeps ? "records" : "listens"),
      rest: () => heard.push("rests"),
      finish: async () => ({ wave: new Blob(["sound"]), seconds: 1.5 }),
      forget: () => heard.push("forgets"),
    };
    const detection = {
      isCurrent: false,
      over: () => {},
      sound: /** @type {ArrayBuffer[]} */ ([]),
      begin: (/** @type {number} */ token, /** @type {() => void} */ over) => {
        heard.push(`detects in ${token}`);
        detection.over = over;
      },
      end: () => {},
      addSound: (/** @type {ArrayBuffer} */ chunk) => detection.sound.push(chunk),
    };
    const echo = new Echo(microphone, { records: () => wish.records, taken: (take) => takes.push(take), detection, tone: () => wish.tone, clock: new EchoClock(time) });
    /** @type {string[]} */
    const ended = [];
    const pause = { token: 7, segment: 3, repetition: 1, rate: 0.5, granularity: /** @type {const} */ ("paragraph"), seconds: /** @type {number | null} */ (2), longest: 2, ended: (/** @type {string} */ kind) => ended.push(kind) };
    return { time, heard, takes, echo, ended, pause, detection, wish };
  };

  test("is recorded under the mark, and only then", async () => {
    const { time, heard, takes, echo, ended, pause } = echoOf(true);
    const marks = /** @type {string[]} */ ([]);
    echo.isRecording.watch((yes) => marks.push(`${yes} after ${heard.length}`), new AbortController().signal);
    echo.start(pause);
    assert.deepEqual(marks, ["true after 0"], "the mark is there first");
    time.pass(2);
    assert.deepEqual([ended, echo.isRecording.value], [["echoElapsed"], false]);
    echo.stop(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(takes.map(({ segment, seconds, rate, granularity }) => [segment, seconds, rate, granularity]), [[3, 1.5, 0.5, "paragraph"]]);
  });

  test("is recorded from the end of its signal on, and is no shorter for that", async () => {
    const { time, heard, takes, echo, ended, pause, wish } = echoOf(true);
    wish.tone = 0.2;
    echo.start(pause);
    assert.deepEqual([heard, echo.isRecording.value], [[], false], "the signal is still heard");
    time.pass(0.2);
    assert.deepEqual([heard, echo.isRecording.value], [["records"], true]);
    time.pass(1.9);
    assert.deepEqual(ended, []);
    time.pass(0.1);
    assert.deepEqual(ended, ["echoElapsed"]);
    echo.stop(true);
    await echo.kept;
    assert.equal(takes.length, 1);
  });

  test("has all of its time after its signal also when it rests in between", () => {
    const { time, echo, ended, pause, wish } = echoOf(true);
    wish.tone = 0.2;
    echo.start(pause);
    time.pass(0.7);
    echo.suspend();
    wish.tone = 0;
    echo.resume(1.3);
    time.pass(1.4);
    assert.deepEqual(ended, []);
    time.pass(0.1);
    assert.deepEqual(ended, ["echoElapsed"]);
  });

  test("that rests, is switched off or ends while its signal is heard is not recorded after that", async () => {
    const { time, heard, echo, pause, wish } = echoOf(true);
    wish.tone = 0.2;
    echo.start(pause);
    echo.suspend();
    time.pass(1);
    assert.deepEqual([heard, echo.isRecording.value], [["rests"], false]);
    wish.tone = 0;
    echo.resume(2);
    assert.deepEqual([heard, echo.isRecording.value], [["rests", "records"], true]);
    echo.stop(false);
    wish.tone = 0.2;
    echo.start(pause);
    echo.forget();
    time.pass(0.2);
    assert.deepEqual([heard.at(-1), echo.isRecording.value], ["listens", false]);
    echo.stop(false);
    const before = heard.length;
    echo.start(pause);
    echo.stop(false);
    time.pass(1);
    assert.deepEqual([heard.slice(before), echo.isRecording.value], [["rests", "forgets"], false]);
  });

  test("is handed over before the microphone may go", async () => {
    const { time, takes, echo, pause } = echoOf(true);
    echo.start(pause);
    time.pass(2);
    echo.stop(true);
    await echo.kept;
    assert.equal(takes.length, 1);
  });

  test("that is broken off is no take", async () => {
    const { time, heard, takes, echo, ended, pause } = echoOf(true);
    echo.start(pause);
    time.pass(1);
    echo.stop(false);
    time.pass(5);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([takes, ended, heard], [[], [], ["records", "rests", "forgets"]]);
  });

  test("whose recording is switched off ends it at once", async () => {
    const { time, heard, takes, echo, ended, pause } = echoOf(true);
    echo.start(pause);
    time.pass(1);
    echo.forget();
    assert.deepEqual([echo.isRecording.value, heard], [false, ["records", "forgets", "listens"]]);
    time.pass(1);
    echo.stop(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([takes, ended], [[], ["echoElapsed"]]);
  });

  test("is not recorded unless that is wanted", async () => {
    const { time, heard, takes, echo, pause } = echoOf(false);
    echo.start(pause);
    assert.equal(echo.isRecording.value, false);
    time.pass(2);
    echo.stop(true);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([takes, heard[0]], [[], "listens"]);
  });

  test("rests with the microphone, and continues", () => {
    const { time, heard, echo, ended, pause } = echoOf(true);
    echo.start(pause);
    time.pass(1);
    echo.suspend();
    time.pass(60);
    echo.resume(1);
    time.pass(1);
    assert.deepEqual([ended, heard], [["echoElapsed"], ["records", "rests", "records", "rests"]]);
  });

  test("that waits for the speaker ends when they have fallen silent", () => {
    const { echo, ended, pause } = echoOf(true);
    echo.start({ ...pause, seconds: null, longest: 30 });
    for (let count = 0; count < 20; count += 1) echo.addLevel(0.1);
    for (let count = 0; count < 40; count += 1) echo.addLevel(0.001);
    assert.deepEqual(ended, ["silenceHeard"]);
  });

  test("that waits ends when the detector says so, whatever is loud", () => {
    const { heard, echo, ended, pause, detection } = echoOf(true);
    echo.start({ ...pause, seconds: null, longest: 30 });
    assert.equal(heard[0], "detects in 7");
    detection.isCurrent = true;
    echo.addSound(new ArrayBuffer(2));
    for (let count = 0; count < 20; count += 1) echo.addLevel(0.1);
    for (let count = 0; count < 40; count += 1) echo.addLevel(0.001);
    assert.deepEqual([ended, detection.sound.length], [[], 1], "loudness does not decide");
    echo.addLevel(0.1);
    detection.over();
    detection.over();
    echo.addSound(new ArrayBuffer(2));
    assert.deepEqual([ended, detection.sound.length], [["silenceHeard"], 1]);
  });

  test("that waits is decided by loudness as soon as the detector is late", () => {
    const { echo, ended, pause, detection } = echoOf(true);
    echo.start({ ...pause, seconds: null, longest: 30 });
    detection.isCurrent = true;
    for (let count = 0; count < 20; count += 1) echo.addLevel(0.1);
    for (let count = 0; count < 40; count += 1) echo.addLevel(0.001);
    detection.isCurrent = false;
    echo.addLevel(0.001);
    assert.deepEqual(ended, ["silenceHeard"]);
  });

  test("ends with its take as soon as the speaker says so, unless it rests", async () => {
    const { time, echo, takes, ended, pause } = echoOf(true);
    echo.finish();
    echo.start({ ...pause, seconds: null, longest: 30 });
    echo.suspend();
    echo.finish();
    assert.deepEqual(ended, []);
    echo.resume(20);
    echo.finish();
    echo.finish();
    time.pass(60);
    assert.deepEqual(ended, ["echoElapsed"]);
    echo.stop(true);
    await echo.kept;
    assert.equal(takes.length, 1);
  });

  test("that waits does not end while it rests", () => {
    const { echo, ended, pause, detection } = echoOf(true);
    echo.start({ ...pause, seconds: null, longest: 30 });
    echo.suspend();
    detection.over();
    echo.addSound(new ArrayBuffer(2));
    assert.deepEqual([ended, detection.sound.length], [[], 0]);
    echo.resume(20);
    detection.over();
    assert.deepEqual(ended, ["silenceHeard"]);
  });

  test("of which the start was not recorded is no take, since the rest would be taken for missed words", async () => {
    const { time, heard, takes, echo, pause, wish } = echoOf(false);
    echo.start(pause);
    time.pass(1);
    echo.suspend();
    wish.records = true;
    echo.resume(1);
    assert.deepEqual([heard, echo.isRecording.value], [["listens", "rests", "listens"], false]);
    time.pass(1);
    echo.stop(true);
    await echo.kept;
    assert.deepEqual(takes, []);
    echo.start(pause);
    assert.equal(echo.isRecording.value, true, "the next is recorded");
  });

  test("that has a length asks no detector", () => {
    const { heard, echo, pause, detection } = echoOf(true);
    echo.start(pause);
    echo.addSound(new ArrayBuffer(2));
    assert.deepEqual([heard, detection.sound.length], [["records"], 0]);
  });

  test("that waits for a speaker who is silent ends some time", () => {
    const { time, echo, ended, pause } = echoOf(true);
    echo.start({ ...pause, seconds: null, longest: 30 });
    for (let count = 0; count < 40; count += 1) echo.addLevel(0.001);
    time.pass(30);
    assert.deepEqual(ended, ["echoElapsed"]);
  });
});
