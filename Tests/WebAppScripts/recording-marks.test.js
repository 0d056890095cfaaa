import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingMark } from "../../Sources/WebApp/Resources/www/core/store.js";
import { showRecording } from "../../Sources/WebApp/Resources/www/pages/recordings/microphone.js";

test("the mark of recording is shown until nobody records", () => {
  const stopped = /** @type {string[]} */ ([]);
  const one = { stop: () => stopped.push("one") };
  const other = { stop: () => stopped.push("other") };
  showRecording(one, true);
  showRecording(other, true);
  recordingMark.value?.stop();
  showRecording(one, false);
  assert.notEqual(recordingMark.value, null);
  showRecording(other, false);
  assert.deepEqual([recordingMark.value, stopped], [null, ["one", "other"]]);
});
