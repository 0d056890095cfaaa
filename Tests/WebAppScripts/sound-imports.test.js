import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { SoundImports } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-import-queue.js";

/** A server that answers when the test lets it. */
class Server {
  /** @type {{ name: string, keepsPart: boolean, keepsTwin: boolean, progressed: (part: number) => void, take: (notices?: object[], twin?: string) => void, refuse: (problem: unknown) => void, isEnded: () => boolean }[]} */
  asked = [];

  /**
   * @param {File} file
   * @param {{ keepsPart?: boolean, keepsTwin?: boolean, progressed?: (part: number) => void, signal?: AbortSignal }} options
   * @returns {Promise<any>}
   */
  send = (file, { keepsPart = false, keepsTwin = false, progressed = () => {}, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(signal.reason));
      this.asked.push({
        name: file.name,
        keepsPart,
        keepsTwin,
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

  test("are told of once, however often their page is opened", async () => {
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
    imports.keepTwin(1);
    assert.deepEqual(server.asked.map(({ keepsTwin }) => keepsTwin), [false, true]);
    server.asked[1]?.take();
    await settled();
    assert.deepEqual(imports.all.value.map(({ state, twin }) => [state, twin]), [["done", null]]);
    assert.ok(imports.report(1), "its second end is told, too");
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
});
