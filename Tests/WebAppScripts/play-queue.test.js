import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { state } from "../../Sources/WebApp/Resources/www/core/store.js";
import { PlayQueue } from "../../Sources/WebApp/Resources/www/player/play-queue.js";
import { trust } from "../../Sources/WebApp/Resources/www/server/http.js";
import { json, stubServer } from "./stub-server.js";

/** @param {string[]} ids */
const playback = (ids) => ({ entries: ids.map((id) => ({ id, item: { id: `item-${id}` } })), current: null, bookmark: null });

/**
 * Stubs a server that removes entries.
 *
 * @param {import("node:test").TestContext} context
 * @param {string[]} there The ids of its entries, which change.
 * @param {() => void} removed Called after each removal.
 */
function stubEntries(context, there, removed = () => {}) {
  let event = 0;
  return stubServer(context, ({ method, body }) => {
    if (method === "POST") {
      there.splice(0, there.length, ...there.filter((id) => !body.ids.includes(id)));
      removed();
    }
    return json(playback(there), 200, { "Last-Event-ID": `run-${(event += 1)}` });
  });
}

describe("the queue that is shown", () => {
  test("says that it cannot be read, until it is emptied", async (context) => {
    /** @type {string[]} */
    const asked = [];
    stubServer(context, ({ method, address }) => {
      if (method === "POST") asked.push(address);
      return json({ ...playback([]), isUnreadable: method !== "POST" }, 200, { "Last-Event-ID": `run-${asked.length}` });
    });
    const queue = new PlayQueue(() => {});
    await queue.refresh();
    assert.equal(queue.state.value.isUnreadable, true);
    await queue.clear();
    assert.equal(queue.state.value.isUnreadable, false);
    assert.deepEqual(asked, ["/api/playback/clear"]);
  });

  test("knows how many entries cannot be read", async (context) => {
    stubServer(context, () => json({ ...playback(["one"]), unreadable: 2 }, 200, { "Last-Event-ID": "run-1" }));
    const queue = new PlayQueue(() => {});
    await queue.refresh();
    assert.equal(queue.state.value.unreadable, 2);
  });

  test("says why it could not be loaded, until it is", async (context) => {
    let isThere = false;
    const refusal = { code: "vault.system", message: "The system refused: Input/output error." };
    stubServer(context, () => (isThere ? json(playback(["one"]), 200, { "Last-Event-ID": "run-1" }) : json(refusal, 500)));
    const queue = new PlayQueue(() => {});
    await queue.known();
    assert.equal(/** @type {Error | null} */ (queue.failure.value)?.message, refusal.message);
    isThere = true;
    await queue.refresh();
    assert.equal(queue.failure.value, null);
    assert.deepEqual(queue.entries.map(({ id }) => id), ["one"]);
  });

  test("keeps a move when an answer from before it arrives later", async (context) => {
    /** @type {(() => void)[]} */
    const late = [];
    stubServer(context, ({ method }) => {
      if (method === "POST") return json(playback(["two", "one"]), 200, { "Last-Event-ID": "run-8" });
      const answer = json(playback(["one", "two"]), 200, { "Last-Event-ID": "run-7" });
      const content = answer.json.bind(answer);
      answer.json = () => new Promise((done) => late.push(() => done(content())));
      return answer;
    });
    const queue = new PlayQueue(() => {});
    const refreshed = queue.refresh();
    await queue.move("two", 0);
    for (const arrive of late) arrive();
    await refreshed;
    assert.equal(late.length, 1);
    assert.deepEqual(queue.entries.map(({ id }) => id), ["two", "one"]);
  });

  test("sends changes in the order in which they are made, and shows the newest meanwhile", async (context) => {
    /** @type {string[]} */
    const asked = [];
    /** @type {(() => void)[]} */
    const waiting = [];
    let revision = 1;
    stubServer(context, ({ method, address }) => {
      if (method !== "POST") return json(playback(["one", "two", "three"]), 200, { "Last-Event-ID": "run-1" });
      asked.push(address);
      const ids = asked.length === 1 ? ["one", "three", "two"] : ["two", "one", "three"];
      const answer = json(playback(ids), 200, { "Last-Event-ID": `run-${(revision += 1)}` });
      const content = answer.json.bind(answer);
      answer.json = () => new Promise((done) => waiting.push(() => done(content())));
      return answer;
    });
    const queue = new PlayQueue(() => {});
    await queue.refresh();
    const shown = () => queue.entries.map(({ id }) => id);
    const settled = () => new Promise((done) => setTimeout(done));
    const first = queue.move("three", 1);
    const second = queue.move("two", 0);
    await settled();
    assert.equal(asked.length, 1);
    waiting[0]();
    await first;
    assert.deepEqual(shown(), ["two", "one", "three"]);
    await settled();
    waiting[1]();
    await second;
    assert.equal(asked.length, 2);
    assert.deepEqual(shown(), ["two", "one", "three"]);
  });

  test("sends what waits at once when the page is left", async (context) => {
    const asked = stubServer(context, () => {
      const answer = json(playback(["one"]), 200);
      answer.json = () => new Promise(() => {});
      return answer;
    });
    const queue = new PlayQueue(() => {});
    queue.add(["one"]);
    queue.move("one", 0);
    queue.choose("one");
    await new Promise((done) => setTimeout(done));
    assert.equal(asked.length, 1);
    queue.leave();
    await new Promise((done) => setTimeout(done));
    assert.deepEqual(
      asked.map(({ address, keepalive }) => [address.split("/").at(-1), keepalive]),
      [["entries", true], ["move", true], ["current", true]],
    );
  });

  test("has its changes outlive the page, but for lists that are too long for that", async (context) => {
    const asked = stubServer(context, () => json(playback(["one"]), 200));
    const queue = new PlayQueue(() => {});
    await queue.add(["one"]);
    await queue.takeOut(["one"]).finish();
    await queue.takeOut(["one"]).finish(true);
    await queue.add(Array.from({ length: 2_000 }, (_, index) => `item-${index}`));
    assert.deepEqual(
      asked.filter(({ method }) => method === "POST").map(({ keepalive }) => keepalive),
      [true, true, true, false],
    );
  });

  test("removes what was taken out here and nothing else when the page is left, the rest of it with the next visit", async (context) => {
    const there = Array.from({ length: 1_500 }, (_, index) => `entry-${index}`);
    let removed = () => {};
    const asked = stubEntries(context, there, () => removed());
    const queue = new PlayQueue(() => {});
    await queue.known();
    const { finish } = queue.takeOut([...there]);
    there.push("added elsewhere");
    await finish(true);
    const changes = () => asked.filter(({ method }) => method === "POST");
    assert.deepEqual(changes().map(({ address, keepalive, body }) => [address, keepalive, body.ids.length]), [
      ["/api/playback/entries/remove", true, 1_000],
    ]);

    const rest = new Promise((resolve) => (removed = () => resolve(null)));
    const next = new PlayQueue(() => {});
    await next.known();
    assert.deepEqual(next.entries.map(({ id }) => id), ["added elsewhere"]);
    await rest;
    await next.refresh();
    assert.deepEqual([there, changes().length], [["added elsewhere"], 2]);
  });

  test("keeps what was removed when the page was left until the server has answered that it is", async (context) => {
    const there = ["one", "two", "three"];
    let isSilent = true;
    const asked = stubServer(context, ({ method, body }) => {
      if (method === "POST") {
        if (isSilent) throw new TypeError("network error");
        there.splice(0, there.length, ...there.filter((id) => !body.ids.includes(id)));
      }
      return json(playback(there), 200);
    });
    context.mock.method(trust, "prove", async () => void (trust.isDoubted = false));
    const keptIds = () => JSON.parse(localStorage.getItem("queue.removed") ?? "[]");
    const queue = new PlayQueue(() => {});
    await queue.known();
    await assert.rejects(queue.takeOut(["one", "two"]).finish(true));
    const changes = () => asked.filter(({ method }) => method === "POST").length;

    // The next page is refused too, and shows again what is there.
    const second = new PlayQueue(() => {});
    const isShownAgain = new Promise((resolve) => second.state.watch(({ entries }) => changes() === 2 && entries.length === 3 && resolve(null), context.signal));
    await second.known();
    await isShownAgain;
    assert.deepEqual(keptIds(), ["one", "two"]);

    isSilent = false;
    const third = new PlayQueue(() => {});
    const remove = localStorage.removeItem;
    const isRemoved = new Promise((resolve) => context.mock.method(localStorage, "removeItem", (/** @type {string} */ name) => resolve(remove(name))));
    await third.known();
    await isRemoved;
    assert.deepEqual([there, third.entries.map(({ id }) => id), changes(), keptIds()], [["three"], ["three"], 3, []]);
  });

  test("removes the others where one was removed elsewhere meanwhile", async (context) => {
    const there = ["one", "two", "three"];
    const asked = stubEntries(context, there);
    const queue = new PlayQueue(() => {});
    await queue.refresh();
    const { finish } = queue.takeOut(["one", "two"]);
    there.shift();
    await queue.refresh();
    await finish();
    assert.deepEqual(asked.flatMap(({ body }) => body?.ids ?? []), ["two"]);
    assert.deepEqual(queue.entries.map(({ id }) => id), ["three"]);
  });

  test("is rid of what was taken out just before a lock when the library is open again", async (context) => {
    const become = (/** @type {string} */ vault) => state.set(/** @type {any} */ ({ vault: { state: vault } }));
    context.after(() => state.set(null));
    let left = ["one", "two"];
    let isLocked = false;
    stubServer(context, ({ method }) => {
      if (isLocked) return json({ code: "vault.locked", message: "" }, 423);
      if (method === "POST") left = ["two"];
      return json(playback(left), 200);
    });
    become("unlocked");
    const queue = new PlayQueue(() => {});
    await queue.refresh();
    const { finish } = queue.takeOut(["one"]);
    isLocked = true;
    const removed = finish();
    await new Promise((done) => setTimeout(done));
    become("locked");
    queue.forget();
    isLocked = false;
    become("unlocked");
    await queue.known();
    assert.deepEqual(queue.entries.map(({ id }) => id), ["two"]);
    await removed;
    assert.deepEqual([left, queue.entries.map(({ id }) => id)], [["two"], ["two"]]);
  });
});
