import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EchoClock, VoiceWait } from "../../Sources/WebApp/Resources/www/pages/practice/session/echo.js";
import {
  arrivingSound,
  isOutputLost,
  readWave,
  SegmentPlayer,
  SegmentSounds,
  Signals,
  wordAt,
} from "../../Sources/WebApp/Resources/www/pages/practice/session/segments.js";
import { waveFile } from "../../Sources/WebApp/Resources/www/pages/recordings/microphone.js";
import { HandClock, HandContext } from "./practice-fixtures.js";

/** An answer whose body the test sends. */
function arriving() {
  const ends = /** @type {ReadableStreamDefaultController<Uint8Array>[]} */ ([]);
  const body = new ReadableStream({ start: (controller) => void ends.push(controller) });
  const [controller] = ends;
  return {
    response: new Response(body),
    send: (/** @type {Uint8Array} */ bytes) => controller.enqueue(bytes),
    end: () => controller.close(),
    fail: () => controller.error(new TypeError("network error")),
  };
}

/** Stands for a browser's buffer, which Node does not have. */
class HandBuffer {
  samples = new Float32Array(0);

  /** @param {{ length: number, sampleRate: number }} how */
  constructor({ length, sampleRate }) {
    [this.length, this.duration] = [length, length / sampleRate];
  }

  /** @param {Float32Array} samples */
  copyToChannel(samples) {
    this.samples = samples;
  }
}

Object.assign(globalThis, { AudioBuffer: HandBuffer });

const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A sound of ten samples a second, of which two seconds are there. */
class HandSound {
  rate = 10;
  count = 20;
  isWhole = true;
  changed = () => {};

  get duration() {
    return this.count / this.rate;
  }

  /** @param {number} from */
  after(from) {
    const length = this.count - from;
    return length <= 0 ? null : /** @type {AudioBuffer} */ ({ length, duration: length / this.rate });
  }

  /** @param {number} count @param {boolean} isWhole */
  grow(count, isWhole) {
    [this.count, this.isWhole] = [count, isWhole];
    this.changed();
  }
}

describe("an echo pause", () => {
  test("ends once, when it is over", () => {
    const time = new HandClock();
    const clock = new EchoClock(time);
    let ends = 0;
    clock.start(4, () => (ends += 1));
    time.pass(1);
    assert.deepEqual([clock.part, clock.remaining, ends], [0.25, 3, 0]);
    time.pass(3);
    time.pass(9);
    assert.deepEqual([clock.part, clock.remaining, clock.isRunning, ends], [1, 0, false, 1]);
  });

  test("is as long with a rest in it as without one", () => {
    const time = new HandClock();
    const clock = new EchoClock(time);
    let ends = 0;
    clock.start(4, () => (ends += 1));
    time.pass(1.5);
    clock.suspend();
    time.pass(60);
    assert.equal(clock.remaining, 2.5);
    clock.resume(2.5);
    time.pass(2.4);
    assert.equal(ends, 0);
    time.pass(0.1);
    assert.equal(ends, 1);
  });

  test("that is stopped, or followed by another, never ends", () => {
    const time = new HandClock();
    const clock = new EchoClock(time);
    const ended = /** @type {string[]} */ ([]);
    clock.start(2, () => ended.push("first"));
    clock.start(3, () => ended.push("second"));
    time.pass(2.5);
    clock.stop();
    time.pass(9);
    clock.resume();
    assert.deepEqual([ended, clock.remaining, clock.part], [[], 0, 0]);
  });
});

describe("the wait for a speaker", () => {
  const step = 0.05;
  const [room, voice] = [0.002, 0.1];

  /** @param {VoiceWait} wait @param {number} rms @param {number} seconds @returns {number | null} Seconds after which it was over. */
  const levels = (wait, rms, seconds) => {
    for (let count = 1; count <= Math.round(seconds / step); count += 1) if (wait.addLevel(rms, step)) return count * step;
    return null;
  };

  test("is over 0.9 s after somebody has spoken", () => {
    const wait = new VoiceWait();
    assert.equal(levels(wait, room, 3), null);
    assert.equal(levels(wait, voice, 2), null);
    assert.ok(Math.abs((levels(wait, room, 5) ?? 0) - 0.9) < 0.06);
  });

  test("is not over in a silence between words", () => {
    const wait = new VoiceWait();
    levels(wait, room, 0.5);
    assert.equal(levels(wait, voice, 1), null);
    assert.equal(levels(wait, room, 0.8), null);
    assert.equal(levels(wait, voice, 1), null);
    assert.notEqual(levels(wait, room, 1), null);
  });

  test("continues while nobody speaks, and a click of a key is nobody", () => {
    const wait = new VoiceWait();
    assert.equal(levels(wait, room, 5), null);
    assert.equal(levels(wait, voice, 0.1), null);
    assert.equal(levels(wait, room, 5), null);
    assert.equal(wait.hasSpoken, false);
  });

  test("learns how loud the room is", () => {
    const wait = new VoiceWait();
    const loud = 0.012;
    assert.equal(levels(wait, loud, 3), null);
    assert.equal(wait.hasSpoken, false);
    assert.equal(levels(wait, 0.15, 1), null);
    assert.notEqual(levels(wait, loud, 2), null);
  });

  test("reports once, and waits again for the next", () => {
    const wait = new VoiceWait();
    levels(wait, voice, 1);
    assert.notEqual(levels(wait, room, 2), null);
    assert.equal(levels(wait, room, 5), null);
    wait.begin();
    assert.equal(levels(wait, room, 3), null);
    levels(wait, voice, 1);
    assert.notEqual(levels(wait, room, 2), null);
  });
});

describe("the words of a segment", () => {
  const timing = { seconds: 3, words: [{ from: 0, to: 3, start: 0.2, end: 0.6 }, { from: 4, to: 9, start: 0.8, end: 1.5 }] };

  test("are marked while they are said, and up to the next", () => {
    assert.equal(wordAt(timing, 0.1), null);
    assert.deepEqual(wordAt(timing, 0.2), { from: 0, to: 3 });
    assert.deepEqual(wordAt(timing, 0.7), { from: 0, to: 3 });
    assert.deepEqual(wordAt(timing, 2.9), { from: 4, to: 9 });
  });

  test("are not marked after the end, nor without times", () => {
    assert.equal(wordAt(timing, 3), null);
    assert.equal(wordAt({ seconds: 1, words: [] }, 0.5), null);
    assert.equal(wordAt(null, 0.5), null);
  });
});

describe("a segment's sound", () => {
  test("is read from a WAV file, also from one that does not know its length", async () => {
    const samples = Int16Array.from([0, 16_384, -32_768, 8_192]);
    const file = await waveFile([samples.buffer], 22_050).arrayBuffer();
    const { sampleRate, samples: read } = readWave(file);
    assert.deepEqual([sampleRate, [...read]], [22_050, [0, 0.5, -1, 0.25]]);
    new DataView(file).setUint32(40, 0xffff_ffff, true);
    assert.equal(readWave(file).samples.length, 4);
  });

  test("is refused when it is something else", () => {
    assert.throws(() => readWave(new ArrayBuffer(8)));
    assert.throws(() => readWave(new ArrayBuffer(100)));
  });

  test("is asked for once, held, and asked for again after a failure", async () => {
    let isFailing = true;
    const asked = /** @type {string[]} */ ([]);
    const sounds = new SegmentSounds({
      load: async (segment, rate) => {
        asked.push(`${segment} at ${rate}`);
        if (isFailing) throw new Error("away");
        return { segment, arrived: Promise.resolve() };
      },
      loadTiming: async () => ({ seconds: 1, words: [] }),
    });
    await assert.rejects(sounds.load(1, 0.5));
    isFailing = false;
    const [one, other] = await Promise.all([sounds.load(1, 0.5), sounds.load(1, 0.5)]);
    assert.equal(one, other);
    await sounds.load(1, 0.55);
    assert.deepEqual(asked, ["1 at 0.5", "1 at 0.5", "1 at 0.55"]);
    for (let segment = 2; segment < 12; segment += 1) await sounds.load(segment, 0.5);
    await sounds.load(1, 0.5);
    assert.equal(asked.filter((one) => one === "1 at 0.5").length, 3, "the oldest were dropped");
  });

  test("is played although its times cannot be had", async () => {
    const seven = { arrived: Promise.resolve(7) };
    const sounds = new SegmentSounds({ load: async () => seven, loadTiming: () => Promise.reject(new Error("away")) });
    const { sound, timing } = await sounds.load(1, 0.5);
    assert.deepEqual([sound, await timing], [seven, null]);
  });

  test("has its times asked for once all of it has arrived", async () => {
    let asked = 0;
    let arrive = () => {};
    const arrived = new Promise((resolve) => (arrive = () => resolve(undefined)));
    const sounds = new SegmentSounds({
      load: async () => ({ arrived }),
      loadTiming: async () => ({ seconds: (asked += 1), words: [] }),
    });
    const { timing } = await sounds.load(1, 0.5);
    await settled();
    assert.equal(asked, 0);
    arrive();
    assert.equal((await timing)?.seconds, 1);
  });

  test("is asked for again when its rest is lost", async () => {
    let asked = 0;
    const sounds = new SegmentSounds({
      load: async () => ({ arrived: (asked += 1) === 1 ? Promise.reject(new Error("away")) : Promise.resolve() }),
      loadTiming: async () => ({ seconds: 1, words: [] }),
    });
    const { sound } = await sounds.load(1, 0.5);
    await assert.rejects(sound.arrived);
    await sounds.load(1, 0.5);
    await sounds.load(1, 0.5);
    assert.equal(asked, 2);
  });

  test("is had while it arrives, in pieces that are long enough to be played", async () => {
    const samples = Int16Array.from({ length: 1_000 }, (_, at) => at);
    const file = new Uint8Array(await waveFile([samples.buffer], 1_000).arrayBuffer());
    const { response, send, end } = arriving();
    const coming = arrivingSound(response, () => assert.fail("all of it comes"));
    send(file.subarray(0, 20));
    send(file.subarray(20, 245)); // the header, a hundred samples and half a one
    const sound = await coming;
    let news = 0;
    sound.changed = () => (news += 1);
    assert.deepEqual([sound.rate, sound.count, sound.after(0)], [1_000, 100, null]);
    send(file.subarray(245, 1_044));
    await settled();
    assert.deepEqual([sound.count, news, sound.after(0)?.length, sound.after(0)?.samples[499], sound.after(300)], [500, 1, 500, 499 / 32_768, null]);
    send(file.subarray(1_044));
    end();
    await sound.arrived;
    assert.deepEqual([sound.isWhole, sound.duration, sound.after(990)?.length, sound.after(1_000)], [true, 1, 10, null]);
    assert.equal((await sound.whole()).length, 1_000);
  });

  test("is loaded as a whole when its connection is lost, and says why it cannot be", async () => {
    const file = await waveFile([Int16Array.from([1, 2, 3, 4]).buffer], 1_000).arrayBuffer();
    for (const problem of [null, new Error("the engine has failed")]) {
      const { response, send, fail } = arriving();
      const coming = arrivingSound(response, async () => {
        if (problem !== null) throw problem;
        return file;
      });
      send(new Uint8Array(file, 0, 47));
      const sound = await coming;
      fail();
      if (problem !== null) await assert.rejects(sound.arrived, problem);
      else assert.deepEqual([...(await sound.whole()).samples], [1, 2, 3, 4].map((one) => one / 32_768));
    }
  });
});

describe("a segment's sound whose connection is lost before its header", () => {
  test("is loaded as a whole, and says why it cannot be", async () => {
    const file = await waveFile([Int16Array.from([1, 2, 3, 4]).buffer], 1_000).arrayBuffer();
    const lost = arriving();
    const coming = arrivingSound(lost.response, async () => file);
    lost.send(new Uint8Array(file, 0, 20));
    lost.fail();
    assert.equal((await (await coming).whole()).length, 4);
    const locked = arriving();
    locked.fail();
    await assert.rejects(arrivingSound(locked.response, () => Promise.reject(new Error("locked"))), new Error("locked"));
  });
});

describe("the player of segments", () => {
  const sound = new HandSound();

  test("plays to the end, and says so once", () => {
    const context = new HandContext();
    const player = new SegmentPlayer(context.asContext);
    let ends = 0;
    player.play(sound, () => (ends += 1));
    context.pass(1.5);
    assert.deepEqual([player.time, player.isPlaying, ends], [1.5, true, 0]);
    context.pass(1);
    assert.deepEqual([player.time, player.isPlaying, ends], [2, false, 1]);
  });

  test("rests and continues at the same place", () => {
    const context = new HandContext();
    const player = new SegmentPlayer(context.asContext);
    let ends = 0;
    player.play(sound, () => (ends += 1));
    context.pass(0.5);
    player.suspend();
    context.pass(100);
    assert.deepEqual([player.time, player.isPlaying, ends], [0.5, false, 0]);
    player.resume();
    context.pass(1);
    assert.equal(player.time, 1.5);
    context.pass(0.5);
    assert.equal(ends, 1);
  });

  test("has one sound at a time", () => {
    const context = new HandContext();
    const player = new SegmentPlayer(context.asContext);
    const ended = /** @type {string[]} */ ([]);
    player.play(sound, () => ended.push("first"));
    context.pass(1);
    player.play(sound, () => ended.push("second"));
    context.pass(0.1);
    assert.equal(context.sounding, 1);
    context.pass(5);
    assert.deepEqual(ended, ["second"]);
    player.play(sound, () => ended.push("third"));
    player.stop();
    context.pass(5);
    player.resume();
    context.pass(5);
    assert.deepEqual([ended, context.sounding], [["second"], 0]);
  });
});

describe("the player of a sound that arrives", () => {
  /** @param {number} count */
  const begun = (count) => {
    const context = new HandContext();
    const player = new SegmentPlayer(context.asContext);
    const sound = new HandSound();
    let ends = 0;
    sound.grow(count, false);
    player.play(sound, () => (ends += 1));
    return { context, player, sound, ends: () => ends };
  };

  test("lets what comes in time follow what is played", () => {
    const { context, player, sound, ends } = begun(10);
    context.pass(0.5);
    sound.grow(20, false);
    context.pass(0.625);
    assert.deepEqual([player.time, context.sounding, ends()], [1.125, 1, 0]);
    sound.grow(30, true);
    context.pass(1.75);
    assert.deepEqual([player.time, ends()], [2.875, 0]);
    context.pass(0.125);
    assert.deepEqual([player.time, player.isPlaying, ends()], [3, false, 1]);
  });

  test("waits for what comes late, at the place where it is", () => {
    const { context, player, sound, ends } = begun(0);
    context.pass(4);
    assert.deepEqual([player.time, player.isPlaying], [0, true]);
    sound.grow(10, false);
    context.pass(1.5);
    assert.deepEqual([player.time, ends()], [1, 0]);
    sound.grow(20, false);
    context.pass(0.5);
    assert.equal(player.time, 1.5);
    context.pass(2);
    assert.deepEqual([player.time, ends()], [2, 0]);
    sound.grow(20, true);
    assert.deepEqual([player.isPlaying, ends()], [false, 1]);
  });

  test("rests while it waits, and continues when asked to", () => {
    const { context, player, sound, ends } = begun(10);
    context.pass(3);
    player.suspend();
    sound.grow(20, true);
    context.pass(3);
    assert.deepEqual([player.time, context.sounding, ends()], [1, 0, 0]);
    player.resume();
    context.pass(0.95);
    assert.equal(ends(), 0);
    context.pass(0.2);
    assert.deepEqual([player.time, ends()], [2, 1]);
  });

  test("leaves nothing out that came while it waited and was too little to be played", () => {
    const { context, player, sound, ends } = begun(10);
    context.pass(2);
    const { after } = sound;
    sound.after = () => null;
    sound.grow(12, false);
    assert.equal(player.time, 1);
    player.suspend();
    assert.equal(player.time, 1);
    sound.after = after;
    sound.grow(20, true);
    player.resume();
    context.pass(0.875);
    assert.deepEqual([player.time, ends()], [1.875, 0]);
    context.pass(0.125);
    assert.deepEqual([player.time, ends()], [2, 1]);
  });

  test("ends what is stopped for good, whatever still arrives", () => {
    const { context, player, sound, ends } = begun(10);
    player.stop();
    sound.grow(20, true);
    context.pass(5);
    assert.deepEqual([context.sounding, ends()], [0, 0]);
  });
});

describe("a signal", () => {
  const settings = { earcon: true, vibration: true, pulse: true };

  /** @param {Partial<typeof settings>} changes */
  const given = (changes) => {
    const context = new HandContext();
    const seen = /** @type {string[]} */ ([]);
    const felt = /** @type {number[][]} */ ([]);
    const signals = new Signals(context.asContext, {
      settings: () => ({ ...settings, ...changes }),
      pulse: (signal) => seen.push(signal),
      vibrate: (pattern) => felt.push(pattern),
    });
    signals.give("segmentEnd");
    signals.give("finished");
    return { tones: context.tones, seen, felt };
  };

  test("is heard, felt and seen", () => {
    const { tones, seen, felt } = given({});
    assert.deepEqual([tones.length, seen, felt.length], [4, ["segmentEnd", "finished"], 2]);
    assert.notDeepEqual(felt[0], felt[1]);
  });

  test("leaves out what is switched off", () => {
    const { tones, seen, felt } = given({ earcon: false, vibration: false, pulse: false });
    assert.deepEqual([tones, seen, felt], [[], [], []]);
  });

  test("say for how long they are still heard, with what the output and the room add", () => {
    const context = new HandContext();
    const signals = new Signals(context.asContext, { settings: () => settings, pulse: () => {}, vibrate: () => {} });
    assert.equal(signals.remaining, 0);
    signals.give("segmentEnd");
    assert.ok(Math.abs(signals.remaining - 0.2) < 1e-9);
    assert.ok(Math.abs(Object.assign(context, { outputLatency: 0.1 }) && signals.remaining - 0.3) < 1e-9);
    context.pass(0.25);
    assert.ok(signals.remaining > 0);
    context.pass(0.1);
    assert.equal(signals.remaining, 0);
    const quiet = new Signals(context.asContext, { settings: () => ({ ...settings, earcon: false }), pulse: () => {}, vibrate: () => {} });
    quiet.give("segmentEnd");
    assert.equal(quiet.remaining, 0);
  });
});

describe("the loudspeaker", () => {
  /** @param {string} deviceId @param {string} groupId */
  const output = (deviceId, groupId) => ({ kind: /** @type {const} */ ("audiooutput"), deviceId, groupId });
  const microphone = { kind: /** @type {const} */ ("audioinput"), deviceId: "default", groupId: "headset" };
  const before = [microphone, output("default", "headset"), output("a", "headset"), output("b", "built-in")];

  test("is lost when the default one has gone, or all have", () => {
    assert.equal(isOutputLost(before, [microphone, output("default", "built-in"), output("b", "built-in")]), true);
    assert.equal(isOutputLost(before, [microphone]), true);
  });

  test("is not lost when another one comes, goes or becomes the default", () => {
    assert.equal(isOutputLost(before, [...before, output("c", "screen")]), false);
    assert.equal(isOutputLost(before, before.filter(({ groupId }) => groupId !== "built-in")), false);
    assert.equal(isOutputLost(before, [output("default", "built-in"), output("a", "headset"), output("b", "built-in")]), false);
  });

  test("is not taken for lost where the browser names none", () => {
    assert.equal(isOutputLost([], []), false);
    assert.equal(isOutputLost([], before), false);
    assert.equal(isOutputLost([output("", "")], [output("", "")]), false);
  });
});
