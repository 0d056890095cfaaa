import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { sorted, transcribeOnceImported } from "../../Sources/WebApp/Resources/www/pages/drops/dropped-files.js";
import { soundImports } from "../../Sources/WebApp/Resources/www/pages/recordings/sound-import-queue.js";
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
  const done = (/** @type {string} */ id) => ({ state: "done", item: { id, name: id } });
  const talk = new File(["sound"], "talk.mp3");
  const memo = new File(["sound"], "memo.wav");

  test("are, once they are recordings, and need not be offered to be; others are offered", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.all.set([one(talk, {}), one(memo, {})]);
    assert.deepEqual(asked, [], "they are on their way");
    for (let times = 0; times < 2; times += 1) soundImports.all.set([one(talk, done("t")), one(memo, done("m"))]);
    for (const { item } of soundImports.all.value) if (item !== null) soundImports.offer(item);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(asked.map(({ method, address }) => `${method} ${address}`), ["POST /api/library/t/transcriptions"]);
    assert.deepEqual(soundImports.offered.value.map(({ id }) => id), ["m"]);
  });

  test("and then taken off the list are not, if the same file is imported later", async (context) => {
    const asked = stubServer(context, () => json({}, 201));
    transcribeOnceImported([talk]);
    soundImports.all.set([one(talk, {})]);
    soundImports.all.set([]);
    soundImports.all.set([one(talk, done("later"))]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(asked, []);
  });
});
