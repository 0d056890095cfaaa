import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cell } from "../../Sources/WebApp/Resources/www/core/store.js";
import { TrackTranscript } from "../../Sources/WebApp/Resources/www/player/track.js";
import { dispatch } from "../../Sources/WebApp/Resources/www/server/events.js";
import { json, stubServer } from "./stub-server.js";

const [first, second, third] = [0, 10, 20].map((from) => ({ from, to: from + 9, start: from, end: from + 9, words: [] }));

/** @param {import("node:test").TestContext} context */
function transcript(context) {
  const ending = new AbortController();
  context.after(() => ending.abort());
  /** @type {unknown[]} */
  const problems = [];
  const track = new Cell(/** @type {any} */ ({ kind: "narration", id: "a", voiceName: "Voice" }));
  const one = new TrackTranscript(track, (error) => problems.push(error));
  one.start(ending.signal);
  return { one, problems, starts: () => one.state.value?.sentences.map(({ from }) => from) };
}

/** @param {string} address */
const text = (address) => address.endsWith("/text");

describe("the transcript of a narration", () => {
  it("has the sentences that come while it is being loaded", async (context) => {
    const { one, problems, starts } = transcript(context);
    stubServer(context, ({ address }) => {
      if (text(address)) return json({ text: "One. Two. Three." });
      for (const sentence of [first, second]) dispatch("sentence", { narration: "a", sentence });
      dispatch("sentence", { narration: "b", sentence: { ...third, from: 99 } });
      return json({ sentences: [second] });
    });
    await one.need();
    dispatch("sentence", { narration: "a", sentence: third });
    assert.deepEqual([starts(), problems], [[0, 10, 20], []]);
  });

  it("is the recording's where it has become one", async (context) => {
    const { one, problems, starts } = transcript(context);
    stubServer(context, ({ address }) => {
      if (address.includes("/narrations/")) return json({ code: "job.not-found", message: "Gone." }, 404);
      return text(address) ? json({ text: "One." }) : json({ sentences: [first] });
    });
    await one.need();
    assert.deepEqual([starts(), problems], [[0], []]);
  });
});
