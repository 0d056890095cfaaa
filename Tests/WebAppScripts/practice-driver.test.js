import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { forgetWithCut, SegmentSounds } from "../../Sources/WebApp/Resources/www/pages/practice/session/segments.js";
import { PracticeDriver } from "../../Sources/WebApp/Resources/www/pages/practice/session/driver.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").PracticeAction} PracticeAction */
/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").PracticeEvent} PracticeEvent */
/** @typedef {import("../../Sources/WebApp/Resources/www/server/practice.js").PracticeSession} PracticeSession */

/** @type {PracticeSession} */
export const session = {
  id: "s",
  title: "Talk",
  language: "en",
  voice: "espeak/en",
  source: { kind: "speech", id: "a", selection: null },
  settings: {
    rate: 0.5,
    granularity: "sentence",
    echo: "timed",
    factor: 1,
    repeats: 1,
    loop: null,
    order: "listenAndRepeat",
    hidesText: false,
    faster: false,
    records: true,
    keepsTakes: true,
    earcon: true,
    vibration: true,
    pulse: true,
  },
  phase: "idle",
  pausedIn: null,
  interruption: null,
  position: { segment: 1, repetition: 1, pass: 1 },
  segments: { known: 3, isComplete: true },
  recognizer: null,
  created: "2026-11-23T04:26:28.531Z",
  updated: "2026-11-23T04:26:28.531Z",
  summary: null,
};

/** @typedef {{ phase?: PracticeSession["phase"], segment?: number, granularity?: "sentence" | "paragraph", actions?: PracticeAction[] }} Answer */

/**
 * A driver with a server that gives prepared answers, and parts that record their calls.
 *
 * @param {...(Answer | Error)} answers
 */
function driverWith(...answers) {
  return driverThatHears(null, ...answers);
}

/**
 * The same with sounds of its own.
 *
 * @param {import("../../Sources/WebApp/Resources/www/pages/practice/session/segments.js").SegmentSounds<any> | null} sounds
 * @param {...(Answer | Error)} answers
 */
function driverThatHears(sounds, ...answers) {
  const log = /** @type {string[]} */ ([]);
  const events = /** @type {PracticeEvent[][]} */ ([]);
  const problems = /** @type {unknown[]} */ ([]);
  const ends = { playback: () => {}, echo: (/** @type {"echoElapsed" | "silenceHeard"} */ _) => {} };
  let now = 100;
  const missing = new Set();
  const driver = new PracticeDriver(session, {
    send: async (event) => {
      events.push(event);
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      const { phase = "playing", segment = 1, granularity = "sentence", actions = [] } = answer;
      const settings = { ...session.settings, granularity };
      return { session: { ...session, phase, settings, position: { segment, repetition: 1, pass: 1 } }, actions };
    },
    now: () => (now += 1),
    sounds: sounds ?? {
      load: async (segment, rate) => {
        log.push(`load ${segment} at ${rate}`);
        if (missing.has(segment)) throw new Error("no sound");
        return { sound: { duration: segment, arrived: Promise.resolve() }, timing: Promise.resolve({ seconds: segment, words: [], unspoken: [] }) };
      },
    },
    player: {
      play: (sound, ended) => {
        log.push(`play ${sound.duration}`);
        ends.playback = ended;
      },
      suspend: () => log.push("suspend"),
      resume: () => log.push("resume"),
      stop: () => log.push("stop"),
    },
    echo: {
      start: ({ segment, seconds, rate, ended }) => {
        log.push(`echo ${segment} ${seconds} at ${rate}`);
        ends.echo = ended;
      },
      suspend: () => log.push("echo suspend"),
      resume: (remaining) => log.push(`echo resume ${remaining}`),
      stop: (keeps) => log.push(`echo stop ${keeps}`),
    },
    signal: (signal) => log.push(`signal ${signal}`),
    summarize: () => log.push("summarize"),
    unspoken: (text) => log.push(`unspoken ${text}`),
    failed: (problem) => problems.push(problem),
  });
  return { driver, log, events, problems, ends, missing };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** @type {PracticeAction} */
const play = { kind: "play", token: 1, segment: 1, rate: 0.5 };

describe("a practice session on the page", () => {
  test("plays, echoes and continues as the server says", async () => {
    const { driver, log, events, ends } = driverWith(
      { actions: [play, { kind: "prepare", segment: 2, rate: 0.5 }] },
      { phase: "echo", actions: [{ kind: "signal", signal: "segmentEnd" }, { kind: "startEcho", token: 2, segment: 1, seconds: 1, longest: 1 }] },
      { segment: 2, actions: [{ kind: "stopEcho", token: 2, keepsTake: true }, { ...play, token: 3, segment: 2 }] },
    );
    await driver.toggle();
    await settled();
    assert.deepEqual(log, ["stop", "load 1 at 0.5", "load 2 at 0.5", "play 1"]);
    assert.equal(driver.sounding.value?.timing?.seconds, 1);
    ends.playback();
    await settled();
    assert.equal(driver.sounding.value, null);
    assert.equal(driver.echoing.value?.isTimed, true);
    ends.echo("echoElapsed");
    await settled();
    assert.deepEqual(log.slice(4), ["signal segmentEnd", "echo 1 1 at 0.5", "echo stop true", "stop", "load 2 at 0.5", "play 2"]);
    assert.deepEqual(events.flat().map(({ kind, token, seconds }) => [kind, token, seconds]), [
      ["begin", undefined, undefined],
      ["playbackFinished", 1, 1],
      ["echoElapsed", 2, undefined],
    ]);
  });

  test("has asked for the next sound before the present one ends, and waits for none then", async () => {
    const coming = /** @type {Map<number, () => void>} */ (new Map());
    const sounds = new SegmentSounds({
      load: (segment) => new Promise((resolve) => coming.set(segment, () => resolve({ duration: segment, arrived: Promise.resolve() }))),
      loadTiming: () => new Promise(() => {}),
    });
    const answers = [1, 2, 3].map((segment) => {
      /** @type {PracticeAction[]} */
      const actions = [{ ...play, token: segment, segment }, { kind: "prepare", segment: segment + 1, rate: 0.5 }];
      return { segment, actions };
    });
    const { driver, log, events, ends } = driverThatHears(sounds, ...answers);
    await driver.toggle();
    for (const segment of [1, 2, 3]) {
      // The sound of each later one has come before the one before it has ended.
      if (segment === 1) coming.get(1)?.();
      await settled();
      assert.deepEqual([log[log.length - 1], [...coming.keys()].length], [`play ${segment}`, segment + 1]);
      coming.get(segment + 1)?.();
      await settled();
      if (segment < 3) ends.playback();
    }
    assert.deepEqual(events.flat().map(({ kind }) => kind), ["begin", "playbackFinished", "playbackFinished"]);
  });

  test("names what could not be spoken of a segment once", async () => {
    const sounds = new SegmentSounds({
      load: async (segment) => ({ duration: segment, arrived: Promise.resolve() }),
      loadTiming: async (segment) => ({ seconds: segment, words: [], unspoken: segment === 1 ? ["[ɕ] (Miś)", "Gone."] : ["Gone."] }),
    });
    const { driver, log, ends } = driverThatHears(
      sounds,
      { actions: [play, { kind: "prepare", segment: 2, rate: 0.5 }] },
      { segment: 2, actions: [{ ...play, token: 2, segment: 2 }] },
    );
    await driver.toggle();
    await settled();
    ends.playback();
    await settled();
    assert.deepEqual(log.filter((one) => one.startsWith("play ")), ["play 1", "play 2"]);
    assert.deepEqual(log.filter((one) => one.startsWith("unspoken")), ["unspoken [ɕ] (Miś) · Gone."]);
  });

  test("begins a pause again as the server says, and hears no more of the one before", async () => {
    const { driver, log, events, ends } = driverWith(
      { actions: [play] },
      { phase: "echo", actions: [{ kind: "startEcho", token: 2, segment: 1, seconds: null, longest: 10 }] },
      { phase: "echo", actions: [{ kind: "stopEcho", token: 2, keepsTake: false }, { kind: "startEcho", token: 3, segment: 1, seconds: 1, longest: 1 }] },
    );
    await driver.toggle();
    await settled();
    ends.playback();
    await settled();
    const before = ends.echo;
    await driver.change({ echo: "timed" });
    assert.deepEqual(log.slice(-3), ["echo 1 null at 0.5", "echo stop false", "echo 1 1 at 0.5"]);
    assert.deepEqual([driver.echoing.value?.token, driver.echoing.value?.isTimed], [3, true]);
    before("silenceHeard");
    ends.echo("echoElapsed");
    await settled();
    assert.deepEqual(events.flat().map(({ kind, token }) => [kind, token]).slice(-2), [["setSettings", undefined], ["echoElapsed", 3]]);
  });

  test("sends what happens in its order, with times that never go back", async () => {
    const { driver, events } = driverWith();
    await Promise.all([driver.send({ kind: "next" }), driver.send({ kind: "next" }), driver.send({ kind: "previous" })]);
    const all = events.flat();
    assert.deepEqual(all.map(({ kind }) => kind), ["next", "next", "previous"]);
    assert.ok(all.every(({ at }, index) => index === 0 || at > (all[index - 1]?.at ?? 0)));
  });

  test("says of a change that nobody chose that it is not for later sessions", async () => {
    const { driver, events } = driverWith();
    await driver.change({ rate: 0.4 });
    await driver.change({ records: false }, { isKept: false });
    assert.deepEqual(events.flat().map(({ settings, isKept }) => [settings, isKept]), [
      [{ rate: 0.4 }, undefined],
      [{ records: false }, false],
    ]);
  });

  test("lets a sound rest that has not come yet", async () => {
    const { driver, log } = driverWith({ actions: [play] }, { phase: "paused", actions: [{ kind: "suspendPlayback", token: 1 }] }, { actions: [{ kind: "resumePlayback", token: 1 }] });
    const begun = driver.toggle();
    const paused = driver.send({ kind: "pause" });
    await Promise.all([begun, paused]);
    await settled();
    assert.equal(log[log.length - 1], "suspend");
    assert.equal(driver.sounding.value?.isHeld, true);
    await driver.send({ kind: "resume" });
    assert.deepEqual([log[log.length - 1], driver.sounding.value?.isHeld], ["resume", false]);
  });

  test("does nothing that concerns an earlier sound", async () => {
    const { driver, log, events, ends } = driverWith(
      { actions: [play] },
      { segment: 2, actions: [{ kind: "stopPlayback", token: 1 }, { ...play, token: 2, segment: 2 }] },
      { actions: [{ kind: "stopPlayback", token: 1 }, { kind: "suspendEcho", token: 1 }] },
    );
    await driver.toggle();
    await settled();
    const first = ends.playback;
    await driver.send({ kind: "next" });
    await settled();
    first();
    await driver.send({ kind: "next" });
    assert.deepEqual(events.flat().map(({ kind }) => kind), ["begin", "next", "next"]);
    assert.equal(log[log.length - 1], "play 2");
  });

  test("says when a segment cannot be heard", async () => {
    const { driver, events, problems, missing } = driverWith({ actions: [play] }, { phase: "paused" });
    missing.add(1);
    await driver.toggle();
    await settled();
    assert.deepEqual(events.flat().map(({ kind, token }) => [kind, token]), [["begin", undefined], ["playbackFailed", 1]]);
    assert.equal(problems.length, 1);
  });

  test("keeps what could not be sent, and rests meanwhile", async () => {
    const silent = Object.assign(new Error("away"), { status: 0 });
    const { driver, log, events, problems } = driverWith({ actions: [play] }, silent, { segment: 2 });
    await driver.toggle();
    await settled();
    await driver.send({ kind: "next" });
    assert.deepEqual([problems, log.slice(-2)], [[silent], ["suspend", "echo suspend"]]);
    await driver.retry();
    assert.deepEqual(events.slice(1).flat().map(({ kind }) => kind), ["next", "next"]);
    assert.equal(driver.session.value.position.segment, 2);
  });

  test("continues with what rested once a change is answered, unless it was paused meanwhile", async () => {
    const silent = Object.assign(new Error("away"), { status: 0 });
    /** @type {PracticeAction} */
    const echo = { kind: "startEcho", token: 2, segment: 1, seconds: 2, longest: 2 };
    const changed = async (/** @type {Answer} */ first, /** @type {Answer} */ answer) => {
      const { driver, log } = driverWith(first, silent, answer);
      await driver.toggle();
      await settled();
      await driver.change({ factor: 2 });
      const before = log.length;
      await driver.retry();
      return log.slice(before);
    };
    assert.deepEqual(await changed({ actions: [play] }, {}), ["resume"]);
    assert.deepEqual(await changed({ phase: "echo", actions: [echo] }, { phase: "echo" }), ["echo resume 0"]);
    assert.deepEqual(await changed({ actions: [play] }, { phase: "paused", actions: [{ kind: "suspendPlayback", token: 1 }] }), ["suspend"]);
    const next = await changed({ actions: [play] }, { segment: 2, actions: [{ ...play, token: 2, segment: 2 }] });
    assert.ok(!next.includes("resume"));
  });

  test("drops what was recorded in a pause that rests when the session continues elsewhere in the text", async () => {
    /** @type {PracticeAction} */
    const echo = { kind: "startEcho", token: 2, segment: 1, seconds: 2, longest: 2 };
    const { driver, log } = driverWith(
      { phase: "echo", actions: [echo] },
      { phase: "paused", actions: [{ kind: "suspendEcho", token: 2 }] },
      { segment: 4, actions: [{ ...play, token: 9, segment: 4 }] },
    );
    await driver.toggle();
    await driver.toggle();
    await driver.toggle();
    await settled();
    assert.deepEqual([driver.echoing.value, driver.sounding.value?.segment], [null, 4]);
    assert.deepEqual(log.filter((one) => one.startsWith("echo")), ["echo 1 2 at 0.5", "echo suspend", "echo stop false"]);
  });

  test("forgets what the server refuses", async () => {
    const { driver, events, problems } = driverWith(Object.assign(new Error("gone"), { status: 404 }));
    await driver.send({ kind: "next" });
    await driver.retry();
    assert.deepEqual([events.length, problems.length], [1, 1]);
  });

  test("is silent when it is refused, and begins again", async () => {
    const { driver, log, events } = driverWith({ actions: [play] }, Object.assign(new Error("failed"), { status: 500 }), { actions: [play] });
    await driver.toggle();
    await settled();
    await driver.send({ kind: "next" });
    assert.deepEqual([log.slice(-2), driver.isBegun.value, driver.sounding.value], [["stop", "echo stop false"], false, null]);
    await driver.toggle();
    assert.deepEqual([events.flat().map(({ kind }) => kind), driver.isRunning], [["begin", "next", "begin"], true]);
  });

  test("notices that it is practiced elsewhere", async () => {
    const { driver, ends } = driverWith({ actions: [play] }, { segment: 2 });
    await driver.toggle();
    await settled();
    ends.playback();
    await settled();
    assert.deepEqual([driver.isBegun.value, driver.isRunning], [false, false]);
  });

  test("begins again what another visit has begun, also at another segment", async () => {
    const { driver, events } = driverWith();
    assert.equal(driver.isRunning, false);
    await driver.goTo(3);
    assert.deepEqual(events.flat().map(({ kind, segment }) => [kind, segment]), [["jump", 3], ["begin", undefined]]);
  });

  test("continues when somebody goes elsewhere while it rests", async () => {
    const { driver, events } = driverWith({ actions: [play] }, { phase: "paused" });
    await driver.toggle();
    await driver.toggle();
    await driver.goTo(2);
    assert.deepEqual(events.flat().map(({ kind }) => kind), ["begin", "pause", "jump", "resume"]);
  });

  test("sends only what changes of its settings", async () => {
    const { driver, events } = driverWith();
    await driver.change({ rate: 0.4 });
    assert.deepEqual(events.flat().map(({ kind, settings }) => [kind, settings]), [["setSettings", { rate: 0.4 }]]);
  });

  test("hears no segment of an earlier cut under the number of another", async () => {
    let cut = "sentence";
    const sounds = new SegmentSounds({
      load: async (segment) => ({ duration: segment, cut, arrived: Promise.resolve() }),
      loadTiming: async (segment) => ({ seconds: segment, words: [], unspoken: [] }),
    });
    const { driver } = driverThatHears(
      sounds,
      { actions: [play, { kind: "prepare", segment: 2, rate: 0.5 }] },
      { granularity: "paragraph", actions: [{ kind: "stopPlayback", token: 1 }, { ...play, token: 2, segment: 2 }] },
    );
    const forgotten = /** @type {string[]} */ ([]);
    const texts = { forget: () => forgotten.push("texts") };
    forgetWithCut(driver.session, [sounds, texts], () => forgotten.push("cut"), new AbortController().signal);
    await driver.toggle();
    await settled();
    assert.deepEqual([(await sounds.load(2, 0.5)).sound.cut, forgotten], ["sentence", []]);
    cut = "paragraph"; // in another tab
    await driver.send({ kind: "next" });
    assert.equal((await sounds.load(2, 0.5)).sound.cut, "paragraph");
    assert.deepEqual(forgotten, ["texts", "cut"]);
  });

  test("learns settings that were changed elsewhere, unless it is given or has been given newer ones", async () => {
    const { driver } = driverWith({ phase: "paused" });
    const changed = { ...session, settings: { ...session.settings, records: false } };
    const asked = driver.answers;
    const sending = driver.send({ kind: "pause" });
    assert.deepEqual([driver.learn(changed, asked), driver.session.value.settings.records], [false, true]);
    await sending;
    await driver.settled;
    assert.equal(driver.learn(changed, asked), false);
    assert.equal(driver.learn(changed, driver.answers), true);
    assert.deepEqual([driver.session.value.settings.records, driver.session.value.phase], [false, "paused"]);
  });

  test("shows where it was left elsewhere while it rests, and begins there", async () => {
    const { driver, log, events } = driverWith(
      { actions: [play] },
      { phase: "paused", actions: [{ kind: "suspendPlayback", token: 1 }] },
      { segment: 3, actions: [{ ...play, token: 2, segment: 3 }] },
    );
    const elsewhere = { ...session, position: { segment: 3, repetition: 1, pass: 1 } };
    await driver.toggle();
    assert.equal(driver.learn(elsewhere, driver.answers), true);
    assert.equal(driver.session.value.position.segment, 1, "it is heard here");
    await driver.toggle();
    driver.learn(elsewhere, driver.answers);
    assert.deepEqual([driver.session.value.position.segment, driver.isBegun.value, driver.sounding.value], [3, false, null]);
    assert.deepEqual(log.slice(-2), ["stop", "echo stop false"]);
    await driver.toggle();
    assert.equal(events.flat().at(-1)?.kind, "begin");
    driver.learn({ ...session, phase: "finished" }, driver.answers);
    assert.equal(driver.session.value.phase, "playing", "it is heard here");
  });

  test("is over once it has ended elsewhere while it rests", async () => {
    const { driver } = driverWith({ phase: "paused" });
    await driver.send({ kind: "pause" });
    driver.learn({ ...session, phase: "finished" }, driver.answers);
    assert.deepEqual([driver.session.value.phase, driver.isRunning], ["finished", false]);
  });

  test("is interrupted only while something runs", async () => {
    const { driver, events } = driverWith({ actions: [play] }, { phase: "paused" });
    await driver.interrupt("hidden");
    await driver.toggle();
    await driver.interrupt("hidden");
    await driver.interrupt("hidden");
    assert.deepEqual(events.flat().map(({ kind, reason }) => [kind, reason]), [["begin", undefined], ["interrupt", "hidden"]]);
  });

  test("is silent once it is closed", async () => {
    const { driver, log, events, ends } = driverWith({ actions: [play] });
    await driver.toggle();
    await settled();
    driver.close();
    ends.playback();
    await driver.send({ kind: "next" });
    assert.deepEqual([log.slice(-2), events.length], [["stop", "echo stop false"], 1]);
  });

  test("shows how it went", async () => {
    const { driver, log } = driverWith({ phase: "finished", actions: [{ kind: "signal", signal: "finished" }, { kind: "summarize" }] }, { actions: [play] });
    await driver.send({ kind: "end" });
    assert.deepEqual(log, ["signal finished", "summarize"]);
    await driver.toggle();
    assert.equal(driver.session.value.phase, "playing");
  });
});
