import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { VoiceUpload } from "../../Sources/WebApp/Resources/www/pages/voices/offers.js";
import { failure, voice } from "./voice-fixtures.js";

/** @typedef {import("../../Sources/WebApp/Resources/www/server/voices.js").VoiceListing} VoiceListing */

describe("a voice that is added from a file", () => {
  const file = /** @type {File} */ (/** @type {unknown} */ ({ name: "voice.tar.bz2" }));

  test("is sent, then tried, then there", async () => {
    /** @type {string[]} */
    const states = [];
    const upload = new VoiceUpload(async (_, { progressed }) => {
      progressed(0.5);
      progressed(1);
      return voice("en_US-own-low");
    });
    upload.current.watch((current) => states.push(`${current?.state} ${current?.part}`), new AbortController().signal);
    await upload.add(file);
    assert.deepEqual(states, ["sending 0", "sending 0.5", "trying 1", "done 1"]);
    assert.equal(upload.current.value?.voice?.id, "piper/en_US-own-low");
  });

  test("is shown with the reason of its refusal, until it is removed", async () => {
    const upload = new VoiceUpload(() => Promise.reject(failure("voice.damaged-archive")));
    await upload.add(file);
    assert.deepEqual([upload.current.value?.state, upload.current.value?.problem], ["refused", failure("voice.damaged-archive")]);
    upload.drop();
    assert.equal(upload.current.value, null);
  });

  test("gives way to another, and does not come back", async () => {
    /** @type {((voice: VoiceListing) => void)[]} */
    const answers = [];
    /** @type {AbortSignal[]} */
    const signals = [];
    const upload = new VoiceUpload((_, { signal }) => {
      signals.push(signal);
      return new Promise((resolve) => answers.push(resolve));
    });
    const first = upload.add(file);
    const second = upload.add(/** @type {File} */ (/** @type {unknown} */ ({ name: "other.tar.bz2" })));
    assert.deepEqual(signals.map(({ aborted }) => aborted), [true, false]);
    answers[0]?.(voice("en_US-first-low"));
    await first;
    assert.deepEqual([upload.current.value?.file.name, upload.current.value?.state], ["other.tar.bz2", "sending"]);
    answers[1]?.(voice("en_US-second-low"));
    await second;
    assert.equal(upload.current.value?.voice?.id, "piper/en_US-second-low");
  });
});
