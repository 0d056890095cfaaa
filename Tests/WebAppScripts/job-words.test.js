import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { isGoing, isInstead, isStopped, jobWords, shareOf, shortJobWords, signWords, spokenWords } from "../../Sources/WebApp/Resources/www/pages/recordings/transcription-jobs.js";

const now = Date.parse("2026-01-31T12:00:00Z");

/** @type {Parameters<typeof jobWords>[0]} */
const retrying = {
  state: "retrying",
  position: 5,
  to: 60,
  retryAt: "2026-01-31T12:00:02Z",
  failure: {
    code: "service.failed",
    message: "The service at “example.org” reported an internal error (status 500).",
    suggestion: "Try again later; what was heard is kept.",
  },
  sending: null,
};

describe("the words for a transcription", () => {
  it("that is tried again say when and why", async (context) => {
    assert.equal(jobWords(retrying, 0.1, now), "The service at “example.org” reported an internal error (status 500). Trying again in 2 seconds.");
    assert.equal(jobWords({ ...retrying, failure: null }, 0.1, now), "Trying again in 2 seconds.");
    assert.equal(jobWords({ ...retrying, retryAt: null }, 0.1, now), "It has not worked yet. Trying again.");
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.match(jobWords(retrying, 0.1, now), /\. Uuesti proovitakse 2 sekundi pärast\.$/);
  });

  it("that has failed say what to do about it", () => {
    const words = jobWords({ ...retrying, state: "failed", retryAt: null }, 0.1, now);
    assert.equal(words, "The service at “example.org” reported an internal error (status 500). Try again later; what was heard is kept.");
  });

  it("that waits for leave say what is to be sent, and who could read it", () => {
    const sending = {
      host: "example.org", path: "/v1/audio/transcriptions", isEncrypted: true, isReadable: false, sendsWords: false,
      bytes: 320_000, seconds: 10,
    };
    /** @param {Partial<typeof sending>} change */
    const words = (change) =>
      jobWords({ ...retrying, state: "waiting-for-consent", sending: { ...sending, ...change } }, 0, now);
    assert.match(words({}), /^Send 0:10 of sound, 0\.3\u00a0MB, to example\.org\?$/);
    assert.match(words({ isReadable: true }), /\? It is not encrypted: others can read it on its way\.$/);
    assert.match(words({ sendsWords: true }), /\? Your words and texts for the recogniser are sent too\.$/);
  });

  it("that another recognizer has taken over say why, until it has failed as well", () => {
    const failure = { code: "service.key-refused", message: "The service at “example.org” does not accept the key.", suggestion: null };
    const job = { ...retrying, failure, recognizer: "sherpa/tiny", recognizers: ["remote/office", "sherpa/tiny"] };
    const why = "The service at “example.org” does not accept the key. Another recogniser takes its place.";
    assert.equal(jobWords({ ...job, state: "running" }, 0.1, now), `${why} Transcribing: 0:05 of 1:00, 10\u00a0%`);
    assert.equal(jobWords({ ...job, state: "queued" }, 0, now), `${why} Waiting for its turn to be transcribed.`);
    assert.doesNotMatch(jobWords({ ...job, state: "failed" }, 0, now), /Another recogniser/);
    assert.ok(isInstead(job));
    assert.ok(!isInstead({ ...job, recognizer: "remote/office" }), "the first is tried again");
    assert.ok(!isInstead({ ...job, failure: null }));
  });

  it("that is heard are said to screen readers by tenths, and begin without a number", () => {
    const job = { ...retrying, state: /** @type {const} */ ("running"), failure: null };
    assert.equal(spokenWords(job, 0), "Being transcribed");
    assert.equal(spokenWords(job, 0.09), "Being transcribed");
    assert.equal(spokenWords(job, 0.37), "30 per cent transcribed");
    assert.equal(spokenWords({ ...job, state: "queued" }, 0), "Waiting for its turn to be transcribed.");
  });

  it("that is heard say how far it is", () => {
    assert.equal(jobWords({ ...retrying, state: "running" }, 0.1, now), "Transcribing: 0:05 of 1:00, 10\u00a0%");
    assert.equal(jobWords({ ...retrying, state: "queued" }, 0, now), "Waiting for its turn to be transcribed.");
  });
});

describe("a transcription that has ended in the middle", () => {
  const stopped = /** @type {const} */ ({ ...retrying, state: "cancelled", from: 0, position: 18, retryAt: null, failure: null });

  it("says up to where it has heard, and that it can continue from there", () => {
    assert.match(jobWords(stopped, 0.3, now), /^The transcription was stopped at 0:18\. It can continue from there: .*\.$/);
    assert.match(jobWords({ ...stopped, position: 0 }, 0, now), /before anything was heard\.$/);
    assert.match(jobWords({ ...stopped, from: 18 }, 0, now), /before anything was heard\.$/);
    assert.equal(shortJobWords(/** @type {any} */ (stopped)), "Transcribed up to 0:18");
  });

  it("is one that was stopped or has failed, and has heard something", () => {
    for (const state of /** @type {const} */ (["cancelled", "failed"])) assert.ok(isStopped({ ...stopped, state }));
    for (const state of /** @type {const} */ (["running", "queued", "done", "gone"])) assert.ok(!isStopped({ ...stopped, state }));
    assert.ok(!isStopped({ ...stopped, position: 0 }));
  });
});

describe("the words for transcriptions in lists and on every page", () => {
  /** @param {object} change */
  const job = (change) => /** @type {any} */ ({ ...retrying, name: "Talk", state: "running", from: 0, to: 50, position: 21, place: null, ...change });

  it("say how far one is, its place in line, and that it waits for an answer", () => {
    assert.equal(shortJobWords(job({})), "Transcribing, 42\u00a0%");
    assert.equal(shortJobWords(job({ state: "queued", place: 2 })), "Waiting, number 2");
    assert.equal(shortJobWords(job({ state: "waiting-for-consent" })), "Waiting for your answer");
    assert.equal(shortJobWords(job({ state: "failed", position: 0 })), "Transcription failed");
    assert.equal(jobWords(job({ state: "queued", place: 2 }), 0, now), "Waiting for its turn to be transcribed: number 2.");
  });

  it("name the one that is running and count the others, unless one waits for an answer", () => {
    const queued = job({ name: "Walk", state: "queued", place: 1 });
    assert.equal(signWords([queued]), "Walk: Waiting, number 1");
    assert.equal(signWords([queued, job({})]), "Talk: Transcribing, 42\u00a0% · 1 more");
    assert.equal(signWords([job({}), job({ name: "Call", state: "waiting-for-consent", sending: {} })]), "Call: waiting for your answer");
  });

  it("know which are under way and how much of a part is done", () => {
    assert.ok(isGoing(job({})) && !isGoing(job({ state: "failed" })));
    assert.equal(shareOf({ from: 10, to: 30, position: 15 }), 0.25);
    assert.equal(shareOf({ from: 0, to: 0, position: 0 }), 0);
  });
});
