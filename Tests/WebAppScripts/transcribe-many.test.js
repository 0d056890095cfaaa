import "./page-elements.js";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { showLanguage } from "../../Sources/WebApp/Resources/www/core/i18n.js";
import { begunWords, transcribeMany } from "../../Sources/WebApp/Resources/www/pages/recordings/transcript/doors.js";
import { transcriptionJobs } from "../../Sources/WebApp/Resources/www/pages/recordings/transcription-jobs.js";

/**
 * A server with a good recognizer, on which “b” has a transcript and “d” has been deleted.
 *
 * @param {import("node:test").TestContext} context
 * @param {(asked: string) => void} [seen]
 * @returns {string[]} What it is asked, in order.
 */
function serve(context, seen = () => {}) {
  /** @type {string[]} */
  const asked = [];
  context.mock.method(globalThis, "fetch", async (/** @type {string | URL} */ address, /** @type {RequestInit} */ { method = "GET" } = {}) => {
    const words = `${method} ${new URL(address, "http://localhost").pathname.replace("/api/", "")}`;
    asked.push(words);
    seen(words);
    if (words.includes("/d/")) return Response.json({ code: "library.not-found", message: "Not found." }, { status: 404 });
    if (words.endsWith("recognizers")) return Response.json({ recognizers: [{ engine: "sherpaOnnx" }], order: [] });
    return Response.json({ versions: words.includes("/b/") ? [{ id: "v" }] : [] });
  });
  return asked;
}

describe("several recordings that are transcribed", () => {
  it("begin one by one, and do not wait until all are looked at", async (context) => {
    const asked = serve(context);
    await assert.rejects(transcribeMany(["a", "b", "c", "d", "e"]), { code: "library.not-found" });
    assert.deepEqual(asked, [
      "GET library/a/transcripts",
      "GET recognizers",
      "POST library/a/transcriptions",
      "GET library/b/transcripts",
      "GET library/c/transcripts",
      "POST library/c/transcriptions",
      "GET library/d/transcripts",
    ]);
  });

  it("leave out one whose transcription has begun meanwhile", async (context) => {
    context.after(() => transcriptionJobs.all.set([]));
    const asked = serve(context, (words) => {
      const job = /** @type {any} */ ({ item: "c", state: "queued" });
      if (words === "GET library/a/transcripts") transcriptionJobs.all.set([job]);
    });
    await assert.rejects(transcribeMany(["a", "c", "d"]), { code: "library.not-found" });
    assert.ok(asked.every((words) => !words.includes("/c/")));
  });
});

describe("the words for several recordings that are transcribed", () => {
  it("count those that are, and those that have a transcript", () => {
    assert.equal(begunWords(2, 0), "2 recordings are being transcribed");
    assert.equal(begunWords(1, 2), "1 recording is being transcribed · 2 have transcripts already, which stay");
    assert.equal(begunWords(0, 1), "1 has a transcript already, which stays");
    assert.equal(begunWords(0, 0), "0 recordings are being transcribed");
  });

  it("are in the reader's language", async (context) => {
    await showLanguage("et");
    context.after(() => showLanguage("en"));
    assert.equal(begunWords(1, 2), "1 salvestist kirjutatakse üles · 2 salvestisel on üleskirjutus juba olemas");
  });
});
