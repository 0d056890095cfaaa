import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  downloadsUnderWay,
  importsUnderWay,
  loadDownloaded,
  narrationsUnderWay,
  soundsUnderWay,
} from "../../Sources/WebApp/Resources/www/pages/speak/front-door.js";
import { json, stubServer } from "./stub-server.js";

/** @param {import("../../Sources/WebApp/Resources/www/pages/speak/front-door.js").UnderWay[]} all */
const words = (all) => all.map(({ name, address, words }) => `${name} | ${address} | ${words}`);

describe("what is under way", () => {
  test("are narrations with per cent and place in line, but none that was stopped", () => {
    const one = { characters: 200, position: 90, secondsLeft: null, document: null };
    const narrations = /** @type {any} */ ([
      { ...one, id: "a", name: "Left", state: "stopped" },
      { ...one, id: "b", name: "Book", state: "speaking", secondsLeft: 120, document: { id: "d/1" } },
      { ...one, id: "c", name: "Note", state: "speaking" },
      { ...one, id: "d", name: "First", state: "waiting" },
      { ...one, id: "e", name: "Second", state: "waiting" },
      { ...one, id: "f", name: "Empty", state: "speaking", characters: 0, position: 0 },
    ]);
    assert.deepEqual(words(narrationsUnderWay(narrations)), [
      "Book | /documents/d%2F1 | 45\u00a0% spoken · about 2\u00a0min left",
      "Note | null | 45\u00a0% spoken",
      "First | null | Waiting, number 1",
      "Second | null | Waiting, number 2",
      "Empty | null | 0\u00a0% spoken",
    ]);
  });

  test("are documents that are imported, with those that wait for an answer", () => {
    const states = ["done", "sending", "reading", "asking", "refused", "waiting", "waiting"];
    const imports = /** @type {any} */ (states.map((state, id) => ({ id, state, part: 0.5, file: { name: `${id}.pdf` } })));
    assert.deepEqual(words(importsUnderWay(imports)), [
      "1.pdf | /documents | Reading the file, 50\u00a0%",
      "2.pdf | /documents | Extracting the text…",
      "3.pdf | /documents | Waiting for your answer",
      "4.pdf | /documents | 1 file was not imported.",
      "5.pdf | /documents | Waiting, number 1",
      "6.pdf | /documents | Waiting, number 2",
    ]);
  });

  test("are sound files that are imported, and one that was imported before, about which is asked", () => {
    const states = ["done", "sending", "reading", "rest", "joining", "refused", "waiting"];
    const sounds = states.map((state, id) => ({ id, state, part: 0.25, file: { name: `${id}.wav` }, twin: null }));
    const twin = { ...sounds[0], id: 7, file: { name: "7.wav" }, twin: { id: "i", name: "Talk" } };
    assert.deepEqual(words(soundsUnderWay(/** @type {any} */ ([...sounds, twin]))), [
      "1.wav | /recordings | Reading the file, 25\u00a0%",
      "2.wav | /recordings | Reading the sound…",
      "3.wav | /recordings | Waiting for your answer",
      "4.wav | /recordings | Adding to the recording: 25\u00a0%",
      "5.wav | /recordings | 1 file was not imported.",
      "6.wav | /recordings | Waiting, number 1",
      "7.wav | /recordings | Waiting for your answer",
    ]);
  });

  test("are downloads by the names of what they bring, and none that was stopped", () => {
    const known = new Map([["w", { name: "Whisper tiny", address: "/recordings/recognizers" }]]);
    const downloads = /** @type {const} */ ([
      { entry: "w", state: "downloading", bytes: 30, total: 120 },
      { entry: "v", state: "waiting", bytes: null, total: null },
      { entry: "x", state: "paused", bytes: 1, total: 2 },
      { entry: "y", state: "failed", bytes: 1, total: 2 },
      { entry: "z", state: "downloading", bytes: 1, total: null },
      { entry: "u", state: "extracting", bytes: 2, total: 2 },
    ]);
    assert.deepEqual(words(downloadsUnderWay(downloads, known)), [
      "Whisper tiny | /recordings/recognizers | Downloading, 25\u00a0%",
      "v | /voices | Waiting for another download",
      "z | /voices | On its way…",
      "u | /voices | Unpacking…",
    ]);
  });
});

test("what downloads bring is a recognizer, a voice with its language, or what finds speakers", async (context) => {
  /** @type {Record<string, unknown>} */
  const answers = {
    "/api/recognizers": { recognizers: [], offers: [{ entry: "w", name: "Whisper tiny" }] },
    "/api/speakers": { offers: [{ entry: "s" }] },
    "/api/voices/listings": { voices: [{ entry: "v", name: "Joe", language: "en-US", quality: "medium" }, { entry: null, name: "English", language: "en", quality: null }] },
  };
  stubServer(context, ({ address }) => json(answers[address]));
  const found = await loadDownloaded(new AbortController().signal);
  assert.deepEqual([found.get("w"), found.get("s"), found.get("v")], [
    { name: "Whisper tiny", address: "/recordings/recognizers" },
    { name: "Find the speakers", address: "/recordings" },
    { name: "Joe, English (US)", address: "/voices" },
  ]);
});
