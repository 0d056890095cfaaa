import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PlayQueue } from "../../Sources/WebApp/Resources/www/player/play-queue.js";
import { json, stubServer } from "./stub-server.js";

/** @param {string[]} ids */
const playback = (ids) => ({ entries: ids.map((id) => ({ id, item: { id: `item-${id}` } })), current: null, bookmark: null });

describe("the queue that is shown", () => {
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
});
