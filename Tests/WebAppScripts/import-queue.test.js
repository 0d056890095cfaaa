import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ImportQueue } from "../../Sources/WebApp/Resources/www/pages/documents/import-queue.js";

/** @typedef {{ name: string, options: any, resolve: (answer: any) => void, reject: (error: any) => void }} Sent */

/** A fake server: it collects uploads, which the test answers. */
function handServer() {
  /** @type {Sent[]} */
  const sent = [];
  /** @type {(() => void)[]} */
  const waiting = [];
  const send = (/** @type {File} */ file, /** @type {any} */ options) =>
    new Promise((resolve, reject) => {
      options.signal.addEventListener("abort", () => reject(options.signal.reason));
      sent.push({ name: file.name, options, resolve, reject });
      waiting.splice(0).forEach((go) => go());
    });
  /** @param {number} count */
  const until = async (count) => {
    while (sent.length < count) await new Promise((/** @type {(value: void) => void} */ resolve) => waiting.push(resolve));
    return sent[count - 1];
  };
  /** @type {string[]} */
  const removed = [];
  /** @param {string[]} ids */
  const remove = async (ids) => {
    removed.push(...ids);
  };
  return { queue: new ImportQueue(/** @type {any} */ (send), remove), sent, removed, until };
}

/** @param {string} name */
const file = (name) => /** @type {File} */ (/** @type {unknown} */ (Object.assign(new Blob(["text"]), { name })));

/** @param {ImportQueue} queue */
const states = (queue) => queue.all.value.map(({ file: { name }, state }) => `${name} ${state}`);

/**
 * @param {ImportQueue} queue
 * @param {string[]} wanted
 */
function settled(queue, wanted) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    const end = new AbortController();
    queue.all.follow(() => {
      if (states(queue).join() !== wanted.join()) return;
      end.abort();
      resolve();
    }, end.signal);
  });
}

const answerWhenRead = async (/** @type {File} */ _, /** @type {any} */ { progressed }) => {
  progressed(1);
  return imported;
};

const imported = { document: { id: "d", name: "Book" }, notices: [], isReused: false };

describe("the import of files", () => {
  test("sends one after another and reports how far each is", async () => {
    const { queue, sent, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    assert.deepEqual(states(queue), ["a sending", "b waiting"]);
    first.options.progressed(0.5);
    assert.equal(queue.all.value[0].part, 0.5);
    first.options.progressed(1);
    assert.deepEqual(states(queue), ["a reading", "b waiting"]);
    assert.equal(sent.length, 1);
    first.resolve(imported);
    (await until(2)).resolve(imported);
    await settled(queue, ["a done", "b done"]);
    assert.equal(queue.left, 0);
  });

  test("continues after one that is refused, and keeps the reason", async () => {
    const { queue, until } = handServer();
    queue.add([file("bad"), file("good")]);
    (await until(1)).reject({ code: "document.damaged" });
    (await until(2)).resolve(imported);
    await settled(queue, ["bad refused", "good done"]);
    assert.deepEqual(queue.all.value[0].problem, { code: "document.damaged" });
  });

  test("asks for a password while the others continue, and sends it", async () => {
    const { queue, until } = handServer();
    queue.add([file("locked"), file("open")]);
    (await until(1)).reject({ code: "document.password-needed" });
    (await until(2)).resolve(imported);
    await settled(queue, ["locked asking", "open done"]);
    queue.again(queue.all.value[0].id, { password: "wrong" });
    (await until(3)).reject({ code: "document.password-wrong" });
    await settled(queue, ["locked asking", "open done"]);
    queue.again(queue.all.value[0].id, { password: "öö" });
    const last = await until(4);
    assert.equal(last.options.password, "öö");
    last.resolve(imported);
    await settled(queue, ["locked done", "open done"]);
  });

  test("keeps what is there already once more only when that is wanted", async () => {
    const { queue, until } = handServer();
    queue.add([file("twin")]);
    (await until(1)).reject({ code: "document.there-already" });
    await settled(queue, ["twin asking"]);
    queue.again(queue.all.value[0].id, { keepTwin: true });
    assert.equal((await until(2)).options.keepTwin, true);
  });

  test("tries again by itself when the server has too much to do", async () => {
    const { queue, until } = handServer();
    queue.add([file("a")]);
    (await until(1)).reject({ code: "web.busy", retryAfter: 0.001 });
    (await until(2)).resolve(imported);
    await settled(queue, ["a done"]);
  });

  test("ends the one that is taken off the list, and continues with the next", async () => {
    const { queue, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    queue.drop(queue.all.value[0].id);
    assert.ok(first.options.signal.aborted);
    (await until(2)).resolve(imported);
    await settled(queue, ["b done"]);
  });

  test("lets the server answer about one that it reads already, and deletes it then", async () => {
    const { queue, sent, removed, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    first.options.progressed(1);
    queue.drop(queue.all.value[0].id);
    assert.equal(first.options.signal.aborted, false);
    assert.deepEqual(states(queue), ["b waiting"]);
    assert.equal(sent.length, 1);
    first.resolve(imported);
    (await until(2)).resolve(imported);
    await settled(queue, ["b done"]);
    assert.deepEqual(removed, ["d"]);
  });

  test("deletes nothing that was there before", async () => {
    const { queue, removed, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    first.options.progressed(1);
    queue.drop(queue.all.value[0].id);
    first.resolve({ ...imported, isReused: true });
    (await until(2)).resolve(imported);
    await settled(queue, ["b done"]);
    assert.deepEqual(removed, []);
  });

  test("keeps nothing that the server still reads when the library is closed", async () => {
    const { queue, removed, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    first.options.progressed(1);
    queue.forget();
    assert.deepEqual(states(queue), []);
    first.resolve(imported);
    queue.add([file("c")]);
    assert.equal((await until(2)).name, "c");
    assert.deepEqual(removed, ["d"]);
  });

  test("counts once what locking has dropped before it was done, refused files too", async () => {
    const { queue, until } = handServer();
    queue.add([file("a"), file("b"), file("c"), file("d")]);
    (await until(1)).resolve(imported);
    (await until(2)).reject({ code: "document.damaged" });
    (await until(3)).options.progressed(1);
    queue.forget();
    queue.forget();
    assert.deepEqual([queue.takeForgotten(), queue.takeForgotten()], [3, 0]);
  });

  test("continues when one that nobody wants is refused or cannot be deleted", async () => {
    const { queue, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    first.options.progressed(1);
    queue.drop(queue.all.value[0].id);
    first.reject({ code: "web.busy" });
    (await until(2)).resolve(imported);
    await settled(queue, ["b done"]);
    const unwilling = new ImportQueue(/** @type {any} */ (answerWhenRead), () => Promise.reject(new Error("not now")));
    unwilling.add([file("c"), file("d")]);
    unwilling.drop(unwilling.all.value[0].id);
    await settled(unwilling, ["d done"]);
  });

  test("does not try one again that was taken off the list meanwhile", async () => {
    const { queue, sent, until } = handServer();
    queue.add([file("a"), file("b")]);
    const first = await until(1);
    first.options.progressed(1);
    first.reject({ code: "web.busy", retryAfter: 0.001 });
    await settled(queue, ["a waiting", "b waiting"]);
    queue.drop(queue.all.value[0].id);
    assert.equal((await until(2)).name, "b");
    assert.deepEqual(sent.map(({ name }) => name), ["a", "b"]);
  });

  test("takes those off the list together that are over or need an answer", async () => {
    const { queue, until } = handServer();
    queue.add([file("twin"), file("bad"), file("next")]);
    (await until(1)).reject({ code: "document.there-already" });
    (await until(2)).reject({ code: "document.damaged" });
    await until(3);
    assert.deepEqual(states(queue), ["twin asking", "bad refused", "next sending"]);
    queue.clear();
    assert.deepEqual(states(queue), ["next sending"]);
  });

  test("refuses what cannot be read, such as a folder, without asking the server", async () => {
    const { queue, sent } = handServer();
    const folder = { name: "folder", slice: () => ({ arrayBuffer: () => Promise.reject(new Error("no file")) }) };
    queue.add([/** @type {File} */ (/** @type {unknown} */ (folder))]);
    await settled(queue, ["folder refused"]);
    assert.equal(sent.length, 0);
    queue.clear();
    assert.deepEqual(states(queue), []);
  });
});
