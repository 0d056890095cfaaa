import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { waveFile } from "../../Sources/WebApp/Resources/www/pages/recordings/microphone.js";
import { giveMarksIn, restFile, restIn, restOf } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-import-queue.js";
import { isStartedAgain } from "../../Sources/WebApp/Resources/www/server/recordings.js";
import { json, stubServer } from "./stub-server.js";

/** @param {...number} values */
const chunk = (...values) => Int16Array.of(...values).buffer;

const belonging = { session: "talk", start: 2, marks: [{ seconds: 1.5, label: "Here" }] };
const chunks = [chunk(3, 4), chunk(5, 6), chunk(7)];
const rest = () => restFile("Talk/2 (rest)", chunks, 8_000, structuredClone(belonging));

/** A server with one unfinished recording. */
class Server {
  state = "interrupted";
  name = "Talk";
  sampleRate = 8_000;
  isGone = false;
  isDeleted = false;
  isFinished = false;
  /** The number of a chunk that does not arrive the first time. */
  failsAt = NaN;
  /** @type {number[][]} The chunks that it has. */
  has = [[1, 2], [2, 3]];
  /** @type {number[]} */
  marks = [];
  /** @type {(string | null)[]} */
  labels = [];
  /** Whether answers to marks are lost. */
  failsAtMarks = false;
  isOverfull = false;

  /** @type {any} */
  parts = {
    list: async () => ({ sessions: this.isGone ? [] : [this.session] }),
    load: async () => this.session,
    item: async () => {
      if (this.isDeleted) throw { status: 404 };
      return { id: "talk", name: this.name };
    },
    sound: async (/** @type {string} */ _, /** @type {number} */ start, /** @type {number} */ length) => {
      return Int16Array.from(this.has.flat()).buffer.slice(start, start + length);
    },
    send: async (/** @type {string} */ _, /** @type {number} */ number, /** @type {ArrayBuffer} */ bytes) => {
      const values = [...new Int16Array(bytes)];
      this.state = "recording";
      if (number === this.failsAt) {
        this.failsAt = NaN;
        throw { status: 0 };
      }
      if (number > this.has.length) throw { code: "recording.chunk-missing", status: 409 };
      const present = this.has[number];
      if (present !== undefined && present.join() !== values.join()) throw { code: "recording.chunk-taken", status: 409 };
      this.has[number] = values;
      return { nextChunk: this.has.length };
    },
    mark: async (/** @type {string} */ _, /** @type {{ seconds: number, label?: string }} */ { seconds, label }) => {
      this.marks.push(seconds);
      this.labels.push(label ?? null);
      if (this.failsAtMarks) throw { status: 0 };
    },
    addMarks: async (/** @type {string} */ _, /** @type {{ seconds: number }[]} */ marks) => {
      if (this.failsAtMarks) throw { status: 0 };
      if (this.isOverfull) return marks;
      this.marks.push(...marks.map(({ seconds }) => seconds));
      return [];
    },
    finish: async () => {
      this.isFinished = true;
      return { id: "talk", name: this.name };
    },
  };

  get session() {
    const { name, sampleRate, state } = this;
    const marks = this.marks.map((seconds, index) => ({ seconds, label: this.labels[index] ?? null }));
    return { id: "talk", name, sampleRate, state, nextChunk: this.has.length, samples: this.has.flat().length, marks };
  }
}

describe("the rest of a recording", () => {
  test("is a sound file that says where it belongs", async () => {
    const file = rest();
    assert.equal(file.name, "Talk-2 (rest).wav");
    const found = await restIn(file);
    assert.deepEqual({ ...found, sound: 0 }, { ...belonging, sizes: [[2, 4], [1, 2]], sampleRate: 8_000, sound: 0, sent: 0 });
    const sound = new Int16Array(await file.slice(found?.sound).arrayBuffer());
    assert.deepEqual([...sound], [3, 4, 5, 6, 7]);
  });

  test("is no other file, and none that was cut off or written by somebody else", async () => {
    const whole = await rest().arrayBuffer();
    const note = (/** @type {unknown} */ one) => ({ name: "EcTx", content: new TextEncoder().encode(JSON.stringify(one)) });
    for (const other of [
      new Blob([]),
      new Blob(["RIFF"]),
      waveFile(chunks, 8_000),
      new Blob([whole.slice(0, -2)]),
      new Blob([whole, "more"]),
      waveFile(chunks, 8_000, { name: "EcTx", content: new TextEncoder().encode("{") }),
      ...[null, 7, {}, { ...belonging, sizes: [[5, -2]] }, { ...belonging, start: -1, sizes: [[1, 10]] }, { ...belonging, sizes: [[1, 10], [9e9, 0]] }, { ...belonging, marks: [7], sizes: [[1, 10]] }].map((one) =>
        waveFile(chunks, 8_000, note(one)),
      ),
    ]) {
      assert.equal(await restIn(other), null);
    }
    assert.notEqual(await restIn(waveFile(chunks, 8_000, note({ ...belonging, sizes: [[1, 10]] }))), null);
  });

  test("joins its recording, which is finished then", async () => {
    const server = new Server();
    const parts = /** @type {number[]} */ ([]);
    const found = await restOf(rest(), server.parts);
    assert.equal(found?.name, "Talk");
    const item = await found?.join((part) => void parts.push(part));
    assert.deepEqual(server.has, [[1, 2], [2, 3], [3, 4], [5, 6], [7]]);
    assert.deepEqual([item?.id, server.marks, parts, server.isFinished], ["talk", [1.5], [0.4, 0.8, 1], true]);
  });

  test("is known again as far as it has come before", async () => {
    const server = new Server();
    server.has.push([3, 4]); // its receipt was lost
    server.failsAt = 4;
    const found = await restOf(rest(), server.parts);
    await assert.rejects(async () => found?.join(() => {}), { status: 0 });
    assert.equal(server.has.length, 4);
    await found?.join(() => {});
    assert.deepEqual(server.has, [[1, 2], [2, 3], [3, 4], [5, 6], [7]]);
  });

  test("is not sent again as far as it has come, since a server that was started again knows only the last of it", async () => {
    const server = new Server();
    server.has.push([3, 4], [5, 6]);
    const { send } = server.parts;
    server.parts.send = async (/** @type {string} */ id, /** @type {number} */ number, /** @type {ArrayBuffer} */ bytes) => {
      if (number < server.has.length) throw { code: "recording.chunk-taken", status: 409 };
      return send(id, number, bytes);
    };
    const found = await restOf(rest(), server.parts);
    await found?.join(() => {});
    assert.deepEqual([server.has, server.isFinished], [[[1, 2], [2, 3], [3, 4], [5, 6], [7]], true]);
  });

  test("continues where an earlier page has left it, at once or later", async () => {
    for (const [state, count] of /** @type {const} */ ([["recording", 2], ["interrupted", 2], ["interrupted", 3]])) {
      const server = new Server();
      server.failsAt = 2 + count;
      const left = await restOf(rest(), server.parts);
      if (count < 3) await assert.rejects(async () => left?.join(() => {}), { status: 0 });
      else {
        server.failsAtMarks = true;
        await assert.rejects(async () => left?.join(() => {}), { status: 0 });
        server.failsAtMarks = false;
      }
      server.state = state;
      const found = await restOf(rest(), server.parts);
      await found?.join(() => {});
      assert.deepEqual([server.has, server.marks, server.isFinished], [[[1, 2], [2, 3], [3, 4], [5, 6], [7]], [1.5], true]);
    }
  });

  test("that has no sound brings its marks", async () => {
    const server = new Server();
    const found = await restOf(restFile("Talk (rest)", [], 8_000, structuredClone(belonging)), server.parts);
    await found?.join(() => {});
    assert.deepEqual([server.has.length, server.marks, server.isFinished], [2, [1.5], true]);
  });

  test("that is imported by itself keeps its marks, and gives those before it to the recording", async () => {
    const marks = [{ seconds: 0.25, label: "Before" }, { seconds: 1.5, label: "Here" }];
    const given = /** @type {[string, readonly object[]][]} */ ([]);
    const give = async (/** @type {string} */ item, /** @type {readonly object[]} */ all) => void given.push([item, all]);
    await giveMarksIn(restFile("Talk (rest)", chunks, 8_000, { ...belonging, marks }), "new", give);
    assert.deepEqual(given, [["new", [{ seconds: 1, label: "Here" }]], ["talk", [{ seconds: 0.25, label: "Before" }]]]);
    await giveMarksIn(waveFile(chunks, 8_000), "new", give);
    assert.equal(given.length, 2, "another file has none");
  });

  test("says so once the recording is finished, and changes nothing", async () => {
    const server = new Server();
    server.isGone = true;
    const found = await restOf(rest(), server.parts);
    assert.deepEqual([found?.name, found?.finished], ["Talk", "talk"]);
    await assert.rejects(async () => found?.join(() => {}), { code: "recording.not-found" });
    assert.deepEqual([server.has.length, server.marks, server.isFinished], [2, [], false]);
  });

  test("gives its marks to the recording, finished or not, where it has no sound", async () => {
    for (const isGone of [false, true]) {
      const server = new Server();
      server.isGone = isGone;
      const file = restFile("Talk (rest)", [], 8_000, structuredClone(belonging));
      const found = await restOf(file, server.parts);
      assert.deepEqual([found?.name, found?.finished, found?.isSoundless], ["Talk", undefined, true]);
      server.failsAtMarks = true;
      await assert.rejects(async () => found?.join(() => {}), { status: 0 });
      server.failsAtMarks = false;
      server.marks = [];
      server.isOverfull = isGone;
      if (isGone) await assert.rejects(async () => found?.join(() => {}), { code: "recording.too-many-marks" });
      server.isOverfull = false;
      const item = await found?.join(() => {});
      assert.deepEqual([item?.id, server.has.length, server.marks, server.isFinished], ["talk", 2, [1.5], !isGone]);
    }
  });

  test("changes nothing where the recording continued without it", async () => {
    const [taken, ahead, behind, live] = [new Server(), new Server(), new Server(), new Server()];
    ahead.has.push([3, 4], [9]); // started once more since, so that it does not know whose they are
    taken.has.push([9]);
    behind.has.pop();
    live.state = "recording";
    for (const [server, code] of /** @type {const} */ ([[taken, "recording.chunk-taken"], [ahead, "recording.chunk-taken"], [behind, "recording.chunk-missing"], [live, "recording.busy"]])) {
      const before = structuredClone(server.has);
      const found = await restOf(rest(), server.parts);
      await assert.rejects(async () => found?.join(() => {}), { code });
      assert.deepEqual([server.has, server.marks, server.isFinished], [before, [], false]);
    }
  });

  test("is a file like any other once the recording is deleted, or has another rate", async () => {
    const [gone, other] = [new Server(), new Server()];
    gone.isGone = gone.isDeleted = true;
    other.sampleRate = 16_000;
    assert.equal(await restOf(rest(), gone.parts), null);
    assert.equal(await restOf(rest(), other.parts), null);
  });
});

test("a server that was started again is known by its refusal of the address", async (context) => {
  for (const [answer, isOther] of /** @type {const} */ ([[() => json({ code: "web.wrong-address" }, 421), true], [() => json({ proof: "00" }), false], [() => json({}, 404), false]])) {
    const asked = stubServer(context, answer);
    assert.equal(await isStartedAgain(), isOther);
    assert.ok(asked[0]?.address.startsWith("/api/proof?of="));
    context.mock.reset();
  }
  context.mock.method(globalThis, "fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  assert.equal(await isStartedAgain(), false);
});
