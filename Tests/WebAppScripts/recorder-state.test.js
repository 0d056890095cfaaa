import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { atRest, isBusy, isLeft, isLive, step } from "../../Sources/WebApp/Resources/www/pages/recordings/recorder-state.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/pages/recordings/recorder-state.js").RecorderEvent} RecorderEvent */
/** @typedef {import("../../Sources/WebApp/Resources/www/server/recordings.js").Session} Session */

/** @type {Session} */
const session = {
  id: "s",
  name: "Talk",
  language: "et",
  sampleRate: 48_000,
  state: "recording",
  samples: 0,
  seconds: 0,
  nextChunk: 0,
  marks: [],
  device: null,
  created: "2026-11-23T04:26:28.531Z",
  isUnreadable: false,
  isOfFile: false,
};

/** @param {...RecorderEvent} events */
const after = (...events) => events.reduce(step, atRest);

/** @type {RecorderEvent[]} */
const begun = [{ kind: "ask" }, { kind: "begun", session, device: "Headset" }];

describe("the recorder", () => {
  test("asks, records, rests, continues, saves and is at rest again", () => {
    const phases = [];
    /** @type {RecorderEvent[]} */
    const events = [...begun, { kind: "pause" }, { kind: "resume" }, { kind: "stop" }, { kind: "ended" }];
    for (let count = 1; count <= events.length; count += 1) phases.push(after(...events.slice(0, count)).phase);
    assert.deepEqual(phases, ["asking", "recording", "paused", "recording", "saving", "idle"]);
  });

  test("begins where an interrupted session has ended", () => {
    const state = after({ kind: "ask" }, { kind: "begun", session: { ...session, seconds: 12.5 }, device: null });
    assert.equal(state.seconds, 12.5);
  });

  test("counts what is missing, until the next recording", () => {
    /** @type {RecorderEvent[]} */
    const missed = [{ kind: "missed", seconds: 0.5 }, { kind: "pause" }, { kind: "resume" }, { kind: "missed", seconds: 0.25 }];
    assert.equal(after(...begun, ...missed, { kind: "stop" }).missed, 0.75);
    assert.equal(after(...begun, ...missed, { kind: "stop" }, { kind: "missed", seconds: 1 }).missed, 1.75, "also while it is saved");
    assert.equal(after(...begun, ...missed, { kind: "stop" }, { kind: "ended" }, ...begun).missed, 0);
    assert.equal(step(atRest, { kind: "missed", seconds: 1 }), atRest);
  });

  test("says why it cannot begin, until it is asked again", () => {
    const problem = { code: "microphone.denied" };
    const refused = after({ kind: "ask" }, { kind: "refused", problem });
    assert.deepEqual([refused.phase, refused.problem], ["idle", problem]);
    assert.equal(step(refused, { kind: "ask" }).problem, null);
  });

  test("says which marks are lost until a person has seen it, whatever is recorded meanwhile", () => {
    const [one, other] = [{ name: "Talk", seconds: 3 }, { name: "Walk", seconds: 4.5 }];
    const first = after(...begun, { kind: "stop" }, { kind: "ended" }, { kind: "lostMarks", marks: [one] });
    assert.deepEqual(first, { ...atRest, lostMarks: [one] });
    /** @type {RecorderEvent[]} */
    const next = [...begun, { kind: "lostMarks", marks: [other] }, { kind: "stop" }, { kind: "ended" }, { kind: "refused", problem: null }];
    const second = next.reduce(step, first);
    assert.deepEqual(second.lostMarks, [one, other]);
    assert.deepEqual(step(second, { kind: "seen" }), atRest);
  });

  test("does nothing that has no meaning at the moment", () => {
    for (const kind of /** @type {const} */ (["pause", "resume", "lost", "found", "suspended", "running", "stop"])) {
      assert.equal(step(atRest, { kind }), atRest);
    }
    const recording = after(...begun);
    assert.equal(step(recording, { kind: "ask" }), recording);
    const saving = step(recording, { kind: "stop" });
    assert.equal(step(saving, { kind: "heard", seconds: 9, isSilent: false }), saving);
    assert.equal(step(recording, { kind: "changed", session: { ...session, id: "other" } }), recording);
  });

  test("rests when the microphone is gone, and continues with another", () => {
    const lost = after(...begun, { kind: "lost" });
    assert.deepEqual([lost.phase, lost.note, lost.device], ["paused", "lost", null]);
    assert.equal(step(lost, { kind: "found" }).note, "found");
    assert.deepEqual([step(lost, { kind: "resume" }).phase, step(lost, { kind: "resume" }).note], ["recording", null]);
    const switched = after(...begun, { kind: "switched", device: "Other" });
    assert.deepEqual([switched.phase, switched.note, switched.device], ["recording", "switched", "Other"]);
  });

  test("says that nothing is heard while nothing is heard", () => {
    const silent = after(...begun, { kind: "heard", seconds: 6, isSilent: true });
    assert.equal(silent.note, "silent");
    assert.equal(step(silent, { kind: "heard", seconds: 7, isSilent: false }).note, null);
    const suspended = after(...begun, { kind: "suspended" });
    assert.equal(suspended.note, "suspended");
    assert.equal(step(suspended, { kind: "running" }).note, null);
  });

  test("is left by a server that was started again, once it has ended", () => {
    /** @type {RecorderEvent} */
    const restarted = { kind: "waits", waiting: "restarted", unsent: 3, problem: { status: 0 } };
    const recording = after(...begun, restarted);
    assert.deepEqual([recording.phase, recording.waiting, isLeft(recording)], ["recording", "restarted", false]);
    const later = step(recording, { kind: "waits", waiting: "server", unsent: 4, problem: { status: 0 } });
    assert.deepEqual([later.waiting, later.unsent], ["restarted", 4], "whatever the next attempt meets");
    const ended = step(later, { kind: "stop" });
    assert.deepEqual([ended.phase, isLeft(ended), isBusy(ended)], ["saving", true, true], "the page is not left without a question");
    assert.equal(isLeft(step(ended, { kind: "ended" })), false);
    assert.equal(isLeft(after(...begun, { kind: "waits", waiting: "server", unsent: 3, problem: null }, { kind: "stop" })), false);
  });

  test("says what waits until it has been sent", () => {
    const problem = { code: "server.unreachable" };
    const waiting = after(...begun, { kind: "waits", waiting: "server", unsent: 3, problem });
    assert.deepEqual([waiting.phase, waiting.waiting, waiting.unsent], ["recording", "server", 3]);
    const sent = step(waiting, { kind: "sent", unsent: 0, remaining: 500 });
    assert.deepEqual([sent.waiting, sent.problem, sent.remaining], [null, null, 500]);
  });

  test("is live while it records or rests, and busy from the first question to the end", () => {
    assert.deepEqual([atRest, after({ kind: "ask" }), after(...begun), after(...begun, { kind: "stop" })].map(isLive), [false, false, true, false]);
    assert.deepEqual([atRest, after({ kind: "ask" }), after(...begun), after(...begun, { kind: "stop" })].map(isBusy), [false, true, true, true]);
  });
});
