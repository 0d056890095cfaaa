import assert from "node:assert/strict";
import test from "node:test";

/** A context controlled by the test, and a node whose thread answers when the test lets it. */
class Context extends EventTarget {
  sampleRate = 48_000;
  state = "running";
  destination = {};
  onstatechange = () => {};
  audioWorklet = { addModule: async () => {} };
  createMediaStreamSource = () => ({ connect() {}, disconnect() {} });
  resume = async () => {};
  close = async () => this.become("closed");

  /** @param {string} state */
  become(state) {
    this.state = state;
    this.onstatechange();
    this.dispatchEvent(new Event("statechange"));
  }
}

class Node extends EventTarget {
  /** @type {object[]} */
  orders = [];
  port = { /** @type {any} */ onmessage: null, postMessage: (/** @type {object} */ order) => this.orders.push(order) };
  connect() {}

  /** @param {object} data */
  say(data) {
    this.port.onmessage({ data });
  }
}

/**
 * @param {string} label
 * @param {string} readyState
 */
function trackOf(label, readyState) {
  const track = { label, readyState, enabled: true, stop: () => void (track.readyState = "ended"), addEventListener() {} };
  return track;
}

/** @param {ReturnType<typeof trackOf>} track */
function streamOf(track) {
  return { getTracks: () => [track], getAudioTracks: () => [track] };
}

/** An open microphone, its track, its context, its node and the chunks received so far. */
async function opened(/** @type {import("node:test").TestContext} */ test) {
  const track = trackOf("Desk", "live");
  const devices = Object.assign(new EventTarget(), { getUserMedia: async () => streamOf(track), enumerateDevices: async () => [] });
  const globals = /** @type {any} */ (globalThis);
  const context = new Context();
  const node = new Node();
  Object.defineProperty(globals, "navigator", { value: { mediaDevices: devices }, configurable: true });
  globals.AudioContext = function () {
    return context;
  };
  globals.AudioWorkletNode = function () {
    return node;
  };
  test.after(() => {
    delete globals.AudioContext;
    delete globals.AudioWorkletNode;
  });
  const { Microphone } = await import("../../Sources/WebApp/Resources/www/pages/recordings/microphone.js");
  /** @type {ArrayBuffer[]} */
  const chunks = [];
  /** @type {{ seconds: number, ago: number }[]} */
  const losses = [];
  const missed = (/** @type {number} */ seconds, /** @type {number} */ ago) => losses.push({ seconds, ago });
  const listener = { chunk: (/** @type {ArrayBuffer} */ chunk) => chunks.push(chunk), missed, running() {}, level() {}, switched() {}, lost() {}, found() {} };
  const options = { input: "", echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const microphone = new Microphone(options, /** @type {any} */ (listener));
  await microphone.open();
  return { microphone, track, context, node, chunks, losses };
}

test("The microphone is asked for as the settings say, and by their defaults until they are there", async (context) => {
  const { microphoneOptions } = await import("../../Sources/WebApp/Resources/www/pages/recordings/microphone.js");
  const { settings } = await import("../../Sources/WebApp/Resources/www/core/store.js");
  const before = settings.value;
  context.after(() => settings.set(before));
  const usual = { input: "", echoCancellation: false, noiseSuppression: false, autoGainControl: true };
  assert.deepEqual(microphoneOptions(), usual);
  const chosen = { name: "recording.gain", value: "off" };
  settings.set(new Map([[chosen.name, /** @type {any} */ (chosen)]]));
  assert.deepEqual(microphoneOptions(), { ...usual, autoGainControl: false });
});

/** @param {Promise<unknown>} promise */
async function isSettled(promise) {
  let settled = false;
  promise.then(() => (settled = true));
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  return settled;
}

test("the last sound of a busy thread is waited for as long as it runs", async (test) => {
  const { microphone, node, chunks } = await opened(test);
  test.mock.timers.enable({ apis: ["setTimeout"] });
  const flushed = microphone.flush();
  test.mock.timers.tick(20_000);
  assert.equal(await isSettled(flushed), false);
  node.say({ chunk: new ArrayBuffer(8) });
  node.say({ isFlushed: true });
  assert.equal(await isSettled(flushed), true);
  assert.equal(chunks.length, 1);
});

test("two who wait are answered in their order", async (test) => {
  const { microphone, node } = await opened(test);
  const [first, second] = [microphone.flush(), microphone.flush()];
  node.say({ isFlushed: true });
  assert.deepEqual([await isSettled(first), await isSettled(second)], [true, false]);
  node.say({ isFlushed: true });
  assert.equal(await isSettled(second), true);
});

for (const [name, act] of /** @type {const} */ ([
  ["the browser stops the sound", (/** @type {Context} */ context) => context.become("suspended")],
  ["its thread fails", (/** @type {Context} */ _, /** @type {Node} */ node) => node.dispatchEvent(new Event("processorerror"))],
])) {
  test(`nobody waits on when ${name}`, async (test) => {
    const { microphone, context, node } = await opened(test);
    const flushed = microphone.flush();
    assert.equal(await isSettled(flushed), false);
    act(context, node);
    assert.equal(await isSettled(flushed), true);
  });
}

test("what is missing is reported with its place, and neither what is paused nor what the browser suspends", async (context) => {
  let now = 1_000;
  context.mock.method(performance, "now", () => now);
  const { microphone, context: audio, node, losses } = await opened(context);
  let frame = 0;
  const hear = (/** @type {number} */ seconds) => {
    for (let end = frame + seconds * 48_000; frame < end; ) {
      frame += 12_000;
      now += 250;
      node.say({ chunk: new ArrayBuffer(24_000), frame, skipped: 0, heard: now + 5_000 });
    }
  };
  microphone.pause(false);
  hear(20);
  microphone.pause(true);
  now += 60_000;
  microphone.pause(false);
  hear(20);
  audio.become("suspended");
  now += 60_000;
  audio.become("running");
  hear(20);
  assert.deepEqual(losses, []);
  now += 500;
  hear(12);
  assert.deepEqual(losses.map(({ seconds }) => seconds.toFixed(2)), ["0.50"]);
  assert.ok((losses[0]?.ago ?? 0) > 3 && (losses[0]?.ago ?? 0) <= 12);
  node.say({ chunk: new ArrayBuffer(24_000), frame: frame + 24_000, skipped: 12_000, heard: now + 5_000 });
  assert.deepEqual(losses[1], { seconds: 0.25, ago: 0.25 });
});

test("a microphone that is lost twice at once is replaced once, by one that is still there", async (test) => {
  const { microphone, track } = await opened(test);
  const devices = /** @type {any} */ (navigator.mediaDevices);
  devices.enumerateDevices = async () => [{ kind: "audioinput", deviceId: "1" }];
  /** @type {ReturnType<typeof trackOf>[]} */
  const tracks = [];
  const give = (/** @type {string} */ readyState) => async () => {
    tracks.push(trackOf("Lamp", readyState));
    return streamOf(tracks[tracks.length - 1]);
  };
  track.readyState = "ended";
  devices.getUserMedia = give("live");
  await Promise.all([microphone.reopen(), microphone.reopen()]);
  assert.deepEqual([tracks.length, microphone.device], [1, "Lamp"]);
  tracks[0].readyState = "ended";
  devices.getUserMedia = give("ended");
  await assert.rejects(microphone.reopen(), { code: "microphone.failed" });
  devices.getUserMedia = give("live");
  await microphone.reopen();
  assert.deepEqual(tracks.map(({ readyState }) => readyState), ["ended", "ended", "live"]);
});
