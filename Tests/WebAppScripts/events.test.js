import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { Cell, isConnected, onReturn, state } from "../../Sources/WebApp/Resources/www/core/store.js";
import { eventNames, eventOrder, followEvents, NewestState, startEvents } from "../../Sources/WebApp/Resources/www/server/events.js";
import { requestJSON, trust } from "../../Sources/WebApp/Resources/www/server/http.js";
import { json, stubServer } from "./stub-server.js";

class ScriptedSource extends EventTarget {
  readyState = 1;

  close() {
    this.readyState = 2;
  }
}

function follow() {
  const source = new ScriptedSource();
  /** @type {any[]} */
  const seen = [];
  const end = followEvents(
    {
      received: (name, content) => seen.push([name, content]),
      opened: () => seen.push("opened"),
      lost: () => seen.push("lost"),
    },
    "run-7",
    (address) => {
      assert.equal(address, "/api/events?after=run-7");
      return /** @type {any} */ (source);
    },
  );
  return { source, seen, end };
}

describe("the server's events", () => {
  it("arrive by name with their content", () => {
    const { source, seen } = follow();
    for (const name of eventNames) source.dispatchEvent(new MessageEvent(name, { data: `{"from":"${name}"}` }));
    assert.deepEqual(seen, eventNames.map((name) => [name, { from: name }]));
  });

  it("come with their ids", () => {
    const source = new ScriptedSource();
    /** @type {(string | null)[]} */
    const ids = [];
    followEvents({ received: (name, content, id) => ids.push(id) }, null, () => /** @type {any} */ (source));
    source.dispatchEvent(new MessageEvent("voices", { data: "{}", lastEventId: "a-7" }));
    source.dispatchEvent(new MessageEvent("voices", { data: "{}" }));
    assert.deepEqual(ids, ["a-7", null]);
  });

  it("are not asked for again by the browser itself once they have ended", () => {
    const { source, seen } = follow();
    source.dispatchEvent(new Event("open"));
    source.dispatchEvent(new Event("error"));
    assert.equal(source.readyState, 2);
    assert.deepEqual(seen, ["opened", "lost"]);
  });

  it("end when they are let go", () => {
    const { source, end } = follow();
    end();
    assert.equal(source.readyState, 2);
  });
});

describe("the connection to the server", () => {
  test("is lost when the server falls silent before its events are followed", { timeout: 60_000 }, async (context) => {
    const globals = /** @type {any} */ (globalThis);
    const { addEventListener, document } = globals;
    const navigator = Object.getOwnPropertyDescriptor(globalThis, "navigator");
    // Without locks each tab has its own stream.
    Object.defineProperty(globalThis, "navigator", { value: {}, configurable: true });
    globals.document = new EventTarget();
    globals.addEventListener = () => {};
    const { prove } = trust;
    trust.isDoubted = true;
    trust.prove = async () => {
      throw new Error("silent");
    };
    const life = new AbortController();
    context.after(() => {
      life.abort();
      Object.assign(globals, { addEventListener, document });
      if (navigator === undefined) delete globals.navigator;
      else Object.defineProperty(globalThis, "navigator", navigator);
      Object.assign(trust, { prove, isDoubted: false });
    });
    const connection = new Cell(true);
    const lost = new Promise((resolve) => connection.watch(resolve, life.signal));
    startEvents(connection, life.signal);
    assert.equal(await lost, false);
  });
});

describe("the order of events", () => {
  test("is that of their numbers, within one run of the server", () => {
    assert.ok(eventOrder("a-10", "a-9") > 0);
    assert.equal(eventOrder("a-9", "a-9"), 0);
    assert.ok(eventOrder("a-9", "a-10") < 0);
    for (const [one, other] of [["a-1", "b-9"], ["a-1", null], [null, "a-1"], [null, null]]) {
      assert.ok(Number.isNaN(eventOrder(one ?? null, other ?? null)));
    }
  });

  test("keeps a shown state from going back", async (context) => {
    let last = "a-10";
    stubServer(context, () => json({}, 200, { "Last-Event-ID": last }));
    const newest = new NewestState();
    const answer = async (/** @type {string} */ id) => {
      last = id;
      return newest.takesAnswer(await requestJSON("/api/settings", {}));
    };
    assert.equal(await answer("a-10"), true);
    assert.equal(newest.takesEvent("a-10"), false, "the answer has it");
    assert.equal(newest.takesEvent("a-12"), true);
    assert.equal(await answer("a-11"), false);
    assert.equal(await answer("a-12"), true, "it may have more than the event");
    assert.equal(await answer("b-1"), true);
    assert.equal(newest.takesEvent("b-1"), false);
    assert.equal(newest.takesEvent("b-2"), true);
  });
});

test("what could not be sent is sent when the server is back, and when the library is opened", () => {
  const vault = (/** @type {string} */ name) => state.set(/** @type {any} */ ({ vault: { state: name } }));
  const life = new AbortController();
  let count = 0;
  vault("unlocked");
  onReturn(() => (count += 1), life.signal);
  vault("unlocked");
  assert.equal(count, 0);
  isConnected.set(false);
  isConnected.set(true);
  assert.equal(count, 1);
  vault("locked");
  assert.equal(count, 1);
  vault("unlocked");
  vault("unlocked");
  assert.equal(count, 2);
  life.abort();
  vault("locked");
  vault("unlocked");
  isConnected.set(true);
  state.set(null);
  assert.equal(count, 2);
});

test("what waits for room on the disk runs when the library can be written to again", () => {
  const vault = (/** @type {string} */ now) => state.set(/** @type {any} */ ({ vault: { state: now } }));
  const life = new AbortController();
  let count = 0;
  vault("readOnly");
  onReturn(() => (count += 1), life.signal);
  vault("readOnly");
  assert.equal(count, 0);
  vault("unlocked");
  assert.equal(count, 1);
  life.abort();
  state.set(null);
});
