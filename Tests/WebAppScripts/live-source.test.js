import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LiveSource } from "../../Sources/WebApp/Resources/www/player/live-source.js";

const sampleRate = 1_000;

/** A sound card whose clock the test advances. */
class StillContext {
  currentTime = 0;
  outputLatency = 0;
  destination = {};
  isClosed = false;
  /** @type {{ at: number, samples: Float32Array, isStopped: boolean }[]} */
  scheduled = [];

  createGain() {
    return { connect() {}, gain: { setTargetAtTime() {} } };
  }

  /** @param {number} _channels @param {number} length */
  createBuffer(_channels, length) {
    const samples = new Float32Array(length);
    return { samples, copyToChannel: (/** @type {Float32Array} */ sound) => samples.set(sound) };
  }

  createBufferSource() {
    const piece = { at: NaN, samples: new Float32Array(0), isStopped: false };
    const { scheduled } = this;
    return {
      set buffer(/** @type {any} */ buffer) {
        piece.samples = buffer.samples;
      },
      connect() {},
      start(/** @type {number} */ at) {
        piece.at = at;
        scheduled.push(piece);
      },
      stop() {
        piece.isStopped = true;
      },
    };
  }

  async suspend() {}
  async resume() {}
  async close() {
    this.isClosed = true;
  }
}

/**
 * A narration of `seconds` whose sample n is n modulo 1000, in thousandths of full scale; its sound card and its server.
 *
 * @param {import("node:test").TestContext} context
 * @param {{ seconds: number, breaksAt?: number, status?: number }} narration `breaksAt`: the first stream ends there with an error.
 */
function stage(context, { seconds, breaksAt = Infinity, status = 200 }) {
  context.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const card = new StillContext();
  const globals = /** @type {any} */ (globalThis);
  globals.AudioContext = function () {
    return card;
  };
  context.after(() => delete globals.AudioContext);
  /** @type {number[]} Where each request started. */
  const asked = [];
  const given = { samples: 0 };
  context.mock.method(globalThis, "fetch", async (/** @type {string} */ address, /** @type {RequestInit} */ init) => {
    const from = Number(new URL(address, "http://localhost").searchParams.get("from"));
    asked.push(from);
    if (status !== 200) return Response.json({ code: "narration.not-found", message: "Gone." }, { status });
    let at = from;
    const isFirst = asked.length === 1;
    const stream = new ReadableStream(
      {
        pull(controller) {
          if (init.signal?.aborted) return controller.close();
          if (isFirst && at >= breaksAt) return controller.error(new TypeError("network"));
          if (at >= seconds * sampleRate) return controller.close();
          const block = Int16Array.from({ length: 500 }, (_, index) => ((at + index) % 1_000) * 32);
          at += block.length;
          given.samples += block.length;
          controller.enqueue(new Uint8Array(block.buffer));
        },
      },
      { highWaterMark: 1 },
    );
    return new Response(stream, { headers: { "X-Sample-Rate": String(sampleRate) } });
  });
  const reports = { ended: 0, failed: /** @type {unknown[]} */ ([]) };
  const listener = { changed() {}, ended: () => (reports.ended += 1), failed: (/** @type {unknown} */ error) => reports.failed.push(error) };
  const source = new LiveSource({ id: "n", sampleRate }, 0, listener);
  context.after(() => source.close());
  return {
    source,
    card,
    asked,
    given,
    reports,
    /** Lets pending promises settle, then advances the clock. @param {number} by Seconds. */
    async pass(by) {
      for (let step = 0; step < by * 10; step += 1) {
        await settled();
        card.currentTime += 0.1;
        context.mock.timers.tick(100);
      }
      await settled();
    },
  };
}

/** Lets promises that wait for nothing else settle. */
async function settled() {
  for (let turn = 0; turn < 40; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** The samples that were scheduled and not cancelled, as numbers again. @param {StillContext} card */
function heard(card) {
  return card.scheduled.filter(({ isStopped }) => !isStopped).flatMap(({ samples }) => [...samples].map((sample) => Math.round((sample * 32_768) / 32)));
}

describe("the sound of a running narration", () => {
  test("is handed on whole, in order and without gaps", async (context) => {
    const { source, card, pass } = stage(context, { seconds: 3 });
    await settled();
    await source.play();
    await pass(3);
    assert.deepEqual(heard(card), Array.from({ length: 3_000 }, (_, index) => index % 1_000));
    card.scheduled.slice(1).forEach(({ at }, index) => {
      const before = card.scheduled[index];
      assert.ok(Math.abs(at - (before.at + before.samples.length / sampleRate)) < 1e-9);
    });
  });

  test("reports its time by what is heard, and its end when all has been", async (context) => {
    const { source, reports, pass } = stage(context, { seconds: 2 });
    await settled();
    await source.play();
    await pass(1);
    assert.ok(Math.abs(source.time - 1) < 0.15, `${source.time}`);
    assert.equal(reports.ended, 0);
    await pass(2);
    assert.equal(reports.ended, 1);
    assert.equal(source.isPlaying, false);
    assert.equal(source.duration, 2);
  });

  test("is not read further than a minute ahead", async (context) => {
    const { source, given, pass } = stage(context, { seconds: 600 });
    await settled();
    await source.play();
    await pass(1);
    assert.ok(given.samples > 59 * sampleRate && given.samples < 65 * sampleRate, `${given.samples / sampleRate} s`);
    await pass(10);
    assert.ok(given.samples > 69 * sampleRate && given.samples < 76 * sampleRate, `${given.samples / sampleRate} s`);
  });

  test("within what is kept is sought without asking again", async (context) => {
    const { source, card, asked, pass } = stage(context, { seconds: 100 });
    await settled();
    await source.play();
    await pass(5);
    const count = card.scheduled.length;
    source.seek(2.25);
    await pass(1);
    assert.deepEqual(asked, [0]);
    assert.ok(Math.abs(card.scheduled[count].samples[0] * 1_024 - 250) < 0.01);
    assert.ok(Math.abs(source.time - 3.25) < 0.2, `${source.time}`);
  });

  test("far from what is kept is asked for from there", async (context) => {
    const { source, asked, pass } = stage(context, { seconds: 600 });
    await settled();
    source.seek(300);
    await source.play();
    await pass(1);
    assert.deepEqual(asked, [0, 300_000]);
    assert.ok(Math.abs(source.time - 301) < 0.2, `${source.time}`);
  });

  test("that breaks off is asked for again where it was", async (context) => {
    const { source, card, asked, pass } = stage(context, { seconds: 2, breaksAt: 1_000 });
    await settled();
    await source.play();
    await pass(4);
    assert.deepEqual(asked, [0, 1_000]);
    assert.deepEqual(heard(card).length, 2_000);
  });

  test("that is refused is reported as gone, once", async (context) => {
    const { reports, asked, pass } = stage(context, { seconds: 2, status: 404 });
    await pass(3);
    assert.deepEqual(asked, [0]);
    assert.equal(reports.failed.length, 1);
  });

  test("at twice the tempo takes half the time", async (context) => {
    const { source, reports, pass } = stage(context, { seconds: 8 });
    await settled();
    source.setRate(2);
    await source.play();
    await pass(2);
    assert.ok(Math.abs(source.time - 4) < 0.4, `${source.time}`);
    assert.equal(reports.ended, 0);
    await pass(3);
    assert.equal(reports.ended, 1);
  });

  test("rests when paused, and continues from there", async (context) => {
    const { source, pass, card } = stage(context, { seconds: 8 });
    await settled();
    await source.play();
    await pass(1);
    source.pause();
    const count = card.scheduled.length;
    context.mock.timers.tick(5_000);
    assert.equal(card.scheduled.length, count);
    assert.equal(source.isPlaying, false);
    await source.play();
    await pass(1);
    assert.ok(card.scheduled.length > count);
  });

  test("is silent once closed", async (context) => {
    const { source, card, reports, pass } = stage(context, { seconds: 1 });
    await settled();
    await source.play();
    source.close();
    await pass(3);
    assert.equal(card.isClosed, true);
    assert.equal(reports.ended, 0);
  });
});
