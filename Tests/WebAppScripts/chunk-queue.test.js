import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { ChunkQueue, MarkQueue, StoredChunks } from "../../Sources/WebApp/Resources/www/pages/recordings/chunk-queue.js";

/** @param {number} value */
const chunk = (value) => Uint8Array.of(value).buffer;

/** @param {ArrayBuffer} bytes */
const valueOf = (bytes) => new Uint8Array(bytes)[0];

/** A store whose content a test can inspect. */
class MemoryKeeper {
  /** @type {Map<number, ArrayBuffer>} */
  kept = new Map();

  /** @param {number} number @param {ArrayBuffer} bytes */
  async keep(number, bytes) {
    this.kept.set(number, bytes);
  }

  /** @param {number} number */
  async read(number) {
    return this.kept.get(number) ?? null;
  }

  /** @param {number} below */
  async forget(below) {
    for (const number of [...this.kept.keys()]) if (number < below) this.kept.delete(number);
  }
}

/** A server that accepts chunks like the real one, while it is reachable. */
class Server {
  /** @type {number[]} */
  taken = [];
  isAway = false;
  /** How often a chunk is accepted but its answer lost. */
  lostAnswers = 0;

  /** @param {number} number @param {ArrayBuffer} bytes */
  async take(number, bytes) {
    if (this.isAway) throw { code: "server.unreachable", status: 0 };
    if (number > this.taken.length) throw { code: "recording.chunk-missing", status: 409 };
    if (number === this.taken.length) this.taken.push(valueOf(bytes));
    if (this.taken[number] !== valueOf(bytes)) throw { code: "recording.chunk-taken", status: 409 };
    if (this.lostAnswers > 0) {
      this.lostAnswers -= 1;
      throw { code: "server.unreachable", status: 0 };
    }
    return { nextChunk: this.taken.length, seconds: this.taken.length / 4, remaining: null, slept: 0 };
  }
}

/**
 * @param {{ start?: number, end?: number, server?: Server, keeper?: MemoryKeeper, waited?: () => void }} options `waited`:
 * called instead of waiting.
 */
function stage({ start = 0, end = start, server = new Server(), keeper = new MemoryKeeper(), waited = () => {} } = {}) {
  /** @type {unknown[]} */
  const problems = [];
  /** @type {{ count: number, ago: number }[]} */
  const lost = [];
  const queue = new ChunkQueue(
    {
      send: (number, bytes) => server.take(number, bytes),
      askNext: async () => server.taken.length,
      keeper,
      silence: () => chunk(0),
      lost: (count, ago) => lost.push({ count, ago }),
      sent: () => {},
      waits: (problem) => problems.push(problem),
      pause: async () => waited(),
    },
    { start, end },
  );
  return { queue, server, keeper, problems, lost };
}

describe("the queue of chunks", () => {
  test("drops none for those that another page has sent while an answer was lost", async () => {
    const server = new Server();
    server.lostAnswers = 1;
    const other = () => server.taken.length === 1 && server.taken.push(20, 21);
    const { queue, problems } = stage({ server, waited: other });
    for (const value of [7, 8, 9]) queue.add(chunk(value));
    await queue.drained();
    assert.deepEqual(server.taken, [7, 20, 21]);
    assert.deepEqual((await queue.unsent()).chunks.map(valueOf), [8, 9]);
    assert.equal(/** @type {{ code: string }} */ (problems.at(-1)).code, "recording.chunk-taken");
    await queue.close();
  });

  test("sends them in their order, and keeps none beside the memory while they get through", async () => {
    const { queue, server, keeper } = stage();
    for (const value of [7, 8]) queue.add(chunk(value));
    await queue.drained();
    queue.add(chunk(9));
    await queue.drained();
    assert.deepEqual(server.taken, [7, 8, 9]);
    assert.equal(keeper.kept.size, 0);
  });

  test("keeps what waits while the server is away, and sends it in order when it is back", async () => {
    let tries = 0;
    const { queue, server, keeper, problems } = stage({
      waited: () => {
        tries += 1;
        if (tries === 3) server.isAway = false;
      },
    });
    server.isAway = true;
    for (let value = 0; value < 300; value += 1) queue.add(chunk(value % 256));
    assert.equal(queue.length, 300);
    assert.deepEqual((await queue.unsent()).chunks.map(valueOf), Array.from({ length: 300 }, (_, n) => n % 256));
    await queue.drained();
    assert.deepEqual(server.taken, Array.from({ length: 300 }, (_, n) => n % 256));
    assert.ok(problems.length >= 3);
    await queue.close();
    assert.equal(keeper.kept.size, 0);
  });

  test("sends a chunk again whose answer was lost, and continues after it", async () => {
    const { queue, server } = stage();
    server.lostAnswers = 2;
    for (const value of [1, 2, 3]) queue.add(chunk(value));
    await queue.drained();
    assert.deepEqual(server.taken, [1, 2, 3]);
  });

  test("sends what an earlier visit has left with the keeper", async () => {
    const keeper = new MemoryKeeper();
    for (const number of [2, 3]) await keeper.keep(number, chunk(number));
    const server = new Server();
    server.taken = [0, 1];
    const { queue } = stage({ start: 2, end: 4, server, keeper });
    queue.add(chunk(4));
    await queue.drained();
    assert.deepEqual(server.taken, [0, 1, 2, 3, 4]);
  });

  test("waits for a person where another try changes nothing", async () => {
    const { queue, server, problems } = stage();
    const take = server.take.bind(server);
    server.take = async () => {
      throw { code: "library.recording-too-long", status: 413 };
    };
    queue.add(chunk(1));
    await new Promise((resolve) => setImmediate(resolve));
    await queue.drained();
    assert.deepEqual([problems.length, queue.length], [1, 1]);
    server.take = take;
    queue.retry();
    await queue.drained();
    assert.deepEqual(server.taken, [1]);
  });

  test("keeps what the server does not take because another page has sent something else", async () => {
    const { queue, server, problems, keeper } = stage({ waited: () => new Promise(() => {}) });
    server.take = async () => {
      throw { code: "recording.chunk-taken", status: 409 };
    };
    for (const value of [1, 2]) queue.add(chunk(value));
    await new Promise((resolve) => setImmediate(resolve));
    await queue.drained();
    assert.deepEqual([problems.length, queue.length], [1, 2]);
    assert.deepEqual((await queue.unsent()).chunks.map(valueOf), [1, 2]);
    assert.deepEqual([...keeper.kept.keys()], [0, 1]);
  });

  test("keeps trying where the server asks for a chunk that cannot be read at the moment", async () => {
    const { queue, server, keeper, problems } = stage();
    for (const value of [1, 2]) queue.add(chunk(value));
    await queue.drained();
    keeper.read = () => {
      if (problems.length > 2) server.taken = [1, 2];
      return Promise.reject(new Error("the store is closed"));
    };
    server.taken = [1];
    queue.add(chunk(3));
    await queue.drained();
    assert.deepEqual(server.taken, [1, 2, 3]);
  });

  test("puts silence where the store has lost some, says so once for each place, and sends what came later", async () => {
    const { queue, server, keeper, problems, lost } = stage({
      waited: async () => {
        await new Promise((resolve) => setImmediate(resolve)); // until all is with the keeper
        for (const number of [1, 2, 3, 5]) keeper.kept.delete(number);
        server.isAway = problems.length < 2;
      },
    });
    server.isAway = true;
    for (let value = 0; value < 300; value += 1) queue.add(chunk((value % 200) + 1));
    await queue.drained();
    const gaps = [1, 2, 3, 5];
    assert.deepEqual(server.taken, Array.from({ length: 300 }, (_, n) => (gaps.includes(n) ? 0 : (n % 200) + 1)));
    assert.deepEqual(lost, [{ count: 3, ago: 299 }, { count: 1, ago: 295 }]);
  });

  test("gives silence for what is lost before what can be read, so that this stays in its place, and reports how much that is", async () => {
    const keeper = new MemoryKeeper();
    for (const number of [3, 6]) await keeper.keep(number, chunk(number));
    const { queue } = stage({ start: 2, end: 8, keeper });
    const { start, chunks, lost } = await queue.unsent();
    assert.deepEqual([start, chunks.map(valueOf), lost], [2, [0, 3, 0, 0, 6], 4]);
  });

  test("says of silence that stands for what was lost and waits to be sent that it is lost", async () => {
    const keeper = new MemoryKeeper();
    await keeper.keep(1, chunk(5));
    const { queue, server, problems } = stage({ end: 2, keeper, waited: () => new Promise(() => {}) });
    server.isAway = true;
    queue.retry();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(problems.length, 1);
    const { chunks, lost } = await queue.unsent();
    assert.deepEqual([chunks.map(valueOf), lost], [[0, 5], 1]);
  });

  test("gives nothing that the server has got while the rest was read, and has the rest begin after it", async () => {
    const keeper = new MemoryKeeper();
    for (const number of [0, 1, 2]) await keeper.keep(number, chunk(number + 4));
    const { queue, server } = stage({ end: 3, keeper });
    const read = keeper.read.bind(keeper);
    const take = server.take.bind(server);
    let isOvertaken = false;
    keeper.read = async (number) => {
      if (number !== 1 || isOvertaken) return read(number);
      isOvertaken = true;
      server.take = async (one, bytes) => (one < 2 ? take(one, bytes) : new Promise(() => {}));
      queue.retry();
      while (queue.start < 2) await new Promise((resolve) => setImmediate(resolve));
      return read(number);
    };
    const { start, chunks, lost } = await queue.unsent();
    assert.deepEqual([start, chunks.map(valueOf), lost], [2, [6], 0]);
  });

  test("says before all is sent that the last of it was lost", async () => {
    const keeper = new MemoryKeeper();
    await keeper.keep(0, chunk(7));
    const { queue, server, lost } = stage({ start: 0, end: 3, keeper });
    await queue.drained();
    assert.deepEqual([server.taken, lost], [[7, 0, 0], [{ count: 2, ago: 2 }]]);
  });

  test("continues after a while where the store only fails", async () => {
    const { queue, server, keeper, problems, lost } = stage({ start: 0, end: 2 });
    keeper.read = () => Promise.reject(new Error("the store is closed"));
    queue.add(chunk(9));
    await queue.drained();
    assert.deepEqual([server.taken, lost], [[0, 0, 9], [{ count: 2, ago: 3 }]]);
    assert.equal(problems.length, 7);
  });

  test("reports as lost what the server asks for and the browser no longer has", async () => {
    const { queue, server, lost } = stage();
    for (const value of [1, 2, 3]) queue.add(chunk(value));
    await queue.drained();
    server.taken = [1];
    queue.add(chunk(4));
    await queue.drained();
    assert.deepEqual([server.taken, lost], [[1, 0, 0, 4], [{ count: 2, ago: 3 }]]);
  });

  test("leaves what waits with the keeper, for another visit", async () => {
    const { queue, server, keeper } = stage({ waited: () => new Promise(() => {}) });
    server.isAway = true;
    for (const value of [5, 6]) queue.add(chunk(value));
    await queue.leave();
    await queue.drained();
    assert.deepEqual([...keeper.kept].map(([number, bytes]) => [number, valueOf(bytes)]), [[0, 5], [1, 6]]);
  });

  test("lets those go who wait for it when it is closed, and takes nothing more", async () => {
    const { queue, server } = stage({ waited: () => new Promise(() => {}) });
    server.isAway = true;
    queue.add(chunk(1));
    const drained = queue.drained();
    await queue.close();
    await drained;
    queue.add(chunk(2));
    assert.deepEqual(server.taken, []);
  });
});

describe("marks", () => {
  /** A server that answers when the test lets it. */
  const slow = () => {
    /** @type {{ seconds: number, take: () => void, fail: () => void }[]} */
    const asked = [];
    /** @type {number[][]} */
    const kept = [];
    const marks = new MarkQueue(
      ({ seconds }) => new Promise((resolve, reject) => asked.push({ seconds, take: () => resolve(undefined), fail: () => reject(new Error("silent")) })),
      async (waiting) => void kept.push(waiting.map(({ seconds }) => seconds)),
    );
    return { asked, marks, kept };
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test("are each sent once, also those that are made while one is under way", async () => {
    const { asked, marks } = slow();
    marks.add({ seconds: 1 });
    const first = marks.send();
    marks.add({ seconds: 2 });
    const second = marks.send();
    asked[0]?.take();
    await settled();
    asked[1]?.take();
    await Promise.all([first, second]);
    assert.deepEqual([asked.map(({ seconds }) => seconds), marks.waiting], [[1, 2], []]);
  });

  test("that the server does not have outlive the page", async () => {
    const { asked, marks, kept } = slow();
    marks.add({ seconds: 1 });
    await marks.kept();
    assert.deepEqual(kept.at(-1), [1]);
    const sent = marks.send();
    marks.add({ seconds: 2 });
    await marks.kept();
    assert.deepEqual(kept.at(-1), [1, 2]);
    asked[0]?.take();
    await settled();
    asked[1]?.fail();
    await assert.rejects(sent);
    await marks.kept();
    assert.deepEqual(kept.at(-1), [2]);
  });

  test("that are made in what the session does not take are not sent", async () => {
    const { asked, marks, kept } = slow();
    marks.add({ seconds: 1 });
    marks.add({ seconds: 2 });
    const sent = marks.send(2);
    asked[0]?.take();
    await sent;
    await marks.kept();
    assert.deepEqual([asked.length, marks.waiting, kept.at(-1)], [1, [{ seconds: 2 }], [2]]);
  });

  test("that are dropped leave nothing behind, though one of them was being sent", async () => {
    const { asked, marks, kept } = slow();
    marks.add({ seconds: 1 });
    marks.add({ seconds: 2 });
    const sent = marks.send();
    await marks.close();
    asked[0]?.take();
    await sent;
    await marks.kept();
    assert.deepEqual([asked.length, marks.waiting, kept.at(-1)], [1, [], []]);
  });

  test("that were not taken wait for the next time, whoever else has asked meanwhile", async () => {
    const { asked, marks } = slow();
    marks.add({ seconds: 1 });
    const tries = [marks.send(), marks.send()];
    marks.add({ seconds: 2 });
    tries.push(marks.send());
    asked[0]?.take();
    await settled();
    asked[1]?.fail();
    assert.deepEqual((await Promise.allSettled(tries)).map(({ status }) => status), ["rejected", "rejected", "rejected"]);
    assert.deepEqual(marks.waiting, [{ seconds: 2 }]);
    const again = marks.send();
    asked[2]?.take();
    await again;
    assert.deepEqual(marks.waiting, []);
  });

  test("that the store does not take at first are stored later, and else are known to be lost", async () => {
    for (const [failures, isKept] of /** @type {[number, boolean][]} */ ([[1, true], [2, false]])) {
      let [left, stored] = [failures, 0];
      const marks = new MarkQueue(
        async () => {},
        async (waiting) => {
          left -= 1;
          if (left >= 0) throw new Error("full");
          stored = waiting.length;
        },
      );
      marks.add({ seconds: 1 });
      assert.deepEqual([await marks.kept(), stored], [isKept, isKept ? 1 : 0]);
      await marks.send();
      assert.equal(await marks.kept(), true, "the server has it");
    }
  });
});

/** The browser's database, as far as chunks need it; `fails` says of a store whether its next operation fails. */
class MemoryDatabase {
  /** @type {Map<string, Map<string, unknown>>} */
  all = new Map();
  /** @type {(store: string) => boolean} */
  fails = () => false;

  /** @param {string} name */
  createObjectStore(name) {
    this.all.set(name, new Map());
  }

  open() {
    return this.#answer({ result: this }, ["onupgradeneeded", "onsuccess"]);
  }

  /** @param {string} name */
  transaction(name) {
    const store = this.all.get(name) ?? new Map();
    const events = [this.fails(name) ? "onabort" : "oncomplete"];
    const put = (/** @type {unknown} */ value, /** @type {unknown} */ key) => {
      if (events[0] === "oncomplete") store.set(String(key), value);
      return { result: key };
    };
    const add = (/** @type {unknown} */ value, /** @type {unknown} */ key) => {
      if (store.has(String(key))) events[0] = "onabort";
      return put(value, key);
    };
    const get = (/** @type {unknown} */ key) => ({ result: store.get(String(key)) });
    return Object.assign(this.#answer({ error: new Error("failed") }, events), { objectStore: () => ({ get, put, add }) });
  }

  /**
   * Calls the listeners that are set by then.
   *
   * @param {object} target
   * @param {readonly string[]} events
   * @returns {any}
   */
  #answer(target, events) {
    setImmediate(() => events.forEach((event) => /** @type {any} */ (target)[event]?.()));
    return target;
  }
}

describe("the browser's store", () => {
  const database = new MemoryDatabase();
  const before = globalThis.indexedDB;
  beforeEach(() => void (globalThis.indexedDB = /** @type {any} */ (database)));
  afterEach(() => void (globalThis.indexedDB = before));

  test("takes chunks again once it gives the key", async () => {
    const chunks = new StoredChunks("one");
    database.fails = (store) => store === "keys";
    await assert.rejects(chunks.keep(0, chunk(1)));
    database.fails = () => false;
    await chunks.keep(1, chunk(2));
    const read = await new StoredChunks("one").read(1);
    assert.deepEqual([read && valueOf(read), await chunks.read(0)], [2, null]);
  });

  test("seals everything with one key, though two parts of the page make one at once", async () => {
    database.all.get("keys")?.clear();
    await Promise.all([new StoredChunks("one").keep(0, chunk(1)), new StoredChunks("one").keepMarks([{ seconds: 1 }])]);
    const later = new StoredChunks("one");
    const read = await later.read(0);
    assert.deepEqual([read && valueOf(read), await later.marks()], [1, [{ seconds: 1 }]]);
  });
});
