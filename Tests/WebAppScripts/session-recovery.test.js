import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { recoverSessions } from "../../Sources/WebApp/Resources/www/pages/recordings/recorder-state.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/pages/recordings/chunk-queue.js").Apart} Apart */

/**
 * A chunk of one sample.
 *
 * @param {number} value
 */
const chunk = (value) => Int16Array.of(value).buffer;

/** @param {ArrayBuffer} bytes */
const valueOf = (bytes) => new Int16Array(bytes)[0] ?? 0;

/** The data that a browser keeps from visit to visit. */
class Store {
  /** @type {Map<string, Apart | number | null>} Their rates, if they are known, or what becomes of them. */
  sessions = new Map();
  /** @type {Map<string, Map<number, ArrayBuffer>>} */
  all = new Map();

  /** @type {Map<string, readonly { seconds: number }[]>} */
  marks = new Map();

  /** @param {string} id */
  chunks(id) {
    const kept = this.all.get(id) ?? new Map();
    this.all.set(id, kept);
    return {
      keep: async (/** @type {number} */ number, /** @type {ArrayBuffer} */ bytes) => void kept.set(number, bytes),
      read: async (/** @type {number} */ number) => kept.get(number) ?? null,
      forget: async (/** @type {number} */ below) => [...kept.keys()].filter((number) => number < below).forEach((number) => kept.delete(number)),
      numbers: async () => [...kept.keys()].sort((one, other) => one - other),
      keepMarks: async (/** @type {readonly { seconds: number }[]} */ marks) =>
        void (marks.length > 0 ? this.marks.set(id, marks) : this.marks.delete(id)),
      marks: async () => [...(this.marks.get(id) ?? [])],
    };
  }

  /**
   * @param {string} id
   * @param {Record<number, number>} values By their numbers.
   */
  fill(id, values) {
    this.all.set(id, new Map(Object.entries(values).map(([number, value]) => [Number(number), chunk(value)])));
  }

  /** How many chunks it has of everything. */
  get count() {
    return [...this.all.values()].reduce((sum, kept) => sum + kept.size, 0);
  }
}

/** A server with one session, to which it adds chunks in order. */
class Server {
  state = "interrupted";
  isGone = false;
  isAway = false;
  /** The time of a mark at which it falls silent. */
  silentAt = -1;
  /** @type {number[]} */
  has;
  /** @type {{ seconds: number }[]} */
  marks = [];
  /** @type {{ name: string, values: number[], rate: number }[]} */
  imported = [];
  /** How long the recording is that the session has become, in seconds; `null` for none. */
  /** @type {number | null} */
  duration = null;
  /** The marks of recordings, by their ids. */
  /** @type {Record<string, { seconds: number }[]>} */
  added = {};
  /** Whether recordings take no marks at the moment. */
  isFull = false;
  isOverfull = false;
  /** Whether it was started again, and knows none of its chunks by their numbers. */
  isNew = false;
  /** Whether its sound cannot be read. */
  isMute = false;
  /** Whether the session was discarded. */
  isDiscarded = false;

  /** @param {number[]} has The chunks that it has. */
  constructor(has) {
    this.has = has;
  }

  /** @returns {Promise<any>} */
  async load() {
    this.#check();
    const { length } = this.has;
    return { id: "a", name: "Talk", sampleRate: 8_000, state: this.state, nextChunk: length, samples: length, marks: this.marks };
  }

  /**
   * @param {string} _
   * @param {{ seconds: number }} mark
   * @returns {Promise<any>}
   */
  async mark(_, mark) {
    this.#check();
    if (mark.seconds < 0) throw { code: "request.invalid", status: 422 };
    if (mark.seconds === this.silentAt) throw { status: 0 };
    this.marks = [...this.marks, mark];
  }

  /**
   * @param {string} _
   * @param {number} number
   * @param {ArrayBuffer} bytes
   * @returns {Promise<any>}
   */
  async send(_, number, bytes) {
    this.#check();
    if (number > this.has.length) throw { code: "recording.chunk-missing", status: 409 };
    const isKnown = !this.isNew && this.has[number] === valueOf(bytes);
    if (number < this.has.length && !isKnown) throw { code: "recording.chunk-taken", status: 409 };
    this.has[number] = valueOf(bytes);
    return { nextChunk: this.has.length };
  }

  /**
   * @param {string} _
   * @param {{ state?: string }} change
   * @returns {Promise<any>}
   */
  async change(_, { state }) {
    this.#check();
    this.state = state ?? this.state;
  }

  /**
   * @param {File} file
   * @returns {Promise<any>}
   */
  async importSound(file) {
    if (this.isAway) throw { status: 0 };
    const bytes = await file.arrayBuffer();
    this.imported.push({ name: file.name, values: [...new Int16Array(bytes.slice(44))], rate: new DataView(bytes).getUint32(24, true) });
    return { item: { id: "new", name: file.name }, notices: [] };
  }

  /** @param {string} item @param {{ seconds: number }[]} marks */
  async addMarks(item, marks) {
    if (this.isFull) throw { status: 507 };
    if (this.isOverfull) return marks;
    this.added[item] = [...(this.added[item] ?? []), ...marks];
    return [];
  }

  #check() {
    if (this.isAway) throw { status: 0 };
    if (this.isDiscarded) throw { code: "recording.discarded", status: 404 };
    if (this.isGone) throw { code: "recording.not-found", status: 404 };
  }
}

/**
 * A browser that is opened again.
 *
 * @param {Store} store
 * @param {Server} server
 */
function visit(store, server) {
  const reported = /** @type {string[]} */ ([]);
  const teller = {
    name: (/** @type {string | null} */ name) => `${name ?? "Nameless"}/2`,
    kept: (/** @type {{ name: string }} */ { name }) => void reported.push(`kept ${name}`),
    waits: (/** @type {File} */ { name }) => void reported.push(`waits ${name}`),
    markRefused: (/** @type {{ name: string, seconds: number }} */ { name, seconds }) => void reported.push(`refused ${name} ${seconds}`),
  };
  /** @type {any} */
  const parts = {
    remembered: async () => new Map([...store.sessions].map(([id, value]) => [id, value ?? 0])),
    remember: async (/** @type {string} */ id, /** @type {Apart | number} */ value) => void store.sessions.set(id, value),
    forget: async (/** @type {string} */ id) => void store.sessions.delete(id),
    chunks: (/** @type {string} */ id) => store.chunks(id),
    alone: (/** @type {string} */ _, /** @type {() => Promise<void>} */ work) => work(),
    load: () => server.load(),
    send: server.send.bind(server),
    mark: server.mark.bind(server),
    change: server.change.bind(server),
    importSound: server.importSound.bind(server),
    nameOf: async () => (server.isGone ? null : "Talk"),
    finished: async () => (server.duration === null ? null : { duration: server.duration, sampleRate: 8_000 }),
    sound: async (/** @type {string} */ _, /** @type {number} */ start, /** @type {number} */ length) => {
      if (server.isMute) throw { status: 500 };
      return Int16Array.from(server.has).buffer.slice(start, start + length);
    },
    soundEnd: async (/** @type {string} */ _, /** @type {number} */ length) => Int16Array.from(server.has).buffer.slice(-length),
    addMarks: server.addMarks.bind(server),
  };
  return { reported, recovered: recoverSessions(() => false, teller, parts) };
}

describe("recovery", () => {
  test("sends what waits, and releases the session", async () => {
    const [store, server] = [new Store(), new Server([1, 2])];
    server.state = "recording";
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 2: 3, 3: 4 });
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(server.has, [1, 2, 3, 4], "what arrived before is known again");
    assert.deepEqual([server.state, store.sessions.size, store.count, server.imported.length, reported.length], ["interrupted", 0, 0, 0, 0]);
  });

  test("does not send again what the session has at its end, which a server that was started again may not know", async () => {
    const [store, server] = [new Store(), new Server([1, 2, 3, 4])];
    server.isNew = true;
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 2: 3, 3: 4, 4: 5 });
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(server.has, [1, 2, 3, 4, 5]);
    assert.deepEqual([store.sessions.size, store.count, server.imported.length, reported.length], [0, 0, 0, 0]);
  });

  test("asks about each where the session's end cannot be read, and forgets none that differs from it", async () => {
    for (const [isMute, has] of /** @type {[boolean, number[]][]} */ ([[true, [1, 2, 3]], [false, [1, 2, 90]], [false, [1, 2, 3, 90]]])) {
      const [store, server] = [new Store(), new Server([...has])];
      [server.isMute, server.isNew] = [isMute, true];
      store.sessions.set("a", null);
      store.fill("a", { 1: 2, 2: 3 });
      await visit(store, server).recovered;
      assert.deepEqual([server.has, server.imported.map(({ values }) => values)], [has, [[2, 3]]]);
      assert.deepEqual([store.sessions.size, store.count], [0, 0]);
    }
  });

  test("sends each mark that waits once, though the server is silent in between and refuses one, which is said", async () => {
    const [store, server] = [new Store(), new Server([1])];
    store.sessions.set("a", null);
    store.fill("a", { 1: 2 });
    store.marks.set("a", [{ seconds: 1 }, { seconds: -1 }, { seconds: 2 }, { seconds: 3 }]);
    server.marks = [{ seconds: 1 }];
    server.silentAt = 3;
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(reported, ["refused Talk -1"]);
    assert.deepEqual([server.has, server.marks], [[1, 2], [{ seconds: 1 }, { seconds: 2 }]]);
    assert.deepEqual([store.marks.get("a"), store.sessions.has("a")], [[{ seconds: 3 }], true], "it waits for another visit");
    server.silentAt = -1;
    await visit(store, server).recovered;
    assert.deepEqual(server.marks, [{ seconds: 1 }, { seconds: 2 }, { seconds: 3 }]);
    assert.deepEqual([store.marks.size, store.sessions.size], [0, 0]);
  });

  test("makes a recording of its own of what another page has taken the place of", async () => {
    const [store, server] = [new Store(), new Server([1, 90, 91])];
    server.state = "recording";
    store.sessions.set("a", null);
    store.fill("a", { 0: 1, 1: 2, 2: 3, 3: 4 });
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(server.has, [1, 90, 91], "nothing of it comes between the other's");
    assert.deepEqual(server.imported, [{ name: "Talk-2.wav", values: [2, 3, 4], rate: 8_000 }]);
    assert.deepEqual(reported, ["kept Talk-2.wav"]);
    assert.deepEqual([server.state, store.sessions.size, store.count], ["recording", 0, 0], "the other continues");
  });

  test("does so too where it was refused on an earlier visit and the session has ended since", async () => {
    const [store, server] = [new Store(), new Server([])];
    server.isGone = true;
    store.sessions.set("a", { session: "a", sampleRate: 16_000 });
    store.fill("a", { 7: 2, 8: 3 });
    await visit(store, server).recovered;
    assert.deepEqual(server.imported, [{ name: "Nameless-2.wav", values: [2, 3], rate: 16_000 }]);
    assert.deepEqual([store.sessions.size, store.count], [0, 0]);
  });

  test("keeps that in this browser until the server takes it, out of the way of what the session takes next", async () => {
    const [store, server] = [new Store(), new Server([90])];
    server.isAway = true;
    store.sessions.set("a", { session: "a", sampleRate: 8_000 });
    store.fill("a", { 0: 2, 1: 3 });
    const first = visit(store, server);
    await first.recovered;
    assert.deepEqual(first.reported, ["waits Talk-2.wav"]);
    assert.deepEqual([store.count, store.sessions.has("a"), store.sessions.size], [2, false, 1]);
    // The session continues in this browser.
    store.sessions.set("a", null);
    store.fill("a", { 1: 91 });
    server.isAway = false;
    const second = visit(store, server);
    await second.recovered;
    assert.deepEqual(second.reported, ["kept Talk-2.wav"]);
    assert.deepEqual([server.has, server.imported.map(({ values }) => values)], [[90, 91], [[2, 3]]]);
    assert.deepEqual([store.sessions.size, store.count], [0, 0]);
  });

  test("makes a recording of its own of what comes after a lost chunk", async () => {
    const [store, server] = [new Store(), new Server([1])];
    server.state = "paused";
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 3: 4 });
    await visit(store, server).recovered;
    assert.deepEqual([server.has, server.state, server.imported.map(({ values }) => values)], [[1, 2], "interrupted", [[4]]]);
    assert.deepEqual([store.sessions.size, store.count], [0, 0]);
  });

  test("gives the marks of what was kept apart to its recording, and those before it to the session", async () => {
    const [store, server] = [new Store(), new Server([1, 90, 91])];
    store.sessions.set("a", { session: "a", sampleRate: 8_000, from: 0.25 });
    store.fill("a", { 1: 2, 2: 3 });
    store.marks.set("a", [{ seconds: 0.125 }, { seconds: 0.5 }]);
    server.isFull = true;
    await visit(store, server).recovered;
    assert.deepEqual([server.imported.map(({ values }) => values), server.added, store.marks.size], [[[2, 3]], {}, 1]);
    server.isFull = false;
    await visit(store, server).recovered;
    assert.deepEqual([server.imported.length, server.added, server.marks], [1, { new: [{ seconds: 0.25 }] }, [{ seconds: 0.125 }]]);
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("names each mark that a recording never takes", async () => {
    const [store, server] = [new Store(), new Server([1, 2])];
    server.isGone = server.isOverfull = true;
    server.duration = 0.5;
    store.sessions.set("a", null);
    store.fill("a", { 2: 3 });
    store.marks.set("a", [{ seconds: 0.25 }, { seconds: 0.75 }]);
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(reported.slice(1), ["refused  0.25", "refused  0.25"]);
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("makes a recording of its own of what comes after a recording that was finished elsewhere", async () => {
    const [store, server] = [new Store(), new Server([1, 2])];
    server.isGone = true;
    server.duration = 0.5;
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 2: 3, 3: 4 });
    store.marks.set("a", [{ seconds: 0.25 }, { seconds: 0.75 }]);
    await visit(store, server).recovered;
    assert.deepEqual(server.imported.map(({ values }) => values), [[3, 4]], "the recording has the first");
    assert.deepEqual(server.added, { a: [{ seconds: 0.25 }], new: [{ seconds: 0.25 }] });
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("makes a recording of its own also of what another page has taken the place of in one that was finished", async () => {
    const [store, server] = [new Store(), new Server([1, 90, 91, 92])];
    server.isGone = true;
    server.duration = 1;
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 2: 3 });
    store.marks.set("a", [{ seconds: 0.125 }, { seconds: 0.5 }]);
    await visit(store, server).recovered;
    assert.deepEqual(server.imported.map(({ values }) => values), [[2, 3]]);
    assert.deepEqual(server.added, { a: [{ seconds: 0.125 }], new: [{ seconds: 0.25 }] });
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("keeps nothing apart of a finished recording that has all of it", async () => {
    const [store, server] = [new Store(), new Server([1, 2, 3])];
    server.isGone = true;
    server.duration = 0.75;
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 2: 3 });
    store.marks.set("a", [{ seconds: 0.5 }]);
    await visit(store, server).recovered;
    assert.deepEqual([server.imported, server.added], [[], { a: [{ seconds: 0.5 }] }]);
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("gives marks that come after a lost chunk to the recording of what comes after it", async () => {
    const [store, server] = [new Store(), new Server([1])];
    store.sessions.set("a", null);
    store.fill("a", { 1: 2, 4: 5 });
    store.marks.set("a", [{ seconds: 0.25 }, { seconds: 1.125 }]);
    await visit(store, server).recovered;
    assert.deepEqual([server.marks, server.added], [[{ seconds: 0.25 }], { new: [{ seconds: 0.125 }] }]);
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("makes a recording of its own of what belongs to one that the library does not know, as an older copy of it", async () => {
    const [store, server] = [new Store(), new Server([])];
    server.isGone = true;
    store.sessions.set("a", 16_000);
    store.fill("a", { 4: 2, 5: 3 });
    store.marks.set("a", [{ seconds: 0.5 }, { seconds: 1.25 }]);
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual(server.imported, [{ name: "Nameless-2.wav", values: [2, 3], rate: 16_000 }]);
    assert.deepEqual([reported, server.added.new], [["kept Nameless-2.wav"], [{ seconds: 0.25 }]]);
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [0, 0, 0]);
  });

  test("forgets what was discarded, and nothing while the server is away", async () => {
    const [store, server] = [new Store(), new Server([])];
    store.sessions.set("a", 16_000);
    store.fill("a", { 0: 1 });
    store.marks.set("a", [{ seconds: 0.125 }]);
    server.isAway = true;
    await visit(store, server).recovered;
    assert.deepEqual([store.sessions.size, store.count, store.marks.size], [1, 1, 1]);
    server.isAway = false;
    server.isDiscarded = true;
    const { reported, recovered } = visit(store, server);
    await recovered;
    assert.deepEqual([store.sessions.size, store.count, store.marks.size, server.imported.length, reported], [0, 0, 0, 0, []]);
  });

  test("keeps apart what was refused, though the session was discarded since", async () => {
    const [store, server] = [new Store(), new Server([])];
    server.isDiscarded = true;
    store.sessions.set("a", { session: "a", sampleRate: 16_000, from: 1 });
    store.fill("a", { 4: 2, 5: 3 });
    store.marks.set("a", [{ seconds: 1.25 }]);
    await visit(store, server).recovered;
    assert.deepEqual(server.imported.map(({ values }) => values), [[2, 3]]);
    assert.deepEqual([server.added, store.sessions.size, store.count], [{ new: [{ seconds: 0.25 }] }, 0, 0]);
  });
});
