import "./page-elements.js";
import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";
import { settings } from "../../Sources/WebApp/Resources/www/core/store.js";
import { sorted, transcribeOnceImported } from "../../Sources/WebApp/Resources/www/pages/drops/dropped-files.js";
import { soundImports } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-import-queue.js";
import { transcriptionJobs } from "../../Sources/WebApp/Resources/www/pages/recordings/transcription-jobs.js";
import { json, stubServer } from "./stub-server.js";

describe("dropped files", () => {
  const [note, memo, talk, paper] = [
    { name: "note.txt", type: "text/plain" },
    { name: "memo.wav", type: "audio/wav" },
    { name: "talk.mp3", type: "audio/mpeg" },
    { name: "paper.pdf", type: "application/pdf" },
  ];
  const files = [note, memo, talk, paper];
  const kinds = /** @type {const} */ (["text", "text", "sound", "document"]);

  test("are sorted by what is in them, so that all texts together are one question", () => {
    assert.deepEqual(sorted(files, kinds, false), { texts: [note, memo], sounds: [talk], documents: [paper] });
  });

  test("that were chosen as sound are no texts, if their name says sound", () => {
    assert.deepEqual(sorted(files, kinds, true), { texts: [note], sounds: [memo, talk], documents: [paper] });
  });
});

describe("files that were chosen to be transcribed", () => {
  /**
   * @param {File} file
   * @param {object} more
   */
  const one = (file, more) => /** @type {any} */ ({ id: file.name, file, state: "sending", part: 0, item: null, twin: null, ...more });
  const done = (/** @type {string} */ id) => ({ state: "done", item: /** @type {any} */ ({ id, name: id }) });
  const talk = new File(["sound"], "talk.mp3");
  const memo = new File(["sound"], "memo.wav");
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const offered = () => soundImports.offered.value.map(({ id }) => id);
  const transcribesAll = (/** @type {string} */ value) => settings.set(/** @type {any} */ (new Map([["transcription.after-import", { value }]])));

  beforeEach(() => {
    soundImports.all.set([]);
    soundImports.offered.set([]);
    transcribesAll("off");
  });

  test("are, once they are recordings, and need not be offered to be; others are offered", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.all.set([one(talk, {}), one(memo, {})]);
    assert.deepEqual(asked, [], "they are on their way");
    for (let times = 0; times < 2; times += 1) soundImports.all.set([one(talk, done("t")), one(memo, done("m"))]);
    for (const { item } of soundImports.all.value) if (item !== null) soundImports.offer(item);
    await settled();
    assert.deepEqual(asked.map(({ method, address }) => `${method} ${address}`), ["POST /api/library/t/transcriptions"]);
    assert.deepEqual(offered(), ["m"]);
  });

  test("and then taken off the list are not, if the same file is imported later", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.all.set([one(talk, {})]);
    soundImports.all.set([]);
    soundImports.all.set([one(talk, done("later"))]);
    await settled();
    assert.deepEqual(asked, []);
  });

  test("are not offered either by a list of imports that was there earlier", async (context) => {
    stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.offer(done("early").item);
    soundImports.all.set([one(talk, done("early"))]);
    assert.deepEqual(offered(), []);
    await settled();
  });

  test("are left to the server where it transcribes all imports by then", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.all.set([one(talk, {})]);
    transcribesAll("on");
    soundImports.all.set([one(talk, done("t"))]);
    await settled();
    assert.deepEqual(asked, []);
  });

  test("are, as the recording that was imported from one before, unless it has a text or will have one", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    const twin = (/** @type {string} */ id, isTranscribed = false) => ({ state: "done", twin: { id, name: id, isTranscribed } });
    const file = () => new File(["sound"], "talk.mp3");
    const [bare, heard, going] = [file(), file(), file()];
    context.after(() => transcriptionJobs.all.set([]));
    transcriptionJobs.all.set(/** @type {any} */ ([{ item: "going", state: "waiting-for-consent" }, { item: "bare", state: "failed" }]));
    transcribeOnceImported([bare, heard, going]);
    for (let times = 0; times < 2; times += 1) soundImports.all.set([one(bare, twin("bare")), one(heard, twin("heard", true)), one(going, twin("going"))]);
    await settled();
    assert.deepEqual(asked.map(({ address }) => address), ["/api/library/bare/transcriptions"]);
    transcriptionJobs.all.set([]);
    soundImports.all.set([one(heard, done("copy")), one(going, twin("going"))]);
    await settled();
    assert.deepEqual(asked.map(({ address }) => address).slice(1), ["/api/library/copy/transcriptions"], "that was imported once more; the other was stopped");
  });
});
