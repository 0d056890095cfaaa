import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { jobWords } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/job-words.js";

const now = Date.parse("2026-01-31T12:00:00Z");

/** @type {Parameters<typeof jobWords>[0]} */
const retrying = {
  state: "retrying",
  position: 5,
  to: 60,
  retryAt: "2026-01-31T12:00:02Z",
  failure: { code: "service.failed", message: "The service at “example.org” has a fault of its own (status 500).", suggestion: null },
  sending: null,
};

describe("the words for a transcription", () => {
  it("that is tried again tell when and why", async (context) => {
    assert.equal(jobWords(retrying, 0.1, now), "The service has a fault of its own. It is tried again in 2 seconds.");
    assert.equal(jobWords({ ...retrying, failure: null }, 0.1, now), "It is tried again in 2 seconds.");
    assert.equal(jobWords({ ...retrying, retryAt: null }, 0.1, now), "It did not work yet, and is tried again.");
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.match(jobWords(retrying, 0.1, now), /\. Uuesti proovitakse 2 sekundi pärast\.$/);
  });

  it("that has failed tell what to do about it", () => {
    const words = jobWords({ ...retrying, state: "failed", retryAt: null }, 0.1, now);
    assert.equal(words, "The service has a fault of its own. Try again later; what was heard is kept.");
  });

  it("that waits for leave tell what is to be sent, and who could read it", () => {
    const sending = {
      host: "example.org", path: "/v1/audio/transcriptions", isEncrypted: true, isReadable: false, sendsWords: false,
      bytes: 320_000, seconds: 10,
    };
    /** @param {Partial<typeof sending>} change */
    const words = (change) =>
      jobWords({ ...retrying, state: "waiting-for-consent", sending: { ...sending, ...change } }, 0, now);
    assert.match(words({}), /^Send 0:10 of sound, 0\.3 MB, to example\.org\?$/);
    assert.match(words({ isReadable: true }), /\? It is not encrypted: others can read it on its way\.$/);
    assert.match(words({ sendsWords: true }), /\? Your words and texts for the recogniser go along\.$/);
  });

  it("that is heard tell how far it is", () => {
    assert.equal(jobWords({ ...retrying, state: "running" }, 0.1, now), "Transcribing: 0:05 of 1:00, 10 %");
    assert.equal(jobWords({ ...retrying, state: "queued" }, 0, now), "Waits for its turn to be transcribed.");
  });
});
