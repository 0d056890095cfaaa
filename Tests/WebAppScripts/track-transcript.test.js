import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Cell } from "../../Sources/WebApp/Resources/www/core/store.js";
import { loadSentences, TrackChapters, TrackTranscript, TrackUpdates } from "../../Sources/WebApp/Resources/www/player/track.js";
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
  const recovered = (/** @type {unknown} */ error) => problems.splice(problems.indexOf(error), 1);
  const one = new TrackTranscript(track, (error) => problems.push(error), recovered);
  one.start(ending.signal);
  return { one, track, problems, starts: () => one.state.value?.sentences.map(({ from }) => from) };
}

/** @param {string} address */
const text = (address) => address.endsWith("/text");

describe("the transcript of a narration", () => {
  it("has the sentences that come while it is being loaded", async (context) => {
    const { one, problems, starts } = transcript(context);
    stubServer(context, ({ address }) => {
      if (text(address)) return json({ text: "One. Two. Three.", paragraphs: [] });
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
      return text(address) ? json({ text: "One.", paragraphs: [] }) : json({ sentences: [first] });
    });
    await one.need();
    assert.deepEqual([starts(), problems], [[0], []]);
  });
});

describe("the chapters in the player", () => {
  /**
   * @param {import("node:test").TestContext} context
   * @param {"narration" | "recording"} kind
   * @param {Response[]} failures The first answers.
   */
  function chapters(context, kind, failures = []) {
    context.mock.timers.enable({ apis: ["setTimeout"] });
    const ending = new AbortController();
    context.after(() => ending.abort());
    const track = new Cell(/** @type {any} */ ({ kind, id: "a" }));
    const shown = new TrackChapters(track);
    /** @type {string[]} */
    const asked = [];
    stubServer(context, ({ address }) => {
      asked.push(address);
      const more = kind === "narration" ? [{ title: "Two", start: 0, ahead: 10 }] : [];
      return failures.shift() ?? json([{ title: "One", start: 0 }, ...more]);
    });
    shown.start(ending.signal);
    const came = () => new Promise((resolve) => shown.state.watch(resolve, ending.signal));
    return { track, asked, came, titles: () => shown.state.value.map(({ title }) => title) };
  }

  it("are those of a recording at once, and again when it has changed", async (context) => {
    const { asked, came, titles } = chapters(context, "recording");
    await came();
    assert.deepEqual([asked, titles()], [["/api/library/a/chapters"], ["One"]]);
    dispatch("library", { added: [], changed: ["a"], deleted: [] });
    dispatch("sentence", { narration: "a", sentence: first });
    assert.equal(asked.length, 2);
  });

  it("are all those of a narration at once, and again whenever the next has begun", async (context) => {
    const { asked, came, titles } = chapters(context, "narration");
    await came();
    assert.deepEqual([asked, titles()], [["/api/narrations/a/chapters?ahead=true"], ["One", "Two"]]);
    dispatch("sentence", { narration: "a", sentence: first });
    dispatch("sentence", { narration: "b", sentence: second });
    assert.equal(asked.length, 1);
    dispatch("sentence", { narration: "a", sentence: second });
    assert.equal(asked.length, 2);
  });

  it("are not asked for once more by the sentences that come before their answer", async (context) => {
    const { asked, came, titles } = chapters(context, "narration");
    dispatch("sentence", { narration: "a", sentence: first });
    dispatch("sentence", { narration: "a", sentence: second });
    assert.equal(asked.length, 1);
    await came();
    assert.deepEqual(titles(), ["One", "Two"]);
  });

  it("are asked for again with the next sentence where they could not be loaded", async (context) => {
    const { asked, came, titles } = chapters(context, "narration", [json({ code: "store.busy", message: "Busy." }, 503)]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([asked.length, titles()], [1, []]);
    dispatch("sentence", { narration: "a", sentence: first });
    await came();
    assert.deepEqual([asked.length, titles()], [2, ["One", "Two"]]);
  });

  it("are asked for in turn, and once a second, while many headings are spoken", async (context) => {
    const { asked, came } = chapters(context, "narration");
    await came();
    for (let count = 0; count < 3; count += 1) dispatch("sentence", { narration: "a", sentence: second });
    assert.equal(asked.length, 2);
    await came();
    context.mock.timers.tick(999);
    dispatch("sentence", { narration: "a", sentence: second });
    assert.equal(asked.length, 2);
    context.mock.timers.tick(1);
    await came();
    assert.equal(asked.length, 3, "one for all that came meanwhile");
  });

  it("stay while a narration becomes a recording, and go with the track", async (context) => {
    const { track, asked, came, titles } = chapters(context, "narration");
    await came();
    track.set({ kind: "recording", id: "a" });
    assert.deepEqual([asked[1], titles()], ["/api/library/a/chapters", ["One", "Two"]]);
    track.set(null);
    assert.deepEqual(titles(), []);
  });
});

/**
 * A server that fails at the times of the words so many times.
 *
 * @param {import("node:test").TestContext} context
 * @param {number} failures
 * @param {() => Response} failure
 */
function timesAfter(context, failures, failure = () => json({ code: "store.busy", message: "Busy." }, 503)) {
  let left = failures;
  const asked = stubServer(context, ({ address }) => {
    if (text(address)) return json({ text: "One. Two.", paragraphs: [] });
    if (left === 0) return json({ sentences: [first, second] });
    left -= 1;
    return failure();
  });
  return { asked, times: () => asked.filter(({ address }) => !text(address)).length };
}

/** The server does not answer. */
const silence = () => {
  throw new TypeError("Failed to fetch");
};

const notFound = () => json({ code: "item.not-found", message: "Gone." }, 404);

describe("the times of a recording's words", () => {
  const { signal } = new AbortController();

  for (const [what, failure] of /** @type {const} */ ([["a server that fails", undefined], ["a server that is silent", silence]])) {
    it(`are asked for again after ${what} once`, async (context) => {
      const { times } = timesAfter(context, 1, failure);
      const { sentences, problem } = await loadSentences("a", signal);
      assert.deepEqual([sentences, problem, times()], [[first, second], null, 2]);
    });
  }

  it("are missing with the reason when the server goes on to fail", async (context) => {
    const { times } = timesAfter(context, 9);
    const { sentences, problem } = await loadSentences("a", signal);
    assert.deepEqual([sentences, /** @type {any} */ (problem).code, times()], [[], "store.busy", 2]);
  });

  it("are not asked for again when the server refuses them", async (context) => {
    const { times } = timesAfter(context, 9, notFound);
    const { problem } = await loadSentences("a", signal);
    assert.deepEqual([/** @type {any} */ (problem).status, times()], [404, 1]);
  });

  it("are not asked for again once nobody wants them", async (context) => {
    const ending = new AbortController();
    const { times } = timesAfter(context, 9, () => {
      ending.abort();
      throw ending.signal.reason;
    });
    await loadSentences("a", ending.signal);
    assert.equal(times(), 1);
  });
});

describe("a recording of which another program may have spoken a sentence again, as long as before", () => {
  const later = { ...second, start: second.start + 1 };

  for (const [what, isPlaying, times, expected] of /** @type {const} */ ([
    ["is loaded again while it plays, where its words have other times", true, [first, later], "resounded"],
    ["is loaded again with the next play, where they have not", false, [first, second], "closed"],
  ])) {
    it(what, async (context) => {
      const ending = new AbortController();
      context.after(() => ending.abort());
      let sentences = [first, second];
      stubServer(context, ({ address }) => {
        if (text(address)) return json({ text: "One. Two.", paragraphs: [] });
        return json(address.endsWith("/timings") ? { sentences } : { name: "Talk", duration: 30 });
      });
      const track = new Cell(/** @type {any} */ ({ kind: "recording", id: "a", name: "Talk", voiceName: "Voice", duration: 30 }));
      const words = new TrackTranscript(track, assert.fail, assert.fail);
      await words.need();
      const happened = await new Promise((resolve) => {
        const sound = { isOpen: true, isWanted: isPlaying, forgetLoaded() {}, close: () => resolve("closed") };
        const listener = { gone: assert.fail, lost: assert.fail, resounded: () => resolve("resounded"), isResounded: (/** @type {boolean} */ isUnsure) => words.isOther(isUnsure) };
        new TrackUpdates(track, /** @type {any} */ (sound), listener).start(ending.signal);
        sentences = [...times];
        dispatch("reset", {});
      });
      assert.equal(happened, expected);
    });
  }

  it("is loaded again once while it plays, where its text is not loaded, and then when its words have other times", async (context) => {
    const ending = new AbortController();
    context.after(() => ending.abort());
    let sentences = [first, second];
    /** @type {string[]} */
    const happened = [];
    /** @type {(value?: unknown) => void} */
    let asked = () => {};
    stubServer(context, ({ address }) => json(address.endsWith("/timings") ? { sentences } : { name: "Talk", duration: 30 }));
    const track = new Cell(/** @type {any} */ ({ kind: "recording", id: "a", name: "Talk", voiceName: "Voice", duration: 30 }));
    const words = new TrackTranscript(track, assert.fail, assert.fail);
    const sound = { isOpen: true, isWanted: true, forgetLoaded() {}, close: assert.fail };
    const isResounded = async (/** @type {boolean} */ isUnsure) => {
      const isOther = await words.isOther(isUnsure);
      setImmediate(() => asked());
      return isOther;
    };
    const listener = { gone: assert.fail, lost: assert.fail, resounded: () => happened.push("resounded"), isResounded };
    new TrackUpdates(track, /** @type {any} */ (sound), listener).start(ending.signal);
    const change = async (/** @type {() => void} */ by) => {
      const answered = new Promise((resolve) => (asked = resolve));
      by();
      await answered;
      return happened.length;
    };
    const library = () => dispatch("library", { added: [], changed: ["a"], deleted: [] });
    const reset = () => dispatch("reset", {});
    assert.equal(await change(library), 0, "a new name is none of its sound");
    assert.equal(await change(reset), 1);
    assert.equal(await change(reset), 1);
    sentences = [first, later];
    assert.equal(await change(library), 2);
  });
});

describe("a text that could not be loaded", () => {
  it("is reported only when a second request has failed too", async (context) => {
    const { one, track, problems, starts } = transcript(context);
    track.set({ ...track.value, kind: "recording" });
    timesAfter(context, 1);
    await one.need();
    assert.deepEqual([starts(), problems], [[0, 10], []]);
  });

  it("comes when the server answers again, and what was reported is withdrawn", async (context) => {
    const { one, track, problems, starts } = transcript(context);
    track.set({ ...track.value, kind: "recording" });
    timesAfter(context, 2, silence);
    assert.equal(await one.need(), null);
    assert.equal(problems.length, 1);
    const loaded = new Promise((resolve) => one.state.watch(resolve, new AbortController().signal));
    dispatch("reset", {});
    await loaded;
    assert.deepEqual([starts(), problems], [[0, 10], []]);
  });

  it("is wanted of what follows in the player, and no longer asked for", async (context) => {
    const { one, track } = transcript(context);
    track.set({ ...track.value, kind: "recording" });
    const { asked } = timesAfter(context, 2);
    await one.need();
    assert.equal(one.leave("b"), true);
    const count = asked.length;
    dispatch("reset", {});
    assert.deepEqual([asked.length, one.leave("c")], [count, false]);
  });

  it("is not asked for again where the server has refused it", async (context) => {
    const { one, track, problems } = transcript(context);
    track.set({ ...track.value, kind: "recording" });
    const { times } = timesAfter(context, 9, notFound);
    await one.need();
    one.retry();
    assert.deepEqual([problems.length, times()], [1, 1]);
  });
});
