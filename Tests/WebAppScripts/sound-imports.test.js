import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SoundImports } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-import-queue.js";

/** A server that answers when the test lets it. */
class Server {
  /** @type {{ name: string, keepsPart: boolean, track: number | null, keepsTwin: boolean, progressed: (part: number) => void, take: (notices?: object[], twin?: string) => void, refuse: (problem: unknown) => void, isEnded: () => boolean }[]} */
  asked = [];

  /**
   * @param {File} file
   * @param {{ keepsPart?: boolean, track?: number | null, keepsTwin?: boolean, progressed?: (part: number) => void, signal?: AbortSignal }} options
   * @returns {Promise<any>}
   */
  send = (file, { keepsPart = false, track = null, keepsTwin = false, progressed = () => {}, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      this.asked.push({
        name: file.name,
        keepsPart,
        keepsTwin,
        track,
        progressed,
        take: (notices = [], twin) => resolve({ item: { id: file.name, name: twin }, notices, isReused: twin !== undefined }),
        refuse: reject,
        isEnded: () => signal?.aborted ?? false,
      });
    });
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** @param {...string} names */
const files = (...names) => names.map((name) => new File(["sound"], name));

/** @param {SoundImports} imports */
const states = (imports) => imports.all.value.map(({ file, state, part }) => `${file.name} ${state} ${part}`);

describe("sound files", () => {
  test("are imported one after another", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b"));
    assert.deepEqual(states(imports), ["a sending 0", "b waiting 0"]);
    server.asked[0]?.progressed(0.5);
    server.asked[0]?.progressed(1);
    assert.deepEqual(states(imports), ["a reading 1", "b waiting 0"]);
    server.asked[0]?.take();
    await settled();
    assert.deepEqual(states(imports), ["a done 1", "b sending 0"]);
  });

  test("whose marks could not be given to their recording are tried again", async () => {
    const server = new Server();
    const given = /** @type {string[]} */ ([]);
    let isFull = true;
    const imports = new SoundImports(server.send, null, async (_, item) => {
      if (isFull) throw { code: "vault.read-only", status: 507 };
      given.push(item);
    });
    imports.add(files("a"));
    await settled();
    server.asked[0]?.take();
    await settled();
    assert.deepEqual(states(imports).map((one) => one.split(" ")[1]), ["refused"]);
    isFull = false;
    imports.again(imports.all.value[0]?.id ?? 0);
    await settled();
    server.asked[1]?.take([], "A");
    await settled();
    assert.deepEqual([imports.all.value.map(({ state }) => state), given], [["done"], ["a"]]);
  });

  test("are offered to be transcribed until that is withdrawn, or the library closes", () => {
    const imports = new SoundImports(new Server().send);
    const offered = () => imports.offered.value.map(({ id }) => id);
    for (const id of ["a", "b", "c"]) imports.offer(/** @type {any} */ ({ id }));
    imports.withdraw(["b", "other"]);
    assert.deepEqual(offered(), ["a", "c"]);
    imports.forget();
    assert.deepEqual(offered(), []);
  });

  test("are reported once, however often their page is opened", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b"));
    server.asked[0]?.take([{ code: "sound-file.tracks", message: "There are two." }]);
    await settled();
    assert.deepEqual([imports.report(1), imports.report(1), imports.report(2)], [true, false, true]);
    assert.equal(imports.all.value.length, 2);
  });

  test("that are refused do not stop the others, and can be tried again", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b"));
    server.asked[0]?.refuse({ code: "audio.unreadable" });
    await settled();
    assert.deepEqual(states(imports), ["a refused 0", "b sending 0"]);
    server.asked[1]?.take();
    imports.again(1);
    await settled();
    assert.deepEqual(server.asked.map(({ name }) => name), ["a", "b", "a"]);
  });

  test("say which recording they have become, unless it was there before", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b"));
    server.asked[0]?.take();
    await settled();
    server.asked[1]?.take([], "Old talk");
    await settled();
    assert.deepEqual(imports.all.value.map(({ item }) => item?.id ?? null), ["a", null]);
  });

  test("that are over or need an answer leave the list together, and the others continue", async () => {
    const server = new Server();
    const rest = async (/** @type {File} */ { name }) =>
      name === "rest" ? { name: "Talk", join: () => Promise.reject(new Error("unused")) } : null;
    const imports = new SoundImports(server.send, rest);
    imports.add(files("rest", "a", "b"));
    await settled();
    server.asked[0]?.refuse({ code: "sound-file.damaged" });
    await settled();
    assert.deepEqual(states(imports), ["rest rest 0", "a refused 0", "b sending 0"]);
    imports.clear();
    assert.deepEqual(states(imports), ["b sending 0"]);
    assert.equal(server.asked[1]?.isEnded(), false);
  });

  test("that are damaged are sent again for what can be read of them, and stay with their notices", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a"));
    server.asked[0]?.refuse({ code: "sound-file.damaged" });
    await settled();
    imports.keepPart(1);
    assert.deepEqual(server.asked.map(({ keepsPart }) => keepsPart), [false, true]);
    server.asked[1]?.take([{ code: "sound-file.part-kept", message: "Part." }]);
    await settled();
    assert.deepEqual(imports.all.value.map(({ state, notices }) => [state, notices.length]), [["done", 1]]);
  });

  test("that were imported before name the recording that is there, and are imported again when that is wanted", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a"));
    server.asked[0]?.take([], "Old talk");
    await settled();
    assert.deepEqual(imports.all.value.map(({ state, twin }) => [state, twin]), [["done", { id: "a", name: "Old talk" }]]);
    assert.ok(imports.report(1));
    const seen = /** @type {string[]} */ ([]);
    imports.all.follow(() => seen.push(...states(imports)), new AbortController().signal);
    imports.keepTwin(1);
    assert.deepEqual(seen.filter((state) => state.startsWith("a done")), ["a done 1"], "it is never done without a word");
    assert.deepEqual(server.asked.map(({ keepsTwin }) => keepsTwin), [false, true]);
    server.asked[1]?.take();
    await settled();
    assert.deepEqual(imports.all.value.map(({ state, twin }) => [state, twin]), [["done", null]]);
    assert.ok(imports.report(1), "its second end is reported, too");
  });

  test("are imported again at once where their recording is being deleted, and not because it is deleted later", async () => {
    const server = new Server();
    const given = /** @type {string[]} */ ([]);
    const imports = new SoundImports(server.send, null, async (_, item) => void given.push(item));
    const deleted = new Set(["a"]);
    imports.isDeleted = (id) => deleted.has(id);
    imports.add(files("a", "b"));
    server.asked[0]?.take([], "Old talk");
    await settled();
    assert.deepEqual(server.asked.map(({ name, keepsTwin }) => [name, keepsTwin]), [["a", false], ["a", true]]);
    assert.deepEqual(given, [], "nothing becomes of a recording that goes");
    server.asked[1]?.take();
    await settled();
    server.asked[2]?.take([], "Another talk");
    await settled();
    deleted.add("b");
    imports.add(files("c"));
    server.asked[3]?.take();
    await settled();
    assert.deepEqual(server.asked.map(({ name }) => name), ["a", "a", "b", "c"]);
    assert.deepEqual(states(imports), ["a done 1", "b done 1", "c done 1"]);
  });

  test("that are the rest of a recording wait for an answer, and are added to it", async () => {
    const server = new Server();
    const joined = /** @type {string[]} */ ([]);
    let isBusy = true;
    const join = async (/** @type {(part: number) => void} */ progressed) => {
      progressed(0.5);
      if (isBusy) throw { code: "recording.busy" };
      joined.push(states(imports)[0] ?? "");
      return /** @type {any} */ ({ id: "talk" });
    };
    const imports = new SoundImports(server.send, async ({ name }) => (name === "rest" ? { name: "Talk", join } : null));
    imports.add(files("rest", "b"));
    await settled();
    assert.deepEqual(states(imports), ["rest rest 0", "b sending 0"], "the others do not wait for it");
    await imports.join(1);
    assert.deepEqual(imports.all.value.map(({ state, problem }) => [state, problem]), [["rest", { code: "recording.busy" }], ["sending", null]]);
    isBusy = false;
    await imports.join(1);
    assert.deepEqual(joined, ["rest joining 0.5"]);
    assert.equal(states(imports)[0], "rest done 1");
    await imports.join(1);
    assert.deepEqual([joined.length, server.asked.map(({ name }) => name)], [1, ["b"]]);
  });

  test("that are the rest of a finished recording wait for an answer, and are not added to it", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send, async () => ({ name: "Talk", finished: "talk", join: () => Promise.reject() }));
    imports.add(files("rest"));
    await settled();
    await imports.join(1);
    assert.deepEqual(imports.all.value.map(({ state, problem }) => [state, problem]), [["rest", null]]);
    assert.equal(server.asked.length, 0);
  });

  test("that are the rest of a recording can be imported by themselves", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send, async () => ({ name: "Talk", join: () => Promise.reject() }));
    imports.add(files("rest"));
    await settled();
    imports.importApart(1);
    await settled();
    server.asked[0]?.take();
    await settled();
    assert.deepEqual(states(imports), ["rest done 1"]);
    assert.deepEqual(imports.all.value.map(({ rest }) => rest), [null]);
  });

  test("of several sound tracks are sent again for another one", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a"));
    server.asked[0]?.take([{ code: "sound-file.tracks", message: "There are three.", count: 3, track: 1 }]);
    await settled();
    imports.takeTrack(1, 3);
    imports.takeTrack(9, 2);
    assert.deepEqual(server.asked.map(({ name, track }) => [name, track]), [["a", null], ["a", 3]]);
    assert.deepEqual(states(imports), ["a done 1", "a sending 0"]);
    server.asked[1]?.refuse({ code: "sound-file.no-such-track" });
    await settled();
    imports.again(2);
    assert.deepEqual(server.asked.map(({ track }) => track), [null, 3, 3]);
    server.asked[2]?.take([], "Third track");
    await settled();
    imports.keepTwin(2);
    assert.deepEqual(server.asked.slice(2).map(({ track, keepsTwin }) => [track, keepsTwin]), [[3, false], [3, true]]);
  });

  test("that are dropped are not sent", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b", "c"));
    imports.drop(2);
    imports.drop(1);
    await settled();
    assert.ok(server.asked[0]?.isEnded());
    assert.deepEqual(states(imports), ["c sending 0"]);
    imports.forget();
    assert.deepEqual(states(imports), []);
  });

  test("that locking has dropped before they were done are counted once, refused ones too", async () => {
    const server = new Server();
    const imports = new SoundImports(server.send);
    imports.add(files("a", "b", "c", "d"));
    server.asked[0]?.take();
    await settled();
    server.asked[1]?.refuse(new Error("damaged"));
    await settled();
    assert.equal(imports.left, 2);
    imports.forget();
    imports.forget();
    await settled();
    assert.equal(imports.left, 0);
    assert.deepEqual([imports.takeForgotten(), imports.takeForgotten()], [3, 0]);
  });
});
