import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { eventNames, followEvents } from "../../Sources/WebApp/Resources/www/server/events.js";

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
    (address) => {
      assert.equal(address, "/api/events");
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
