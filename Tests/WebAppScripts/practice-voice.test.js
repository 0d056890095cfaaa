import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { VoiceDetection } from "../../Sources/WebApp/Resources/www/pages/practice/session/echo.js";

/** A detection whose time and answers the test gives, and whose server has a detector. */
async function presentDetection() {
  const all = detectionOf();
  const prepared = all.detection.prepare();
  all.sent.pop()?.answer(going);
  await prepared;
  return all;
}

/** A detection whose time and answers the test gives. */
function detectionOf() {
  const sent = /** @type {{ turn: number, bytes: number, answer: (answer: { isDetected: boolean, isOver: boolean }) => void, fail: () => void }[]} */ ([]);
  let time = 0;
  const detection = new VoiceDetection({
    send: (turn, piece) =>
      new Promise((resolve, reject) => {
        sent.push({ turn, bytes: piece.byteLength, answer: resolve, fail: () => reject(new Error("away")) });
      }),
    rate: 24_000,
    now: () => time,
  });
  const pass = (/** @type {number} */ seconds) => (time += seconds);
  return { detection, sent, pass };
}

const chunk = () => new ArrayBuffer(4_800);
const going = { isDetected: true, isOver: false };
const over = { isDetected: true, isOver: true };

/** Lets what is pending continue. */
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe("the detection of a voice", () => {
  test("sends piece after piece, and what comes meanwhile in one", async () => {
    const { detection, sent } = await presentDetection();
    detection.begin(5, () => {});
    detection.addSound(chunk());
    await settle();
    detection.addSound(chunk());
    detection.addSound(chunk());
    await settle();
    assert.deepEqual(sent.map(({ turn, bytes }) => [turn, bytes]), [[5, 44 + 4_800]]);
    sent[0]?.answer(going);
    await settle();
    assert.deepEqual(sent.map(({ bytes }) => bytes), [44 + 4_800, 44 + 2 * 4_800]);
  });

  test("decides while its answers are recent", async () => {
    const { detection, sent, pass } = await presentDetection();
    detection.begin(5, () => {});
    assert.equal(detection.isCurrent, false, "it has heard nothing yet");
    detection.addSound(chunk());
    await settle();
    pass(0.1);
    sent[0]?.answer(going);
    await settle();
    assert.equal(detection.isCurrent, true);
    pass(0.3);
    assert.equal(detection.isCurrent, false, "nothing was analyzed for a while");
    detection.addSound(chunk());
    await settle();
    sent[1]?.answer(going);
    await settle();
    assert.equal(detection.isCurrent, true);
    detection.begin(6, () => {});
    assert.equal(detection.isCurrent, false, "another turn begins again");
  });

  test("reports the end of its own turn only", async () => {
    const { detection, sent } = await presentDetection();
    const ends = /** @type {number[]} */ ([]);
    detection.begin(5, () => ends.push(5));
    detection.addSound(chunk());
    await settle();
    detection.begin(6, () => ends.push(6));
    detection.addSound(chunk());
    sent[0]?.answer(over);
    await settle();
    assert.deepEqual(ends, []);
    sent[1]?.answer(over);
    await settle();
    assert.deepEqual([ends, sent[1]?.turn], [[6], 6]);
    detection.end();
    detection.addSound(chunk());
    await settle();
    assert.equal(sent.length, 2, "no sound is sent between the turns");
  });

  test("sends no sound to a server that has no detector", async () => {
    const { detection, sent } = detectionOf();
    const prepared = detection.prepare();
    assert.deepEqual(sent.map(({ turn, bytes }) => [turn, bytes]), [[0, 0]]);
    sent[0]?.answer({ isDetected: false, isOver: false });
    await prepared;
    detection.begin(5, () => {});
    detection.addSound(chunk());
    await settle();
    assert.deepEqual([sent.length, detection.isCurrent], [1, false]);
    const again = detection.prepare();
    sent[1]?.answer(going);
    await again;
    detection.addSound(chunk());
    await settle();
    assert.equal(sent[2]?.turn, 5, "its model may have been installed since");
  });

  test("sends no sound before it knows that there is a detector", async () => {
    const { detection, sent } = detectionOf();
    detection.begin(5, () => {});
    detection.addSound(chunk());
    detection.addSound(chunk());
    await settle();
    assert.deepEqual(sent.map(({ bytes }) => bytes), [0]);
    sent[0]?.answer(going);
    await settle();
    detection.addSound(chunk());
    await settle();
    assert.deepEqual(sent.map(({ bytes }) => bytes), [0, 44 + 3 * 4_800]);
  });

  test("leaves a turn to loudness after a failure, and tries again in the next", async () => {
    const { detection, sent } = detectionOf();
    const prepared = detection.prepare();
    sent[0]?.fail();
    await prepared;
    detection.begin(5, () => {});
    detection.addSound(chunk());
    sent[1]?.answer(going);
    await settle();
    detection.addSound(chunk());
    await settle();
    sent[2]?.fail();
    await settle();
    detection.addSound(chunk());
    await settle();
    assert.deepEqual([sent.length, detection.isCurrent], [3, false]);
    detection.begin(6, () => {});
    detection.addSound(chunk());
    await settle();
    sent[3]?.answer(going);
    await settle();
    assert.equal(detection.isCurrent, true);
  });

  test("keeps the last five seconds for a server that is slow", async () => {
    const { detection, sent } = await presentDetection();
    detection.begin(5, () => {});
    for (let count = 0; count < 100; count += 1) detection.addSound(chunk());
    await settle();
    sent[0]?.answer(going);
    await settle();
    assert.equal(sent[1]?.bytes, 44 + 50 * 4_800);
  });
});
